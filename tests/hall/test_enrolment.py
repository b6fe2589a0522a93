import zlib
from dataclasses import replace
from pathlib import Path

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.messaging.enrolment import (
    NONE,
    SYSTEM,
    Enrolment,
    EnrolmentError,
    code,
    format_enrolment,
    keep,
    new_password,
    parse_code,
    parse_enrolment,
    read,
    tls_context,
    user_of,
)

# A certificate of an authority for nobody, P-256, made by openssl; its key was thrown away.
AUTHORITY = """\
-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIUBSTKSTlCg16o8nikcIBm4rBbLWQwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLR25vbW9uIGhhbGwwHhcNMjYxMTIwMTIyMDIxWhcNNDYxMTE1
MTIyMDIxWjAWMRQwEgYDVQQDDAtHbm9tb24gaGFsbDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABL5+EqPSSaPUgMP2kVxXnn1rsHxsVhwfP0dRRGWObXuHQL2p0PY6
BWqrCIJrtcOpfCBCGa2QrIelST7QMkjWpVijRTBDMBIGA1UdEwEB/wQIMAYBAf8C
AQAwDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBRnVmhBeLw5Td6oHa8M6fj+dnwi
GjAKBggqhkjOPQQDAgNIADBFAiEAueTMbRubBs/j+nRxTXFDQUzQ4XeSz+6DhDJY
mbw3EN8CICaKMbh7AVIezNs4CrKs9QyBQDSN6kiwc7+UpH89D5xW
-----END CERTIFICATE-----
"""
T07 = Enrolment("hall.local", 8883, "t07", "bteh7pdmg2b45k7y7enlnwfram", AUTHORITY)

passwords = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40).filter(str.isprintable)
enrolments = st.builds(
    Enrolment,
    st.sampled_from(["hall.local", "192.0.2.7", "2001:db8::7", "::1", "a"]),
    st.integers(1, 65535),
    st.from_regex(r"[a-z0-9][a-z0-9-]{0,31}", fullmatch=True),
    passwords,
    st.sampled_from([AUTHORITY, SYSTEM, NONE]),
    hall=st.sampled_from(["", "hall", "club-7"]),
).map(lambda one: replace(one, user=user_of(one.user, one.hall)))


@given(enrolments)
def test_what_is_written_reads_back(enrolment: Enrolment) -> None:
    assert parse_enrolment(format_enrolment(enrolment).encode(), "hall.toml") == enrolment
    assert parse_code(code(enrolment)) == enrolment


@given(enrolments, st.data())
def test_a_damaged_code_is_never_taken_for_another(enrolment: Enrolment, data: st.DataObject) -> None:
    text = code(enrolment)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ/:.-*"))
    damaged = text[:at] + data.draw(st.sampled_from(["", other])) + text[at + 1 :]
    if damaged != text:
        with pytest.raises(EnrolmentError, match=r"^the code: "):
            parse_code(damaged)


def test_a_scanner_may_write_small_letters_and_break_lines() -> None:
    text = code(T07).lower()
    assert parse_code(f"  {text[:40]}\r\n{text[40:]}\n") == T07


