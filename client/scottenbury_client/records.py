"""Checks a record without a server: chain, commitment, shuffle, and each card from deck to Stone.

Whether the rules allowed a move or a claim is not checked here: `scottenbury verify` does that.
"""

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scottenbury_client.errors import ScottenburyError

Line = Mapping[str, Any]

_HASHED: Final = ("seq", "v", "at", "type", "by", "via", "data", "private")
_ENDS: Final = ("game_ended", "game_aborted")
_CLAN: Final = [colour + strength for colour in "ROYGBP" for strength in "123456789"]
_TACTIC: Final = ["JOK", "JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"]
_SEATS: Final = ("north", "south")
_DECKS: Final = ("clan", "tactic")


class RecordFault(ScottenburyError):
    """A record that cannot be that of a game. `seq` is the event's number, None for the whole."""

    def __init__(self, seq: int | None, problem: str) -> None:
        self.seq = seq
        super().__init__(f"{'The record' if seq is None else f'Event {seq}'} {problem}.")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a record shows to whoever has it."""

    complete: bool
    """Whether the secret was there. Without it, only the visible part of the chain was checked."""
    proved_to: int
    """The number of the event up to which a head from elsewhere shows that these moves were played.

    0 without a head: then such a game is possible, but its moves can have been changed, because the
    record holds the secret with which it is sealed.
    """

    def __str__(self) -> str:
        cards = "The cards follow from the secret and both salts."
        hidden = "The game was not over, so the cards are hidden."
        moves = "Nothing shows that these moves were played: that takes a head from elsewhere."
        if self.proved_to:
            moves = f"The head shows that events 1 to {self.proved_to} are those of the game."
        return f"The chain holds. {cards if self.complete else hidden} {moves}"


def verify(record: Sequence[Line], *, head: str | None = None) -> Checked:
    """Check a record, and that `head` (hex), seen in a view or mail of the game, is one of its own.

    Raises a `RecordFault` for the first thing that is wrong.
    """
    try:
        _check_chain(record)
        complete = record[-1]["type"] in _ENDS
        if complete:
            _check_secret(record)
            _check_cards(record)
    except (AttributeError, LookupError, TypeError, ValueError, struct.error) as error:
        raise RecordFault(None, f"does not hold what it should: {error!r}") from error
    if head is None:
        return Checked(complete, 0)
    for line in record:
        if line["hash"] == head.lower():
            return Checked(complete, line["seq"])
    raise RecordFault(None, "has no event with this head: it is another game, or has other moves")


def _check_chain(record: Sequence[Line]) -> None:
    if not record:
        raise RecordFault(None, "holds no events")
    over, previous = record[-1]["type"] in _ENDS, "0" * 64
    for seq, line in enumerate(record, 1):
        if line["seq"] != seq:
            raise RecordFault(seq, f"says that it is event {line['seq']}")
        if line["salt"] is not None:
            body = _canonical({name: line[name] for name in _HASHED})
            text = f"{previous}\n{line['salt']}\n{body}"
            if hashlib.sha256(text.encode()).hexdigest() != line["hash"]:
                raise RecordFault(seq, "does not follow from the one before it")
        elif over or line["private"] is not None:
            raise RecordFault(seq, "has no salt, though it hides nothing")
        previous = line["hash"]


def _check_secret(record: Sequence[Line]) -> None:
    secret = bytes.fromhex(record[-1]["data"]["secret"])
    created = record[0]
    if created["private"]["secret"] != secret.hex():
        raise RecordFault(1, "has another secret than the last one")
    if hashlib.sha256(secret).hexdigest() != created["data"]["commitment"]:
        raise RecordFault(1, "has a commitment that is not that of the secret")
    for line in record:
        if line["salt"] != hmac.digest(secret, b"salt:%d" % line["seq"], "sha256").hex():
            raise RecordFault(line["seq"], "has a salt that does not follow from the secret")


def _check_cards(record: Sequence[Line]) -> None:
    """Deal and draw again: each draw comes from the top of a deck, each card played from a hand.

    Events of other types, and those that later servers add, move no cards between deck and hand.
    """
    secret, salts = bytes.fromhex(record[-1]["data"]["secret"]), list[bytes]()
    decks: dict[str, list[str]] = {}
    hands: dict[str, list[str]] = {}
    for line in record:
        seq, data, by = line["seq"], line["data"], line["by"]
        match line["type"]:
            case "game_created" | "player_joined":
                salts.append(data["salt"].encode())
            case "round_started":
                seed = hashlib.sha256(b"\0".join([secret, *salts])).digest()
                decks, hands = _deal(line, seed, record[0]["data"]["options"])
                lot = _SEATS[_below(2, _words(seed + b"first:1"))]
                if data["round"] == 1 and _by_lot(record) and data["first"] != lot:
                    raise RecordFault(seq, "lets another player begin than the lot")
            case "card_drawn" | "cards_recruited":
                counts = data if "clan" in data else {data["deck"]: 1}
                cards = [decks[deck].pop(0) for deck in _DECKS for _ in range(counts.get(deck, 0))]
                if line["private"]["cards"] != cards:
                    raise RecordFault(seq, "draws other cards than those on top of the decks")
                hands[by] += cards
            case "cards_returned":
                for card in line["private"]["cards"]:
                    _take(hands[by], card, seq)
                    decks["clan" if card in _CLAN else "tactic"].append(card)
            case "card_played" | "ruse_played":
                _take(hands[by], data["card"], seq)


def _deal(line: Line, seed: bytes, options: Line) -> tuple[dict[str, list[str]], ...]:
    """The decks after the deal, and the hands by seat."""
    number, first = line["data"]["round"], line["data"]["first"]
    decks = {
        "clan": _shuffled(_CLAN, seed, f"clan:{number}"),
        "tactic": _shuffled(_TACTIC if options["tactics"] else [], seed, f"tactic:{number}"),
    }
    if line["private"] != decks:
        raise RecordFault(line["seq"], "has decks that are not those of the shuffle")
    dealt = [decks["clan"].pop(0) for _ in range(2 * options["hand_size"])]
    return decks, {first: dealt[::2], _SEATS[first == "north"]: dealt[1::2]}


def _by_lot(record: Sequence[Line]) -> bool:
    """Whether a lot decides who begins: also where the visits to Scotland do not."""
    visits = [line["data"].get("visited_scotland") for line in record[:2]]
    wanted = record[0]["data"]["first_player"]
    return wanted == "random" or (
        wanted == "scotland" and (None in visits or visits[0] == visits[1])
    )


def _take(hand: list[str], card: str, seq: int) -> None:
    if card not in hand:
        raise RecordFault(seq, f"uses {card}, which is not in the hand")
    hand.remove(card)


def _shuffled(cards: Sequence[str], seed: bytes, label: str) -> list[str]:
    order, words = list(cards), _words(seed + label.encode())
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order


def _below(bound: int, words: Iterator[int]) -> int:
    return next(word for word in words if word < 2**32 - 2**32 % bound) % bound


def _words(stream: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from struct.unpack(">8I", hashlib.sha256(stream + struct.pack(">Q", block)).digest())
        block += 1


def _canonical(event: Mapping[str, Any]) -> str:
    """RFC 8785, for events: their names are ASCII, their numbers whole."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
