"""A file by which a worker shows that it is alive, to a check on the same machine.

It is touched with each sign of life that Redis has taken. A check that looks at it imports next to
nothing and asks nobody, so it costs little and never hangs.
"""

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER: Final = "alive"
"""In the data folder; a file for each machine, since several may share the folder."""
SILENT: Final = 60.0
"""Seconds without a sign of life after which a worker counts as gone."""
_DEFAULT: Final = "./scottenbury-data"
_FORGOTTEN_AFTER: Final = 24 * 60 * 60.0


def data_folder() -> Path:
    """`SCOTTENBURY_DATA`, as `service.core.settings` reads it, without the validation of all
    settings. Raises OSError where it is to be read from a file that cannot be read."""
    if file := os.environ.get("SCOTTENBURY_DATA_FILE", "").strip():
        return Path(Path(file).read_text().strip() or _DEFAULT)
    return Path(os.environ.get("SCOTTENBURY_DATA", "").strip() or _DEFAULT)


def show(data: Path) -> None:
    """Show that a worker of this machine is alive. Where the folder cannot be written, nothing."""
    with suppress(OSError):
        (data / FOLDER).mkdir(mode=0o700, exist_ok=True)
        _file(data).touch()


def age(data: Path) -> float | None:
    """Seconds since a worker of this machine last showed that it is alive, None for never."""
    try:
        return time.time() - _file(data).stat().st_mtime
    except OSError:
        return None


def end(data: Path) -> None:
    """The worker of this machine ends. Forget machines that are long gone, too."""
    with suppress(OSError):
        _file(data).unlink()
        for other in (data / FOLDER).iterdir():
            if time.time() - other.stat().st_mtime > _FORGOTTEN_AFTER:
                other.unlink()


def _file(data: Path) -> Path:
    return data / FOLDER / socket.gethostname()
