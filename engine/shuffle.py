"""The verifiable shuffle: every deck is derived from a committed secret and both players' salts."""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from engine.cards import CLAN_CARDS, SEATS, TACTIC_CARDS, Seat

T = TypeVar("T")

_WORDS: Final = 2**32


def commitment(secret: str) -> str:
    """The SHA-256 (hex) of the secret (hex). Published before the first card is dealt."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def seed(secret: str, *salts: str) -> bytes:
    """The seed of all random numbers of a game, from the salts of its creator and joiner; or of a
    season, from those of all entries."""
    parts = (bytes.fromhex(secret), *(salt.encode() for salt in salts))
    return hashlib.sha256(b"\0".join(parts)).digest()


def _words(seed: bytes, label: str) -> Iterator[int]:
    prefix, block = seed + label.encode(), 0
    while True:
        digest = hashlib.sha256(prefix + block.to_bytes(8, "big")).digest()
        yield from struct.unpack(">8I", digest)
        block += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A fair random number from 0 up to `bound`, excluded: words that would favour some are
    skipped."""
    limit = _WORDS - _WORDS % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def shuffled(cards: Sequence[T], seed: bytes, label: str) -> list[T]:
    """`cards` in the order given by the stream of numbers named `label`, top first."""
    order, words = list(cards), _words(seed, label)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order


def decks(seed: bytes, round_: int, tactics: bool) -> dict[str, list[str]]:
    """Both decks of a round before the deal, top first; the second is empty without tactics."""
    return {
        "clan": shuffled(CLAN_CARDS, seed, f"clan:{round_}"),
        "tactic": shuffled(TACTIC_CARDS, seed, f"tactic:{round_}") if tactics else [],
    }


def first_by_lot(seed: bytes) -> Seat:
    """The seat that begins if the first player is drawn by lot."""
    return SEATS[_below(2, _words(seed, "first:1"))]
