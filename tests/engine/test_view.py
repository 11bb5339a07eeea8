"""What readers see, and that it never depends on what they cannot see."""

import random
from dataclasses import asdict, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SEATS, CreateGame, Game, SeenHand, TakeTurn, advance, legal, proofs, replay, view
from engine.cards import BIT, OTHER
from tests.engine.games import KINDS, THOROUGHNESS, Kind, begin, steps, whole_game
from tests.engine.invariants import violations
from tests.engine.positions import position


def test_a_player_sees_the_own_hand_and_legal_actions_on_the_own_turn_only() -> None:
    game = position(north="R2 R1", south="G1", clan="B1")
    mine, theirs, nobodys = (view(game, seat) for seat in ("north", "south", None))
    assert mine.hands["north"].cards == mine.own_cards == ["R1", "R2"]
    assert theirs.hands["north"].cards is None
    assert nobodys.hands == {"north": SeenHand(None, 2, 0), "south": SeenHand(None, 1, 0)}
    assert mine.legal == legal(game)
    assert theirs.legal == nobodys.legal == []
    assert nobodys.own_cards == ()


def test_a_view_has_exactly_the_members_of_the_contract() -> None:
    assert set(asdict(view(position(), None))) == {
        "version", "status", "edition", "tactics", "expert", "rounds", "round", "scores", "seat",
        "players", "turn", "phase", "stones", "hands", "decks", "discard", "tactics_played",
        "legal", "winner", "reason", "commitment",
    }  # fmt: skip
    assert set(asdict(view(position(), None).stones[0])) == {
        "number", "owner", "north", "south", "modes", "completed_first",
    }  # fmt: skip


def with_other_hidden_cards(game: Any, seat: Any, rng: Any) -> Any:
    """The same table for `seat`, with everything that it cannot see dealt anew."""
    other = OTHER[seat]
    hidden = [*game.hands[other], *game.decks["clan"], *game.decks["tactic"]]
    clan = [card for card in hidden if card in BIT]
    tactic = [card for card in hidden if card not in BIT]
    rng.shuffle(clan)
    rng.shuffle(tactic)
    hand = tuple((clan if card in BIT else tactic).pop() for card in game.hands[other])
    twin = game.copy()
    twin.hands = {**game.hands, other: hand}
    twin.decks = {"clan": tuple(clan), "tactic": tuple(tactic)}
    return twin


@settings(max_examples=60, deadline=None)
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1), share=st.floats(0, 1))
def test_a_view_never_changes_when_hidden_cards_do(kind: Any, seed: Any, share: Any) -> None:
    rng = random.Random(seed)
    game, _ = begin(kind, rng)
    # Once a game is over its hands are open to all.
    seen = [game, *(after for _, after, _ in steps(game, rng) if not after.over)]
    game = seen[int(share * (len(seen) - 1))]
    for seat in SEATS:
        twin = with_other_hidden_cards(game, seat, rng)
        assert view(twin, seat) == view(game, seat)
        assert view(twin, None) == view(game, None)
        assert proofs(twin, seat) == proofs(game, seat)


def test_proofs_tell_of_each_unclaimed_stone_where_the_own_side_is_complete() -> None:
    game = position({1: "R9 R8 R7 | G1", 4: "G6 G7 G8 | P9", 5: "B1 B2 | O9"}, turn="south")
    told = {proof["stone"]: proof for proof in proofs(game, "north")}
    assert set(told) == {1, 4}
    assert told[1]["claimable"]
    assert told[1]["reason"] == "unbeatable"
    assert told[4]["counterexample"] == ["P8", "P7"]
    assert proofs(game, "south") == []


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_random_legal_games_end_and_replay_to_the_same_game(kind: Any) -> None:
    for seed in range(12 * THOROUGHNESS):
        game, events = whole_game(kind, seed)
        again = replay(events)
        assert violations(game) == violations(again) == []
        for seat in (*SEATS, None):
            assert view(again, seat) == view(game, seat), f"seed {seed}"


