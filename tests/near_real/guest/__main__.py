"""Run the story that is named. The relay is held until the process ends, so that each story has one of its own."""

import sys
import traceback

from tests.near_real.guest.stories import STORIES
from tests.near_real.guest.story import Story
from tests.near_real.records import DONE


def main(name: str) -> None:
    """Run a story, and say that it has come to its end."""
    story = Story(name)
    try:
        STORIES[name](story)
    except BaseException:  # noqa: BLE001 - it is told
        with story.checked("the story comes to its end"):
            raise AssertionError(traceback.format_exc(limit=-3)) from None
    print(DONE, flush=True)


main(sys.argv[1])
