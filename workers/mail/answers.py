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

from letters import taught
from letters.wishes import Offered
from service.core.words import N_, Words
from service.eventlog import NoticeParts
from service.mail_in.addresses import OffersShown, Purpose, ReplyTo, name_mark
from service.mail_in.outcome import Outcome
from service.mail_in.wording import quoted, teach
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
    if outcome.confirms == "naming":
        head = name_mark(outcome.name) if outcome.name else ""
        return ReplyTo("naming", outcome.about, 1, head=head)
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


def ways_to_answer(
    words: Words, answered: ReplyTo | None, game: GameMail | None, host: str, *, to_guest: bool
) -> list[str]:
    """Return the mail's paragraphs about answering it; none if it cannot be answered. `host` is the
    name of the player who invites; `to_guest` says whether its reader has no account yet."""
    if answered is None:
        return []
    if answered.purpose in _SINGLE_WORDS:
        is_named = answered.purpose == "invitation" and to_guest
        single = _SINGLE_WORDS[answered.purpose] if _is_ready(answered) else _UNNAMED
        messages = [single, _NAMING] if is_named else [single]
        return [glued(_taught_name(words, message, host)) for message in messages]
    assert game is not None, "only a game has turns"
    return list(map(glued, [*_of_offers(words, game), _of_turn(words, game)]))


def _taught_name(words: Words, message: str, host: str) -> str:
    """Say a message whose example of a name is not that of the player who invites."""
    if host.casefold().split()[:1] != ["ada"] or "%(accept_as_ada)s" not in message:
        return teach(words, message)
    example = taught.command(words.language, "accept_as", name="Eve")
    return teach(words, message, accept_as_ada=example)


def _is_ready(answered: ReplyTo) -> bool:
    """Whether single words answer the mail: not one that asks for a name and offers none."""
    return answered.purpose != "naming" or bool(answered.head)


def ways_beside_cards(words: Words, game: GameMail) -> list[str]:
    """Return the paragraphs about answering for a mail whose cards are links."""
    tap = words.say("Tap a card, add the Stone’s number, and send.")
    turn = _of_whole_turn(words, game, _OR_OF_TURN)
    return list(map(glued, [*_of_offers(words, game), tap, turn]))


def _of_offers(words: Words, game: GameMail) -> Iterator[str]:
    if game.can_claim_time:
        message = N_(
            "Answer “%(claim_win)s” (you are asked once more), or “%(give)s”, with any number of"
            " days or hours, to give %(name)s more time."
        )
        yield teach(words, message, name=game.opponent)
    if len(game.offers) == 2:
        message = N_(
            "Answer “%(agree_pause)s” or “%(decline_pause)s”, “%(agree_end)s” (you are asked once"
            " more) or “%(decline_end)s”."
        )
        yield teach(words, message)
    elif "abandonment" in game.offers:
        yield teach(words, N_("Answer “%(agree)s” (you are asked once more) or “%(decline)s”."))
    elif game.offers:
        yield teach(words, N_("Answer “%(agree)s” or “%(decline)s”."))


def glued(sentence: str) -> str:
    """Return the sentence with no-break spaces in each quotation and just before it, so that no
    quoted command gets a line of its own."""
    return _QUOTED.sub(lambda match: match[0].replace(" ", _NO_BREAK), sentence)


def _of_turn(words: Words, game: GameMail) -> str:
    phase, legal, name = game.stored.game.phase, game.view.legal, game.opponent
    if game.stored.game.status == "aborted" or game.is_opponent_gone:
        message = N_("Answer with “%(new_game)s” to begin another; “%(help)s” lists the rest.")
        return teach(words, message)
    if game.is_over and game.stored.terms.season is not None:
        return teach(words, N_("Answer with “%(say_played)s” to write to %(name)s."), name=name)
    if game.stored.has_bot and not game.is_to_move:
        return teach(words, _BESIDE_BOTS[game.is_over])
    if game.is_over:
        message = N_(
            "Answer with “%(rematch)s” to play again, or with “%(say_played)s” to write to"
            " %(name)s."
        )
        return teach(words, message, name=name)
    if not game.is_to_move:
        begun = N_("Answer with “%(say_luck)s” to write to %(name)s; “%(help)s” lists the rest.")
        later = N_("Answer with “%(say_played)s” to write to %(name)s; “%(help)s” lists the rest.")
        return teach(words, begun if game.has_begun and not game.story else later, name=name)
    if phase == "return":
        message = N_(
            "Answer with the two cards that go back, such as “%(short_return)s”; “%(help)s” lists"
            " the rest."
        )
        return teach(words, message, short_return=legal[0])
    if phase == "finish":
        return _of_finish(words, legal)
    return _of_whole_turn(words, game, _OF_TURN)


