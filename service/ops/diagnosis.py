"""What a check of the server finds."""

from typing import Literal, NamedTuple


class Diagnosis(NamedTuple):
    """What was checked, how it is, and, if something is wrong, what to do about it."""

    state: Literal["ok", "warning", "bad"]
    subject: str
    says: str
    advice: str = ""

    def line(self) -> str:
        """All of it but the state."""
        return f"{self.subject}: {self.says}. {self.advice}".rstrip()
