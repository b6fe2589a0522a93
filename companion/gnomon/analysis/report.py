"""Put an analysis into words: single sentences for pages, and the whole as text for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.analysis._game_analysis import AnalysedTurn, Analysis, CostKind, Forecast, SpentGlass, Value
from gnomon.refusals import sentence
from gnomon.timekeeping.instants import SECOND
from gnomon.views import phrases
from gnomon.views.endings import reason_of
from gnomon.views.show import show
from gnomon.words import Words

_WHOLE: Final = 100
_QUICKLY: Final = 60 * SECOND
"""Turned over again within this time, a glass has little sand."""
_ENDS: Final = {1.0: "won", 0.0: "lost"}


def person_label(analysis: Analysis, person: int | None, words: Words) -> str:
    """A person by their own name with that of their seat; nature by its name."""
    if person is None:
        return phrases.name("nature", words)
    seat = analysis.seats[person]
    own = phrases.name(seat, words)
    name = analysis.names.get(seat)
    return words("watching.named", person=name, player=own) if name else own


def own_label(analysis: Analysis, person: int, words: Words) -> str:
    """A person by their own name, or else by that of their seat."""
    seat = analysis.seats[person]
    return analysis.names.get(seat) or phrases.name(seat, words)


def short_label(analysis: Analysis, turn: AnalysedTurn, words: Words) -> str:
    """Who made a turn: the person's own name, or that of the player."""
    name = None if turn.person is None else analysis.names.get(analysis.seats[turn.person])
    return name or phrases.name(turn.player, words)


def heading(analysis: Analysis, words: Words) -> str:
    """What was played."""
    variant = show(analysis.game).variant(analysis.settings, words)
    return " ".join(filter(None, (words(f"game.{analysis.game}"), variant)))


def result_text(analysis: Analysis, words: Words) -> str:
    """How the game ended; empty while it goes on."""
    if analysis.result is None:
        return ""
    winner, reason = analysis.result
    why = reason_of(reason, {}, words).text
    return f"{phrases.winner_sentence(winner, words, reason)} {why}".rstrip()


def effort_text(analysis: Analysis, words: Words) -> str:
    """By what the values were found."""
    if analysis.with_table:
        return words("analysis.by.table")
    if analysis.nodes:
        return words("analysis.by.nodes", number=analysis.nodes)
    return words("analysis.by.depth", number=analysis.depth)


def percent(share: float) -> int:
    """A share in whole percent; what is not certain is never said to be 0 or 100."""
    return round(_WHOLE * share)


def forecast_text(forecast: Forecast | None, words: Words) -> str:
    """A chance of winning: a number, a band, or what is proven."""
    if forecast is None:
        return ""
    if forecast.is_band:
        return words("analysis.band", low=percent(forecast.low), high=percent(forecast.high))
    return value_text(Value(forecast.low, forecast.proven), words)


def value_text(value: Value, words: Words) -> str:
    """What a move is worth: a number, or what is proven."""
    if value.is_result:
        return words(f"analysis.proven.{_ENDS.get(value.chance, 'drawn')}")
    return words("analysis.percent", number=min(_WHOLE - 1, max(1, percent(value.chance))))


def cost_text(turn: AnalysedTurn, words: Words) -> str:
    """What a turn cost, in a few words; empty where it cost nothing that is worth telling."""
    cost = turn.cost
    if cost is None or not turn.is_costly:
        return ""
    if cost.points is not None and cost.kind is CostKind.NUMBER:
        return words("analysis.cost.number", number=percent(cost.points))
    return words(f"analysis.cost.{cost.kind.value}")


def costly_sentence(analysis: Analysis, turn: AnalysedTurn, words: Words) -> str:
    """What a turn cost, and what was better, in sentences."""
    cost, best, played = turn.cost, turn.best_value, turn.played_value
    assert cost is not None  # noqa: S101 - it is a costly one
    assert best is not None  # noqa: S101 - which has both values
    assert played is not None  # noqa: S101 - as above
    move = shorten(turn.text)
    values = {"number": turn.number, "person": short_label(analysis, turn, words), "move": move}
    told = words(
        f"analysis.told.{cost.kind.value}", **values, best=value_text(best, words), played=value_text(played, words)
    )
    return f"{told} {better_sentence(turn, words)}"


def better_sentence(turn: AnalysedTurn, words: Words) -> str:
    """What was better than a turn, and what was to follow."""
    move, *after = map(shorten, turn.line)
    if after:
        return words("analysis.better.line", move=move, line=" ".join(after))
    return words("analysis.better", move=move)


def found_sentence(analysis: Analysis, words: Words) -> str:
    """Which turns only looking far ahead finds, and how that is known; empty where there are none."""
    turns = ", ".join(f"{turn.number} {shorten(turn.text)}!" for turn in analysis.finds)
    return words("analysis.found", turns=turns) if turns else ""


