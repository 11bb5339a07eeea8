"""The messages of a game's players, the rules for their text, and their place in the bucket of the
game's log.

st:{BUCKET}:g:GAME:messages   hash: NUMBER → a message, with the digest of its idempotency key;
                              `last`, the last number; `key:DIGEST` → number and fingerprint; and
                              for each SEAT: `seen:SEAT`, the last number read; `unread:SEAT`, the
                              number of unread ones; `off:SEAT` if it wants none; `notice:SEAT` and
                              `due:SEAT`, its last notice and that notice's due moment

A player's private notes about games.

st:{PLAYER}:notes         hash: game → text
"""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from marshmallow import ValidationError, fields

import engine
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.redis.batch import Batch, Query, execute
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import PlayerData, kept_key, text
from service.core.times import DAY
from service.eventlog import keys, parse_notice_id

LONGEST: Final = 1000
"""The most characters of a message."""
MOST_LINES: Final = 40
MOST_MESSAGES: Final = 200
"""The most messages of a game; the oldest are deleted first."""
OPEN_AFTER_END: Final = 30 * DAY
"""Seconds after the end of a game for which its players can still write."""

_JOINERS: Final = "\u200c\u200d"
"""Zero-width characters that join letters and emoji."""
_BREAKS: Final = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_HIDDEN: Final = ("Cc", "Cf", "Cs")
"""Unicode's categories of control and format characters, some of which reverse the text, and of
lone surrogates."""
_TAGS: Final = range(0xE0020, 0xE0080)
"""Format characters that spell flags."""


@dataclass(frozen=True, slots=True)
class GameMessage:
    """A message: its number in the game, from 1, its writer, moment (RFC 3339) and transport."""

    number: int
    by: engine.Seat
    at: str
    via: str
    text: str


def clean_text(text: str) -> str:
    """The text to store: without invisible characters and those that change how other text shows.

    Raises `RequestRejected`, `bad-message`, for an empty or too long text.
    """
    shown = plain_text(text)
    if not shown:
        raise RequestRejected("bad-message", "The message is empty.")
    if len(shown) > LONGEST or shown.count("\n") >= MOST_LINES:
        raise RequestRejected(
            "bad-message",
            "A message has at most %(characters)s characters and %(lines)s lines.",
            {"characters": LONGEST, "lines": MOST_LINES},
        )
    return shown


def plain_text(text: str) -> str:
    """The text with one kind of line end, at most one empty line in a row, and nothing hidden."""
    whole = unicodedata.normalize("NFC", _BREAKS.sub("\n", text)).replace("\t", " ")
    shown = "".join(c for c in whole if c == "\n" or _is_shown(c))
    lines = "\n".join(line.rstrip() for line in shown.split("\n"))
    return re.sub("\n{3,}", "\n\n", lines).strip()


def stored_message(message: GameMessage, key: str) -> str:
    """The message as stored, with the digest of its idempotency key.

    The script that deletes old messages looks for the key at the beginning.
    """
    fields = {"key": key, "by": message.by, "at": message.at, "via": message.via}
    return json.dumps({**fields, "text": message.text}, separators=(",", ":"), ensure_ascii=False)


def read_message(number: int, stored: str | None) -> GameMessage | None:
    """The message of this number; None if it is gone or unreadable."""
    try:
        fields: Any = json.loads(stored or "")
    except ValueError:
        return None
    if stored_problem(fields) is not None:
        return None
    return GameMessage(number, fields["by"], fields["at"], fields["via"], fields["text"])


def stored_problem(value: object) -> str | None:
    """The problem with a stored message, read from JSON; None if it is valid."""
    if not isinstance(value, Mapping) or value.keys() != {"key", "by", "at", "via", "text"}:
        return "a message has other parts"
    if not all(isinstance(part, str) for part in value.values()):
        return "a part of a message is no text"
    if value["by"] not in engine.SEATS or value["via"] not in ("api", "web", "mail"):
        return "a message comes from nobody"
    if not re.fullmatch("[0-9a-f]{64}", value["key"]):
        return "a message has no key"
    if not re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", value["at"], re.ASCII):
        return "a message has no moment"
    if (
        not value["text"]
        or value["text"] != plain_text(value["text"])
        or len(value["text"]) > LONGEST
    ):
        return "the text of a message is out of form"
    return None


def _is_shown(character: str) -> bool:
    if unicodedata.category(character) not in _HIDDEN:
        return True
    return character in _JOINERS or ord(character) in _TAGS


