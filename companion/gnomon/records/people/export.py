"""Export everything that is kept of a person: profile, decisions, and all games."""

from collections.abc import Sequence
from typing import Final

from gnomon.people.json_values import profile_value
from gnomon.people.profiles import People, Profile
from gnomon.records.people.sources import RecordedGame

FORMAT: Final = "gnomon-person"
VERSION: Final = 1


def export_value(name: str, people: People, kept: Sequence[RecordedGame]) -> dict[str, object]:
    """What is kept of the person of a name, as JSON has it; each game with its whole record, as a bundle says it."""
    register = people.register
    found = people.find(name)
    key = register.key(name)
    profile = Profile(key, register.display_name(name)) if found is None else people.profile(found)
    return {
        "format": FORMAT,
        "version": VERSION,
        **profile_value(profile, is_public=register.is_public(key)),
        "joined": [list(one) for one in register.joined if register.key(one.name) == key],
        "records": [game._asdict() for game in kept],
    }
