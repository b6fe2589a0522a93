"""Give lgpio a private working folder for its notification pipe."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from typing import Final

VARIABLE: Final = "LG_WD"
_RUNTIME: Final = "RUNTIME_DIRECTORY"  # systemd's, of the service


@contextmanager
def pin_folder() -> Iterator[None]:
    """Import lgpio in here. Raises OSError when no folder can be made.

    lgpio makes a pipe `.lgd-nfy0` in the folder that LG_WD names, or else in the present one: in `/` a service may
    not, and two programs in one folder share a pipe and lose edges to each other. It also moves the whole process
    into LG_WD, which would change what every relative path means, so that is taken back.
    """
    parent = os.environ.get(VARIABLE) or os.environ.get(_RUNTIME, "").split(":")[0] or None
    folder = tempfile.mkdtemp(prefix="gnomond-pins-", dir=parent)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = folder
    try:
        with chdir(folder):
            yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
