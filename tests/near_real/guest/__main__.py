"""Run the stories that the machine was started for."""

import sys
import traceback

from tests.near_real.guest.stories import STORIES
from tests.near_real.guest.story import Story
from tests.near_real.records import DONE


def main() -> None:
    """Run each story named, and say that all have been run."""
    for name in sys.argv[1:]:
        story = Story(name)
        try:
            STORIES[name](story)
        except BaseException:  # noqa: BLE001 - the other stories are still run, and it is told
            with story.checked("the story comes to its end"):
                raise AssertionError(traceback.format_exc(limit=-3)) from None
    print(DONE, flush=True)


main()
