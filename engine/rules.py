"""The legal actions of the player to move: one at a time (`check_…`), or all at once (`legal`).

Both use the same predicates, so an action is listed exactly when it is accepted.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from operator import itemgetter

from engine.cards import (
    BANSHEE,
    BIT,
    CLAN_CARDS,
    COMBAT_MODES,
    ELITE_TROOPS,
    JOKER,
    OTHER,
    RECRUITER,
    STRATEGIST,
    TRAITOR,
    Deck,
    Seat,
    in_order,
    name,
)
from engine.claims import REFUSAL_RULING, REFUSAL_TEXT, Verdict
from engine.errors import N_, RuleBroken, illegal
from engine.game import STONES, Game, Phase
from engine.notation import Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return

_PLAY_TEXT = {
    card: ("", *(str(Play(card, number)) for number in STONES))
    for card in CLAN_CARDS + ELITE_TROOPS + COMBAT_MODES
}
"""The action texts of playing each card, by the number of the Stone."""
_CLAIM_TEXT = tuple(str(Claim(number)) for number in STONES)

_CLAIM_PHASES: dict[str, tuple[Phase, ...]] = {
    "after_play": ("finish",),
    "before_play": ("play",),
    "any_time": ("play", "finish"),
}


def legal(game: Game) -> list[str]:
    """Every action that the player to move may take now, in action text; none once the game is
    over."""
    if game.turn is None:
        return []
    seat = game.turn
    if game.phase == "return":
        return [str(Return(cards)) for cards in _returns(game, seat)]
    if game.phase == "finish":
        draws = drawable_decks(game, seat)
        return [*_claims(game, seat), *([str(Draw(deck)) for deck in draws] or [str(End())])]
    return [*_plays(game, seat), *_claims(game, seat)]


def _plays(game: Game, seat: Seat) -> list[str]:
    room = [number for number, stone in enumerate(game.stones, 1) if seat in stone.open_to]
    on_room = _picker(room)
    plays: list[str] = []
    clan = False
    for card in in_order(set(game.hands[seat])):
        if card in BIT:
            clan = True
            plays += on_room(_PLAY_TEXT[card])
        elif tactic_refusal(game, seat, card) is None:
            plays += _tactic_plays(game, seat, card, room)
    if not (clan and room):
        plays.append(str(Pass()))
    return plays


def _picker(numbers: list[int]) -> Callable[[tuple[str, ...]], Iterable[str]]:
    """Return a fast function that picks the texts at these numbers of Stones."""
    if len(numbers) > 1:
        return itemgetter(*numbers)
    return lambda texts: [texts[number] for number in numbers]


def _tactic_plays(game: Game, seat: Seat, card: str, room: list[int]) -> Iterable[str]:
    if card in ELITE_TROOPS:
        return _picker(room)(_PLAY_TEXT[card])
    if card in COMBAT_MODES:
        unclaimed = [number for number in STONES if game.stone(number).owner is None]
        return _picker(unclaimed)(_PLAY_TEXT[card])
    if card == RECRUITER:
        return [str(Recruit(clan, tactic)) for clan, tactic in possible_recruits(game)]
    if card == BANSHEE:
        return [str(Banish(target, number)) for number, target in targets(game, seat, card)]
    return _moves(game, seat, card, room)


def _same_stone_allowed(game: Game, ruse: str) -> bool:
    return ruse == TRAITOR and game.options.traitor_to == "any"


def _moves(game: Game, seat: Seat, ruse: str, room: list[int]) -> Iterator[str]:
    for number, card in targets(game, seat, ruse):
        for to in room:
            if to != number or _same_stone_allowed(game, ruse):
                yield _move_text(ruse, card, number, to)
        if ruse == STRATEGIST:
            yield _move_text(ruse, card, number, None)


@lru_cache(maxsize=1 << 14)
def _move_text(ruse: str, card: str, number: int, to: int | None) -> str:
    return str(Move(ruse, card, number, to))


def _claims(game: Game, seat: Seat) -> list[str]:
    return [_CLAIM_TEXT[number - 1] for number in claimable_stones(game, seat)]


def _returns(game: Game, seat: Seat) -> dict[tuple[str, ...], None]:
    hand = in_order(game.returnable(seat))
    # Two Jokers make some pairs equal. A dict drops them and keeps the order.
    return dict.fromkeys(combinations(hand, min(2, len(hand))))


def claimable_stones(game: Game, seat: Seat) -> list[int]:
    """The Stones that the player to move can claim now (rulings 3, 12 to 17)."""
    if game.phase not in _CLAIM_PHASES[game.options.claim_timing]:
        return []
    unseen = game.unseen
    return [
        number
        for number, stone in enumerate(game.stones, 1)
        if stone.owner is None and seat in stone.completed and stone.provable(seat, unseen)
    ]


def drawable_decks(game: Game, seat: Seat) -> list[Deck]:
    """The decks that the player may draw from to end the turn (ruling 5)."""
    if len(game.hands[seat]) >= game.options.hand_size:
        return []
    return [deck for deck, cards in game.decks.items() if cards]


def possible_recruits(game: Game) -> list[tuple[int, int]]:
    """The numbers of cards of each deck that a Recruiter may draw, more Clan cards first (ruling
    23)."""
    clan, tactic = len(game.decks["clan"]), len(game.decks["tactic"])
    drawn = min(3, clan + tactic)
    ways = [(drawn - wanted, wanted) for wanted in range(drawn + 1)]
    return [way for way in ways if drawn and way[0] <= clan and way[1] <= tactic]


def targets(game: Game, seat: Seat, ruse: str) -> list[tuple[int, str]]:
    """The cards, each with its Stone, that a Ruse may take (rulings 19, 24 to 26)."""
    side = seat if ruse == STRATEGIST else OTHER[seat]
    return [
        (number, card)
        for number, stone in zip(STONES, game.stones, strict=True)
        if stone.owner is None
        for card in in_order(set(stone.sides[side]))
        if ruse != TRAITOR or card in BIT
    ]


def tactic_refusal(game: Game, seat: Seat, card: str) -> RuleBroken | None:
    """The reason why the player may not play this Tactic card at all; None if it is allowed."""
    if game.tactics_played[seat] > game.tactics_played[OTHER[seat]]:
        return illegal(
            "tactic-limit",
            "You are one Tactic card ahead: your opponent must play one before your next.",
            21,
        )
    if card == JOKER and _joker_spent(game, seat):
        return illegal("joker-limit", _JOKER_REFUSAL[game.options.joker_limit], 22)
    return None


_JOKER_REFUSAL = {
    "one_per_game": N_("You have already played a Joker; the other one stays in your hand."),
    "one_on_table": N_("A Joker lies on your side. You may play the other one once it has left."),
}


def _joker_spent(game: Game, seat: Seat) -> bool:
    if game.options.joker_limit == "one_per_game":
        return game.keeps_joker(seat)
    return any(JOKER in stone.sides[seat] for stone in game.stones)


def check_phase(game: Game, phase: Phase) -> None:
    """Raise `RuleBroken` unless the turn is in `phase`."""
    if game.phase == phase:
        return
    if "return" in (game.phase, phase):
        raise illegal("wrong-phase", _RETURN_REFUSAL[phase == "return"], 23)
    if phase == "finish":
        raise illegal("wrong-phase", N_("First play a card, or pass if you cannot place one."), 3)
    assert game.turn is not None, "a turn has been played"
    raise _played(game, game.turn)


def _played(game: Game, seat: Seat) -> RuleBroken:
    """The refusal of a second play in a turn, which says what is left to do."""
    stones = claimable_stones(game, seat)
    if stones:
        message = N_("You have played this turn. Stone %(stones)s can be claimed before it ends.")
        if len(stones) > 1:
            message = N_(
                "You have played this turn. Stones %(stones)s can be claimed before it ends."
            )
        return illegal("wrong-phase", message, 3, stones=", ".join(map(str, stones)))
    return illegal("wrong-phase", N_("You have played this turn. Now you draw."), 3)


_RETURN_REFUSAL = {
    False: N_("First choose the cards that go back under their decks, for example -R1,R2."),
    True: N_("Cards go back under their decks only after a Recruiter."),
}


def check_tactics(game: Game, ruling: int) -> None:
    """Raise `RuleBroken` in a game without Tactic cards."""
    if not game.options.tactics:
        raise illegal("no-tactics", "There are no Tactic cards in this game.", ruling)


def check_in_hand(game: Game, seat: Seat, card: str) -> None:
    """Raise `RuleBroken` unless the card is in the player's hand."""
    if card not in BIT:
        check_tactics(game, 1)
    if card not in game.hands[seat]:
        raise illegal("card-not-in-hand", "You do not hold %(card)s.", 4, card=name(card))


