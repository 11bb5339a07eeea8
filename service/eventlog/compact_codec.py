"""A finished game's log without what can be derived from the rest of it.

Salts, hashes and decks follow from the secret (chain and shuffle are contracts), and draws from the
decks. What the rules would decide is written all the same: the log must stay readable when the
rules change. A row holds the events of one moment: `SECONDS[ VIA]`, the seconds since the row
before, then each event after a tab:

    R7@3  +C  .  pass  !{…}    card played, drawn, turn ended, passed, Stone claimed with its data
    {…}                        any other event, without what can be derived

What is written once is read for ever: a new form gets a new number in `compaction`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from engine.cards import DECK_OF, OTHER, Deck, Seat
from engine.chain import NO_HASH, Link, StoredEvent, canonical, links
from engine.events import Event
from engine.shuffle import commitment, decks, seed
from service.core.timestamps import timestamp, unix

Fact = dict[str, Any]
"""An event before it is sealed: `{"type", "by", "v", "data", "private"}`."""

_LETTER: Final[dict[str, str]] = {"clan": "C", "tactic": "T"}
_DECK: Final[dict[str, Deck]] = {"C": "clan", "T": "tactic"}


def encode(lines: Sequence[StoredEvent]) -> str:
    """A full log in rows. KeyError, TypeError or ValueError for one that has no such form."""
    context, rows = ReplayContext(), list[str]()
    at, via = 0, ""
    for line in lines:
        now, channel = unix(line["at"]), line["via"]
        if (now, channel) != (at, via):
            rows.append(f"{now - at}" if channel == via else f"{now - at} {channel}")
            at, via = now, channel
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
        seconds, _, channel = moment.partition(" ")
        at, via = at + int(seconds), channel or via
        chain += _sealed(_events(words, context), chain, timestamp(at), via, context)
    return chain


def _events(words: Iterable[str], context: "ReplayContext") -> Iterator[Event]:
    for word in words:
        fact = _fact(word, context)
        context.advance(fact)
        yield Event(fact["type"], fact["by"], fact["data"], fact["private"], fact["v"])


def _sealed(
    events: Iterable[Event], chain: Sequence[Link], at: str, via: str, context: "ReplayContext"
) -> Iterator[Link]:
    facts = list(events)  # first of all: the secret is in the first event
    previous = chain[-1].hash if chain else NO_HASH
    return links(facts, after=len(chain), at=at, via=via, secret=context.secret, previous=previous)


def _encode_fact(fact: Fact, context: "ReplayContext") -> str:
    """The shortest word that `_fact` reads as this fact."""
    word = _short_word(fact)
    if word is not None and _fact(word, context) == fact:
        return word
    return canonical(_without(fact, context.derive(fact)))


def _short_word(fact: Fact) -> str | None:
    data = fact["data"]
    match fact["type"]:
        case "card_played":
            return f"{data['card']}@{data['stone']}"
        case "card_drawn":
            return f"+{_LETTER[data['deck']]}"
        case "turn_ended":
            return "."
        case "passed":
            return "pass"
        case "stone_claimed":
            return f"!{canonical(data)}"
        case _:
            return None


def _fact(word: str, context: "ReplayContext") -> Fact:
    if word.startswith("{"):
        rest = json.loads(word)
        return _with(rest, context.derive(rest))
    if word == ".":
        return _complete("turn_ended", context.turn, {"next": OTHER[_seat(context.turn)]})
    if word == "pass":
        return _complete("passed", context.turn, {})
    if word.startswith("!"):
        return _complete("stone_claimed", context.turn, json.loads(word[1:]))
    if word.startswith("+"):
        drawn: Fact = {"type": "card_drawn", "data": {"deck": _DECK[word[1:]]}}
        return _with(drawn, context.derive(drawn))
    card, _, stone = word.partition("@")
    return _complete("card_played", context.turn, {"card": card, "stone": int(stone)})


def _complete(type_: str, by: Seat | None, data: dict[str, Any]) -> Fact:
    return {"type": type_, "by": by, "v": 1, "data": data, "private": None}


def _seat(seat: Seat | None) -> Seat:
    if seat is None:
        raise ValueError("nobody has the turn")
    return seat


def _without(fact: Fact, derived: Fact) -> Fact:
    """The fact without what is derived: whole parts, and members of `data`."""
    left = {key: value for key, value in fact.items() if derived.get(key, ...) != value}
    known = derived.get("data", {})
    left["data"] = {k: v for k, v in fact["data"].items() if known.get(k, ...) != v}
    return left


def _with(rest: Fact, derived: Fact) -> Fact:
    return {**derived, **rest, "data": {**derived.get("data", {}), **rest["data"]}}


class ReplayContext:
    """What writer and reader know of a game at a position in its log."""

    def __init__(self) -> None:
        self.secret = ""
        self.turn: Seat | None = None
        self._created: dict[str, Any] = {}
        self._joiner_salt = ""
        self._decks: dict[str, list[str]] = {}

    def derive(self, rest: Fact) -> Fact:
        """What follows of an event from its type and the rest of it."""
        derived: Fact = {"by": None, "v": 1, "private": None}
        match rest["type"]:
            case "game_created":
                derived["data"] = {"commitment": commitment(rest["private"]["secret"])}
            case "round_started":
                derived["private"] = self._shuffled(rest["data"]["round"])
            case "card_drawn":
                deck = self._decks[rest["data"]["deck"]]
                derived |= {"by": self.turn, "private": {"cards": deck[:1]}}
            case "cards_recruited":
                derived |= {"by": self.turn, "private": {"cards": self._next(rest["data"])}}
            case "game_ended" | "game_aborted":
                derived["data"] = {"secret": self.secret}
        return derived

    def advance(self, fact: Fact) -> None:
        """Move to the position after this event."""
        data, private = fact["data"], fact["private"]
        match fact["type"]:
            case "game_created":
                self._created, self.secret = data, private["secret"]
            case "player_joined":
                self._joiner_salt = data["salt"]
            case "round_started":
                self.turn = data["first"]
                dealt = 2 * int(self._created["options"]["hand_size"])
                self._decks = {"clan": private["clan"][dealt:], "tactic": private["tactic"]}
            case "turn_ended":
                self.turn = data["next"]
            case "card_drawn":
                self._take(data["deck"], 1)
            case "cards_recruited":
                self._take("clan", data["clan"])
                self._take("tactic", data["tactic"])
            case "cards_returned":
                for card in private["cards"]:
                    deck = DECK_OF[card]
                    self._decks[deck] = [*self._decks[deck], card]

    def _shuffled(self, round_: int) -> dict[str, list[str]]:
        drawn_from = seed(self.secret, self._created["salt"], self._joiner_salt)
        return decks(drawn_from, round_, self._created["options"]["tactics"])

    def _next(self, counts: dict[str, int]) -> list[str]:
        clan, tactic = self._decks["clan"], self._decks["tactic"]
        return [*clan[: counts["clan"]], *tactic[: counts["tactic"]]]

    def _take(self, deck: str, count: int) -> None:
        self._decks[deck] = self._decks[deck][count:]
