"""Every refused action says which rule refused it: a stable name, the ruling, and words."""

import random
from itertools import combinations, product
from typing import Any

import pytest

from engine import Game, RuleBroken, TakeTurn, advance, legal
from engine.cards import DECK_OF
from engine.game import STONES
from engine.notation import Return, parse
from tests.engine.games import KINDS, Kind, begin, steps
from tests.engine.positions import play, position, refusal, stone


def tactical(stones: Any = None, **table: Any) -> Game:
    return position(stones, tactics=True, **table)


OWN = {1: "R1 R2 R3 |", 2: "R4 SPY | G4 SHB", 3: stone("B7 B8 B9 |", owner="north")}
RUSES = tactical(OWN, north="STR BAN TRA REC B1", clan="Y1 Y2 Y3", tactic="BMB")
AHEAD = tactical(OWN, north="JOK BMB STR BAN TRA REC B1", tactics_played=(1, 0))
RECRUITED = play(tactical({2: "R7 R8 R9 |"}, north="REC R1 R2", clan="B1 B2 B3 B4"), "REC:CCC")
CLAIM_OPEN = {2: "R7 R8 R9 | G1"}
PLAYED = play(position(CLAIM_OPEN, north="R1 R2 R3 R4 R5 R6"), "R1@1")
NO_CLAIM = play(tactical(north="R1 R2", clan="Y1", tactic="BMB"), "R1@1")
TWO_CLAIMS = play(position(CLAIM_OPEN | {4: "B7 B8 B9 |"}, north="R1 R2 R3 R4 R5"), "R1@1")
NO_DRAW = play(position(CLAIM_OPEN, north="R1 R2", clan=""), "R1@1")
RUN = stone("R7 R8 R9 |", owner="north")
WINNING = play(position({1: RUN, 2: RUN, 3: "G7 G8 G9 |", 4: "B7 B8 B9 |"}, north="R1"), "R1@9")
ONE_LEFT = tactical(north="REC", clan="B1")
TACTIC_EMPTY = play(tactical(CLAIM_OPEN, north="R1 R2"), "R1@1")
FULL_HAND = play(tactical(CLAIM_OPEN, north="REC R1 R2 R3 R4 R5 R6"), "REC:CCC -R1,R2")