def check_play(game: Game, seat: Seat, action: Play) -> None:
    """Raise `RuleBroken` unless the card may go to that Stone (rulings 4, 11, 19, 21, 22)."""
    check_phase(game, "play")
    check_in_hand(game, seat, action.card)
    if action.card not in BIT and (refusal := tactic_refusal(game, seat, action.card)):
        raise refusal
    if action.card in COMBAT_MODES:
        check_unclaimed(game, action.stone)
    else:
        check_room(game, seat, action.stone)


def check_unclaimed(game: Game, number: int) -> None:
    """Raise `RuleBroken` if the Stone is claimed (ruling 19)."""
    if game.stone(number).owner is not None:
        raise illegal(
            "stone-claimed", "Stone %(stone)s has already been claimed.", 19, stone=number
        )


def check_room(game: Game, seat: Seat, number: int) -> None:
    """Raise `RuleBroken` unless the seat's side of the Stone has room for a card (ruling 4)."""
    check_unclaimed(game, number)
    stone = game.stone(number)
    if seat not in stone.open_to:
        raise illegal(
            "no-room",
            "Your side of Stone %(stone)s is full: %(cards)s cards lie there.",
            4,
            stone=number,
            cards=stone.side_size,
        )


def check_ruse(game: Game, seat: Seat, ruse: str) -> None:
    """Raise `RuleBroken` unless the player may play this Ruse now, apart from its target."""
    check_phase(game, "play")
    check_in_hand(game, seat, ruse)
    if (refusal := tactic_refusal(game, seat, ruse)) is not None:
        raise refusal