def test_a_sound_game_stays_sound_at_every_step() -> None:
    for seed in range(150 * THOROUGHNESS):
        rng = random.Random(seed)
        game, _ = begin(Kind("bga", tactics=True), rng)
        for action, after, _ in steps(game, rng):
            assert not violations(after), f"seed {seed}, {action}: {violations(after)}"
            game = after
        assert game.over, f"seed {seed}"


def test_deciding_leaves_the_game_as_it_was() -> None:
    game = position({1: "R7 R8 | G1"}, north="R9 B1", clan="B2 B3", edition="community")
    before = (view(game, "north"), _fields(game))
    advance(game, TakeTurn("north", ["R9@1", "!1", "+C"]))
    assert (view(game, "north"), _fields(game)) == before


def test_a_copy_has_every_field_of_the_game_and_its_own() -> None:
    game = whole_game(Kind("bga", tactics=True), 1)[0]
    twin = game.copy()
    assert (twin, _fields(twin)) == (game, _fields(game))
    twin.version += 1
    assert twin != game


def _fields(game: Game) -> dict[str, Any]:
    return {field.name: getattr(game, field.name) for field in fields(game)}


BROKEN = {
    "cards are accounted for": lambda game: setattr(game, "discard", ("R1",)),
    "unseen": lambda game: setattr(game, "unseen", 0),
    "Tactic card is in the Clan deck": lambda game: setattr(
        game, "decks", {"clan": ("JOK",), "tactic": ()}
    ),
    "Clan card is in the Tactic deck": lambda game: setattr(
        game, "decks", {"clan": (), "tactic": ("R1",)}
    ),
    "holds 12 cards": lambda game: setattr(
        game, "hands", {"north": tuple(["R1"] * 12), "south": ()}
    ),
    "one Tactic card ahead": lambda game: setattr(game, "tactics_played", {"north": 2, "south": 0}),
    "turn without a phase": lambda game: setattr(game, "phase", None),
    "nobody to move": lambda game: setattr(game, "status", "finished"),
}


@pytest.mark.parametrize("told", BROKEN)
def test_every_broken_invariant_is_named(told: Any) -> None:
    game, _ = begin(Kind("iello", tactics=True), random.Random(1))
    assert violations(game) == []
    BROKEN[told](game)
    assert any(told in violation for violation in violations(game))


STONES_BROKEN = {
    "more cards on a side": ("R1 R2 R3 |", lambda stone: setattr(stone, "side_size", 2)),
    "wrong sides marked": ("R1 R2 R3 |", lambda stone: setattr(stone, "completed", {})),
    "in the future": ("R1 R2 R3 |", lambda stone: setattr(stone, "completed", {"north": 999})),
    "one moment": (
        "R1 R2 R3 | G1 G2 G3",
        lambda stone: setattr(stone, "completed", {"north": 5, "south": 5}),
    ),
    "incomplete side": ("R1 |", lambda stone: setattr(stone, "owner", "north")),
    "cannot lie there": ("MUD |", lambda stone: None),
    "mode that is not one": ("R1 | | BMB", lambda stone: setattr(stone, "modes", ("JOK",))),
}


@pytest.mark.parametrize("told", STONES_BROKEN)
def test_every_broken_stone_is_named(told: Any) -> None:
    cards, damage = STONES_BROKEN[told]
    game = position({4: cards}, tactics=True)
    damage(game.stone(4))
    assert any(told in violation for violation in violations(game))


def test_before_the_start_there_is_nothing_to_see_and_nothing_broken() -> None:
    made = CreateGame("ann", "south", "iello", True, False, 1, "random", "ab" * 32, "salt")
    game = advance(None, made)[0]
    seen = view(game, "south")
    assert (seen.status, seen.turn, seen.phase, seen.legal) == ("open", None, None, [])
    assert seen.players == {"north": None, "south": "ann"}
    assert seen.decks == {"clan": 0, "tactic": 0}
    assert violations(game) == []
