"""The data folder: where it is, how much of its disk is free, and the file in it that shows a
worker is alive.

The file, for health checks on the same machine, is touched with each heartbeat that Redis has
accepted. Checking it imports next to nothing and needs no connection, so it costs little and never
hangs.
"""

import os
import shutil
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

APPEND_ONLY_FOLDER: Final = "appendonlydir"
HEARTBEATS: Final = "alive"
"""A folder in the data folder, with a file for each machine that shares it."""
SILENT: Final = 60.0
"""Seconds without a heartbeat after which a worker counts as gone."""
_DEFAULT: Final = "./scottenbury-data"
_FORGOTTEN_AFTER: Final = 24 * 60 * 60.0
_RESERVE: Final = 64 * 1024 * 1024
_SHARE: Final = 8


def from_environment() -> Path:
    """The data folder, as `service.core.settings` reads it, without validating all settings.

    Raises OSError if `SCOTTENBURY_DATA_FILE` cannot be read.
    """
    if file := os.environ.get("SCOTTENBURY_DATA_FILE", "").strip():
        return Path(Path(file).read_text().strip() or _DEFAULT)
    return Path(os.environ.get("SCOTTENBURY_DATA", "").strip() or _DEFAULT)


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


def show_heartbeat(data: Path) -> None:
    """Record that a worker of this machine is alive, if the folder can be written."""
    with suppress(OSError):
        (data / HEARTBEATS).mkdir(mode=0o700, exist_ok=True)
        _file(data).touch()


def heartbeat_age(data: Path) -> float | None:
    """Seconds since the last heartbeat of a worker on this machine, None if there was none."""
    try:
        return time.time() - _file(data).stat().st_mtime
    except OSError:
        return None


def end_heartbeats(data: Path) -> None:
    """Record that this machine's worker ended, and delete the files of machines long gone."""
    with suppress(OSError):
        _file(data).unlink()
        for other in (data / HEARTBEATS).iterdir():
            if time.time() - other.stat().st_mtime > _FORGOTTEN_AFTER:
                other.unlink()


def _file(data: Path) -> Path:
    return data / HEARTBEATS / socket.gethostname()
