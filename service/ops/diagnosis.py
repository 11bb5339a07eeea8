"""The findings of a check of the server, and the check of the disk of the games."""

from pathlib import Path
from typing import Final, Literal, NamedTuple

from service.core import data_folder

LITTLE_ROOM: Final = 256 * 1024 * 1024
"""Bytes that should be free on a disk: days of play."""


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
    free, reserve = data_folder.free(folder), f"{data_folder.reserve(folder) / 2**20:.0f} MiB"
    subject, says = f"disk of {folder}", f"{free / 2**20:.0f} MiB free"
    if data_folder.is_full(folder):
        advice = f"Make room: no move is accepted until {reserve} are free."
        return Diagnosis("bad", subject, f"it is full, {says}", advice)
    advice = f"Make room: with less than {reserve}, no move is accepted."
    if free < LITTLE_ROOM:
        return Diagnosis("bad", subject, says, advice)
    if free < (needed := data_folder.needed_to_rewrite(folder)):
        advice += f" Redis shortens its file once {needed / 2**20:.0f} MiB are free."
        return Diagnosis("warning", subject, says, advice)
    return Diagnosis("ok", subject, says)
