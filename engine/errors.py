"""The errors of the engine: a refused command, an unknown event."""

from collections.abc import Mapping
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
    side's cards with the values they take. `detail` says it in English: `message`, with `places`
    such as `%(stone)s` filled in; those who show it may translate the message.
    """

    def __init__(
        self,
        code: Code,
        refusal: str,
        message: str,
        ruling: int | None = None,
        counterexample: list[str] | None = None,
        places: Mapping[str, object] | None = None,
    ) -> None:
        detail = message % places if places else message
        super().__init__(detail)
        self.code = code
        self.refusal = refusal
        self.detail = detail
        self.message = message
        self.places = places or {}
        self.ruling = ruling
        self.counterexample = counterexample


def illegal(refusal: str, message: str, ruling: int | None = None, **places: object) -> RuleBroken:
    """The refusal of an action that is not allowed now."""
    return RuleBroken("illegal-action", refusal, message, ruling, places=places)


def N_(message: str) -> str:  # noqa: N802 (as gettext's users write it everywhere)
    """Return the message as it is: it is collected here, and said later."""
    return message


class UnknownEvent(Exception):
    """A type or version of an event, or a version of the rules, unknown to this program."""