_TARGET_RULING = {STRATEGIST: 24, BANSHEE: 25, TRAITOR: 26}
_NOT_THERE = {
    True: N_("%(card)s is not on your side there."),
    False: N_("%(card)s is not on the opponent’s side there."),
}
_RECRUITED = {
    False: N_("The Recruiter draws %(number)s card here: %(choices)s."),
    True: N_("The Recruiter draws %(number)s cards here: %(choices)s."),
}
_RETURNED = {False: N_("Return %(number)s card."), True: N_("Return %(number)s cards.")}


def check_target(game: Game, seat: Seat, ruse: str, card: str, number: int) -> None:
    """Raise `RuleBroken` unless the Ruse may take that card from that Stone."""
    check_unclaimed(game, number)
    ruling = _TARGET_RULING[ruse]
    side = seat if ruse == STRATEGIST else OTHER[seat]
    if card not in game.stone(number).sides[side]:
        raise illegal("no-such-target", _NOT_THERE[ruse == STRATEGIST], ruling, card=name(card))
    if ruse == TRAITOR and card not in BIT:
        raise illegal("elite-troop", "The Traitor takes Clan cards, not Elite Troops.", ruling)


def check_destination(game: Game, action: Move) -> None:
    """Raise `RuleBroken` if the card would stay in place although it may not (rulings 24, 26)."""
    if action.to == action.stone and not _same_stone_allowed(game, action.ruse):
        raise illegal(
            "same-stone",
            "The %(ruse)s moves a card to another Stone.",
            _TARGET_RULING[action.ruse],
            ruse=name(action.ruse),
        )


