"""Decides which mails can be answered, writes their paragraphs about answering, and makes the links
that open an answer with the command filled in, so that nothing has to be quoted or typed.

Every word that an answer may contain is in quotation marks: no line of ours may be read as a
command. Each playable card in hand has a link: it opens `play R7 at `, and the player adds the
Stone. Links to whole turns would have to pick a few among dozens, which would look like advice.
Proven claims are filled in too; the deck to draw from is not, because that is a choice. Sent
unchanged, an answer either plays nothing or does exactly what its link's label says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote

from letters.wishes import Offered
from service.eventlog import NoticeParts
from service.mail_in.addresses import OffersShown, Purpose, ReplyTo, name_mark
from service.mail_in.outcome import Outcome
from service.text.game_terms import join_words
from workers.mail.game import GameMail


def reply_to(notice: NoticeParts, game: GameMail | None) -> ReplyTo | None:
    """Return what an answer to this mail is about, for its reply address; None if it cannot be
    answered."""
    match notice.kind:
        case "challenge" | "invitation" as purpose:
            return ReplyTo(purpose, notice.subject, 1)
    return None if game is None else _of_table("turn", game)


def of_outcome(outcome: Outcome, game: GameMail | None) -> ReplyTo | None:
    """Return what a reply to our own answer is about: a question, an offer, or the game that it
    shows; None if it cannot be answered."""
    if outcome.name is not None:
        return ReplyTo("naming", outcome.about, 1, head=name_mark(outcome.name))
    if outcome.offer is not None:
        return ReplyTo(outcome.offer, outcome.about, 1)
    if outcome.confirms == "wish" and outcome.player is not None:
        return ReplyTo("wish", outcome.player, 1, question=outcome.question)
    if outcome.made:
        return ReplyTo("made", outcome.made, 1)
    if game is None:
        return None
    if outcome.question:
        stored, at = game.stored, outcome.asked_at
        return ReplyTo("question", stored.id, at, game.seat, question=outcome.question)
    return _of_table(outcome.confirms or "turn", game)


def _of_table(purpose: Purpose, game: GameMail) -> ReplyTo | None:
    if game.seat is None:
        return None
    stored, pause, abandonment = game.stored, game.pause_offer, game.offer
    numbers: dict[Offered, int] = {"pause": pause.number} if pause else {}
    if abandonment is not None:
        numbers["abandonment"] = abandonment.number
    shown = OffersShown(tuple(numbers), max(numbers.values())) if numbers else None
    return ReplyTo(purpose, stored.id, stored.version, game.seat, stored.head, shown)


def ways_to_answer(answered: ReplyTo | None, game: GameMail | None) -> list[str]:
    """Return the mail's paragraphs about answering it; none if it cannot be answered."""
    if answered is None:
        return []
    if answered.purpose in _SINGLE_WORDS:
        is_named = answered.purpose == "invitation" and game is not None and game.player is None
        words = [_SINGLE_WORDS[answered.purpose]]
        return list(map(glued, [*words, _NAMING] if is_named else words))
    assert game is not None, "only a game has turns"
    said = []
    if game.can_claim_time:
        said.append(
            "Answer “claim the win” (you are asked once more), or “give 2 days”, with any number of"
            f" days or hours, to give {game.opponent} more time."
        )
    if len(game.offers) == 2:
        said.append(
            "Answer “agree to the pause” or “decline the pause”, “agree to abandon it” (you are"
            " asked once more) or “decline the abandonment”."
        )
    elif game.offers:
        asks = " (you are asked once more)" if "abandonment" in game.offers else ""
        said.append(f"Answer “agree”{asks} or “decline”.")
    return list(map(glued, [*said, _of_turn(game)]))


def glued(sentence: str) -> str:
    """Return the sentence with no-break spaces in each quotation and just before it, so that no
    quoted command gets a line of its own."""
    return _QUOTED.sub(lambda match: match[0].replace(" ", _NO_BREAK), sentence)


def _of_turn(game: GameMail) -> str:
    phase, legal = game.stored.game.phase, game.view.legal
    if game.stored.game.status == "aborted":
        return f"Answer with “new game, 3 days” to begin another; {_HELP}"
    if game.is_over:
        again = "“rematch” to play again, or with"
        return f"Answer with {again} “say: well played” to write to {game.opponent}."
    if not game.is_to_move:
        return f"Answer with “say: well played” to write to {game.opponent}; {_HELP}"
    if phase == "return":
        return f"Answer with the two cards that go back, such as “-R1,JOK”; {_HELP}"
    if phase == "finish":
        # The first claim that can be made now, if any, and a way to end the turn.
        claims = [f"“claim {action[1]}”" for action in legal if action[0] == "!"]
        ends = [f"“{_ENDS[action]}”" for action in legal if action in _ENDS]
        finish = " or ".join([*claims[:1], *(ends[:1] if claims else ends)])
        return f"Answer with {finish}, each on its own line; {_HELP}"
    lines = [f"“claim {stone}”" for stone in game.claimable]
    if len([deck for deck, left in game.view.decks.items() if left]) > 1:
        lines.append("“draw clan”")
    then = f", then {join_words(lines)} below it" if lines else ""
    begun = {action.partition(":")[0] for action in legal}
    ruses = "".join(f" {way}" for ruse, way in _RUSES.items() if ruse in begun)
    return f"Answer with a turn such as “play R7 at 3”{then}; {_HELP}{ruses}"


_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_QUOTED: Final = re.compile(r"\S+ “[^”]*”|“[^”]*”")
_RUSES: Final[Mapping[str, str]] = {
    "STR": "The Strategist: as “STR:R7@3>5” to move a card, as “STR:R7@3>x” to discard it.",
    "BAN": "The Banshee: as “BAN:G4@2”.",
    "TRA": "The Traitor: as “TRA:G4@2>6”.",
    "REC": "The Recruiter: as “REC:CCT”, the decks to draw from.",
}
"""Sentences that say how to write each Tactic card that is not placed on a Stone."""
_ENDS: Final[Mapping[str, str]] = {"+C": "draw clan", "+T": "draw tactic", "end": "end"}
"""The command for each way to end a turn."""
_HELP: Final = "“help” lists the rest."
_ELSE: Final = "Until then the game goes on, and you can answer with a turn too."
_ANSWER: Final = "Answer “accept” or “decline”."
_NAMING: Final = "“accept as Ada” also chooses the name that all see."
_SINGLE_WORDS: Final[Mapping[Purpose, str]] = {
    "resign": f"To confirm, answer “resign” again. {_ELSE}",
    "win": f"To confirm, answer “claim the win” again. {_ELSE}",
    "abandonment": f"To confirm, answer “agree” again. {_ELSE}",
    "invitation": _ANSWER,
    "naming": "Answer “accept”, “decline”, or “accept as” with another name.",
    "challenge": _ANSWER,
    "wish": "Answer “yes” or “no”.",
    "made": "To take it back, answer “call it off”.",
}


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
            yield "Ask for a rematch", "rematch"
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
