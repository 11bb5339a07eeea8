"""Where tests keep their files."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 1 << 30
"""Bytes. A container may have far less there."""


def keep_in_memory() -> None:
    """For this process and all that it starts, where the system offers it.

    Servers write each move to the disk before they answer, and no test pulls a plug.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    if shutil.disk_usage(_MEMORY).free < _ROOM:
        return
    folder = tempfile.mkdtemp(prefix="st-", dir=_MEMORY)
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = folder
    atexit.register(_remove, folder, os.getpid())


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
