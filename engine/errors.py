"""The errors of the engine: a refused command, an unknown event."""

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
    """A command that the rules refuse; the game is unchanged.

    `code` is stable and coarse, for programs. `refusal` is stable too and names the broken rule;
    `ruling` is its number in `rules.md`, if it has one. `counterexample` comes with
    `claim-not-proven`: the cards that beat the claimer, either unseen Clan cards or the other
    side's cards with the values they take.
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
    """The refusal of an action that is not allowed now."""
    return RuleBroken("illegal-action", refusal, detail, ruling)


class UnknownEvent(Exception):
    """A type or version of an event, or a version of the rules, unknown to this program."""
