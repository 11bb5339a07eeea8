"""The findings of a check of the server."""

from typing import Literal, NamedTuple


class Diagnosis(NamedTuple):
    """The subject of a check, its state, and the remedy if something is wrong."""

    state: Literal["ok", "warning", "bad"]
    subject: str
    says: str
    advice: str = ""

    def line(self) -> str:
        """Everything except the state."""
        return f"{self.subject}: {self.says}. {self.advice}".rstrip()
