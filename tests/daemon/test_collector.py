import gc

from gnomon_pi.cli._assembly import spare_what_is_loaded


def test_the_collector_leaves_alone_what_is_there_when_the_daemon_is_ready() -> None:
    kept = [[number] for number in range(10_000)]
    try:
        spare_what_is_loaded()
        assert gc.get_freeze_count() >= len(kept)
        assert not any(thing is kept for thing in gc.get_objects())
    finally:
        gc.unfreeze()
