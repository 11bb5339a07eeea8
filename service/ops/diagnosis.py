"""The findings of a check of the server, and the check of the disk of the games."""

import shutil
from pathlib import Path
from typing import Final, Literal, NamedTuple

LITTLE_ROOM: Final = 256 * 1024 * 1024
"""Bytes that should be free on a disk: days of play, and room to rewrite the file."""


class Diagnosis(NamedTuple):
    """The subject of a check, its state, and the remedy if something is wrong."""

    state: Literal["ok", "warning", "bad"]
    subject: str
    says: str
    advice: str = ""

    def line(self) -> str:
        """The diagnosis in one line, without its state."""
        return f"{self.subject}: {self.says}. {self.advice}".rstrip()


def free_space(folder: Path) -> Diagnosis:
    """Diagnose the free space on the disk of this folder."""
    space = shutil.disk_usage(folder)
    says = f"{space.free / 2**20:.0f} MiB free"
    if space.free >= LITTLE_ROOM:
        return Diagnosis("ok", f"disk of {folder}", says)
    advice = "Make room: once the disk is full, no move is accepted."
    return Diagnosis("bad", f"disk of {folder}", says, advice)