def _of_finish(words: Words, legal: Sequence[str]) -> str:
    """Say how to claim what can be claimed now, and how to end the turn."""
    claims = [_claim(words, action[1]) for action in legal if action[0] == "!"]
    ends = [
        quoted(words, taught.command(words.language, _ENDS[action]))
        for action in legal
        if action in _ENDS
    ]
    if claims and ends:
        # Note: %(claims)s is one command or several, %(end)s is one, in quotation marks
        message = N_(
            "Answer with %(claims)s; %(end)s alone ends your turn without a claim. “%(help)s”"
            " lists the rest."
        )
        return teach(words, message, claims=words.either(claims), end=ends[0])
    # Note: %(commands)s is one command or several, in quotation marks
    message = N_("Answer with %(commands)s, each on its own line; “%(help)s” lists the rest.")
    return teach(words, message, commands=words.either(claims or ends))


_BESIDE_BOTS: Final = {
    False: N_("Answer with “%(help)s” to see what you can write."),
    True: N_("Answer with “%(rematch)s” to play again; “%(help)s” lists the rest."),
}
"""What to answer where it is not the reader's turn and a bot reads no messages, by whether the game
is over."""
# Note: %(lines)s are commands in quotation marks
_OF_TURN: Final = (
    N_("Answer with a turn such as “%(play)s”."),
    N_("Answer with a turn such as “%(play)s”, then %(lines)s below it."),
)
# Note: these follow "Tap a card, add the Stone’s number, and send."
_OR_OF_TURN: Final = (
    N_("Or answer with a turn such as “%(play)s”."),
    N_("Or answer with a turn such as “%(play)s”, then %(lines)s below it."),
)
"""How to write a turn: without and with the lines that may follow it."""
_RUSES: Final[Mapping[str, str]] = {
    "STR": N_(
        "The Strategist: as “%(short_move)s” to move a card, as “%(short_discard)s” to discard it."
    ),
    "BAN": N_("The Banshee: as “%(short_banshee)s”."),
    "TRA": N_("The Traitor: as “%(short_traitor)s”."),
    "REC": N_("The Recruiter: as “%(short_recruit)s”, the decks to draw from."),
}
"""Sentences that say how to write each Tactic card that is not placed on a Stone."""
_SHORT: Final = {"BAN": "short_banshee", "TRA": "short_traitor", "REC": "short_recruit"}


def _of_whole_turn(words: Words, game: GameMail, messages: tuple[str, str]) -> str:
    lines = [_claim(words, str(stone)) for stone in game.claimable]
    if len([deck for deck, left in game.view.decks.items() if left]) > 1:
        lines.append(quoted(words, taught.command(words.language, "draw_clan")))
    examples = dict(_examples(words, game.view.legal))
    turn = teach(words, messages[bool(lines)], lines=words.joined(lines), **examples)
    begun = {action.partition(":")[0] for action in game.view.legal}
    ruses = (teach(words, way, **examples) for ruse, way in _RUSES.items() if ruse in begun)
    return " ".join([turn, *ruses, _of_rest(words, game)])


def _of_rest(words: Words, game: GameMail) -> str:
    """Say what else may stand below a turn; a bot reads no messages."""
    if game.stored.has_bot:
        return teach(words, N_("“%(help)s” lists the rest."))
    message = N_("Below it, “%(say_hello)s” writes to %(name)s; “%(help)s” lists the rest.")
    return teach(words, message, name=game.opponent)


