"""Define the tables of the hall's database, and migrate older versions.

They are written in the common subset of SQLite and PostgreSQL, but for what divides large tables on a server, and for
keys, which SQLite cannot change. Every key begins with the hall, and in a table of boards goes on with the board: so
the rows of a hall, or of a board, can be kept apart from those of others, in partitions or on other machines. What
boards have reported is never changed: a row of `hall_records` is written once.
"""

from typing import Final, NamedTuple

from gnomon.hall.store.database import Database, StoreError, TakenError, Transaction
from gnomon.refusals import statement

PARTS: Final = 16
"""Partitions of the records, by board; every statement names the boards that it is about."""


class OnServer(NamedTuple):
    """A statement for a server alone."""

    statement: str


class InFile(NamedTuple):
    """A statement for a file alone."""

    statement: str


Step = str | OnServer | InFile


class _Keyed(NamedTuple):
    """A table whose key is to begin with the hall: its columns as they are, and the key without the hall.

    Of `of_tournament` each row belongs to a tournament as well, which may be another hall's.
    """

    name: str
    columns: str
    key: str
    of_tournament: bool = False


def _with_hall(table: _Keyed) -> tuple[Step, ...]:
    """The steps by which a table that is one hall's becomes one of several, and all its rows those of the hall ``."""
    more = ("hall", "tournament_hall") if table.of_tournament else ("hall",)
    defined = "".join(f"{name} TEXT NOT NULL, " for name in more)
    names = ", ".join(column.split()[0] for column in table.columns.split(", "))
    blank = "'', " * len(more)
    name = table.name
    return (
        *(OnServer(f"ALTER TABLE {name} ADD COLUMN {each} TEXT NOT NULL DEFAULT ''") for each in more),
        *(OnServer(f"ALTER TABLE {name} ALTER COLUMN {each} DROP DEFAULT") for each in more),
        OnServer(f"ALTER TABLE {name} DROP CONSTRAINT {name}_pkey, ADD PRIMARY KEY (hall, {table.key})"),
        InFile(f"ALTER TABLE {name} RENAME TO {name}_before"),
        InFile(f"CREATE TABLE {name} ({defined}{table.columns}, PRIMARY KEY (hall, {table.key}))"),
        InFile(
            f"INSERT INTO {name} ({', '.join(more)}, {names}) SELECT {blank}{names} FROM {name}_before"  # noqa: S608 - constants, all
        ),
        InFile(f"DROP TABLE {name}_before"),
    )


_KEYED: Final = (
    _Keyed(
        "hall_boards",
        "board TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, version TEXT NOT NULL, games TEXT NOT NULL",
        "board",
    ),
    _Keyed(
        "hall_epochs",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, number BIGINT NOT NULL, through BIGINT NOT NULL",
        "board, epoch",
    ),
    _Keyed(
        "hall_games",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, game BIGINT NOT NULL, kind TEXT NOT NULL,"
        " settings TEXT NOT NULL, temperament TEXT NOT NULL, started_us BIGINT NOT NULL,"
        " boot TEXT NOT NULL, wall TEXT NOT NULL, version TEXT NOT NULL, name TEXT NOT NULL,"
        " players TEXT NOT NULL, ended_us BIGINT, as_of BIGINT NOT NULL",
        "board, epoch, game",
    ),
    _Keyed(
        "hall_records",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, game BIGINT NOT NULL,"
        " kind TEXT NOT NULL, at_us BIGINT NOT NULL, cause BIGINT, body TEXT NOT NULL,"
        " boot TEXT NOT NULL, wall TEXT NOT NULL, what TEXT NOT NULL",
        "board, epoch, seq",
    ),
    _Keyed(
        "hall_conflicts",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, body TEXT NOT NULL, wall TEXT NOT NULL",
        "board, epoch, seq",
    ),
    _Keyed(
        "hall_requests",
        "number BIGINT NOT NULL, id TEXT NOT NULL, board TEXT NOT NULL, session TEXT NOT NULL,"
        " until_us BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, wall TEXT NOT NULL,"
        " fate TEXT NOT NULL, why TEXT NOT NULL, proof BIGINT NOT NULL, tournament TEXT NOT NULL,"
        " pairing TEXT NOT NULL",
        "board, id",
        of_tournament=True,
    ),
    _Keyed(
        "hall_links",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, game BIGINT NOT NULL, tournament TEXT NOT NULL,"
        " round BIGINT NOT NULL, number BIGINT NOT NULL, first BIGINT NOT NULL, second BIGINT NOT NULL,"
        " player TEXT NOT NULL, request TEXT NOT NULL",
        "board, epoch, game",
        of_tournament=True,
    ),
    _Keyed(
        "hall_settled",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, game BIGINT NOT NULL, seq BIGINT NOT NULL,"
        " who TEXT NOT NULL, why TEXT NOT NULL",
        "board, epoch, game, seq",
    ),
    _Keyed(
        "hall_noted",
        "board TEXT NOT NULL, epoch TEXT NOT NULL, seq BIGINT NOT NULL, game BIGINT NOT NULL, what TEXT NOT NULL",
        "board, epoch, seq, game, what",
    ),
    _Keyed("hall_tournaments", "id TEXT NOT NULL, number BIGINT NOT NULL, plan TEXT NOT NULL", "id"),
    _Keyed(
        "hall_tournament_events",
        "tournament TEXT NOT NULL, number BIGINT NOT NULL, told TEXT NOT NULL",
        "tournament, number",
    ),
    _Keyed("hall_refused", "what TEXT NOT NULL, times BIGINT NOT NULL", "what"),
    _Keyed("hall_round_clocks", "tournament TEXT NOT NULL, clock TEXT NOT NULL", "tournament"),
    _Keyed("hall_code_secrets", "tournament TEXT NOT NULL, secret TEXT NOT NULL", "tournament"),
    _Keyed(
        "hall_claims",
        "tournament TEXT NOT NULL, round BIGINT NOT NULL, entrant BIGINT NOT NULL, first BIGINT NOT NULL,"
        " second BIGINT NOT NULL, result TEXT NOT NULL, told BIGINT NOT NULL, wall TEXT NOT NULL",
        "tournament, round, entrant",
    ),
)
HALLS_TABLES: Final = tuple(table.name for table in _KEYED)
"""Everything that a hall keeps."""
_OF_TOURNAMENTS: Final = tuple(table.name for table in _KEYED if table.of_tournament)

