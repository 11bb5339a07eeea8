"""A file that shows a worker is alive, for health checks on the same machine.

It is touched with each heartbeat that Redis has accepted. Checking it imports next to nothing and
needs no connection, so it costs little and never hangs.
"""

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER: Final = "alive"
"""A folder in the data folder, with a file for each machine that shares it."""
SILENT: Final = 60.0
"""Seconds without a heartbeat after which a worker counts as gone."""
_DEFAULT: Final = "./scottenbury-data"
_FORGOTTEN_AFTER: Final = 24 * 60 * 60.0


def data_folder() -> Path:
    """The data folder, as `service.core.settings` reads it, without validating all settings.

    Raises OSError if `SCOTTENBURY_DATA_FILE` cannot be read.
    """
    if file := os.environ.get("SCOTTENBURY_DATA_FILE", "").strip():
        return Path(Path(file).read_text().strip() or _DEFAULT)
    return Path(os.environ.get("SCOTTENBURY_DATA", "").strip() or _DEFAULT)


def show(data: Path) -> None:
    """Record that a worker of this machine is alive, if the folder can be written."""
    with suppress(OSError):
        (data / FOLDER).mkdir(mode=0o700, exist_ok=True)
        _file(data).touch()


def age(data: Path) -> float | None:
    """Seconds since the last heartbeat of a worker on this machine, None if there was none."""
    try:
        return time.time() - _file(data).stat().st_mtime
    except OSError:
        return None


def end(data: Path) -> None:
    """Record that this machine's worker ended, and delete the files of machines long gone."""
    with suppress(OSError):
        _file(data).unlink()
        for other in (data / FOLDER).iterdir():
            if time.time() - other.stat().st_mtime > _FORGOTTEN_AFTER:
                other.unlink()


def _file(data: Path) -> Path:
    return data / FOLDER / socket.gethostname()
