"""The form of a backup: JSON Lines, with a seal at the end.

{"format": 2, "scottenbury": "backup"}
    {"game": ID, "record": [EVENT, …], "notices": [[ID, DUE], …], "notes": {FIELD: TEXT, …}}
    {"beside": ID, "notes": …, "notices": …, "expires": …}             a challenge, no game yet
    {"expires": …, "key": NAME, "type": …, "value": …}     see `core.redis.snapshot_keys`
    {"lines": NUMBER, "mac": MAC, "sha256": DIGEST}                    of all lines before this

`expires` is in unix seconds, null for ever. A game or challenge may come again, in its later state.
The MAC is an HMAC-SHA256 under a key derived from the server's secret key: it proves that the file
was written here. It is null if the command had no secret key. Format 1 had no MAC, kept the notes
as keys that were read apart from the logs, and held lists that are rebuilt today.

The side state of a game (`notes`) that was read from a file is checked here too.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate

import engine
from engine.chain import canonical
from engine.clock_form import clock_terms
from engine.value_checks import Malformed
from service.core import ids
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.snapshot_keys import Field, JsonText, content_problem, plain_text, text
from service.games.challenge import STATUSES, read_challenge
from service.games.drafts import ABANDONMENT, CHALLENGE, PAUSE
from service.games.terms import MOST_DAYS, creation

HEADER: Final = {"scottenbury": "backup", "format": 2}
READABLE_HEADERS: Final = (HEADER, {"scottenbury": "backup", "format": 1})
_LONGEST_HEADER: Final = 1000
_LONGEST_LINE: Final = 256 * 1024 * 1024
"""Longest line, in bytes: far longer than any game, yet small enough for memory."""
_EVENT_END: Final = re.compile(rb'"via":"[^"]*"\}')


class NotABackup(Exception):
    """The file is not a backup; the text says why."""


class BackupSeal:
    """The last line of a backup, which proves that the other lines are complete and shows their
    origin."""

    def __init__(self, secret_key: str) -> None:
        self._key = ids.derive(secret_key, "backup") if secret_key else None
        self._lines = 0
        self._sha256 = hashlib.sha256()

    def add(self, line: bytes) -> bytes:
        """Include this line in the seal, and return it."""
        self._lines += 1
        self._sha256.update(line)
        return line

    def line(self) -> bytes:
        """Return the last line of the backup: the seal over all lines added."""
        return f"{canonical({**self._facts(), 'mac': self._mac()})}\n".encode()

    def is_whole(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, matches the lines added."""
        return isinstance(last, dict) and {**last, **self._facts()} == last

    def is_ours(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, was written with this server's secret key."""
        mac, right = (last.get("mac") if isinstance(last, dict) else None), self._mac()
        if not isinstance(mac, str) or right is None:
            return False
        return hmac.compare_digest(mac.encode("ascii", "replace"), right.encode())

    def _facts(self) -> dict[str, object]:
        return {"lines": self._lines, "sha256": self._sha256.hexdigest()}

    def _mac(self) -> str | None:
        if self._key is None:
            return None
        return hmac.new(self._key, canonical(self._facts()).encode(), "sha256").hexdigest()


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a backup, the header first.

    Raises `NotABackup` after reading at most a header's length of another file.
    """
    header = file.readline(_LONGEST_HEADER)
    try:
        is_header = json.loads(header) in READABLE_HEADERS
    except (ValueError, RecursionError):
        is_header = False
    if not is_header:
        raise NotABackup("It does not begin like a backup of a form known here.")
    yield header
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise NotABackup("It has a line that is longer than any of a backup.")
        yield line


def parsed(line: bytes) -> Any:
    """Parse a line as JSON. Raises ValueError, which names the first unreadable event of a game's
    line."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError as error:
        where = f"event {_event_at(line, error)}: " if line.startswith(b'{"game"') else ""
        raise ValueError(f"{where}it is not JSON: {error}") from None


def _event_at(line: bytes, error: ValueError) -> int:
    """The number of the unreadable event, from 1: each event before it ends in its `via`."""
    if isinstance(error, UnicodeDecodeError):
        place = error.start
    elif isinstance(error, json.JSONDecodeError):
        place = len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
    else:
        place = 0
    return len(_EVENT_END.findall(line, 0, place)) + 1


_LONGEST_TEXT: Final = 1000
_ACTIONS: Final = fields.List(plain_text(40), validate=validate.Length(max=100))
_LAST_SECOND: Final = 2**33
_OFFER: Final = "(offered|agreed|declined|gone) [0-9]{1,9} [0-9]{1,9} [0-9]{1,10} (north|south)"
_UNTIL: Final = r"(open|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"


def _flag(**options: Any) -> fields.Boolean:
    return fields.Boolean(truthy={True}, falsy={False}, **options)


def _time() -> fields.Integer:
    return fields.Integer(strict=True, required=True, validate=validate.Range(0, _LAST_SECOND))


def _action(text: str) -> None:
    try:
        engine.parse(text)
    except engine.RuleBroken as refusal:
        raise ValidationError(refusal.detail) from None


def _clock(value: object) -> None:
    try:
        clock_terms(value, "clock")
    except Malformed as malformed:
        raise ValidationError(str(malformed)) from None


_LAST: Final = fields.Tuple(
    (
        text("played|cancelled"),
        _ACTIONS,
        fields.Integer(strict=True),
        text("[a-z-]{1,40}", allow_none=True),
        plain_text(_LONGEST_TEXT, allow_none=True),
        fields.Dict(text("[a-z_]{1,40}"), plain_text(_LONGEST_TEXT)),
    )
)


def _last(value: object) -> None:
    """Check the outcome of an order; former versions stored no places of its message."""
    is_former = isinstance(value, list) and len(value) == len(_LAST.tuple_fields) - 1
    _LAST.deserialize([*value, {}] if is_former else value)  # type: ignore[misc]


class OrdersForm(Schema):
    claim_proved = _flag(required=True)
    pass_when_stuck = _flag(required=True)
    turn = fields.Tuple(
        (fields.List(fields.String(validate=_action)),) * 2, required=True, allow_none=True
    )
    last = fields.Raw(validate=_last, required=True, allow_none=True)


class _Wanted(Schema):
    """The options of a challenge. `_challenge_problem` also tries to make a game of them."""

    class Meta:
        unknown = INCLUDE

    rounds = fields.Integer(strict=True, validate=validate.Range(1, 99))
    days_per_move = fields.Integer(
        strict=True, validate=validate.Range(1, MOST_DAYS), allow_none=True
    )
    clock = fields.Raw(validate=_clock, allow_none=True)
    invitation_days = fields.Integer(
        strict=True, validate=validate.Range(1, MOST_DAYS), allow_none=True
    )
    tactics, expert, listed, private = _flag(), _flag(), _flag(), _flag()
    rated = _flag(allow_none=True)
    seat = text("north|south")
    opponent = text(PLAYER_ID, allow_none=True)


class ChallengeForm(Schema):
    id = text(GAME_ID, required=True)
    by = text(PLAYER_ID, required=True)
    to = text(PLAYER_ID, required=True)
    wanted = fields.Nested(_Wanted, required=True)
    created = _time()
    expires = _time()
    status = text("|".join(STATUSES), required=True)
    counters = text(GAME_ID, required=True, allow_none=True)
    counter_offer = text(GAME_ID, required=True, allow_none=True)
    asked = plain_text(_LONGEST_TEXT, allow_none=True)
    secret = text("[0-9a-f]{64}", allow_none=True)


_CONTENT: Final[Mapping[str, Field]] = {
    **dict.fromkeys(engine.SEATS, JsonText(fields.Nested(OrdersForm))),
    ABANDONMENT: text(rf"{_OFFER}|(told [1-9][0-9]{{0,8}} )?(north|south)"),
    PAUSE: text(rf"{_OFFER} {_UNTIL}|told [1-9][0-9]{{0,8}} (north|south)|(north|south) {_UNTIL}"),
    CHALLENGE: JsonText(fields.Nested(ChallengeForm)),
}


def side_state_problem(game_id: str, side_state: Mapping[str, Any]) -> str | None:
    """The problem with the side state of this game; None if it is valid."""
    for field, value in side_state.items():
        content = _CONTENT.get(field)
        if content is None:
            return "its side state has a field not known here"
        problem = content_problem(content, value)
        if problem is None and field == CHALLENGE:
            problem = _challenge_problem(game_id, value)
        if problem is not None:
            return f"its side state, field {field}: {problem}"
    return None


def _challenge_problem(game_id: str, value: str) -> str | None:
    try:
        challenge = read_challenge(value)
        engine.decide(None, creation(challenge.by, challenge.wanted, "00" * 32))
    except (TypeError, ValueError, LookupError, AttributeError, engine.RuleBroken):
        return "no game can be made of what it asks for"
    if challenge.id != game_id or challenge.life <= 0:
        return "it is not of this game"
    return None