# Each step leads from the version of its index to the next and is never edited once released; add another.
MIGRATIONS: Final[tuple[tuple[Step, ...], ...]] = (
    (
        """
        CREATE TABLE hall_boards (
          board TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          label TEXT NOT NULL,
          version TEXT NOT NULL,
          games TEXT NOT NULL
        )
        """,
        # `number` counts the journals of a board in the order in which the hall met them; it has every record up to
        # `through`, where no power cut takes it.
        """
        CREATE TABLE hall_epochs (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          number BIGINT NOT NULL,
          through BIGINT NOT NULL,
          PRIMARY KEY (board, epoch)
        )
        """,
        # `ended_us` is as of record `as_of` of the journal.
        """
        CREATE TABLE hall_games (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          game BIGINT NOT NULL,
          kind TEXT NOT NULL,
          settings TEXT NOT NULL,
          temperament TEXT NOT NULL,
          started_us BIGINT NOT NULL,
          boot TEXT NOT NULL,
          wall TEXT NOT NULL,
          version TEXT NOT NULL,
          name TEXT NOT NULL,
          players TEXT NOT NULL,
          ended_us BIGINT,
          as_of BIGINT NOT NULL,
          PRIMARY KEY (board, epoch, game)
        )
        """,
        # `what` names the rulings and remarks that are looked for, and is empty elsewhere.
        """
        CREATE TABLE hall_records (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          seq BIGINT NOT NULL,
          game BIGINT NOT NULL,
          kind TEXT NOT NULL,
          at_us BIGINT NOT NULL,
          cause BIGINT,
          body TEXT NOT NULL,
          boot TEXT NOT NULL,
          wall TEXT NOT NULL,
          what TEXT NOT NULL,
          PRIMARY KEY (board, epoch, seq)
        )
        """,
        "CREATE INDEX hall_records_of_a_game ON hall_records (board, epoch, game, seq)",
        "CREATE INDEX hall_records_that_count ON hall_records (board, epoch, game, what, seq) WHERE what <> ''",
        # What came under the number of a record that says something else: kept out, and shown.
        """
        CREATE TABLE hall_conflicts (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          seq BIGINT NOT NULL,
          body TEXT NOT NULL,
          wall TEXT NOT NULL,
          PRIMARY KEY (board, epoch, seq)
        )
        """,
        """
        CREATE TABLE hall_requests (
          number BIGINT NOT NULL,
          id TEXT PRIMARY KEY,
          board TEXT NOT NULL,
          session TEXT NOT NULL,
          until_us BIGINT NOT NULL,
          actor TEXT NOT NULL,
          action TEXT NOT NULL,
          wall TEXT NOT NULL,
          fate TEXT NOT NULL,
          why TEXT NOT NULL,
          proof BIGINT NOT NULL,
          tournament TEXT NOT NULL,
          pairing TEXT NOT NULL
        )
        """,
        "CREATE INDEX hall_requests_in_order ON hall_requests (number)",
        "CREATE INDEX hall_requests_of_a_board ON hall_requests (board, number)",
        # A game at a board that was begun for a pairing: entrant `first` plays as `player`.
        """
        CREATE TABLE hall_links (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          game BIGINT NOT NULL,
          tournament TEXT NOT NULL,
          round BIGINT NOT NULL,
          number BIGINT NOT NULL,
          first BIGINT NOT NULL,
          second BIGINT NOT NULL,
          player TEXT NOT NULL,
          request TEXT NOT NULL,
          PRIMARY KEY (board, epoch, game)
        )
        """,
        "CREATE INDEX hall_links_of_a_round ON hall_links (tournament, round)",
        # A difference between board and book that the director has looked at, up to the record `seq`.
        """
        CREATE TABLE hall_settled (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          game BIGINT NOT NULL,
          seq BIGINT NOT NULL,
          who TEXT NOT NULL,
          why TEXT NOT NULL,
          PRIMARY KEY (board, epoch, game, seq)
        )
        """,
        "CREATE TABLE hall_tournaments (id TEXT PRIMARY KEY, number BIGINT NOT NULL, plan TEXT NOT NULL)",
        """
        CREATE TABLE hall_tournament_events (
          tournament TEXT NOT NULL,
          number BIGINT NOT NULL,
          told TEXT NOT NULL,
          PRIMARY KEY (tournament, number)
        )
        """,
        "CREATE TABLE hall_refused (what TEXT PRIMARY KEY, times BIGINT NOT NULL)",
    ),
    ("CREATE TABLE hall_round_clocks (tournament TEXT PRIMARY KEY, clock TEXT NOT NULL)",),
    (
        # What counts for more than its game, until somebody has judged what follows from it.
        """
        CREATE TABLE hall_noted (
          board TEXT NOT NULL,
          epoch TEXT NOT NULL,
          seq BIGINT NOT NULL,
          game BIGINT NOT NULL,
          what TEXT NOT NULL,
          PRIMARY KEY (board, epoch, seq, game, what)
        )
        """,
        "CREATE INDEX hall_requests_that_wait ON hall_requests (number) WHERE fate = ''",
        "CREATE INDEX hall_games_that_ended ON hall_games (board, epoch, as_of) WHERE ended_us IS NOT NULL",
    ),
    (
        # All records are copied once: that may take minutes.
        OnServer("SET LOCAL statement_timeout = 0"),
        OnServer("ALTER TABLE hall_records RENAME TO hall_records_before"),
        OnServer("ALTER TABLE hall_records_before RENAME CONSTRAINT hall_records_pkey TO hall_records_before_pkey"),
        OnServer("DROP INDEX hall_records_of_a_game"),
        OnServer("DROP INDEX hall_records_that_count"),
        OnServer(
            """
            CREATE TABLE hall_records (
              board TEXT NOT NULL,
              epoch TEXT NOT NULL,
              seq BIGINT NOT NULL,
              game BIGINT NOT NULL,
              kind TEXT NOT NULL,
              at_us BIGINT NOT NULL,
              cause BIGINT,
              body TEXT NOT NULL,
              boot TEXT NOT NULL,
              wall TEXT NOT NULL,
              what TEXT NOT NULL,
              PRIMARY KEY (board, epoch, seq)
            ) PARTITION BY HASH (board)
            """
        ),
        *(
            OnServer(
                f"CREATE TABLE hall_records_{part:02} PARTITION OF hall_records"
                f" FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
            )
            for part in range(PARTS)
        ),
        OnServer(
            "INSERT INTO hall_records (board, epoch, seq, game, kind, at_us, cause, body, boot, wall, what)"
            " SELECT board, epoch, seq, game, kind, at_us, cause, body, boot, wall, what FROM hall_records_before"
        ),
        OnServer("DROP TABLE hall_records_before"),
        OnServer("CREATE INDEX hall_records_of_a_game ON hall_records (board, epoch, game, seq)"),
        OnServer(
            "CREATE INDEX hall_records_that_count ON hall_records (board, epoch, game, what, seq) WHERE what <> ''"
        ),
        OnServer("ALTER TABLE hall_requests DROP CONSTRAINT hall_requests_pkey, ADD PRIMARY KEY (board, id)"),
        OnServer("CREATE INDEX hall_requests_by_id ON hall_requests (id)"),
    ),
    # What players' codes are made of, and what players said last of their game, as of event `told` of the book.
    (
        "CREATE TABLE hall_code_secrets (tournament TEXT PRIMARY KEY, secret TEXT NOT NULL)",
        """
        CREATE TABLE hall_claims (
          tournament TEXT NOT NULL,
          round BIGINT NOT NULL,
          entrant BIGINT NOT NULL,
          first BIGINT NOT NULL,
          second BIGINT NOT NULL,
          result TEXT NOT NULL,
          told BIGINT NOT NULL,
          wall TEXT NOT NULL,
          PRIMARY KEY (tournament, round, entrant)
        )
        """,
    ),
    # Several halls in one database. The records of a server get no new room: a default costs nothing there.
    (
        OnServer("SET LOCAL statement_timeout = 0"),
        *(step for table in _KEYED for step in _with_hall(table)),
        OnServer("DROP INDEX hall_records_of_a_game"),
        OnServer("DROP INDEX hall_records_that_count"),
        OnServer("DROP INDEX hall_games_that_ended"),
        OnServer("DROP INDEX hall_requests_in_order"),
        OnServer("DROP INDEX hall_requests_of_a_board"),
        OnServer("DROP INDEX hall_requests_that_wait"),
        OnServer("DROP INDEX hall_requests_by_id"),
        OnServer("DROP INDEX hall_links_of_a_round"),
        "CREATE INDEX hall_records_of_a_game ON hall_records (hall, board, epoch, game, seq)",
        "CREATE INDEX hall_records_that_count ON hall_records (hall, board, epoch, game, what, seq) WHERE what <> ''",
        "CREATE INDEX hall_games_that_ended ON hall_games (hall, board, epoch, as_of) WHERE ended_us IS NOT NULL",
        "CREATE INDEX hall_requests_in_order ON hall_requests (hall, number)",
        "CREATE INDEX hall_requests_of_a_board ON hall_requests (hall, board, number)",
        "CREATE INDEX hall_requests_that_wait ON hall_requests (hall, number) WHERE fate = ''",
        "CREATE INDEX hall_requests_by_id ON hall_requests (id)",
        "CREATE INDEX hall_requests_of_a_tournament ON hall_requests (tournament_hall, tournament, number)",
        "CREATE INDEX hall_links_of_a_round ON hall_links (tournament_hall, tournament, round)",
    ),
    # The last day on which codes are good, where a director has chosen one.
    ("ALTER TABLE hall_code_secrets ADD COLUMN last_day TEXT NOT NULL DEFAULT ''",),
)

