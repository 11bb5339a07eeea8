"""The disk of the data folder: how much of it is free, and when it counts as full."""

import shutil
from pathlib import Path
from typing import Final

APPEND_ONLY_FOLDER: Final = "appendonlydir"
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


def needed_to_rewrite(folder: Path) -> int:
    """The bytes that must be free before Redis writes the append-only file in this folder anew."""
    return reserve(folder) + sum(map(_size, (folder / APPEND_ONLY_FOLDER).glob("*.aof")))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # Redis has just deleted it
        return 0
