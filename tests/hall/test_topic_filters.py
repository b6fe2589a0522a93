import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.messaging.topic_filters import Subscribed, is_topic, matches, shared_pattern, split_group

levels = st.text("ab", max_size=2)
topics = st.lists(levels, min_size=1, max_size=4).map("/".join)


# The examples of MQTT 5, 4.7.1 and 4.7.2.
@pytest.mark.parametrize(
    ("pattern", "topic", "does"),
    [
        ("sport/tennis/player1/#", "sport/tennis/player1", True),
        ("sport/tennis/player1/#", "sport/tennis/player1/ranking", True),
        ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", True),
        ("sport/#", "sport", True),
        ("#", "sport/tennis", True),
        ("sport/tennis/+", "sport/tennis/player1", True),
        ("sport/tennis/+", "sport/tennis/player1/ranking", False),
        ("sport/+", "sport", False),
        ("sport/+", "sport/", True),
        ("+/+", "/finance", True),
        ("/+", "/finance", True),
        ("+", "/finance", False),
        ("#", "$SYS/broker/uptime", False),
        ("+/monitor/Clients", "$SYS/monitor/Clients", False),
        ("$SYS/#", "$SYS/broker/uptime", True),
        ("$SYS/monitor/+", "$SYS/monitor/Clients", True),
        # Shared subscriptions, 4.8.2.
        ("$share/consumer1//finance", "/finance", True),
        ("$share/consumer1/sport/tennis/+", "sport/tennis/player1", True),
        ("$share/consumer1/sport/tennis/+", "sport/tennis", False),
    ],
)
def test_a_pattern_matches_as_the_standard_says(pattern: str, topic: str, does: bool) -> None:
    assert matches(pattern, topic) is does


@given(topics, st.data())
def test_a_topic_with_levels_left_open_matches_the_topic(topic: str, data: st.DataObject) -> None:
    names = topic.split("/")
    opened = [data.draw(st.sampled_from([name, "+"])) for name in names]
    cut = data.draw(st.integers(0, len(names)))
    assert matches("/".join(opened), topic)
    assert matches("/".join([*opened[:cut], "#"]), topic)
    assert not matches("/".join([*opened, "+"]), topic)


@given(st.lists(st.tuples(topics.filter(bool) | st.just("#"), st.integers(0, 3)), max_size=6), topics)
def test_everybody_whose_pattern_matches_is_found(asked: list[tuple[str, int]], topic: str) -> None:
    who = [object() for _ in range(4)]
    subscribed: Subscribed[object] = Subscribed()
    for pattern, number in asked:
        subscribed.add(pattern, who[number])
    found = [who.index(one) for one in subscribed.to(topic)]
    assert sorted(found) == sorted(number for pattern, number in asked if matches(pattern, topic))
    assert set(subscribed.patterns()) == {pattern for pattern, _ in asked}
    subscribed.remove(who[0])
    assert [who.index(one) for one in subscribed.to(topic)] == [number for number in found if number != 0]


@pytest.mark.parametrize("pattern", ["$share/", "$share/a", "$share//b", "$share/a+/b", "$share/#/b", "$share/a/b#"])
def test_what_names_no_group_or_nothing_to_share_is_no_pattern(pattern: str) -> None:
    with pytest.raises(ValueError, match="is no pattern"):
        Subscribed[object]().add(pattern, object())


def test_a_shared_pattern_is_parted_into_group_and_pattern() -> None:
    assert shared_pattern("a/+", "g") == "$share/g/a/+"
    assert (split_group("$share/g/a/+"), split_group("a/+")) == (("g", "a/+"), ("", "a/+"))
    assert (is_topic("a/b"), is_topic("$share/g/a/b")) == (True, False)
