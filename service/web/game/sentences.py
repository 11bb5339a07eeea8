"""The sentences of a game's page: whose turn it is, how the game ended, the unsent turn."""

from collections.abc import Iterable, Mapping
from typing import Final

import engine
from engine.cards import BANSHEE, BIT, RECRUITER, STRATEGIST, TRAITOR
from engine.chain import StoredEvent
from engine.notation import Action, Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return
from service.core.words import N_, Words
from service.games.drafts import OrderOutcome, TurnOrder
from service.games.reading.views import GameShown
from service.games.turn_draft import TurnDraft
from service.text.card_names import card_name, count_cards, the_cards
from service.text.event_words import REASONS, result, whole_reason
from service.text.history import turn_of
from service.web.moments import spoken_moment

Names = Mapping[str, str]

_USES: Final = {
    RECRUITER: N_("%(ruse)s: choose what to draw."),
    STRATEGIST: N_("%(ruse)s: choose one of your cards on the board."),
    BANSHEE: N_("%(ruse)s: pick one of %(name)s\N{RIGHT SINGLE QUOTATION MARK}s cards."),
    TRAITOR: N_("%(ruse)s: pick one of %(name)s\N{RIGHT SINGLE QUOTATION MARK}s Clan cards."),
}
"""The first choice that a Ruse asks for."""
_DRAWN_AFTER: Final = {
    "clan": N_("You draw after sending: a Clan card."),
    "tactic": N_("You draw after sending: a Tactic card."),
}
_DRAW: Final = {"clan": N_("Draw a Clan card"), "tactic": N_("Draw a Tactic card")}
_SEND_DRAW: Final = {
    # Note: what a turn does, in a list after "Send:"; as the next
    "clan": N_("draw a Clan card"),
    "tactic": N_("draw a Tactic card"),
}


def state_words(words: Words, view: GameShown, names: Names) -> str:
    """Return the state of the game for this reader: `Your turn`, `Waiting for Bob`, `You won`."""
    if view.status == "open":
        if view.seat is None:
            return words.say("The game has not begun")
        if isinstance(view.invited, Mapping):
            return words.say("Waiting for %(name)s", name=view.invited["name"])
        return words.say("Waiting for a second player")
    if view.status == "aborted":
        return words.say("The game was cancelled")
    if view.status == "finished":
        return _result(words, view, names)
    if view.turn == view.seat:
        return words.say("Your turn")
    name, until = names[view.turn or ""], view.untold_until
    if until is None:
        return words.say("Waiting for %(name)s", name=name)
    return words.say(
        "Waiting for %(name)s, who was not told of the turn: the time is up, but nothing ends"
        " before %(moment)s",
        name=name,
        moment=spoken_moment(until),
    )


def _result(words: Words, view: GameShown, names: Names) -> str:
    if view.winner is not None:
        reason = whole_reason(view)
        return result(words, view.winner, reason, names, view.seat, rounds=view.rounds)
    if view.reason is None:
        return words.say("Drawn")
    # Note: %(how)s is "by agreement", "by stalemate" …
    return words.say("Drawn %(how)s", how=words.say(REASONS[view.reason]))


def step_words(words: Words, lines: Iterable[StoredEvent], at: int) -> str:
    """Return the position of event `at` in its round: `After turn 3 of 42`."""
    turn, turns = turn_of(lines, at)
    if not turn:
        return words.say("Before the first turn")
    return words.say("After turn %(turn)s of %(turns)s", turn=turn, turns=turns)


def prompt(
    words: Words,
    draft: TurnDraft,
    chosen: str,
    phase: str | None,
    other: str,
    *,
    is_plan: bool = False,
) -> str:
    """Return the next step of the turn, or of a plan, in one sentence. `other`: the other player's
    name."""
    if draft.whole is not None:
        return (
            words.say("When should this be played?") if is_plan else _before_sending(words, draft)
        )
    if phase == "return":
        return _to_put_back(words, draft, chosen)
    if phase == "finish":
        return _to_draw(words, draft)
    if draft.legal and all(text[0] in "p!" for text in draft.legal):
        return _to_pass(words, draft.game)
    if chosen:
        return _where(words, draft, chosen, other)
    if is_plan:
        return words.say("Choose a card to plan.")
    return words.say("Choose a card to play.")


