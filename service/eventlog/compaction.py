"""A finished game's log as one small value.

FORM VERSION BODY the form's number, the number of events, then compressed text

Forms stay readable for ever: the code that reads one never changes, and an improvement is a new
form.

1   the last hash, then the events in `compact_codec`, which gives back the same bytes
    2   the events as they are, as a JSON list: for every log that the codec cannot reproduce
"""

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Final

from engine.chain import StoredEvent
from service.eventlog.compact_codec import decode, encode


class UnreadableLog(Exception):
    """A log that cannot be read: compacted by a later version of this program, or damaged."""


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