@pytest.mark.parametrize(
    ("game", "turn", "told", "ruling", "words"),
    [
        (PLAYED, "R2@1", "wrong-phase", 3, "You have played this turn. Stone 2 can be claimed"),
        (NO_CLAIM, "R2@1", "wrong-phase", 3, "You have played this turn. Now you draw."),
        (TWO_CLAIMS, "R2@1", "wrong-phase", 3, "Stones 2, 4 can be claimed before it ends."),
        (NO_DRAW, "R2@1", "wrong-phase", 3, "You have played this turn. Stone 2 can"),
        (PLAYED, "pass", "wrong-phase", 3, "You have played this turn"),
        (PLAYED, "-R2,R3", "wrong-phase", 23, "only after a Recruiter"),
        (RUSES, "+C", "wrong-phase", 3, "First play a card"),
        (RUSES, "end", "wrong-phase", 3, "First play a card"),
        (RUSES, "-STR,BAN", "wrong-phase", 23, "only after a Recruiter"),
        (RECRUITED, "R1@1", "wrong-phase", 23, "First choose the cards that go back"),
        (RECRUITED, "pass", "wrong-phase", 23, "First choose the cards that go back"),
        (RECRUITED, "end", "wrong-phase", 23, "First choose the cards that go back"),
        (RECRUITED, "!2", "wrong-phase", 23, "First choose the cards that go back"),
        (RECRUITED, "+C", "wrong-phase", 23, "First choose the cards that go back"),
        (RECRUITED, "BAN:G4@2", "wrong-phase", 23, "First choose the cards that go back"),
        (position(CLAIM_OPEN, north="R1"), "!2", "claim-timing", 3, "claimed after playing"),
        (RUSES, "O9@4", "card-not-in-hand", 4, "You do not hold O9."),
        (RUSES, "JOK@4", "card-not-in-hand", 4, "You do not hold Joker."),
        (tactical(OWN), "STR:R4@2>4", "card-not-in-hand", 4, "You do not hold Strategist."),
        (tactical(OWN), "BAN:G4@2", "card-not-in-hand", 4, "You do not hold Banshee."),
        (tactical(OWN), "TRA:G4@2>4", "card-not-in-hand", 4, "You do not hold Traitor."),
        (tactical(OWN), "REC:CCC", "card-not-in-hand", 4, "You do not hold Recruiter."),
        (RUSES, "B1@1", "no-room", 4, "Your side of Stone 1 is full: 3 cards lie there."),
        (RUSES, "B1@3", "stone-claimed", 19, "Stone 3 has already been claimed."),
        (RUSES, "STR:B7@3>4", "stone-claimed", 19, "Stone 3 has already been claimed"),
        (RUSES, "STR:R4@2>3", "stone-claimed", 19, "Stone 3 has already been claimed"),
        (RUSES, "!3", "stone-claimed", 19, "Stone 3 has already been claimed"),
        (AHEAD, "JOK@4", "tactic-limit", 21, "one Tactic card ahead"),
        (AHEAD, "BMB@4", "tactic-limit", 21, "one Tactic card ahead"),
        (AHEAD, "STR:R4@2>4", "tactic-limit", 21, "one Tactic card ahead"),
        (AHEAD, "BAN:G4@2", "tactic-limit", 21, "one Tactic card ahead"),
        (AHEAD, "TRA:G4@2>4", "tactic-limit", 21, "one Tactic card ahead"),
        (AHEAD, "REC:CCC", "tactic-limit", 21, "one Tactic card ahead"),
        (tactical(north="JOK", jokers_played=(1, 0)), "JOK@4", "joker-limit", 22, "stays in your"),
        (tactical({1: "JOK |"}, north="JOK", edition="bga"), "JOK@4", "joker-limit", 22, "once it"),
        (RUSES, "STR:R9@2>4", "no-such-target", 24, "R9 is not on your side there."),
        (RUSES, "STR:G4@2>x", "no-such-target", 24, "G4 is not on your side there."),
        (RUSES, "BAN:R4@2", "no-such-target", 25, "R4 is not on the opponent’s side there."),
        (RUSES, "TRA:R4@2>4", "no-such-target", 26, "R4 is not on the opponent’s side there."),
        (RUSES, "STR:R4@2>2", "same-stone", 24, "to another Stone"),
        (RUSES, "STR:R4@2>1", "no-room", 4, "Stone 1 is full"),
        (RUSES, "TRA:G4@2>1", "no-room", 4, "Stone 1 is full"),
        (RUSES, "TRA:SHB@2>4", "elite-troop", 26, "not Elite Troops"),
        (RUSES, "REC:CTT", "wrong-draws", 23, "draws 3 cards here: REC:CCC or REC:CCT."),
        (RUSES, "REC:CC", "wrong-draws", 23, "draws 3 cards here: REC:CCC or REC:CCT."),
        (ONE_LEFT, "REC:CC", "wrong-draws", 23, "draws 1 card here: REC:C."),
        (tactical(north="REC", clan=""), "REC:C", "no-cards-left", 27, "Both decks are empty"),
        (RECRUITED, "-R1", "wrong-number", 23, "Return 2 cards."),
        (RECRUITED, "-R1,G9", "card-not-in-hand", 23, "You do not hold G9."),
        (RECRUITED, "-R1,R1", "card-not-in-hand", 23, "You do not hold R1."),
        (RUSES, "pass", "must-play", 6, "you may not pass"),
        (PLAYED, "+T", "no-tactics", 5, "There are no Tactic cards in this game."),
        (position(north="R1"), "+T", "no-tactics", 5, "There are no Tactic cards in this game."),
        (position(north="R1"), "JOK@1", "no-tactics", 1, "There are no Tactic cards in this game."),
        (position(north="R1"), "REC:C", "no-tactics", 1, "There are no Tactic cards in this game."),
        (TACTIC_EMPTY, "+T", "cannot-draw", 5, "The Tactic deck is empty."),
        (FULL_HAND, "+C", "cannot-draw", 5, "Your hand is full."),
        (PLAYED, "end", "must-draw", 5, "draw a card"),
        (PLAYED, "!5", "incomplete", 12, "Stone 5 cannot be claimed: the claimer’s own side"),
        (PLAYED, "+C !2", "after-the-turn", 5, "A draw ends the turn: nothing can follow it."),
        (PLAYED, "+T !2 !3", "after-the-turn", 5, "A draw ends the turn"),
        (NO_DRAW, "end R2@2", "after-the-turn", 5, "The turn has ended: nothing can follow it."),
        (WINNING, "!3 !4", "after-the-round", 20, "The claim to Stone 3 wins the round: nothing"),
        (WINNING, "!3 +C", "after-the-round", 20, "The claim to Stone 3 wins the round: nothing"),
        (RUSES, "REC:CCC -B1,Y1", "after-hidden-cards", 23, "once you have seen the cards"),
        (tactical(OWN), "REC:CCC !2", "after-hidden-cards", 23, "once you have seen the cards"),
        (AHEAD, "B1@4 REC:C +C", "after-hidden-cards", 23, "Nothing can follow a Recruiter"),
    ],
)  # fmt: skip
def test_an_illegal_action_is_refused_by_its_rule(
    game: Any, turn: str, told: str, ruling: int, words: str
) -> None:
    refused = refusal(game, turn)
    assert (refused.code, refused.refusal, refused.ruling) == ("illegal-action", told, ruling)
    assert words in refused.detail
    assert str(refused) == refused.detail


