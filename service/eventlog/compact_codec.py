"""A finished game's log without the parts that can be derived from the rest.

Salts, hashes and decks are derived from the secret (chain and shuffle are contracts), and draws
from the decks. Decisions of the rules are written nevertheless: the log must stay readable when the
rules change. A row holds the events of one moment: `SECONDS[ VIA]`, the seconds since the row
before, then each event after a tab:

    R7@3  +C  .  pass  !{…}    card played, drawn, turn ended, passed, Stone claimed with its data
    {…}                        any other event, without its derived parts

Every form stays readable for ever: a new one gets a new number in `compaction`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.cards import DECK_OF, OTHER, Seat
from engine.chain import NO_HASH, Link, StoredEvent, canonical, links
from engine.event_codec import EncodedEvent
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
from service.core.timestamps import timestamp, unix

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
    word = _short_word(fact)
    if word is not None and _fact(word, context) == fact:
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
