"""A finished game's log as one small value.

    FORM VERSION BODY     the form's number, the number of events, then compressed text

Forms are for ever: what they were packed with stays as it is, and a better way is a new form.

    1   the last hash, then the game's shorthand, which is made to give back the same bytes
    2   the events as they are, as a JSON list: for every log that has no shorthand
"""

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Final

from engine.chain import StoredEvent
from service.eventlog.compact_codec import lengthen, shorten


class UnreadableLog(Exception):
    """A packed log that cannot be read: packed by a later version of this program, or damaged."""


def pack(texts: Sequence[str]) -> bytes:
    """The packed form of a whole log, from which `unpack` gives back the same texts."""
    packed = _shorthand(texts) or _value(PLAIN, texts, json.dumps(list(texts)))
    if unpack(packed) != list(texts):
        raise ValueError("the packed log does not give back the same events")
    return packed


def unpack(value: bytes) -> list[str]:
    """The events of a packed log, as JSON texts. Raises `UnreadableLog`."""
    form, _, body = value.split(b" ", 2)
    read = _READERS.get(form)
    if read is None:
        raise UnreadableLog(f"packed in form {form.decode()}, which only a later version can read")
    try:
        return read(_inflate(body))
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise UnreadableLog(f"damaged: {error}") from error


HEAD: Final = 40
"""Bytes of a packed log that surely hold its number of events."""


def packed_version(value: bytes) -> int:
    """The number of events in a packed log, whatever its form; its first `HEAD` bytes will do."""
    return int(value.split(b" ", 2)[1])


SHORTHAND: Final = b"1"
PLAIN: Final = b"2"


def _shorthand(texts: Sequence[str]) -> bytes | None:
    """The log packed in shorthand, None where that would not give back the same texts."""
    try:
        lines: list[StoredEvent] = [json.loads(text) for text in texts]
        body = f"{lines[-1]['hash']}\n{shorten(lines)}"
        return _value(SHORTHAND, texts, body) if _from_shorthand(body) == list(texts) else None
    except (ValueError, LookupError, TypeError):
        return None


def _from_shorthand(text: str) -> list[str]:
    head, _, short = text.partition("\n")
    chain = lengthen(short)
    if chain[-1].hash != head:
        raise ValueError("the events do not end in the hash that they were packed with")
    return [link.text for link in chain]


def _from_plain(text: str) -> list[str]:
    texts: list[str] = json.loads(text)
    return texts


_READERS: Final[dict[bytes, Callable[[str], list[str]]]] = {
    SHORTHAND: _from_shorthand,
    PLAIN: _from_plain,
}


def _value(form: bytes, texts: Sequence[str], body: str) -> bytes:
    return b"%b %d %b" % (form, len(texts), _deflate(body))


def _deflate(text: str) -> bytes:
    compressor = zlib.compressobj(9, zdict=COMMON_TEXT)
    return compressor.compress(text.encode()) + compressor.flush()


def _inflate(body: bytes) -> str:
    decompressor = zlib.decompressobj(zdict=COMMON_TEXT)
    return (decompressor.decompress(body) + decompressor.flush()).decode()


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
"""What games have in common, known to packer and reader beforehand: never to be changed."""
