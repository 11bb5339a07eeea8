"""The errors of the engine: a command that the rules refuse, an event that is not known."""

from typing import Literal

Code = Literal[
    "unknown-edition",
    "no-such-combination",
    "bad-game",
    "seat-taken",
    "game-not-started",
    "game-over",
    "not-your-turn",
    "unreadable-action",
    "illegal-action",
    "claim-not-proven",
]


class RuleBroken(Exception):
    """A command that the rules refuse; the game is as it was.

    `code` is stable and coarse (what a program decides on), `refusal` stable and fine (which rule
    said no), `ruling` that rule's number in the rulings, where one applies. `counterexample` comes
    with `claim-not-proven`: the unseen Clan cards, or the other side's cards as they count, that
    beat the claimer.
    """

    def __init__(
        self,
        code: Code,
        refusal: str,
        detail: str,
        ruling: int | None = None,
        counterexample: list[str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.refusal = refusal
        self.detail = detail
        self.ruling = ruling
        self.counterexample = counterexample


def illegal(refusal: str, detail: str, ruling: int | None = None) -> RuleBroken:
    """An action that the game does not allow now."""
    return RuleBroken("illegal-action", refusal, detail, ruling)


class UnknownEvent(Exception):
    """A type or version of event, or a version of the rules, that this program does not know."""
