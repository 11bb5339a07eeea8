"""Shorthand: a finished game's log without whatever else follows from it.

Salts, hashes and decks follow from the secret (chain and shuffle are contracts), draws from the
decks. What the rules would decide is written down all the same: a log must be readable when they
have changed. A row is one moment, `SECONDS[ VIA]`, the seconds since the row before, then its
events, each after a tab:

    R7@3  +C  .  pass  !{…}    card played, drawn, turn ended, passed, Stone claimed with its data
    {…}                        any other event; what follows by itself is left out

Written once, this is read for ever: a new form gets a new number in `service.eventlog.compaction`.
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


def shorten(lines: Sequence[StoredEvent]) -> str:
    """The shorthand of a full log. Raises KeyError, TypeError or ValueError where it has none."""
    tale, rows = _Tale(), list[str]()
    at, via = 0, ""
    for line in lines:
        now, channel = unix(line["at"]), line["via"]
        if (now, channel) != (at, via):
            rows.append(f"{now - at}" if channel == via else f"{now - at} {channel}")
            at, via = now, channel
        fact = {key: line[key] for key in ("type", "by", "v", "data", "private")}
        rows[-1] += f"\t{_word(fact, tale)}"
        tale.hear(fact)
    return "\n".join(rows)


def lengthen(text: str) -> list[Link]:
    """The log that `shorten` made this of."""
    tale, chain = _Tale(), list[Link]()
    at, via = 0, ""
    for row in text.split("\n"):
        moment, *words = row.split("\t")
        seconds, _, channel = moment.partition(" ")
        at, via = at + int(seconds), channel or via
        chain += _sealed(_told(words, tale), chain, timestamp(at), via, tale)
    return chain


def _told(words: Iterable[str], tale: "_Tale") -> Iterator[Event]:
    for word in words:
        fact = _fact(word, tale)
        tale.hear(fact)
        yield Event(fact["type"], fact["by"], fact["data"], fact["private"], fact["v"])


def _sealed(
    events: Iterable[Event], chain: Sequence[Link], at: str, via: str, tale: "_Tale"
) -> Iterator[Link]:
    heard = list(events)  # first of all: the secret is in the first event
    previous = chain[-1].hash if chain else NO_HASH
    return links(heard, after=len(chain), at=at, via=via, secret=tale.secret, previous=previous)


def _word(fact: Fact, tale: "_Tale") -> str:
    """The shortest word that `_fact` understands as this fact."""
    word = _short_word(fact)
    if word is not None and _fact(word, tale) == fact:
        return word
    return canonical(_without(fact, tale.foretell(fact)))


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


def _fact(word: str, tale: "_Tale") -> Fact:
    if word.startswith("{"):
        told = json.loads(word)
        return _with(told, tale.foretell(told))
    if word == ".":
        return _done("turn_ended", tale.turn, {"next": OTHER[_seat(tale.turn)]})
    if word == "pass":
        return _done("passed", tale.turn, {})
    if word.startswith("!"):
        return _done("stone_claimed", tale.turn, json.loads(word[1:]))
    if word.startswith("+"):
        drawn: Fact = {"type": "card_drawn", "data": {"deck": _DECK[word[1:]]}}
        return _with(drawn, tale.foretell(drawn))
    card, _, stone = word.partition("@")
    return _done("card_played", tale.turn, {"card": card, "stone": int(stone)})


def _done(type_: str, by: Seat | None, data: dict[str, Any]) -> Fact:
    return {"type": type_, "by": by, "v": 1, "data": data, "private": None}


def _seat(seat: Seat | None) -> Seat:
    if seat is None:
        raise ValueError("nobody has the turn")
    return seat


def _without(fact: Fact, foretold: Fact) -> Fact:
    """The fact but for what is foretold: whole parts, and in `data` its members."""
    left = {key: value for key, value in fact.items() if foretold.get(key, ...) != value}
    known = foretold.get("data", {})
    left["data"] = {k: v for k, v in fact["data"].items() if known.get(k, ...) != v}
    return left


def _with(told: Fact, foretold: Fact) -> Fact:
    return {**foretold, **told, "data": {**foretold.get("data", {}), **told["data"]}}


class _Tale:
    """What is known of a game at a place in its log, as writer and reader of shorthand know it."""

    def __init__(self) -> None:
        self.secret = ""
        self.turn: Seat | None = None
        self._created: dict[str, Any] = {}
        self._joiner_salt = ""
        self._decks: dict[str, list[str]] = {}

    def foretell(self, told: Fact) -> Fact:
        """What can be known of an event from its type and the rest of it."""
        foretold: Fact = {"by": None, "v": 1, "private": None}
        match told["type"]:
            case "game_created":
                foretold["data"] = {"commitment": commitment(told["private"]["secret"])}
            case "round_started":
                foretold["private"] = self._shuffled(told["data"]["round"])
            case "card_drawn":
                deck = self._decks[told["data"]["deck"]]
                foretold |= {"by": self.turn, "private": {"cards": deck[:1]}}
            case "cards_recruited":
                foretold |= {"by": self.turn, "private": {"cards": self._next(told["data"])}}
            case "game_ended" | "game_aborted":
                foretold["data"] = {"secret": self.secret}
        return foretold

    def hear(self, fact: Fact) -> None:
        """Go on to the place after this event."""
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