_STATE: Final = (
    "last",
    *(
        f"{name}:{seat}"
        for name in ("seen", "unread", "off", "mailed", "notice")
        for seat in engine.SEATS
    ),
)
_FIELD: Final = re.compile(
    r"last|key:[0-9a-f]{64}|(seen|unread|off|mailed|notice|due):(north|south)|[1-9][0-9]{0,8}"
)
_VALUE: Final = re.compile(r"[0-9]{1,12}([.][0-9]{1,6})?|[0-9]{1,9} [0-9a-f]{64}|[a-z0-9.-]{1,90}")
_MOST_FIELDS: Final = 2 * MOST_MESSAGES + 14


class StoredMessages(fields.Field[object]):
    """The form of a game's messages in a backup."""

    def _deserialize(self, value: object, *args: object, **options: object) -> object:
        if not isinstance(value, Mapping) or len(value) > _MOST_FIELDS:
            raise ValidationError("These are no messages.")
        for name, stored in value.items():
            if not (isinstance(stored, str) and _FIELD.fullmatch(name)):
                raise ValidationError("There is no such field.")
            if (problem := _problem_of(name, stored)) is not None:
                raise ValidationError(f"{name}: {problem}.")
        return value


LASTING_KEYS: Final = (kept_key(keys.MESSAGES_PATTERN, "hash", StoredMessages(), *keys.PARTS),)
"""Keys that a backup holds."""


class ConversationState(NamedTuple):
    """The state of a conversation: the number of the last message; and by seat the last number
    read, the number of unread ones, whether messages are off, the last number that a mail has told,
    and the number from which the latest notice tells."""

    last: int
    seen: Mapping[engine.Seat, int]
    unread: Mapping[engine.Seat, int]
    off: Mapping[engine.Seat, bool]
    mailed: dict[engine.Seat, int]
    noticed: Mapping[engine.Seat, int]


class NewMessage(NamedTuple):
    """A message to write: `key` and `fingerprint` are digests of its idempotency key and request.

    `notice` is the beginning and end of a notice's id around its number, None if nobody can be
    notified. It is due after `settle` seconds, and at least `pause` seconds after the one before
    it.
    """

    by: engine.Seat
    at: str
    via: str
    text: str
    key: str
    fingerprint: str
    now: float
    notice: tuple[str, str] | None
    settle: float
    pause: float


class UsedKey(NamedTuple):
    """A used idempotency key: `repeated`, or `reused` for another request; and the number of the
    message that was written under it."""

    tag: str
    number: int


