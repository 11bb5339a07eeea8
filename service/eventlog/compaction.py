"""A finished game's log as one small value.

    FORM VERSION BODY          the form's number, the number of events, then compressed text

Forms stay readable for ever: the code that reads one never changes, and an improvement is a new
form.

    1   the last hash, then the events without the parts that can be derived from the rest, from
        which the same bytes come back
    2   the events as they are, as a JSON list: for every log that cannot be reproduced

Salts, hashes and decks are derived from the secret (chain and shuffle are contracts), and draws
from the decks. Decisions of the rules are written nevertheless: the log must stay readable when the
rules change. A row holds the events of one moment: `SECONDS[ VIA]`, the seconds since the row
before, then each event after a tab:

    R7@3  +C  .  pass  !{…}    card played, drawn, turn ended, passed, Stone claimed with its data
    {…}                        any other event, without its derived parts
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.cards import DECK_OF, OTHER, Seat
from engine.chain import NO_HASH, EncodedEvent, Link, StoredEvent, canonical, links
from engine.errors import UnknownEvent
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    RoundStarted,
    StoneClaimed,
    TurnEnded,
)
from engine.notation import DECK_LETTER, DECK_NAMED
from engine.shuffle import commitment, decks, seed
from service.core.times import timestamp, unix

Fact = dict[str, Any]
"""An event before it is sealed: `{"type", "by", "v", "data", "private"}`."""


def encode(lines: Sequence[StoredEvent]) -> str:
    """Encode a full log as rows. Raises KeyError, TypeError or ValueError if the log has no such
    form."""
    context, rows = ReplayContext(), list[str]()
    at, via = 0, ""
    for line in lines:
        now, came_by = unix(line["at"]), line["via"]
        if (now, came_by) != (at, via):
            rows.append(f"{now - at}" if came_by == via else f"{now - at} {came_by}")
            at, via = now, came_by
        fact = {key: line[key] for key in ("type", "by", "v", "data", "private")}
        rows[-1] += f"\t{_encode_fact(fact, context)}"
        context.advance(fact)
    return "\n".join(rows)


def decode(text: str) -> list[Link]:
    """The log from which `encode` made these rows."""
    context, chain = ReplayContext(), list[Link]()
    at, via = 0, ""
    for row in text.split("\n"):
        moment, *words = row.split("\t")
        seconds, _, came_by = moment.partition(" ")
        at, via = at + int(seconds), came_by or via
        chain += _sealed(_events(words, context), chain, timestamp(at), via, context)
    return chain


def _events(words: Iterable[str], context: "ReplayContext") -> Iterator[EncodedEvent]:
    for word in words:
        fact = _fact(word, context)
        context.advance(fact)
        yield EncodedEvent(fact["type"], fact["by"], fact["data"], fact["private"], fact["v"])


def _sealed(
    events: Iterable[EncodedEvent],
    chain: Sequence[Link],
    at: str,
    via: str,
    context: "ReplayContext",
) -> Iterator[Link]:
    facts = list(events)  # first, because the secret is in the first event
    previous = chain[-1].hash if chain else NO_HASH
    return links(facts, after=len(chain), at=at, via=via, secret=context.secret, previous=previous)


def _encode_fact(fact: Fact, context: "ReplayContext") -> str:
    """The shortest word that `_fact` reads as this fact."""
    if (word := _short_word(fact)) is not None and _fact(word, context) == fact:
        return word
    derived = context.derive(fact)
    left = {key: value for key, value in fact.items() if derived.get(key, ...) != value}
    derived_data = derived.get("data", {})
    left["data"] = {k: v for k, v in fact["data"].items() if derived_data.get(k, ...) != v}
    return canonical(left)


def _short_word(fact: Fact) -> str | None:
    data = fact["data"]
    match fact["type"]:
        case CardPlayed.TYPE:
            return f"{data['card']}@{data['stone']}"
        case CardDrawn.TYPE:
            return f"+{DECK_LETTER[data['deck']]}"
        case TurnEnded.TYPE:
            return "."
        case Passed.TYPE:
            return "pass"
        case StoneClaimed.TYPE:
            return f"!{canonical(data)}"
        case _:
            return None


def _fact(word: str, context: "ReplayContext") -> Fact:
    if word.startswith("{"):
        rest = json.loads(word)
        return _with(rest, context.derive(rest))
    if word == ".":
        if context.turn is None:
            raise ValueError("nobody has the turn")
        return _complete(TurnEnded.TYPE, context.turn, {"next": OTHER[context.turn]})
    if word == "pass":
        return _complete(Passed.TYPE, context.turn, {})
    if word.startswith("!"):
        return _complete(StoneClaimed.TYPE, context.turn, json.loads(word[1:]))
    if word.startswith("+"):
        drawn: Fact = {"type": CardDrawn.TYPE, "data": {"deck": DECK_NAMED[word[1:]]}}
        return _with(drawn, context.derive(drawn))
    card, _, stone = word.partition("@")
    return _complete(CardPlayed.TYPE, context.turn, {"card": card, "stone": int(stone)})


def _complete(type_: str, by: Seat | None, data: dict[str, object]) -> Fact:
    return {"type": type_, "by": by, "v": 1, "data": data, "private": None}


def _with(rest: Fact, derived: Fact) -> Fact:
    return {**derived, **rest, "data": {**derived.get("data", {}), **rest["data"]}}


class ReplayContext:
    """The state of a game at a position in its log, from which writer and reader derive the same
    parts."""

    def __init__(self) -> None:
        self.secret = ""
        self.turn: Seat | None = None
        self._created: dict[str, Any] = {}
        self._joiner_salt = ""
        self._decks: dict[str, list[str]] = {}

    def derive(self, rest: Fact) -> Fact:
        """The parts of an event that its type and the rest of it determine."""
        derived: Fact = {"by": None, "v": 1, "private": None}
        match rest["type"]:
            case GameCreated.TYPE:
                derived["data"] = {"commitment": commitment(rest["private"]["secret"])}
            case RoundStarted.TYPE:
                round_ = rest["data"]["round"]
                drawn_from = seed(self.secret, self._created["salt"], self._joiner_salt)
                derived["private"] = decks(drawn_from, round_, self._created["options"]["tactics"])
            case CardDrawn.TYPE:
                deck = self._decks[rest["data"]["deck"]]
                derived |= {"by": self.turn, "private": {"cards": deck[:1]}}
            case CardsRecruited.TYPE:
                derived |= {"by": self.turn, "private": {"cards": self._next(rest["data"])}}
            case GameEnded.TYPE | GameAborted.TYPE:
                derived["data"] = {"secret": self.secret}
        return derived

    def advance(self, fact: Fact) -> None:
        """Move to the position after this event."""
        data, private = fact["data"], fact["private"]
        match fact["type"]:
            case GameCreated.TYPE:
                self._created, self.secret = data, private["secret"]
            case PlayerJoined.TYPE:
                self._joiner_salt = data["salt"]
            case RoundStarted.TYPE:
                self.turn = data["first"]
                dealt = 2 * int(self._created["options"]["hand_size"])
                self._decks = {"clan": private["clan"][dealt:], "tactic": private["tactic"]}
            case TurnEnded.TYPE:
                self.turn = data["next"]
            case CardDrawn.TYPE:
                self._take(data["deck"], 1)
            case CardsRecruited.TYPE:
                self._take("clan", data["clan"])
                self._take("tactic", data["tactic"])
            case CardsReturned.TYPE:
                for card in private["cards"]:
                    deck = DECK_OF[card]
                    self._decks[deck] = [*self._decks[deck], card]

    def _next(self, counts: dict[str, int]) -> list[str]:
        clan, tactic = self._decks["clan"], self._decks["tactic"]
        return [*clan[: counts["clan"]], *tactic[: counts["tactic"]]]

    def _take(self, deck: str, count: int) -> None:
        self._decks[deck] = self._decks[deck][count:]


class UnreadableLog(Exception):
    """A log that cannot be read: compacted by a later version of this program, or damaged."""


_DAMAGE: Final = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError),
    *(AssertionError, RecursionError),
)
"""The errors that folding raises for lines that no version of this program wrote."""


@contextmanager
def legible(whose: str) -> Iterator[None]:
    """Raise `UnreadableLog` for every error that a damaged log causes inside: that of `game ID`,
    say.

    One such game must not block work on a player's other games.
    """
    try:
        yield
    except UnknownEvent:
        raise
    except _DAMAGE as error:
        raise UnreadableLog(f"The log of {whose} is damaged: {error!r}.") from error


def compact(texts: Sequence[str]) -> bytes:
    """Compact a whole log into a value from which `expand` restores the same texts.

    Raises ValueError if it would not.
    """
    value = _encoded(texts) or _value(PLAIN, texts, json.dumps(list(texts)))
    if expand(value) != list(texts):
        raise ValueError("the compacted log does not give back the same events")
    return value


def expand(value: bytes) -> list[str]:
    """The events of a compacted log, as JSON texts. Raises `UnreadableLog`."""
    form, _, body = value.split(b" ", 2)
    read = _READERS.get(form)
    if read is None:
        raise UnreadableLog(
            f"compacted in form {form.decode()}, which only a later version can read"
        )
    try:
        decompressor = zlib.decompressobj(zdict=COMMON_TEXT)
        return read((decompressor.decompress(body) + decompressor.flush()).decode())
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise UnreadableLog(f"damaged: {error}") from error


def is_longer(value: bytes, most: int) -> bool:
    """Whether a compacted log, which may be forged, expands to more than `most` bytes of text."""
    body = value.split(b" ", 2)[2]
    return len(zlib.decompressobj(zdict=COMMON_TEXT).decompress(body, most + 1)) > most


def practice_texts(value: bytes) -> list[str]:
    """The events of a compacted log that may be a practice game's; none, at a tenth of the cost, of
    any other's. Raises `UnreadableLog`."""
    try:
        text = zlib.decompressobj(zdict=COMMON_TEXT).decompress(value.split(b" ", 2)[2])
    except zlib.error as error:
        raise UnreadableLog(f"damaged: {error}") from error
    return expand(value) if b"practice" in text else []