_VERSIONS: Final = "CREATE TABLE IF NOT EXISTS hall_schema (version BIGINT PRIMARY KEY)"


def migrate(database: Database) -> None:
    """Give a database the tables that it lacks. Raises StoreError, also for a database of a newer version."""
    for last in (False, True):
        try:
            with database.write_transaction() as session:
                _migrate(session, database)
        except TakenError:
            # PostgreSQL lets two programs begin the same step, and refuses the second; by then it is done.
            if last:
                raise
        else:
            return


def _migrate(session: Transaction, database: Database) -> None:
    session.run(_VERSIONS)
    ((version,),) = session.rows("SELECT coalesce(max(version), 0) FROM hall_schema")
    if version > len(MIGRATIONS):
        raise StoreError(
            statement("hall.database.newer", database=database.name, version=version, known=len(MIGRATIONS))
        )
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        session.run("INSERT INTO hall_schema (version) VALUES (?)", (number,))
        for each in statements:
            if isinstance(each, str):
                session.run(each)
            elif isinstance(each, OnServer) is database.is_server:
                session.run(each.statement)


def name_hall(database: Database) -> int:
    """Give everything that belongs to the hall without a name to that of the database; how many boards there are.

    Raises StoreError, also where the hall has something already, or has no name.
    """
    if not database.hall:
        raise StoreError(statement("hall.database.no_hall", example=f"{database.name}#north"))
    with database.write_transaction() as session:
        if database.is_server:
            session.run("SET LOCAL statement_timeout = 0")
        for table in HALLS_TABLES:
            if session.rows(f"SELECT 1 FROM {table} WHERE hall = :hall LIMIT 1"):  # noqa: S608 - a constant
                raise StoreError(statement("hall.database.hall_taken", hall=database.hall))
        for table in HALLS_TABLES:
            session.run(f"UPDATE {table} SET hall = :hall WHERE hall = ''")  # noqa: S608 - a constant
        for table in _OF_TOURNAMENTS:
            session.run(f"UPDATE {table} SET tournament_hall = :hall WHERE tournament_hall = ''")  # noqa: S608 - a constant
        ((boards,),) = session.rows("SELECT count(*) FROM hall_boards WHERE hall = :hall")
    return int(boards)