def check_recruit(game: Game, action: Recruit) -> None:
    """Raise `RuleBroken` unless the decks allow those draws (ruling 23)."""
    ways = possible_recruits(game)
    if not ways:
        raise illegal("no-cards-left", "Both decks are empty: there is no card to recruit.", 27)
    if (action.clan, action.tactic) not in ways:
        count = sum(ways[0])
        choices = " or ".join(str(Recruit(*way)) for way in ways)
        raise illegal("wrong-draws", _RECRUITED[count > 1], 23, number=count, choices=choices)


def check_return(game: Game, seat: Seat, action: Return) -> None:
    """Raise `RuleBroken` unless those cards may go back under their decks (rulings 22, 23)."""
    check_phase(game, "return")
    hand = list(game.returnable(seat))
    if JOKER in action.cards and JOKER in game.hands[seat] and JOKER not in hand:
        raise illegal("joker-limit", _JOKER_REFUSAL["one_per_game"], 22)
    count = min(2, len(hand))
    if len(action.cards) != count:
        raise illegal("wrong-number", _RETURNED[count > 1], 23, number=count)
    for card in action.cards:
        if card not in hand:
            raise illegal("card-not-in-hand", "You do not hold %(card)s.", 23, card=name(card))
        hand.remove(card)


def check_pass(game: Game, seat: Seat) -> None:
    """Raise `RuleBroken` unless the player may pass (ruling 6)."""
    check_phase(game, "play")
    clan = any(card in BIT for card in game.hands[seat])
    if clan and any(seat in stone.open_to for stone in game.stones):
        raise illegal("must-play", "You can place a Clan card, so you may not pass.", 6)


def check_claim(game: Game, seat: Seat, number: int) -> Verdict:
    """The verdict of a successful claim. Raises `RuleBroken`, with a counter-example if any."""
    if game.phase == "return":
        raise illegal("wrong-phase", _RETURN_REFUSAL[False], 23)
    check_unclaimed(game, number)
    if game.phase not in _CLAIM_PHASES[game.options.claim_timing]:
        raise illegal("claim-timing", _TIMING_REFUSAL[game.options.claim_timing], 3)
    verdict = game.stone(number).verdict(seat, game.unseen)
    if verdict.stands:
        return verdict
    message, ruling = REFUSAL_TEXT[verdict.reason], REFUSAL_RULING[verdict.reason]
    if verdict.mine is None:
        raise illegal(verdict.reason, message, ruling, stone=number)
    beaten_by = verdict.theirs.values if verdict.theirs else verdict.counterexample or ()
    raise RuleBroken(
        "claim-not-proven",
        verdict.reason,
        message,
        ruling,
        list(beaten_by),
        {"stone": number, "cards": ", ".join(beaten_by)},
    )


_TIMING_REFUSAL = {
    "after_play": N_("Stones are claimed after playing a card or passing."),
    "before_play": N_("Stones are claimed at the start of a turn, before playing."),
}


def check_draw(game: Game, seat: Seat, deck: Deck) -> None:
    """Raise `RuleBroken` unless the player may draw from that deck now (ruling 5)."""
    if deck == "tactic":
        check_tactics(game, 5)
    check_phase(game, "finish")
    if deck not in drawable_decks(game, seat):
        is_full = len(game.hands[seat]) >= game.options.hand_size
        raise illegal("cannot-draw", _FULL if is_full else _EMPTY[deck], 5)


_FULL = N_("Your hand is full.")
_EMPTY: dict[Deck, str] = {
    "clan": N_("The Clan deck is empty."),
    "tactic": N_("The Tactic deck is empty."),
}


def check_end(game: Game, seat: Seat) -> None:
    """Raise `RuleBroken` while there is a card to draw: drawing ends the turn (ruling 5)."""
    check_phase(game, "finish")
    if drawable_decks(game, seat):
        raise illegal("must-draw", "Your hand is not full: draw a card to end the turn.", 5)