HEAD: Final = 40
"""Bytes at the beginning of a compacted log that always include its number of events."""


def compacted_version(value: bytes) -> int:
    """The number of events in a compacted log of any form; its first `HEAD` bytes are enough."""
    return int(value.split(b" ", 2)[1])


ENCODED: Final = b"1"
PLAIN: Final = b"2"


def _encoded(texts: Sequence[str]) -> bytes | None:
    """The log in the codec; None if the codec would not reproduce the same texts."""
    try:
        lines: list[StoredEvent] = [json.loads(text) for text in texts]
        body = f"{lines[-1]['hash']}\n{encode(lines)}"
        return _value(ENCODED, texts, body) if _from_encoded(body) == list(texts) else None
    except (ValueError, LookupError, TypeError):
        return None


def _from_encoded(text: str) -> list[str]:
    head, _, rows = text.partition("\n")
    chain = decode(rows)
    if chain[-1].hash != head:
        raise ValueError("the events do not end in the stored hash")
    return [link.text for link in chain]


_READERS: Final[dict[bytes, Callable[[str], list[str]]]] = {
    ENCODED: _from_encoded,
    PLAIN: json.loads,
}


def _value(form: bytes, texts: Sequence[str], body: str) -> bytes:
    compressor = zlib.compressobj(9, zdict=COMMON_TEXT)
    packed = compressor.compress(body.encode()) + compressor.flush()
    return b"%b %d %b" % (form, len(texts), packed)