@pytest.mark.parametrize(("edition", "expert"), [("iello", True), ("scottentots", False)])
def test_where_claims_come_first_a_claim_after_the_play_is_told_so(
    edition: str, expert: bool
) -> None:
    game = position(CLAIM_OPEN, north="R1 R2", edition=edition, expert=expert)
    refused = refusal(game, "R1@1 !2")
    assert (refused.refusal, refused.ruling) == ("claim-timing", 3)
    assert "at the start of a turn" in refused.detail


def test_between_the_two_steps_of_a_recruiter_nothing_is_claimed_in_any_edition() -> None:
    game = tactical(CLAIM_OPEN, north="REC R1", edition="community")
    refused = refusal(play(game, "REC:CCC"), "!2")
    assert (refused.refusal, refused.ruling) == ("wrong-phase", 23)
    assert "First choose the cards that go back" in refused.detail


@pytest.mark.parametrize(
    ("stones", "told", "ruling", "words", "counterexample"),
    [
        ("R1 G2 B3 | P8", "beatable", 14, "unseen cards could still", ["P9", "P7"]),
        ("R1 G2 B4 | P8 P7 P9", "weaker", 13, "formation is stronger", ["P8", "P7", "P9"]),
        ("R1 G2 B4 | JOK O7 P8", "weaker", 13, "formation is stronger", ["R9", "O7", "P8"]),
    ],
)
def test_an_unproven_claim_is_refused_with_what_beats_it(
    stones: str, told: str, ruling: int, words: str, counterexample: list[str]
) -> None:
    refused = refusal(position({5: stones}, edition="community"), "!5")
    assert (refused.code, refused.refusal, refused.ruling) == ("claim-not-proven", told, ruling)
    assert refused.counterexample == counterexample
    assert words in refused.detail
    assert f"({', '.join(counterexample)})" in refused.detail


def test_between_equals_whoever_completed_later_is_refused_by_ruling_9() -> None:
    table = {5: stone("R1 R2 R3 | G1 G2 G3", first="south")}
    refused = refusal(position(table, edition="community"), "!5")
    assert (refused.code, refused.refusal, refused.ruling) == (
        "claim-not-proven",
        "completed-later",
        9,
    )


def test_a_turn_of_no_actions_is_unreadable() -> None:
    refused = refusal(position(north="R1"), "")
    assert (refused.code, refused.refusal) == ("unreadable-action", "no-action")


def test_an_action_out_of_turn_is_refused_by_that_name() -> None:
    with pytest.raises(RuleBroken) as refused:
        advance(position(north="R1", south="G1"), TakeTurn("south", ["G1@1"]))
    assert (refused.value.code, refused.value.refusal) == ("not-your-turn", "not-your-turn")


# An action is listed exactly when it is accepted.


def every_action(game: Game) -> list[str]:
    """Any action that has to do with cards in the hand or on the table, sensible or not."""
    assert game.turn is not None
    hand = set(game.hands[game.turn]) | {"JOK", "BMB"}
    texts = ["pass", "end", "+C", "+T", *(f"!{number}" for number in STONES)]
    texts += [f"{card}@{number}" for card in hand for number in STONES if card in PLACED]
    texts += [f"REC:{'C' * n}{'T' * m}" for n, m in product(range(4), repeat=2) if 1 <= n + m <= 3]
    texts += [f"-{','.join(pair)}" for pair in combinations(sorted(hand), 2)]
    texts += [f"-{card}" for card in hand]
    for number, here in enumerate(game.stones, 1):
        for card in {*here.sides["north"], *here.sides["south"], *here.modes}:
            texts += [f"BAN:{card}@{number}", f"STR:{card}@{number}>x"]
            for to in (number, number % 9 + 1, 5):
                texts += [f"STR:{card}@{number}>{to}", f"TRA:{card}@{number}>{to}"]
    return sorted(set(texts))


PLACED = {card for card in DECK_OF if card not in ("REC", "STR", "BAN", "TRA")}


def meaning(text: str) -> str:
    """The action as the list of legal actions writes it: what is returned stands in any order."""
    action = parse(text)
    if isinstance(action, Return):
        return f"-{sorted(action.cards)}"
    return str(action)


def accepts(game: Game, text: str) -> bool:
    assert game.turn is not None
    try:
        advance(game, TakeTurn(game.turn, [text]))
    except RuleBroken:
        return False
    return True


@pytest.mark.parametrize("kind", [*KINDS, Kind("community", tactics=True, rounds=2)], ids=str)
def test_an_action_is_accepted_exactly_when_it_is_listed(kind: Any) -> None:
    rng = random.Random(str(kind))
    game, _ = begin(kind, rng)
    for _, after, _ in steps(game, rng):
        if after.turn is None or rng.random() > 0.12:
            continue
        listed = {meaning(text) for text in legal(after)}
        tried = every_action(after)
        for text in rng.sample(tried, min(80, len(tried))):
            assert accepts(after, text) == (meaning(text) in listed), text