@dataclass(eq=False, repr=False)
class ConversationStore:
    """The conversations of all games. Every call may be repeated."""

    _write = Lua(__file__, "write_message")
    _mark_read = Lua(__file__, "mark_read")

    _redis: Client

    def write(self, game_id: str, new: NewMessage) -> tuple[str, int | str]:
        """Add a message. Returns a tag, with a number or seat, as `write_message.lua` describes."""
        bucket = keys.bucket_of(game_id)
        message = GameMessage(0, new.by, new.at, new.via, new.text)
        other = engine.OTHER[new.by]
        before, after = new.notice or ("", "")
        tag, what = self._write(
            keys=[keys.messages_key(game_id), keys.outbox_key(bucket), keys.claimed_key(bucket)],
            args=[
                *(new.by, other, stored_message(message, new.key), new.key, new.fingerprint),
                *(MOST_MESSAGES, new.now, new.settle, new.pause, before, after),
            ],
        )
        return tag, what

    def find_key(self, game_id: str, key: str, fingerprint: str) -> UsedKey | None:
        """The result of a write under this key; None for an unused key."""
        stored = cast(str | None, self._redis.hget(keys.messages_key(game_id), f"key:{key}"))
        if stored is None:
            return None
        number, _, of = stored.partition(" ")
        return UsedKey("repeated" if of == fingerprint else "reused", int(number))

    def state(self, game_id: str) -> ConversationState:
        """The state of the conversation; one round trip."""
        return execute(self._redis, self.state_query(game_id))

    def state_query(self, game_id: str) -> Query[ConversationState]:
        """The query that `state` executes."""

        def parse(reply: Sequence[str | None]) -> ConversationState:
            fields = dict(zip(_STATE, reply, strict=True))
            seen, unread, off, mailed = (
                {seat: int(fields[f"{name}:{seat}"] or 0) for seat in engine.SEATS}
                for name in ("seen", "unread", "off", "mailed")
            )
            wishes = {seat: bool(value) for seat, value in off.items()}
            notices = {seat: fields[f"notice:{seat}"] for seat in engine.SEATS}
            noticed = {
                seat: parse_notice_id(notice).version if notice else 0
                for seat, notice in notices.items()
            }
            last = int(fields["last"] or 0)
            return ConversationState(last, seen, unread, wishes, mailed, noticed)

        return Query(("HMGET", keys.messages_key(game_id), *_STATE), parse)

    def unread_query(self, game_id: str, seat: engine.Seat) -> Query[int]:
        """The query for the number of messages that the player in this seat has not read."""

        command = ("HGET", keys.messages_key(game_id), f"unread:{seat}")
        return Query(command, lambda reply: int(reply or 0))

    def messages(self, game_id: str, first: int, last: int) -> list[GameMessage]:
        """The stored messages with these numbers, the newest first."""
        return self.ask_messages(Batch(self._redis), game_id, first, last)()

    def ask_messages(
        self, batch: Batch, game_id: str, first: int, last: int
    ) -> Callable[[], list[GameMessage]]:
        """Add to the batch the query for these messages; the returned function gives them."""
        numbers = range(last, max(first, last - MOST_MESSAGES, 1) - 1, -1)
        if not numbers:
            return list

        def parse(texts: list[str | None]) -> list[GameMessage]:
            read = (read_message(*pair) for pair in zip(numbers, texts, strict=True))
            return [message for message in read if message is not None]

        command = ("HMGET", keys.messages_key(game_id), *numbers)
        return batch.ask(Query(command, parse)).get

    def mark_read(self, game_id: str, seat: engine.Seat, number: int) -> None:
        """Mark the messages up to this one as read by the player in this seat."""
        of_other = f'"by":"{engine.OTHER[seat]}"'
        self._mark_read(keys=[keys.messages_key(game_id)], args=[seat, number, of_other])

    def mailed_query(self, game_id: str, seat: engine.Seat, number: int) -> Query[bool]:
        """The query that stores that mails have told the player in this seat the messages up to
        this one."""
        return Query(("HSET", keys.messages_key(game_id), f"mailed:{seat}", number), bool)

    def set_off(self, game_id: str, seat: engine.Seat, *, off: bool) -> bool:
        """Turn messages off or on for the player in this seat. Return whether this changed
        anything."""
        key, name = keys.messages_key(game_id), f"off:{seat}"
        return bool(self._redis.hset(key, name, "1") if off else self._redis.hdel(key, name))

    def forget(self, game_id: str, seat: engine.Seat) -> None:
        """Delete the messages and other data of the player in this seat.

        The count of those that the other player has not read is deleted with them.
        """
        key = keys.messages_key(game_id)
        stored = cast(dict[str, str], self._redis.hgetall(key))
        written = [
            name
            for name, text in stored.items()
            if name.isdigit() and (message := read_message(int(name), text)) and message.by == seat
        ]
        gone = [
            *written,
            *(f"key:{json.loads(stored[name])['key']}" for name in written),
            *(name for name in stored if name.endswith(f":{seat}")),
            *({f"unread:{engine.OTHER[seat]}"} & stored.keys()),
        ]
        if gone:
            self._redis.hdel(key, *gone)


def _problem_of(name: str, text: str) -> str | None:
    if not name.isdigit():
        return None if _VALUE.fullmatch(text) else "its value is out of form"
    try:
        return stored_problem(json.loads(text))
    except (ValueError, RecursionError):
        return "it is not JSON"


LONGEST_NOTE: Final = 4000
"""The most characters of a note."""
MOST_NOTES: Final = 1000
"""The most notes of a player."""
NOTES: Final = PlayerData(
    "notes",
    "hash",
    fields.Dict(text(GAME_ID), text(rf"(?s:[^\ud800-\udfff]{{1,{LONGEST_NOTE}}})")),
    exported="games",
)


@dataclass(frozen=True, slots=True)
class PrivateNotes:
    """The notes of all players. Every call may be repeated."""

    _redis: Client

    def read(self, player: str, game_id: str) -> str:
        """The player's note about a game; empty without one."""
        return execute(self._redis, self.query(player, game_id))

    def query(self, player: str, game_id: str) -> Query[str]:
        """The query that `read` executes."""
        return Query(("HGET", NOTES.key(player), game_id), lambda reply: reply or "")

    def write(self, player: str, game_id: str, note: str) -> str:
        """Replace the note and return the stored text; an empty note is deleted.

        Raises `RequestRejected`: `bad-note`, `too-many-notes`.
        """
        note = plain_text(note)
        if len(note) > LONGEST_NOTE:
            raise RequestRejected(
                "bad-note",
                "A note has at most %(characters)s characters.",
                {"characters": LONGEST_NOTE},
            )
        key = NOTES.key(player)
        if not note:
            self._redis.hdel(key, game_id)
        elif self._redis.hexists(key, game_id) or self._redis.hlen(key) < MOST_NOTES:
            self._redis.hset(key, game_id, note)
        else:
            raise RequestRejected(
                "too-many-notes",
                "You have notes about %(most)s games: delete some first.",
                {"most": MOST_NOTES},
            )
        return note

    def forget_game(self, player: str, game_id: str) -> None:
        """Delete the player's note about a removed game."""
        self._redis.hdel(NOTES.key(player), game_id)
