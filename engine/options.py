"""Editions and their options. The rules look at options, never at an edition."""

from dataclasses import asdict, dataclass
from typing import Final, Literal

from engine.errors import RuleBroken

ClaimTiming = Literal["after_play", "before_play", "any_time"]
JokerLimit = Literal["one_per_game", "one_on_table"]
TraitorTo = Literal["any", "another"]

RULES_VERSION: Final = 2
"""The version of the rules for new games. A game keeps the version it was created with.

2: under `one_per_game` a Recruiter no longer returns the second Joker (ruling 22), and the
destinations of a Traitor are an option (ruling 26); under version 1 it was always `any`.
"""

RULES_VERSIONS: Final = (1, 2)
"""The versions that can be played here."""

MAX_ROUNDS: Final = 99

FIRST_PLAYERS: Final = ("creator", "opponent", "random", "scotland")
"""The ways to choose who begins the first round (ruling 2)."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the rules of one game."""

    hand_size: int
    tactics: bool
    claim_timing: ClaimTiming
    joker_limit: JokerLimit
    traitor_to: TraitorTo = "any"

    def to_data(self, rules_version: int) -> dict[str, object]:
        """The options as plain data, for the event that creates a game under this version of the
        rules."""
        options = asdict(self)
        if rules_version == 1:
            del options["traitor_to"]
        return options


@dataclass(frozen=True, slots=True)
class Edition:
    """A named set of options from one rulebook."""

    name: str
    title: str
    claim_timing: ClaimTiming
    joker_limit: JokerLimit = "one_per_game"
    traitor_to: TraitorTo = "any"
    has_tactics: bool = True
    has_expert: bool = True


EDITIONS: Final = {
    edition.name: edition
    for edition in (
        Edition("iello", "IELLO, 2016", "after_play"),
        Edition("bga", "Board Game Arena", "after_play", "one_on_table", "another"),
        Edition("reference-card", "Reference card", "after_play"),
        Edition(
            "scottentots", "Scottentots, 1999", "before_play", has_tactics=False, has_expert=False
        ),
        Edition("community", "Community summary", "any_time", "one_on_table"),
    )
}


def options_for(
    edition: str, tactics: bool, expert: bool, rules_version: int = RULES_VERSION
) -> Options:
    """The options of an edition, with or without Tactic cards and the Expert variant.

    Raises `RuleBroken`: `unknown-edition`, or `no-such-combination` if the edition lacks one.
    """
    chosen = EDITIONS.get(edition)
    if chosen is None:
        raise RuleBroken(
            "unknown-edition",
            "unknown-edition",
            "There is no edition %(name)s. Choose one of %(names)s.",
            places={"name": repr(edition), "names": ", ".join(EDITIONS)},
        )
    if tactics and not chosen.has_tactics:
        raise RuleBroken(
            "no-such-combination",
            "no-tactics",
            "%(edition)s has no Tactic cards.",
            places={"edition": chosen.title},
        )
    if expert and not chosen.has_expert:
        raise RuleBroken(
            "no-such-combination",
            "no-expert",
            "In %(edition)s Stones are always claimed before playing: it has no Expert variant.",
            3,
            places={"edition": chosen.title},
        )
    return Options(
        hand_size=7 if tactics else 6,
        tactics=tactics,
        claim_timing="before_play" if expert else chosen.claim_timing,
        joker_limit=chosen.joker_limit,
        traitor_to="any" if rules_version == 1 else chosen.traitor_to,
    )