def _examples(words: Words, legal: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield examples that may be played now, for the places of messages: the first in the order of
    the cards, which is no advice."""
    for action in reversed(legal):  # the first of a kind replaces the others
        kind, _, rest = action.partition(":")
        card, _, stone = action.partition("@")
        if kind == "STR":
            yield ("short_discard" if rest.endswith("x") else "short_move"), action
        elif kind in _SHORT:
            yield _SHORT[kind], action
        elif stone:
            yield "play", taught.command(words.language, "play", card=card, stone=stone)


def _claim(words: Words, stone: str) -> str:
    return quoted(words, taught.command(words.language, "claim", stone=stone))


_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_QUOTED: Final = re.compile(r"(?:\S+ )?(?:“[^”]*”|„[^“]*“|«[^»]*»)")
_ENDS: Final[Mapping[str, str]] = {"+C": "draw_clan", "+T": "draw_tactic", "end": "end"}
"""The command for each way to end a turn."""


_EITHER: Final = N_("Answer “%(accept)s” or “%(decline)s”.")
_NAMING: Final = N_("“%(accept_as_ada)s” also chooses the name that all see.")
_UNNAMED: Final = N_("Answer “%(accept_as_ada)s”, with your own name, or “%(decline)s”.")
_SINGLE_WORDS: Final[Mapping[Purpose, str]] = {
    "resign": N_(
        "To confirm, answer “%(yes)s”. Until then the game goes on, and you can answer"
        " with a turn too."
    ),
    "win": N_(
        "To confirm, answer “%(claim_win)s” again. Until then the game goes on, and you can answer"
        " with a turn too."
    ),
    "abandonment": N_(
        "To confirm, answer “%(agree)s” again. Until then the game goes on, and you can answer"
        " with a turn too."
    ),
    "invitation": _EITHER,
    "naming": N_("Answer “%(accept)s”, “%(decline)s”, or “%(accept_as)s” with another name."),
    "challenge": _EITHER,
    "season": N_("To enter the next season, answer “%(accept)s”."),
    "wish": N_("Answer “%(yes)s” or “%(no)s”."),
    "made": N_("To take it back, answer “%(call_off)s”."),
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
    words: Words, address: str | None, answered: ReplyTo | None, game: GameMail | None
) -> ReadyAnswers:
    """Return the links for a mail about `answered`, whose answers go to `address`."""
    if address is None or answered is None:
        return NONE

    def link(*lines: str) -> str:
        return opening(address, answered.game, *lines)

    if game is None or answered.purpose != "turn":
        texts = _OF_PURPOSES.get(answered.purpose, ()) if _is_ready(answered) else ()
        answers = [
            ReadyAnswer(words.say(text), link(taught.command(words.language, command)))
            for text, command in texts
        ]
        return ReadyAnswers({}, answers)
    cards = {card: link(*lines) for card, lines in _cards(words, game)}
    return ReadyAnswers(
        cards, [ReadyAnswer(text, link(said)) for text, said in _others(words, game)]
    )


def opening(address: str, game: str, *lines: str) -> str:
    """Return a `mailto:` URL: it opens a new mail to this address with these lines, and a subject
    that names the game."""
    subject, body = quote(f"Scottenbury [{game[:4]}]"), quote("\r\n".join(lines))
    return f"mailto:{quote(address, safe='@')}?subject={subject}&body={body}"


def _cards(words: Words, game: GameMail) -> Iterator[tuple[str, list[str]]]:
    """Yield the playable cards, each with the first lines of its turn."""
    if not game.is_to_move or game.stored.game.phase != "play":
        return
    language = words.language
    claims = (taught.command(language, "claim", stone=str(stone)) for stone in game.claimable)
    later = [*claims] if game.claims_come_later else []
    legal = game.view.legal
    for card in sorted(set(game.view.own_cards)):
        if any(action.startswith(f"{card}@") for action in legal):
            yield card, [taught.command(language, "play", card=card, stone=""), *later]
        elif any(action.startswith(f"{card}:") for action in legal):
            yield card, [f"{card}:", *later]


def _others(words: Words, game: GameMail) -> Iterator[tuple[str, str]]:
    """Yield whole commands, each after its label, which never reads as a command."""

    def said(name: str, **places: str) -> str:
        return taught.command(words.language, name, **places)

    if game.is_over:
        ended = game.stored.game.status == "finished" and not game.is_opponent_gone
        if ended and game.stored.terms.season is None:
            yield words.say("Ask for a rematch"), said("rematch")
        return
    both = len(game.offers) == 2
    if "pause" in game.offers:
        yield words.say("The pause suits me"), said("agree_pause" if both else "agree")
        yield words.say("No pause"), said("decline_pause" if both else "decline")
    if "abandonment" in game.offers:
        yield words.say("An end suits me"), said("agree_end" if both else "agree")
        yield words.say("No end yet"), said("decline_end" if both else "decline")
    if game.can_claim_time:
        yield words.say("Claim the win by mail"), said("claim_win")
        yield words.say("More time for them"), said("give", time="2 days")
    yield from _steps(words, game.view.legal if game.is_to_move else ())


def _steps(words: Words, legal: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the claims and the ends of a turn whose card is played, each after its label."""
    whole = _WHOLE | _UNCLAIMED if any(action[0] == "!" for action in legal) else _WHOLE
    for action in legal:
        if action[0] == "!":
            command = taught.command(words.language, "claim", stone=action[1])
            yield words.say("Claim Stone %(stone)s by mail", stone=action[1]), command
        elif action in whole:
            label, name = whole[action]
            yield words.say(label), taught.command(words.language, name)


# Note: labels of links that open an answer; none may itself read as a command to us
_WHOLE: Final[dict[str, tuple[str, str]]] = {
    "+C": (N_("Draw a Clan card by mail"), "draw_clan"),
    "+T": (N_("Draw a Tactic card by mail"), "draw_tactic"),
    "pass": (N_("No card"), "pass"),
    "end": (N_("No further claim"), "end"),
}
# Note: labels of links that end the turn, though a Stone could be claimed
_UNCLAIMED: Final[dict[str, tuple[str, str]]] = {
    "+C": (N_("Draw a Clan card, without a claim"), "draw_clan"),
    "+T": (N_("Draw a Tactic card, without a claim"), "draw_tactic"),
}
_ANSWERS: Final = ((N_("Accept by mail"), "accept"), (N_("Decline by mail"), "decline"))
_OF_PURPOSES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "invitation": _ANSWERS,
    "challenge": _ANSWERS,
    "naming": _ANSWERS,
    "season": ((N_("Enter the next season"), "accept"),),
    "question": ((N_("You read me right"), "yes"),),
    "wish": ((N_("That is what I want"), "yes"),),
    "made": ((N_("Take it back"), "call_off"),),
    "resign": ((N_("I mean it"), "resign"),),
    "win": ((N_("I mean it"), "claim_win"),),
    "abandonment": ((N_("I mean it"), "agree"),),
}