def accuracy_sentence(analysis: Analysis, person: int, words: Words) -> str:
    """How well somebody chose."""
    accuracy, label = analysis.accuracy(person), person_label(analysis, person, words)
    if accuracy is None:
        return words("analysis.accuracy.none", person=label)
    return words.plural("analysis.accuracy", accuracy.turns, person=label, share=percent(accuracy.share))


def luck_sentences(analysis: Analysis, words: Words) -> str:
    """What luck and play were worth, and by what that is known; empty where nothing is to be told."""
    if analysis.luck is None:
        return ""
    source = words("analysis.luck.exact" if analysis.luck.exact else "analysis.luck.estimate")
    told = analysis.luck.told
    called = {seat: phrases.name(seat, words) for seat in analysis.seats}  # for a player without a name
    values = {
        name: called.get(value, value) if isinstance(value, str) else value for name, value in told.values.items()
    }
    return f"{sentence(told._replace(values=values), words)} {source}"


def sand_text(turn: AnalysedTurn) -> str:
    """How much sand each glass of the player had after a turn, by its space; empty where no sand runs."""
    return ", ".join(
        f"{each.space} {phrases.countdown_text(-(-each.left // SECOND))}"
        for each in turn.sand
        if each.player == turn.player
    )


def spent_sentences(analysis: Analysis, words: Words) -> Sequence[str]:
    """The glasses that ran out during the game, each with what made it so, and what would have kept it."""
    return [_spent_sentence(analysis, each, words) for each in analysis.spent]


def _spent_sentence(analysis: Analysis, spent: SpentGlass, words: Words) -> str:
    values = {
        "time": phrases.elapsed_text(spent.at),
        "person": person_label(analysis, spent.person, words),
        "space": spent.space,
        "number": spent.moved,
    }
    if spent.apart is None or spent.apart > _QUICKLY:
        told = words("analysis.spent.glass", **values)
    else:
        told = words("analysis.spent.twice", **values, before=spent.before or 0, seconds=spent.apart // SECOND)
    if spent.wait is None:
        return told
    return f"{told} {words('analysis.spent.wait', number=spent.moved, seconds=spent.wait // SECOND)}"


def mobility_text(turn: AnalysedTurn) -> str:
    """In how many ways each player could move before a turn; empty where the game does not count it."""
    return "–".join(map(str, turn.mobility.values())) if turn.mobility else ""


def shorten(text: str) -> str:
    """A move with its long numbers shortened."""
    return phrases.shorten_numbers(text)


def report_lines(analysis: Analysis, words: Words) -> Iterator[str]:
    """The whole analysis as text."""
    yield heading(analysis, words)
    yield " – ".join(person_label(analysis, person, words) for person in range(len(analysis.seats)))
    yield from filter(None, (result_text(analysis, words),))
    yield effort_text(analysis, words)
    yield ""
    yield from _table(analysis, words)
    yield ""
    if analysis.costly:
        yield words("analysis.costly")
        yield from (f"  {costly_sentence(analysis, turn, words)}" for turn in analysis.costly)
    else:
        yield words("analysis.costly.none")
    yield from filter(None, (found_sentence(analysis, words),))
    yield ""
    if spent := spent_sentences(analysis, words):
        yield words("analysis.spent")
        yield from (f"  {each}" for each in spent)
        yield ""
    yield from (accuracy_sentence(analysis, person, words) for person in range(len(analysis.seats)))
    yield from filter(None, (luck_sentences(analysis, words),))


def chance_heading(analysis: Analysis, words: Words) -> str:
    """What the column of the chances is called: whose they are."""
    return words("analysis.column.chance", person=own_label(analysis, 0, words))


Columns = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The titles of a table, and its rows."""


def columns(analysis: Analysis, words: Words) -> Columns:
    """Every turn as a row of the columns that have anything in them; the first has its number."""
    keys = ("number", "person", "move", "chance", "cost", "took", "mobility", "sand")
    titles = [chance_heading(analysis, words) if key == "chance" else words(f"analysis.column.{key}") for key in keys]
    rows = [_cells(analysis, turn, words) for turn in analysis.turns]
    used = [place for place in range(len(keys)) if any(row[place] for row in rows)]
    return [titles[place] for place in used], [[row[place] for place in used] for row in rows]


def _table(analysis: Analysis, words: Words) -> Iterator[str]:
    titles, rows = columns(analysis, words)
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    for row in (titles, *rows):
        padded = [_pad(text, width, place) for place, (text, width) in enumerate(zip(row, widths, strict=True))]
        yield "  ".join(padded).rstrip()


def _pad(text: str, width: int, place: int) -> str:
    return text.rjust(width) if place == 0 else text.ljust(width)


def _cells(analysis: Analysis, turn: AnalysedTurn, words: Words) -> Sequence[str]:
    return (
        str(turn.number),
        short_label(analysis, turn, words),
        f"{shorten(turn.text)}!" if turn.found else shorten(turn.text),
        forecast_text(turn.forecast, words),
        cost_text(turn, words),
        "" if turn.took is None else phrases.elapsed_text(turn.took),
        mobility_text(turn),
        sand_text(turn),
    )
