"""The keys that a backup holds besides the games; the module that owns a kind declares it.

A restore writes only these, and only with the declared type and content: a backup is a file from
outside, and Redis holds more than games (a worker runs whatever is under RQ's keys).
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from marshmallow import ValidationError, fields, validate

from service.core.ids import PLAYER_ID

Field = fields.Field[Any]
KeyType = Literal["string", "hash", "set", "zset", "stream"]

DIGEST: Final = "[0-9a-f]{64}"
LANGUAGE: Final = "[A-Za-z-]{2,8}"
ADDRESS: Final = "(?=.{3,254}\\Z)[!-?A-~]+@[!-?A-~]+"
"""The pattern of an e-mail address that cannot break out of a mail header."""


class SnapshotKey(NamedTuple):
    """One kind of key.

    `scan` is the pattern by which Redis finds such keys, `name` the regular expression that their
    names match as a whole. `content` validates what one holds: text, a list of members, an object
    of fields, or the texts of a stream. A `derived` kind follows from other keys. It is not in new
    backups; an older backup may hold it, and it is rebuilt instead.
    """

    scan: str
    name: str
    type: KeyType
    content: Field
    derived: bool = False

    def problem(self, key_type: str, value: object) -> str | None:
        """The problem with a key of this kind; None if it is valid."""
        if key_type != self.type:
            return f"it has to be a {self.type}"
        if not value:
            return "it is empty"
        return content_problem(self.content, value)

    def is_name(self, key: str) -> bool:
        """Whether this key's name is of this kind."""
        return re.fullmatch(self.name, key) is not None


class PlayerData(NamedTuple):
    """One kind of data about a player, at `st:{PLAYER}:NAME`; deleted with the account.

    `content` validates what a backup holds of it; None: no backup has it. `exported` is the member
    of a player's export that shows it. `expires` is in seconds, None for never.
    """

    name: str
    type: KeyType
    content: Field | None = None
    exported: str | None = None
    expires: int | None = None
    owner: str = PLAYER_ID
    """Matches the id in the key."""

    def key(self, player: str) -> str:
        return f"st:{{{player}}}:{self.name}"

    @property
    def lasting(self) -> tuple[SnapshotKey, ...]:
        """The kind of key in a backup; empty if no backup has it."""
        if self.content is None:
            return ()
        return (kept_key(self.key("*"), self.type, self.content, f"({self.owner})"),)


def kept_key(scan: str, key_type: KeyType, content: Field, *parts: str) -> SnapshotKey:
    """A kind of key by the pattern that finds it. Regular expressions say what stands at each `*`
    in it."""
    name = re.escape(scan)
    for part in parts:
        name = name.replace(r"\*", part, 1)
    return SnapshotKey(scan, name, key_type, content)


def derived_key(scan: str, key_type: KeyType, part: str) -> SnapshotKey:
    """A kind of key that older backups hold and that is rebuilt."""
    return kept_key(scan, key_type, fields.Raw(), part)._replace(derived=True)


def content_problem(content: Field, value: object) -> str | None:
    """The problem with a value from a file, in one line; None if it is valid."""
    try:
        content.deserialize(value)
    except ValidationError as error:
        return f"its content is wrong: {json.dumps(error.messages)}"
    return None


def text(pattern: str, **options: Any) -> fields.String:
    """A field for a text that matches the whole pattern."""
    return fields.String(validate=validate.Regexp(rf"(?:{pattern})\Z"), **options)


def plain_text(longest: int, **options: object) -> fields.String:
    """A field for a text of 1 to `longest` characters without control characters or lone
    surrogates."""
    return text(rf"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{{1,{longest}}}", **options)


def timestamp_text(**options: Any) -> fields.String:
    """A field for an RFC 3339 moment, as the store writes it: `2026-11-21T03:06:59Z`."""
    return fields.String(validate=_check_timestamp, **options)


def _check_timestamp(value: str) -> None:
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise ValidationError("It is not a moment in UTC.") from None
    if len(value) != len("2026-11-21T03:06:59Z") or not "2000" <= value < "2200":
        raise ValidationError("It is not a moment of these centuries.")


class JsonText(fields.Field[Any]):
    """A field for a text that holds JSON, whose content is validated as well."""

    def __init__(self, inner: Field, **options: Any) -> None:
        super().__init__(**options)
        self._inner = inner

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any
    ) -> object:
        try:
            content = json.loads(value)
        except (TypeError, ValueError, RecursionError):
            raise ValidationError("It is not JSON.") from None
        return self._inner.deserialize(content)