def test_a_code_is_small_enough_for_a_phone() -> None:
    made = segno.make_qr(code(replace(T07, hall="hall")), error="l")
    assert made.mode == "alphanumeric"
    assert made.version is not None
    assert int(made.version) <= 15


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "does not begin with gnomon-hall:"),
        ("https://example.org", "does not begin with gnomon-hall:"),
        (code(T07)[:-20], "is damaged or not whole: scan it again"),
        (code(T07)[:-20] + "A" + code(T07)[-19:], "is damaged or not whole: scan it again"),
    ],
)
def test_a_code_that_is_none_says_what_to_do(text: str, sentence: str) -> None:
    with pytest.raises(EnrolmentError) as refused:
        parse_code(text)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("GNOMON-HALL:3/HALL.LOCAL:8883/HALL/T07/ONSWG4TFOQ/*", "is of another version"),
        ("GNOMON-HALL:2/HALL.LOCAL:8883/T07/ONSWG4TFOQ/*", "is of another version"),
        ("GNOMON-HALL:2/HALL.LOCAL:8883//T07/ONSWG4TFOQ/*", "has to be 1 without a hall, or 2 with"),
        ("GNOMON-HALL:2/HALL.LOCAL:8883/H_L/T07/ONSWG4TFOQ/*", "'h_l' cannot be the name of a hall"),
        ("GNOMON-HALL:1/HALL.LOCAL:8883/T07/ONSWG4TFOQ", "is of another version"),
        ("GNOMON-HALL:1/HALL.LOCAL:8883/T07/ONSWG4TF0Q/*", "has something that no hall writes"),
        ("GNOMON-HALL:1/HALL.LOCAL:X/T07/ONSWG4TFOQ/*", "has something that no hall writes"),
        ("GNOMON-HALL:1/HALL.LOCAL:8883/T07/ONSWG4TFOQ/GCBA", "the authority must be one certificate in PEM"),
        ("GNOMON-HALL:1/HALL.LOCAL:8883/T_7/ONSWG4TFOQ/*", "'t_7' cannot be the name of a board"),
    ],
)
def test_a_whole_code_that_nobody_has_made_is_refused(body: str, sentence: str) -> None:
    with pytest.raises(EnrolmentError, match=sentence):
        parse_code(f"{body}/{zlib.crc32(body.encode()):08X}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("[hall]", "[board]"), "has no table [hall], or others beside it"),
        (('host = "hall.local"', ""), "[hall] has no text host"),
        (('host = "hall.local"', "host = 7"), "[hall] has no text host"),
        (('host = "hall.local"', 'host = "hall.local:8883"\nsure = 1'), "sure in [hall] is unknown"),
        (('host = "hall.local"', 'host = "hall/local"'), "is not the name of a machine"),
        (("port = 8883", "port = 8883\nprotocol = 2"), "has to be 1 without a hall, or 2 with the name"),
        (("port = 8883", "port = 8883\nprotocol = 3\nhall = 'hall'"), "has to be 1 without a hall, or 2 with"),
        (("port = 8883", "port = 8883\nprotocol = true"), "has to be 1 without a hall, or 2 with the name"),
        (("port = 8883", "port = 8883\nhall = 'hall'"), "has to be 1 without a hall, or 2 with the name"),
        (("port = 8883", "port = 8883\nprotocol = 2\nhall = 7"), "has to be 1 without a hall, or 2 with"),
        (("port = 8883", "port = 8883\nprotocol = 2\nhall = 'a/b'"), "'a/b' cannot be the name of a hall"),
        (("port = 8883", "port = 8883\nprotocol-1 = 7"), "protocol-1 in [hall] has to be true or false"),
        (("port = 8883", "port = true"), "port in [hall] has to be a number"),
        (("port = 8883", "port = 0"), "0 is not a port"),
        (('user = "t07"', 'user = "T 7"'), "'T 7' cannot be the name of a board"),
        (('password = "bteh7pdmg2b45k7y7enlnwfram"', 'password = ""'), "the password must have"),
        (("port = 8883", 'port = 8883\nhome-assistant = "yes"'), "home-assistant in [hall] has to be true or false"),
        (("port = 8883", "port = "), "is not TOML"),
        (("port = 8883", f"{'a.' * 30_000}a = 1"), "a key has more than 16 parts"),
        (("MIIBczCCARmg", "MIIBczCCARmh"), "the authority must be one certificate in PEM"),
        (("-----BEGIN", "Look:\n-----BEGIN"), "the authority must be one certificate in PEM"),
        (("-----END CERTIFICATE-----", ""), "the authority must be one certificate in PEM"),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence(change: tuple[str, str], sentence: str) -> None:
    with pytest.raises(EnrolmentError) as refused:
        parse_enrolment(format_enrolment(T07).replace(*change).encode(), "hall.toml")
    assert str(refused.value).startswith("hall.toml: ")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_says_which_protocol_and_which_hall() -> None:
    assert "protocol" not in format_enrolment(T07), "a version that knows no halls reads it, too"
    named = replace(T07, hall="north", understands_former=True)
    assert 'protocol = 2\nhall = "north"\nprotocol-1 = true\n' in format_enrolment(named)
    assert parse_enrolment(format_enrolment(named).encode(), "hub.toml") == named
    assert (T07.protocol, named.protocol) == (1, 2)


def test_a_file_may_leave_the_port_out() -> None:
    assert parse_enrolment(format_enrolment(T07).replace("port = 8883\n", "").encode(), "hall.toml") == T07


def test_a_file_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "hall.toml"
    keep(path, T07)
    assert read(path) == T07
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["hall.toml"]


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnrolmentError, match=r"hall\.toml: cannot be read: No such file"):
        read(tmp_path / "hall.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 70_000)
    with pytest.raises(EnrolmentError, match="is too long"):
        read(tmp_path / "long.toml")
    (tmp_path / "file").touch()
    with pytest.raises(EnrolmentError, match=r"file/hall\.toml: cannot be written: "):
        keep(tmp_path / "file" / "hall.toml", T07)
    (tmp_path / "folder").mkdir()
    with pytest.raises(EnrolmentError, match="folder: cannot be written: "):
        keep(tmp_path / "folder", T07)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder", "long.toml"]


def test_no_message_shows_the_password() -> None:
    assert T07.password not in repr(T07)


def test_passwords_are_long_and_never_the_same() -> None:
    made = {new_password() for _ in range(100)}
    assert len(made) == 100
    assert {len(password) for password in made} == {26}


def test_only_a_broker_without_tls_is_not_checked() -> None:
    assert tls_context(Enrolment("hall.local", 1883, "t07", "secret", NONE)) is None
    for authority in (SYSTEM, AUTHORITY):
        context = tls_context(Enrolment("hall.local", 8883, "t07", "secret", authority))
        assert context is not None
        assert context.check_hostname