def _to_pass(words: Words, game: engine.Game) -> str:
    claimant = game.turn if game.options.claim_timing == "after_play" else None
    verdicts = engine.verdicts(game, claimant) if claimant else {}
    provable = [str(stone) for stone, verdict in verdicts.items() if verdict.stands]
    if not provable:
        return words.say("No card can be played now: pass.")
    # Note: %(stones)s is such as "3", or "3 and 5"
    return words.plural(
        "No card can be played now. Pass, then you can claim Stone %(stones)s.",
        "No card can be played now. Pass, then you can claim Stones %(stones)s.",
        len(provable),
        stones=words.joined(provable),
    )


def _where(words: Words, draft: TurnDraft, chosen: str, other: str) -> str:
    if not any(text.startswith(chosen) for text in draft.legal):
        return words.say("Choose another card.")
    ruse, _, taken = chosen.partition(":")
    if taken:
        card = taken.partition("@")[0]
        if card in BIT:
            return words.say("Where do you move %(card)s?", card=card_name(words, card))
        # Note: %(card)s is a Tactic card
        return words.say("Where do you move the %(card)s?", card=card_name(words, card))
    if ruse in _USES:
        return words.say(_USES[ruse], ruse=card_name(words, ruse), name=other)
    if ruse in BIT:
        return words.say("Where do you play %(card)s?", card=card_name(words, ruse))
    # Note: %(card)s is a Tactic card
    return words.say("Where do you play the %(card)s?", card=card_name(words, ruse))


def _before_sending(words: Words, draft: TurnDraft) -> str:
    if len(draft.claimable) == 1:
        message = N_("You can claim Stone %(stone)s before you send.")
        return words.say(message, stone=draft.claimable[0])
    return claim_offer(words, draft.claimable) or _end_words(words, draft)


def _to_put_back(words: Words, draft: TurnDraft, chosen: str) -> str:
    if chosen:
        return words.say("Choose one more card to put back under the decks.")
    if any("," in text for text in draft.legal):
        return words.say("Choose two cards to put back under the decks.")
    return words.say("Choose a card to put back under the decks.")


def _to_draw(words: Words, draft: TurnDraft) -> str:
    if not draft.claimable:
        return words.say("Choose the deck to draw from.")
    # Note: %(stones)s is such as "3", or "3 and 5"
    return words.plural(
        "Claim Stone %(stones)s, or choose the deck to draw from.",
        "Claim Stones %(stones)s, or choose the deck to draw from.",
        len(draft.claimable),
        stones=words.joined(map(str, draft.claimable)),
    )


def _end_words(words: Words, draft: TurnDraft) -> str:
    last = engine.parse(draft.actions[-1]) if draft.actions else None
    if isinstance(last, Recruit):
        return words.say("After sending you see the cards, and choose two to put back.")
    if draft.drawn_from is None or isinstance(last, Draw):
        return words.say("Your turn ends after sending.")
    if draft.game.tactics:
        return words.say(_DRAWN_AFTER[draft.drawn_from])
    return words.say("You draw after sending.")


def action_words(words: Words, text: str) -> str:
    """Return an action of the unsent turn in words: `Red 7 on Stone 3`."""
    match engine.parse(text):
        case Play(card, stone):
            return card_on_stone(words, card, stone)
        case Move() | Banish() | Recruit() | Return() as action:
            return _beyond_a_play(words, action)
        case Claim(stone):
            return words.say("Claim Stone %(stone)s", stone=stone)
        case Draw(deck):
            return words.say(_DRAW[deck])
        case Pass():
            return words.say("Pass")
        case End():
            return words.say("End the turn")


def card_on_stone(words: Words, card: str, stone: int) -> str:
    """Return a card and its Stone: `Red 7 on Stone 3`."""
    message = N_("%(card)s on Stone %(stone)s")
    return words.say(message, card=card_name(words, card), stone=stone)


