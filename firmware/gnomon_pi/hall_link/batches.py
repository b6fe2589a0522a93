"""Pack journal records into messages within the hall's size limits."""

import json
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.hall.messaging.messages import LARGEST, Records, encoded
from gnomon.records.entries import Excerpt, Record

LONGEST_BODY: Final = LARGEST - 32 * 1024
"""Bytes of a record's body: the rest of a message is for its other fields and for the game that it belongs to."""
COMFORTABLE: Final = 64 * 1024
"""Bytes of a message with more than one record: one message is not to hold everything else up on a slow network."""


class Parcel(NamedTuple):
    """A payload, and the last record in it."""

    payload: bytes
    last: int


def packed(board: str, epoch: str, excerpt: Excerpt, last: int) -> Parcel:
    """As many of the records as fit, at least one; `last` is the last one of the journal.

    One that is longer than a hall takes goes without its body, or it would hold up all that come after it; it is so
    whenever it is sent, for the hall compares what comes again.
    """
    records = tuple(map(_short_enough, excerpt.records))
    while True:
        payload = encoded(_message(board, epoch, excerpt, records, last))
        if len(records) == 1 or len(payload) <= COMFORTABLE:
            return Parcel(payload, records[-1].seq)
        records = records[: len(records) // 2]


def _message(board: str, epoch: str, excerpt: Excerpt, records: tuple[Record, ...], last: int) -> Records:
    wanted = {record.entry.game for record in records}
    return Records(board, epoch, tuple(game for game in excerpt.games if game.id in wanted), records, last)


def _short_enough(record: Record) -> Record:
    length = len(json.dumps(record.entry.body, separators=(",", ":")))
    if length <= LONGEST_BODY:
        return record
    return replace(record, entry=replace(record.entry, body={"left_out": length}))