COMMON_TEXT: Final = (
    b'"first_player":"opponent""first_player":"scotland","edition":"scottentots"'
    b'"edition":"bga""edition":"reference-card""edition":"community","claim_timing":"any_time"'
    b'"claim_timing":"before_play""joker_limit":"one_on_table","bot":"days_per_move":7},'
    b'{"data":{"secret":"type":"game_aborted"}{"data":{"seat":"type":"timed_out"}'
    b'{"by":"south","data":{},"type":"resigned"}{"by":"north","data":{},"type":"resigned"}'
    b'"visited_scotland":"2026-{"by":"north","data":{"edition":"iello","expert":true,'
    b'"first_player":"creator","options":{"claim_timing":"after_play","hand_size":6,'
    b'"joker_limit":"one_per_game","tactics":false},"player":"'
    b' api\t{"by":"north","data":{"edition":"iello","expert":false,"first_player":"random",'
    b'"options":{"claim_timing":"after_play","hand_size":7,"joker_limit":"one_per_game",'
    b'"tactics":true},"player":"","rounds":1,"rules_version":1,"salt":"","seat":"north",'
    b'"tactics":true,"terms":{"clock":{"days_per_move":3},"invited":null,"invited_by_mail":false,'
    b'"listed":false,"private":false},"visited_scotland":null},"private":{"secret":""},'
    b'"type":"game_created"}\n {"by":"south","data":{"player":"","salt":"",'
    b'"visited_scotland":null},"type":"player_joined"}\t{"data":{"first":"south","round":1},'
    b'"type":"round_started"}{"data":{"first":"north","round":1},"type":"round_started"}\n'
    b'{"by":"south","data":{"card":"STR","target":{"card":"TRA","stone":"to":"x"},'
    b'"type":"ruse_played"}{"by":"north","data":{"card":"REC","draws":{"clan":2,"tactic":1}},'
    b'"type":"ruse_played"}\t{"data":{"clan":2,"tactic":1},"type":"cards_recruited"}\n'
    b'{"by":"south","data":{"clan":1,"tactic":1},"private":{"cards":["type":"cards_returned"}'
    b"pass\t.\n\tBAN\tBMB@\tJOK@\tMUD@\tSPY@\tSHB@"
    b'{"data":{"points":{"north":5,"south":3},"reason":"five-stones","round":1,'
    b'"scores":{"north":3,"south":5},"winner":"south"},"type":"round_ended"}\t'
    b'{"data":{"points":{"north":5,"south":2},"reason":"three-adjacent","round":1,'
    b'"scores":{"north":5,"south":2},"winner":"north"},"type":"round_ended"}\t'
    b'{"data":{"reason":"resignation","scores":{"north":5,"south":0},"winner":null},'
    b'"type":"game_ended"}{"data":{"reason":"stalemate"'
    b'"rank":"color-run","total":"rank":"three-of-a-kind","rank":"color",'
    b'"reason":"cannot-be-completed"'
    b'\t!{"mine":{"as":["R1","O2","Y3"],"rank":"sum","total":15},"reason":"completed-first",'
    b'"stone":5,"theirs":{"as":["G4","B5","P6"],"rank":"run","total":16}}\t+C\t.\n'
    b'\t!{"mine":{"as":["R7","O8","Y9"],"rank":"run","total":18},"reason":"unbeatable","stone":4,'
    b'"theirs":null}\t+T\t.\n\t!{"mine":{"as":["B1","G2","P3"],"rank":"run","total":21},'
    b'"reason":"stronger","stone":3,"theirs":{"as":["O4","Y5","R6"],"rank":"sum","total":14}}\t.\n'
    b" web\tG7@5\n mail\t+T\t.\n api\tR4@5\n web\tB2@1\n mail\tP9@8\t+C\t.\n"
)
"""Text common to many games: the dictionary with which logs are compressed. It never changes."""
