"""The only place that makes records fit into a message: few enough, and none too long for a hall to take."""

from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.hall.messages import LARGEST, Records, encoded
from gnomon.records.entries import Excerpt, Record

COMFORTABLE: Final = 64 * 1024
"""Bytes of a message with more than one record: one message is not to hold everything else up on a slow network."""


class Parcel(NamedTuple):
    """A payload, and the last record in it."""

    payload: bytes
    last: int


def packed(board: str, epoch: str, excerpt: Excerpt, last: int) -> Parcel:
    """As many of the records as fit, at least one; `last` is the last one of the journal.

    One that is longer than a hall takes goes without its body, or it would hold up all that come after it.
    """
    records = excerpt.records
    while True:
        payload = encoded(_message(board, epoch, excerpt, records, last))
        if len(payload) <= (COMFORTABLE if len(records) > 1 else LARGEST):
            return Parcel(payload, records[-1].seq)
        records = records[: len(records) // 2] if len(records) > 1 else (_without_body(records[0], len(payload)),)


def _message(board: str, epoch: str, excerpt: Excerpt, records: tuple[Record, ...], last: int) -> Records:
    wanted = {record.entry.game for record in records}
    return Records(board, epoch, tuple(game for game in excerpt.games if game.id in wanted), records, last)


def _without_body(record: Record, length: int) -> Record:
    return replace(record, entry=replace(record.entry, body={"left_out": length}))
