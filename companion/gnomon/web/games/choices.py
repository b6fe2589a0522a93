"""Read the form for a new game: which settings were chosen and matter, and what the rules say against them."""

from collections.abc import Iterator, Mapping

from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import rules_of
from gnomon.views.show import Choice, show


def choose_settings(game: str, sent: Mapping[str, str]) -> dict[str, str]:
    """The settings that were chosen on a form and matter."""
    values = {choice.name: sent.get(choice.name, choice.default).strip() for choice in show(game).choices}
    return {name: values[name] for name in _relevant_keys(game, values) if values[name]}


def mistakes(game: str, sent: Mapping[str, str]) -> dict[str, Choice]:
    """The settings whose value is none of its values, by their names."""
    settings = choose_settings(game, sent)
    return {choice.name: choice for choice in show(game).choices if not _fits(choice, settings.get(choice.name, ""))}


def refusal(game: str, settings: Mapping[str, str]) -> tuple[str, SettingsError] | None:
    """What the rules say against settings that do not go together: the setting named first, and what they say."""
    try:
        rules_of(game, settings)
    except SettingsError as error:
        said = str(error)
        first = said.partition("=")[0].split()[0] if said else ""
        names = [choice.name for choice in show(game).choices]
        return (first if first in names else names[0]), error
    return None


def seats(game: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """The players of the rules who give a name, in order. Raises SettingsError."""
    rules = rules_of(game, settings)
    return show(game).named_by(rules)


def _relevant_keys(game: str, values: Mapping[str, str]) -> Iterator[str]:
    for choice in show(game).choices:
        setting, wanted = choice.when
        if not setting or values[setting] in wanted:
            yield choice.name


def _fits(choice: Choice, text: str) -> bool:
    if not text:
        return True
    if choice.values:
        return text in choice.values
    if not choice.is_number:
        return True
    return (
        text.isascii()
        and text.isdecimal()
        and len(text) <= len(str(choice.most))
        and (choice.least <= int(text) <= choice.most)
    )
