"""A player's options in words: the Stones for each card, the provable claims, the draws; and why a
held Tactic card has to wait.

Words instead of action texts, and no imperatives, so that no line of a mail can be read as a move.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine import OTHER, Game, Seat, parse
from engine.cards import BANSHEE, BIT, ELITE_TROOPS, RECRUITER, STRATEGIST, TRAITOR, in_order
from engine.claims import Verdict
from engine.notation import Action, Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return
from engine.rules import tactic_refusal
from service.core.words import N_, Words
from service.text.card_names import card_name, count_cards, the_card, the_cards
from service.text.claim_words import claim_state

_DRAWS: Final = {
    "clan": N_("You may draw from the Clan deck."),
    "tactic": N_("You may draw from the Tactic deck."),
}
_WITHOUT_CHOICE: Final[dict[type[Action], str]] = {
    Return: N_("You put two cards from your hand back under their decks."),
    Pass: N_("You cannot place any Clan card: you may pass."),
    End: N_("There is nothing to draw: you may end the turn."),
}


def play_lines(words: Words, legal: Iterable[str]) -> list[str]:
    """The legal plays, returns, draws or end of turn. `claim_lines` has the claims."""
    actions = [parse(text) for text in legal]
    kinds = {type(action) for action in actions}
    return [
        *_plays(words, (action for action in actions if isinstance(action, Play))),
        *_moves(words, (action for action in actions if isinstance(action, Move))),
        *_discards(words, [action for action in actions if isinstance(action, Banish)]),
        *_recruits(words, [action for action in actions if isinstance(action, Recruit)]),
        *(words.say(_DRAWS[action.deck]) for action in actions if isinstance(action, Draw)),
        *(words.say(text) for kind, text in _WITHOUT_CHOICE.items() if kind in kinds),
    ]


def claim_lines(words: Words, verdicts: Mapping[int, Verdict], hand: Sequence[str]) -> list[str]:
    """For each Stone where the player's side is complete: whether a claim would succeed, or which
    cards beat it, and if the player holds one.

    `verdicts` come from `engine.verdicts`; `hand` has the player's cards.
    """
    states = ((stone, claim_state(words, each, hand=hand)) for stone, each in verdicts.items())
    return [
        # Note: %(verdict)s is a sentence
        words.say("Stone %(stone)s. %(verdict)s", stone=stone, verdict=state.words)
        for stone, state in states
    ]


def order_words(words: Words, actions: Iterable[str]) -> str:
    """The content of an order: `Red 7 on Stone 3, a claim to Stone 3`."""
    return ", ".join(_ordered(words, text) for text in actions)


def _ordered(words: Words, text: str) -> str:
    match parse(text):
        case Claim(stone):
            # Note: in a list of what is planned for a turn: "Red 7 on Stone 3, a claim to Stone 3"
            return words.say("a claim to Stone %(stone)s", stone=stone)
        case Draw(deck):
            return _drawn(words, deck)
        case Return(cards):
            # Note: in a list of what is planned for a turn
            message = N_("%(cards)s back under the decks")
            return words.say(message, cards=the_cards(words, cards))
        case Pass():
            # Note: in a list of what is planned for a turn
            return words.say("no card")
        case End():
            # Note: in a list of what is planned for a turn
            return words.say("no further claim")
        case _:
            return " ".join(play_lines(words, [text]))


def _drawn(words: Words, deck: str) -> str:
    if deck == "clan":
        # Note: in a list of what is planned for a turn: it is drawn
        return words.say("a Clan card")
    # Note: in a list of what is planned for a turn: it is drawn
    return words.say("a Tactic card")


def _plays(words: Words, plays: Iterable[Play]) -> list[str]:
    stones: dict[str, list[str]] = defaultdict(list)
    for play in plays:
        stones[play.card].append(str(play.stone))
    cards: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for card, on in stones.items():
        cards[tuple(on)].append(card)
    return [
        # Note: %(cards)s may be played there; no imperative, which a mail could read as a move
        words.plural(
            "%(cards)s on Stone %(stones)s",
            "%(cards)s on Stones %(stones)s",
            len(on),
            cards=the_cards(words, alike),
            stones=words.joined(on),
        )
        for on, alike in cards.items()
    ]


def _moves(words: Words, moves: Iterable[Move]) -> list[str]:
    places: dict[tuple[str, str, int], list[int | None]] = defaultdict(list)
    for move in moves:
        places[move.ruse, move.card, move.stone].append(move.to)
    return [
        # Note: %(ruse)s is a Tactic card; %(places)s is such as "Stone 3 or 5, or the discard"
        words.say(
            "%(ruse)s: %(card)s from Stone %(stone)s to %(places)s",
            ruse=card_name(words, ruse),
            card=the_card(words, card),
            stone=stone,
            places=_places(words, to),
        )
        for (ruse, card, stone), to in places.items()
    ]


def _places(words: Words, to: Sequence[int | None]) -> str:
    stones = [str(stone) for stone in to if stone]
    if not stones:
        # Note: after "from Stone 2 to"
        return words.say("the discard")
    if None not in to:
        # Note: after "from Stone 2 to"; %(stones)s is one number, or several: "3 or 5"
        return words.say("Stone %(stones)s", stones=words.either(stones))
    # Note: after "from Stone 2 to"; %(stones)s is one number, or several: "3 or 5"
    return words.plural(
        "Stone %(stones)s or the discard",
        "Stone %(stones)s, or the discard",
        len(stones),
        stones=words.either(stones),
    )


def _discards(words: Words, discards: Sequence[Banish]) -> list[str]:
    targets = [
        # Note: a card that the Banshee can discard: "Red 7 on Stone 3"
        words.say("%(card)s on Stone %(stone)s", card=the_card(words, each.card), stone=each.stone)
        for each in discards
    ]
    # Note: %(card)s is the Tactic card Banshee; %(targets)s is such as "Red 7 on Stone 3 or …"
    message = N_("%(card)s: discard %(targets)s")
    said = words.say(message, card=card_name(words, BANSHEE), targets=words.either(targets))
    return [said] if targets else []


def _recruits(words: Words, recruits: Sequence[Recruit]) -> list[str]:
    draws = [count_cards(words, each.clan, each.tactic) for each in recruits]
    # Note: %(card)s is the Tactic card Recruiter; %(cards)s is such as "3 Clan cards or …"
    message = N_("%(card)s: draw %(cards)s")
    said = words.say(message, card=card_name(words, RECRUITER), cards=words.either(draws))
    return [said] if draws else []


_WITHOUT_TARGET: Final = {
    # Note: why a Tactic card cannot be played, after a colon; as all that follow
    STRATEGIST: N_("there is no card of yours to move"),
    BANSHEE: N_("%(name)s has no card that it could discard"),
    TRAITOR: N_("there is no Clan card to take, or no room for it on your side"),
    RECRUITER: N_("the decks are empty"),
}
"""The reason why a Ruse has no target: it then stays in the hand (ruling 27)."""
_OF_JOKER: Final = {
    "one_per_game": N_("you have played one, and the other stays in your hand"),
    "one_on_table": N_("the other Joker has to leave your side first"),
}
"""The reason why a Joker has to wait (ruling 22), by the option `joker_limit`."""
_AHEAD: Final = N_("you are one ahead of %(name)s")
_FULL: Final = N_("your sides of the free Stones are full")


def played(words: Words, game: Game, seat: Seat, other: str) -> str:
    """The number of Tactic cards each side has played (ruling 21)."""
    return words.say(
        "Tactic cards played: you %(mine)s, %(name)s %(theirs)s.",
        mine=game.tactics_played[seat],
        name=other,
        theirs=game.tactics_played[OTHER[seat]],
    )


def held_back(words: Words, game: Game, seat: Seat, legal: Sequence[str], other: str) -> list[str]:
    """Sentences on why the player to move cannot play some of their Tactic cards; `legal` are their
    legal actions, `other` is the name of the other player."""
    begun = {action[:3] for action in legal}
    held = [card for card in in_order(set(game.hands[seat])) if card not in BIT]
    reasons: dict[str, list[str]] = {}
    for card in held:
        if card not in begun:
            reasons.setdefault(_why_held(game, seat, card), []).append(card)
    return [
        _held(words, cards, words.say(why, name=other), is_all=cards == held)
        for why, cards in reasons.items()
    ]


def _why_held(game: Game, seat: Seat, card: str) -> str:
    refusal = tactic_refusal(game, seat, card)
    if refusal is not None and refusal.refusal == "tactic-limit":
        return _AHEAD
    if refusal is not None:
        return _OF_JOKER[game.options.joker_limit]
    return _FULL if card in ELITE_TROOPS else _WITHOUT_TARGET[card]


def _held(words: Words, cards: Sequence[str], why: str, *, is_all: bool) -> str:
    if is_all and len(cards) > 1:
        # Note: %(reason)s is such as "the decks are empty"
        return words.say("You cannot play your Tactic cards now: %(reason)s.", reason=why)
    # Note: a Tactic card in "You cannot play the Spy and the Traitor now"
    named = [words.say("the %(card)s", card=card_name(words, card)) for card in cards]
    # Note: %(cards)s is such as "the Spy"; %(reason)s is such as "the decks are empty"
    message = N_("You cannot play %(cards)s now: %(reason)s.")
    return words.say(message, cards=words.joined(named), reason=why)
