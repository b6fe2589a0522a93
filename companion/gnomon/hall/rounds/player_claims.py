"""Store the results that players claim on their phones, and the secrets from which their codes are made."""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.hall.rounds.results import PlayerClaim
from gnomon.hall.rounds.table_results import TableClaim
from gnomon.hall.store.database import Database, Row
from gnomon.tournament.state.results import format_result, parse_result

_AT_TABLE: Final = (0, 0)
"""In place of the two who met: what is said is an order of all at a table."""


def secrets(database: Database) -> Mapping[str, str]:
    """The secret of every tournament whose players have codes. Raises StoreError."""
    with database.read_transaction() as session:
        return dict(session.rows("SELECT tournament, secret FROM hall_code_secrets WHERE hall = :hall"))


def keep_secret(database: Database, tournament: str, secret: str, *, again: bool) -> str:
    """The secret of a tournament: the given one where it has none yet, or wants one `again`. Raises StoreError."""
    with database.write_transaction() as session:
        if again:
            session.run("DELETE FROM hall_code_secrets WHERE hall = :hall AND tournament = ?", (tournament,))
        session.run(
            "INSERT INTO hall_code_secrets (hall, tournament, secret) VALUES (:hall, ?, ?)"
            " ON CONFLICT (hall, tournament) DO NOTHING",
            (tournament, secret),
        )
        ((kept,),) = session.rows(
            "SELECT secret FROM hall_code_secrets WHERE hall = :hall AND tournament = ?", (tournament,)
        )
    return str(kept)


def last_day(database: Database, tournament: str) -> str:
    """The last day that somebody chose for the codes of a tournament; empty where nobody did. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(
            "SELECT last_day FROM hall_code_secrets WHERE hall = :hall AND tournament = ?", (tournament,)
        )
    return str(rows[0][0]) if rows else ""


def keep_last_day(database: Database, tournament: str, day: str) -> None:
    """Choose the last day of a tournament's codes, which has a secret; empty for none. Raises StoreError."""
    with database.write_transaction() as session:
        session.run(
            "UPDATE hall_code_secrets SET last_day = ? WHERE hall = :hall AND tournament = ?", (day, tournament)
        )


def keep_claim(database: Database, tournament: str, in_round: int, claim: PlayerClaim | TableClaim, wall: str) -> None:
    """Keep what a player says, instead of what they said before. Raises StoreError."""
    if isinstance(claim, TableClaim):
        two, said = _AT_TABLE, claim.order
    else:
        two, said = claim.two, format_result(claim.result)
    with database.write_transaction() as session:
        session.run(
            "INSERT INTO hall_claims (hall, tournament, round, entrant, first, second, result, told, wall)"
            " VALUES (:hall, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hall, tournament, round, entrant) DO UPDATE SET"
            " first = excluded.first, second = excluded.second, result = excluded.result, told = excluded.told,"
            " wall = excluded.wall",
            (tournament, in_round, claim.entrant, *two, said, claim.told, wall),
        )


def claims(database: Database, tournament: str, in_round: int) -> Sequence[PlayerClaim]:
    """What players said last of their games of a round. Raises StoreError."""
    rows = _rows(database, tournament, in_round)
    return [
        PlayerClaim(entrant, (first, second), parse_result(result), told)
        for entrant, first, second, result, told in rows
        if (first, second) != _AT_TABLE
    ]


def table_claims(database: Database, tournament: str, in_round: int) -> Sequence[TableClaim]:
    """What players said last of how their tables of three and four ended in a round. Raises StoreError."""
    rows = _rows(database, tournament, in_round)
    return [TableClaim(entrant, order, told) for entrant, *two, order, told in rows if tuple(two) == _AT_TABLE]


def last_claims(database: Database) -> Mapping[str, tuple[int, str]]:
    """How much players have said in every tournament, and when last, no matter who has kept it. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(
            "SELECT tournament, count(*), max(wall) FROM hall_claims WHERE hall = :hall GROUP BY tournament"
        )
    return {name: (number, wall) for name, number, wall in rows}


def _rows(database: Database, tournament: str, in_round: int) -> Sequence[Row]:
    with database.read_transaction() as session:
        return session.rows(
            "SELECT entrant, first, second, result, told FROM hall_claims"
            " WHERE hall = :hall AND tournament = ? AND round = ? ORDER BY entrant",
            (tournament, in_round),
        )
