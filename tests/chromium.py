"""Find a Chromium for Playwright on this machine."""

import shutil
import sys
from typing import Final

NAMES: Final = (
    # The same engine without windows, which takes a sixth less of the processor and a third of the packages.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PACKAGE: Final = "chromium-headless-shell"


def find_chromium() -> str:
    """The path of a Chromium; without one the program ends with a sentence."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit(f"Pages are looked at in Chromium, which is not here (Debian: sudo apt-get install {PACKAGE}).")
    return path
