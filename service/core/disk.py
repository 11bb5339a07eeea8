"""The disk of the data folder: how much of it is free, and when it counts as full."""

import shutil
from pathlib import Path
from typing import Final

_RESERVE: Final = 64 * 1024 * 1024
_SHARE: Final = 8


def free(folder: Path) -> int:
    """Free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


def reserve(folder: Path) -> int:
    """The bytes that stay free on the disk of a folder: 64 MiB, or an eighth of a small disk.

    Below that the bundled Redis takes no writes, so that it never meets a failed write.
    """
    return min(_RESERVE, shutil.disk_usage(folder).total // _SHARE)


def is_full(folder: Path) -> bool:
    """Whether less than the reserve is free; False if there is no such folder."""
    try:
        return free(folder) < reserve(folder)
    except OSError:
        return False
