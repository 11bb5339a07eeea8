"""Why each Stone was claimed, in words."""

from pathlib import Path
from typing import Final

import pytest

import engine
from engine import Seat
from engine.chain import StoredEvent, to_event
from engine.events import RoundStarted, StoneClaimed
from engine.record import from_jsonl, from_text
from service.core.words import ENGLISH
from service.text.claim_words import ClaimState, claim_states, claims_so_far

GOLDEN: Final = Path(__file__).parents[2] / "golden"
PLAYED: Final = sorted(path.name for path in GOLDEN.glob("*.jsonl"))
TACTICS: Final = "community+tactics-rules2-played-0.jsonl"
TIED: Final = "community+tactics+expert-rules2-played-0.jsonl"
NAMES: Final = {"north": "Ann", "south": "Bob"}


def lines_of(name: str) -> list[StoredEvent]:
    return from_jsonl((GOLDEN / name).read_text("utf-8"))


def claims(
    name: str, reader: Seat | None = None, version: int | None = None
) -> dict[int, ClaimState]:
    lines = lines_of(name)
    game = engine.replay([to_event(line) for line in lines[:version]])
    return claims_so_far(ENGLISH, game, lines, NAMES, reader)


@pytest.mark.parametrize(
    ("reader", "whose"), [("north", "your side"), ("south", "Ann’s side"), (None, "Ann’s side")]
)
def test_a_proven_claim_gives_its_proof_to_each_reader(reader: Seat | None, whose: str) -> None:
    claim = claims(TACTICS, reader)[5]
    who = "you" if reader == "south" else "Bob"
    assert claim.words == (
        f"Claimed by {who}: none of the Clan cards then unseen could make {whose} beat"
        " a colour of 18."
    )
    assert claim.because == (
        "No colour run: Blue 1 lies on Stone 6; Blue 4 lies on Stone 2.",
        "No three of a kind: Red 2 and Yellow 2 lie on Stone 8; Orange 2 lies on Stone 2;"
        " Green 2 lies on Stone 6.",
        "No colour above 18: 16 is the best still possible with Clan cards.",
    )
    assert (claim.ruling, claim.since, claim.claimable) == (14, 136, False)


def test_two_complete_sides_are_compared() -> None:
    of_tied = claims(TIED, "south")
    assert of_tied[4].words == "Claimed by you: a three of a kind of 24 beats a sum of 17."
    assert of_tied[9].words == (
        "Claimed by you: both sides are a sum of 9, and yours was complete first."
    )
    assert claims(TIED)[9].words.endswith("and Bob’s was complete first.")


def test_at_an_earlier_step_only_the_claims_before_it_are_explained() -> None:
    assert sorted(claims(TACTICS, version=143)) == [4, 5, 8]
    assert sorted(claims(TACTICS, version=142)) == [5, 8]


@pytest.mark.parametrize("name", PLAYED)
def test_the_proof_of_a_claim_is_the_one_that_was_shown_before_it(name: str) -> None:
    events = [to_event(line) for line in lines_of(name)]
    for stone, claim in claims(name).items():
        assert claim.since is not None
        event = events[claim.since - 1]
        assert isinstance(event, StoneClaimed)
        other = NAMES[engine.OTHER[event.by]]
        before = claim_states(ENGLISH, engine.replay(events[: claim.since - 1]), event.by, other)[
            stone
        ]
        assert before.claimable
        assert (claim.because, claim.ruling) == (before.because, before.ruling)


def test_a_round_of_a_match_says_nothing_about_the_rounds_before() -> None:
    lines = from_text((GOLDEN / "bga+tacticsx3-rules2-played-2.txt").read_text("utf-8"))
    deals = [line["seq"] for line in lines if line["type"] == RoundStarted.TYPE]
    dealt = engine.replay([to_event(line) for line in lines[: deals[1]]])
    assert any(line["type"] == StoneClaimed.TYPE for line in lines[: deals[1]])
    assert claims_so_far(ENGLISH, dealt, lines, NAMES, None) == {}
