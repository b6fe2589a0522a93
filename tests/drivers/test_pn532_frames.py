"""The frames of a PN532: put together, taken apart, damaged, cut off, and noise."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.drivers.pn532 import FROM_CHIP, TO_CHIP, FrameError, LongFrameError, decode_frame, encode_frame, uids
from gnomon_pi.simulated.chips.pn532 import Tag

NTAG: Final = Tag(bytes.fromhex("04A1B2C3D4E5F6"))
OTHER: Final = Tag(bytes.fromhex("04112233445566"))
PHONE: Final = Tag(bytes.fromhex("08C0FFEE"), select=bytes((0x78, 0x80, 0x70, 0x02)))


@given(st.binary(min_size=1, max_size=60), st.sampled_from([TO_CHIP, FROM_CHIP]), st.binary(max_size=20))
def test_a_frame_carries_what_was_put_in_whatever_follows_it(data: bytes, sender: int, rest: bytes) -> None:
    assert decode_frame(sender, encode_frame(sender, data) + rest) == data


@given(st.binary(min_size=1, max_size=30), st.integers(0, 10_000), st.integers(1, 255))
def test_no_damaged_byte_is_ever_taken_for_another_message(data: bytes, place: int, flipped: int) -> None:
    sent = bytearray(encode_frame(FROM_CHIP, data))
    place %= len(sent) - 1  # the last one carries nothing
    sent[place] ^= flipped
    with pytest.raises(FrameError):
        decode_frame(FROM_CHIP, bytes(sent))


@given(st.binary(min_size=1, max_size=30), st.integers(5, 30))
def test_a_frame_that_was_read_in_part_says_how_long_it_is(data: bytes, count: int) -> None:
    sent = encode_frame(FROM_CHIP, data)
    if count < len(sent):
        with pytest.raises(LongFrameError) as raised:
            decode_frame(FROM_CHIP, sent[:count])
        assert raised.value.size == len(sent)


def test_the_frame_of_the_manual() -> None:
    """GetFirmwareVersion, as NXP prints it (UM0701-02, section 7.2.2), and its answer."""
    assert encode_frame(TO_CHIP, b"\x02") == bytes.fromhex("0000FF02FED4022A00")
    assert decode_frame(FROM_CHIP, bytes.fromhex("0000FF06FAD50332010607E800")) == bytes.fromhex("0332010607")


@given(st.binary(max_size=60))
def test_noise_is_a_frame_error_and_nothing_worse(noise: bytes) -> None:
    with pytest.raises(FrameError):
        decode_frame(FROM_CHIP, noise)


@given(st.lists(st.sampled_from([NTAG, OTHER, PHONE]), max_size=2), st.integers(0, 40))
def test_every_uid_of_a_list_is_found_and_a_list_that_is_cut_off_is_an_error(tags: list[Tag], cut: int) -> None:
    listed = bytes((len(tags),)) + b"".join(tag.target_data(number + 1) for number, tag in enumerate(tags))
    assert list(uids(listed)) == [tag.uid for tag in tags]
    try:
        found = list(uids(listed[: max(1, cut)]))
    except FrameError:
        return
    assert found == [tag.uid for tag in tags]
