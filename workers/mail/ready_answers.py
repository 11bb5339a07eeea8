"""Makes links that open an answer with the command filled in, so that nothing has to be quoted or
typed.

Each playable card in hand has one: it opens `play R7 at `, and the player adds the Stone. Links to
whole turns would have to pick a few among dozens, which would look like advice. Proven claims are
filled in too; the deck to draw from is not, because that is a choice. Sent unchanged, an answer
either plays nothing or does exactly what its link's label says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote

from service.mail_in.addresses.reply_addresses import ReplyTo
from workers.mail.game import GameMail


class ReadyAnswer(NamedTuple):
    """A link: its label, which is not itself a command, and its target."""

    text: str
    link: str


@dataclass(frozen=True)
class ReadyAnswers:
    """The links of a mail: for the cards of the hand, by card, and `others`."""

    cards: Mapping[str, str]
    others: Sequence[ReadyAnswer]


NONE: Final = ReadyAnswers({}, ())


def ready_answers(
    address: str | None, answered: ReplyTo | None, game: GameMail | None
) -> ReadyAnswers:
    """Return the links for a mail about `answered`, whose answers go to `address`."""
    if address is None or answered is None:
        return NONE

    def link(*lines: str) -> str:
        return opening(address, answered.game, *lines)

    if game is None or answered.purpose != "turn":
        texts = _OF_PURPOSES.get(answered.purpose, ())
        return ReadyAnswers({}, [ReadyAnswer(text, link(said)) for text, said in texts])
    cards = {card: link(*lines) for card, lines in _cards(game)}
    return ReadyAnswers(cards, [ReadyAnswer(text, link(said)) for text, said in _others(game)])


def opening(address: str, game: str, *lines: str) -> str:
    """Return a `mailto:` URL: it opens a new mail to this address with these lines, and a subject
    that names the game."""
    subject, body = quote(f"Scottenbury [{game[:4]}]"), quote("\r\n".join(lines))
    return f"mailto:{quote(address, safe='@')}?subject={subject}&body={body}"


def _cards(game: GameMail) -> Iterator[tuple[str, list[str]]]:
    """Yield the playable cards, each with the first lines of its turn."""
    if not game.is_to_move or game.stored.game.phase != "play":
        return
    later = [f"claim {stone}" for stone in game.claimable] if game.claims_come_later else []
    legal = game.view.legal
    for card in sorted(set(game.view.own_cards)):
        if any(action.startswith(f"{card}@") for action in legal):
            yield card, [f"play {card} at ", *later]
        elif any(action.startswith(f"{card}:") for action in legal):
            yield card, [f"{card}:", *later]


def _others(game: GameMail) -> Iterator[tuple[str, str]]:
    """Yield whole commands, each after its label, which never reads as a command."""
    if game.is_over:
        if game.stored.game.status == "finished":
            yield "Once more", "rematch"
        return
    both = len(game.offers) == 2
    if "pause" in game.offers:
        yield "The pause suits me", "agree to the pause" if both else "agree"
        yield "No pause", "decline the pause" if both else "decline"
    if "abandonment" in game.offers:
        yield "An end suits me", "agree to abandon it" if both else "agree"
        yield "No end yet", "decline the abandonment" if both else "decline"
    if game.can_claim_time:
        yield "The game is yours", "claim the win"
        yield "More time for them", "give 2 days"
    for action in game.view.legal if game.is_to_move else ():
        if action[0] == "!":
            yield f"Stone {action[1]} is yours", f"claim {action[1]}"
        elif action in _WHOLE:
            yield _WHOLE[action]


_WHOLE: Final[Mapping[str, tuple[str, str]]] = {
    "+C": ("From the Clan deck", "draw clan"),
    "+T": ("From the Tactic deck", "draw tactic"),
    "pass": ("No card", "pass"),
    "end": ("No further claim", "end"),
}
_ANSWERS: Final = (("Accept by mail", "accept"), ("Decline by mail", "decline"))
_OF_PURPOSES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "invitation": _ANSWERS,
    "challenge": _ANSWERS,
    "naming": _ANSWERS,
    "question": (("You read me right", "yes"),),
    "wish": (("That is what I want", "yes"),),
    "made": (("Take it back", "call it off"),),
    "resign": (("I mean it", "resign"),),
    "win": (("I mean it", "claim the win"),),
    "abandonment": (("I mean it", "agree"),),
}
