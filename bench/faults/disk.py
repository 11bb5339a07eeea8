"""Disks for the data folder that can be full, or that lose what was not synced."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.waiting import until

MEGABYTES: Final = 256
"""The size of the disk that becomes full."""
BALLAST: Final = "ballast"
LONG: Final = 90 * "m"
"""A name too long for the path of a socket, so that its place is elsewhere: LazyFS has none."""
CONFIGURATION: Final = """
[faults]
fifo_path="{folder}/orders"
fifo_path_completed="{folder}/carried-out"
[cache]
apply_eviction=false
[cache.simple]
custom_size="256mb"
blocks_per_page=1
[filesystem]
log_all_operations=false
logfile="{folder}/log"
"""


class Disk:
    """A folder on the machine's own disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leave no room."""
        raise NotImplementedError

    def clear(self) -> None:
        """Make room again."""
        raise NotImplementedError

    def forget(self) -> None:
        """Lose all that was not synced."""
        raise NotImplementedError


class SmallDisk(Disk):
    """A file system in memory with room for `MEGABYTES`."""

    def fill(self) -> None:
        with (self.folder / BALLAST).open("wb", 0) as ballast:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        ballast.write(bytes(size))
                except OSError:
                    continue

    def clear(self) -> None:
        (self.folder / BALLAST).unlink()


class LazyDisk(Disk):
    """A folder on LazyFS, which writes to its own folder only what was synced."""

    def __init__(self, folder: Path, orders: Path, carried_out: Path) -> None:
        super().__init__(folder)
        self._orders = orders
        self._carried_out = os.open(carried_out, os.O_RDWR)  # LazyFS needs a reader all the time

    def forget(self) -> None:
        self._orders.write_text("lazyfs::clear-cache\n")
        assert b"clear-cache" in os.read(self._carried_out, 100)

    def close(self) -> None:
        os.close(self._carried_out)


@contextmanager
def plain_disk() -> Iterator[Disk]:
    with TemporaryDirectory(prefix="st-") as folder:
        yield Disk(Path(folder))


@contextmanager
def small_disk() -> Iterator[Disk]:
    """Mount it; this takes the rights to mount."""
    with TemporaryDirectory(prefix="st-") as folder:
        options = f"size={MEGABYTES}m,mode=700"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "scottenbury", folder], check=True)
        try:
            yield SmallDisk(Path(folder))
        finally:
            _unmount(Path(folder))


@contextmanager
def lazy_disk(program: str) -> Iterator[Disk]:
    """Mount it by this program, `lazyfs`; this takes /dev/fuse."""
    with TemporaryDirectory(prefix="st-") as name:
        folder = Path(name)
        mounted, behind, settings = folder / LONG, folder / "behind", folder / "lazyfs.toml"
        mounted.mkdir()
        behind.mkdir()
        settings.write_text(CONFIGURATION.format(folder=folder))
        options = ["-o", "modules=subdir", "-o", f"subdir={behind}", "-f"]
        command = [program, mounted, "--config-path", settings, *options]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                until(lambda: mounted.is_mount() or process.poll() is not None)
                assert process.poll() is None, "LazyFS did not start"
                until((folder / "carried-out").exists)
                with closing(LazyDisk(mounted, folder / "orders", folder / "carried-out")) as disk:
                    yield disk
            finally:
                _unmount(mounted)


def _unmount(folder: Path) -> None:
    """Unmount it once its last process has ended."""
    command = [shutil.which("umount") or "umount", str(folder)]
    for _ in range(50):
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