def _beyond_a_play(words: Words, action: Move | Banish | Recruit | Return) -> str:
    """Return a Ruse, or the return of cards, in words: the same in a list and on a button."""
    match action:
        case Move(ruse, card, stone, to):
            said = {"ruse": card_name(words, ruse), "card": card_name(words, card), "stone": stone}
            if to is None:
                # Note: %(ruse)s is a Tactic card
                message = N_("%(ruse)s: %(card)s from Stone %(stone)s to the discard")
                return words.say(message, **said)
            # Note: %(ruse)s is a Tactic card
            message = N_("%(ruse)s: %(card)s from Stone %(stone)s to Stone %(to)s")
            return words.say(message, **said, to=to)
        case Banish(card, stone):
            said = {"ruse": card_name(words, BANSHEE), "card": card_name(words, card)}
            # Note: %(ruse)s is the Tactic card Banshee
            message = N_("%(ruse)s: %(card)s of Stone %(stone)s to the discard")
            return words.say(message, **said, stone=stone)
        case Recruit(clan, tactic):
            message = N_("%(card)s: draw %(cards)s")
            cards = count_cards(words, clan, tactic)
            return words.say(message, card=card_name(words, RECRUITER), cards=cards)
        case Return(cards):
            return words.say("%(cards)s back under the decks", cards=the_cards(words, cards))


def send_words(words: Words, draft: TurnDraft) -> str:
    """Return the effect of sending this turn: `Red 7 on Stone 3, claim Stone 3`; of several claims
    only the numbers: `Red 7 on Stone 3, claim 3 and 5`."""
    actions = [engine.parse(text) for text in draft.actions or draft.whole or ()]
    claimed = [str(action.stone) for action in actions if isinstance(action, Claim)]
    if len(claimed) < 2:
        return ", ".join(_sent(words, action) for action in actions)
    sent = [_sent(words, action) for action in actions if not isinstance(action, Claim)]
    # Note: what a turn does, in a list after "Send:"; %(stones)s are numbers of Stones: "3 and 5"
    claims = words.say("claim %(stones)s", stones=words.joined(claimed))
    return ", ".join([*sent[:1], claims, *sent[1:]])


def _sent(words: Words, action: Action) -> str:
    match action:
        case Play(card, stone):
            # Note: what a turn does, in a list after "Send:"
            message = N_("%(card)s on Stone %(stone)s")
            return words.say(message, card=card_name(words, card), stone=stone)
        case Claim(stone):
            # Note: what a turn does, in a list after "Send:"
            return words.say("claim Stone %(stone)s", stone=stone)
        case Draw(deck):
            return words.say(_SEND_DRAW[deck])
        case Pass():
            # Note: what a turn does, after "Send:"
            return words.say("pass")
        case End():
            # Note: what a turn does, after "Send:"
            return words.say("end the turn")
        case _:
            return _beyond_a_play(words, action)


def claim_offer(words: Words, stones: Iterable[int]) -> str:
    """Return the possible claims: `You can claim Stone 9.`; `""` without any."""
    numbers = [str(stone) for stone in stones]
    if not numbers:
        return ""
    # Note: %(stones)s is such as "3", or "3 and 5"
    return words.plural(
        "You can claim Stone %(stones)s.",
        "You can claim Stones %(stones)s.",
        len(numbers),
        stones=words.joined(numbers),
    )


def draft_words(words: Words, actions: tuple[str, ...]) -> str:
    """Return the unsent turn in one line: `Red 7 on Stone 3, claim Stone 3`."""
    return ", ".join(_sent(words, engine.parse(text)) for text in actions)


def order_words(words: Words, order: TurnOrder, other: str) -> str:
    """Return a planned turn in words: `When Bob plays Green 4 on Stone 2: Red 7 on Stone 3`."""
    when = words.joined(action_words(words, text) for text in order.when)
    turn = draft_words(words, order.actions)
    if not when:
        # Note: %(turn)s is such as "Red 7 on Stone 3"
        return words.say("Whatever %(name)s plays: %(turn)s", name=other, turn=turn)
    # Note: %(cards)s and %(turn)s are such as "Red 7 on Stone 3"
    message = N_("When %(name)s plays %(cards)s: %(turn)s")
    return words.say(message, name=other, cards=when, turn=turn)


def outcome_words(words: Words, outcome: OrderOutcome, other: str) -> str:
    """Return the result of the last planned turn, in words."""
    turn = draft_words(words, outcome.actions)
    if outcome.outcome == "played":
        # Note: %(turn)s is such as "Red 7 on Stone 3"
        return words.say("Your planned turn was played: %(turn)s.", turn=turn)
    why = words.say(outcome.message, **outcome.places) if outcome.message else ""
    if outcome.code == "not-as-foreseen":
        why = words.say("%(name)s played something else.", name=other)
    # Note: %(turn)s is such as "Red 7 on Stone 3"; %(reason)s is a sentence
    message = N_("Your planned turn was not played: %(turn)s. %(reason)s")
    return words.say(message, turn=turn, reason=why)
