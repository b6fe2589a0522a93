"""Decisions about people: joined, public, forgotten, and what a file has of them."""

import json

import pytest

from gnomon.people.register import Register, RegisterError, fold, hides_any, mask_names
from tests.people.games_of import SALTED


def why(error: pytest.ExceptionInfo[RegisterError]) -> str:
    return error.value.statement.code


def test_capitals_and_blanks_make_no_other_person() -> None:
    assert fold("  Ada  LOVELACE ") == "ada lovelace" == Register().key("ada\u00a0lovelace")
    assert Register().key("Ada") != Register().key("Åda")


def test_two_names_are_joined_and_parted_again() -> None:
    joined = Register().join("Ada L.", "Ada Lovelace").join("Countess", "ada l.")
    assert joined.key("countess") == joined.key("Ada L.") == "ada lovelace"
    assert joined.display_name("COUNTESS") == "Ada Lovelace"
    assert joined.part("Ada L.").part("countess") == Register()
    with pytest.raises(RegisterError) as refused:
        joined.join("Ada Lovelace", "Countess")
    assert why(refused) == "joined_already"
    with pytest.raises(RegisterError) as refused:
        joined.part("Bo")
    assert why(refused) == "not_joined"


def test_a_person_whose_names_are_joined_is_public_only_if_both_were() -> None:
    one = Register().publish("Ada")
    assert one.is_public("ada")
    assert not one.join("A.", "Ada").is_public("ada")
    assert not one.join("Ada", "Ada L.").is_public("ada l.")
    both = one.publish("A.").join("A.", "Ada")
    assert both.public == {"ada"}
    assert not both.withdraw("a.").is_public("ada")


def test_a_program_is_what_somebody_says_it_is() -> None:
    marked = Register().mark_engine("Deep  Tabik")
    assert marked.is_engine("deep tabik")
    assert marked.mark_person("DEEP TABIK") == Register()


def test_who_is_forgotten_has_a_pseudonym_and_no_name_is_kept() -> None:
    before = SALTED.join("A. L.", "Ada").publish("Ada").mark_engine("Ada").forget("Bo")
    after = before.forget("a. l.")
    assert [after.mask(name) for name in ("Ada", "A. L.", "Bo", "Cleo")] == ["N. N. 2", "N. N. 2", "N. N. 1", "Cleo"]
    assert after.key("A. L.") == after.key("ADA")
    said = json.dumps(after.dump()).casefold()
    assert "ada" not in said
    assert "a. l." not in said
    assert mask_names({"black": "Ada", "white": "Cleo"}, after) == {"black": "N. N. 2", "white": "Cleo"}
    assert (hides_any(["Cleo", "Ada"], after), hides_any(["Cleo"], after)) == (True, False)
    later = after.join("Ada", "Cleo").mark_engine("A. L.").publish("Ada").grant("7", "Ada")
    assert "ada" not in json.dumps(later.dump()).casefold()
    assert later.is_engine("Ada")
    assert not later.mark_person("Ada").is_engine("ada")
    with pytest.raises(RegisterError) as refused:
        after.forget("Ada")
    assert why(refused) == "forgotten_already"


def test_who_is_recalled_is_shown_again_under_every_name_that_was_forgotten_together() -> None:
    after = SALTED.join("A. L.", "Ada").forget("Ada").forget("Bo").recall("Ada")
    assert [after.mask(name) for name in ("Ada", "A. L.", "Bo")] == ["Ada", "A. L.", "N. N. 2"]
    for register in (after, SALTED):
        with pytest.raises(RegisterError) as refused:
            register.recall("Ada")
        assert why(refused) == "not_forgotten"


def test_nothing_that_was_decided_of_a_pseudonym_is_left_for_the_next_who_gets_it() -> None:
    decided = SALTED.forget("Ada").join("Ada", "Cleo").join("Dov", "Ada").publish("Cleo").mark_engine("Ada")
    decided = decided.grant("7", "Ada").publish("Ada").grant("8", "Eve")
    after = decided.recall("Ada").forget("Bo")
    assert (after.mask("Bo"), after.display_name("Bo")) == ("N. N. 1", "N. N. 1")
    assert not after.is_engine("Bo")
    alone = SALTED.forget("Ada").publish("Ada").grant("7", "Ada").grant("8", "Eve").recall("Ada").forget("Bo")
    assert not alone.is_public(alone.key("Bo"))
    assert (alone.key_of_owner("7"), alone.key_of_owner("8")) == (None, "eve")


def test_an_account_is_one_persons_until_somebody_says_otherwise() -> None:
    granted = SALTED.grant("7", "Ada").grant("8", "Bo").grant("7", "Cleo").join("Cleo", "Dov")
    assert [granted.key_of_owner(account) for account in ("7", "8", "9")] == ["dov", "bo", None]
    assert granted.deny("8").key_of_owner("8") is None
    forgotten = granted.forget("Cleo")
    assert (forgotten.key_of_owner("7"), forgotten.key_of_owner("8")) == (None, "bo")


def test_the_same_name_has_another_hash_under_another_salt() -> None:
    one, other = (Register(salt=salt).forget("Ada").forgotten[0].hashed for salt in ("a", "b"))
    assert one != other


def test_a_register_is_read_back_as_it_was_written() -> None:
    register = (
        SALTED.join("A.", "Ada").join("B.", "A.").publish("Cleo").mark_engine("Deep").forget("Bo").grant("7", "Ada")
    )
    assert Register.load(json.loads(json.dumps(register.dump()))) == register


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"salt": 7},
        {"salt": "x" * 65},
        {"joined": [["one"]]},
        {"joined": [[1, "two"]]},
        {"public": 3},
        {"forgotten": [["hash", "first"]]},
        {"engines": None},
        {"joined": [["one", "One"]]},
        {"joined": [["zero", "one"], ["one", "two"], ["Two", " one"]]},
    ],
)
def test_a_file_that_says_something_else_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(RegisterError) as refused:
        Register.load({**SALTED.dump(), **change})
    assert why(refused) == "register_unread"
    for text in ("[]", "null", "{}"):
        with pytest.raises(RegisterError):
            Register.load(json.loads(text))
