"""The outcomes of messages: of each notice to a player, by channel; and of the latest messages sent
on each channel.

st:{PLAYER}:told:GAME     hash: VERSION.KIND.CHANNEL → OUTCOME SECONDS (of its record); the
                          channel is `mail`, `webhook-ID` and so on, or `visit`; GAME may be a
                          challenge
st:{PLAYER}:told          set: each such GAME, so that all can be deleted with the player
st:{PLAYER}:deliveries:ID hash: notice id → JSON of a delivery, for the latest ones; it expires
                          some weeks after the last

The first two, the ledger, decide whether a fallback is needed, and whether a player was notified of
a turn. The last, the log, is for the player to read.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal, NamedTuple, cast, get_args

from marshmallow import fields

from service.accounts.notice_kinds import kind_of
from service.accounts.player import PLAYER
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.batch import Query, Run, execute, execute_with_runs
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import PlayerData, kept_key, text
from service.core.times import DAY
from service.eventlog import NoticeParts

NoticeOutcome = Literal["waiting", "reached", "failed", "chosen"]
"""The outcome of a notice on a channel. `chosen`: the player chose not to receive it, or to receive
it later."""
VISIT: Final = "visit"
"""The kind and the channel under which a player's visit is recorded."""
LIFE: Final = 400 * DAY
"""Seconds for which the outcomes of a game's notices are stored, after the last notice."""
LIFE_AFTER_END: Final = 30 * DAY
"""Seconds for which they are stored after the notice that a game is over, and for notices about no
game."""
MOST_OUTCOMES: Final = 80
"""The most outcomes stored for one game, those of the latest versions."""

LASTING_KEYS: Final = (
    kept_key(
        "st:{*}:told:*",
        "hash",
        fields.Dict(
            text(r"[0-9]{1,9}\.[a-z-]{1,40}\.[a-z]{1,12}(-[a-z2-7]{8})?"),
            text(rf"({'|'.join(get_args(NoticeOutcome))}) [0-9]{{1,12}}"),
        ),
        PLAYER_ID,
        GAME_ID,
    ),
)
"""The keys that a backup includes."""
TOLD: Final = PlayerData("told", "set", fields.List(text(f"{GAME_ID}|{PLAYER_ID}")), expires=LIFE)


class RecordedOutcome(NamedTuple):
    """The outcome of a notice on one channel, and the moment it was recorded (unix seconds)."""

    outcome: NoticeOutcome
    at: int


class TurnDelivery(NamedTuple):
    """The outcomes of a turn's notices: the best outcome on each channel.

    If it is empty, no notice of the turn is due yet, or none could be sent.
    """

    channels: Mapping[str, RecordedOutcome]

    @property
    def reached(self) -> dict[str, int]:
        """Return the channels that have reached the player, each with the moment (unix seconds)."""
        return {name: one.at for name, one in self.channels.items() if one.outcome == "reached"}

    @property
    def is_notified(self) -> bool:
        """Whether the player was notified, or has chosen not to be."""
        return any(one.outcome in ("reached", "chosen") for one in self.channels.values())


@dataclass(frozen=True, slots=True)
class LedgerEntries:
    """The ledger's entries on one player's notices about one game or challenge."""

    fields: dict[str, str]

    def of_notice(self, notice: NoticeParts) -> dict[str, RecordedOutcome]:
        """Return the outcomes of this notice by channel, whichever transport its id names."""
        begin = f"{notice.version}.{notice.kind}."
        return {
            name.removeprefix(begin): _read(held)
            for name, held in self.fields.items()
            if name.startswith(begin)
        }

    def record(self, notice: NoticeParts, channel: str, outcome: NoticeOutcome, at: int) -> None:
        """Add an outcome that was recorded at this moment (unix seconds)."""
        self.fields[_field(notice, channel)] = f"{outcome} {at}"

    def of_turn(self, since: int, begun: int) -> TurnDelivery:
        """Return the outcomes of all notices since a turn began.

        The turn began with version `since` of the game at the moment `begun` (unix seconds).
        """
        channels: dict[str, RecordedOutcome] = {}
        for kind, channel, one in self._since(since, begun):
            if one.outcome == "chosen" and kind != "turn":
                continue  # a player without reminders may still want turns
            before = channels.get(channel)
            if before is None or _ORDER.index(one.outcome) > _ORDER.index(before.outcome):
                channels[channel] = one
        return TurnDelivery(channels)

    def by_mail(self, since: int, begun: int) -> set[str]:
        """Return the kinds of notices that reached the player by mail since version `since`, which
        began at `begun` (unix seconds)."""
        return {
            kind
            for kind, channel, one in self._since(since, begun)
            if channel == "mail" and one.outcome == "reached"
        }

    def _since(self, since: int, begun: int) -> Iterator[tuple[str, str, RecordedOutcome]]:
        """Yield kind, channel and outcome of each notice about version `since` or a later one.

        Leave out outcomes recorded before the moment `begun` of that version: they are of other
        events, for a game restored from a backup reaches the same versions again.
        """
        for name, held in sorted(self.fields.items()):
            version, kind, channel = name.split(".")
            one = _read(held)
            if int(version) >= since and one.at >= begun:
                yield kind, channel, one


@dataclass(eq=False, repr=False)
class DeliveryLedger:
    """The ledger of notices' outcomes. Every call may be repeated."""

    _note = Lua(__file__, "note_delivery")

    _redis: Client
    _now: Callable[[], float] = time.time

    def record(self, notice: NoticeParts, channel: str, outcome: NoticeOutcome) -> None:
        """Record the outcome of a notice on a channel, unless the account has been closed."""
        self.record_with([], [], notice, channel, outcome)

    def record_with(
        self,
        queries: Sequence[Query[object]],
        runs: Sequence[Run],
        notice: NoticeParts,
        channel: str,
        outcome: NoticeOutcome,
    ) -> None:
        """Do the same as `record`, after these queries and before these script runs, in one round
        trip."""
        field, life = _field(notice, channel), _life(notice)
        own = self._run(notice.recipient, notice.subject, field, outcome, life, existing=True)
        _, (held, *_rest) = execute_with_runs(self._redis, queries, [own, *runs])
        if held > MOST_OUTCOMES:
            key = ledger_key(notice.recipient, notice.subject)
            stored = cast(list[str], self._redis.hkeys(key))
            oldest = sorted(stored, key=lambda name: int(name.split(".")[0]))[:-MOST_OUTCOMES]
            if oldest:
                self._redis.hdel(key, *oldest)

    def record_visit(self, player: str, game: str, version: int) -> None:
        """Record that the player has visited since their turn began with this version."""
        run = self._run(player, game, f"{version}.{VISIT}.{VISIT}", "reached", int(LIFE))
        execute_with_runs(self._redis, [], [run])

    def waiting_run(self, notice: NoticeParts, channel: str) -> Run:
        """Return the script run that records that a channel will deliver this notice, unless an
        outcome is stored already."""
        field, life = _field(notice, channel), _life(notice)
        return self._run(notice.recipient, notice.subject, field, "waiting", life, new=True)

    def _run(
        self,
        player: str,
        game: str,
        field: str,
        outcome: NoticeOutcome,
        life: int,
        *,
        new: bool = False,
        existing: bool = False,
    ) -> Run:
        """Return the script run that stores an outcome for `life` seconds.

        Its result is the number of outcomes stored for the game. `new`: only if none is stored for
        `field`; `existing`: only if the player exists.
        """
        keys = [ledger_key(player, game), TOLD.key(player), PLAYER.key(player)]
        text = f"{outcome} {int(self._now())}"
        flags = ["new" if new else "", "existing" if existing else ""]
        return Run(self._note, keys, [field, text, life, game, int(LIFE), *flags])

    def clear(self, notice: NoticeParts, channel: str) -> None:
        """Delete the outcome of this notice on a channel: the notice is obsolete."""
        self._redis.hdel(ledger_key(notice.recipient, notice.subject), _field(notice, channel))

    def of_notice(self, notice: NoticeParts) -> dict[str, RecordedOutcome]:
        """Return the outcomes of this notice by channel, whichever transport its id names."""
        return execute(self._redis, self.query(notice.recipient, notice.subject)).of_notice(notice)

    def query(self, player: str, game: str) -> Query[LedgerEntries]:
        """Return the query for all entries about a player and a game or challenge."""
        return Query(("HGETALL", ledger_key(player, game)), LedgerEntries)

    def of_turn(self, player: str, game: str, since: int, begun: int) -> TurnDelivery:
        """Return the outcomes of a turn's notices to this player: see `LedgerEntries.of_turn`."""
        return execute(self._redis, self.query(player, game)).of_turn(since, begun)

    def forget(self, player: str) -> None:
        """Delete all outcomes of notices to this player."""
        games = cast(set[str], self._redis.smembers(TOLD.key(player)))
        self._redis.unlink(TOLD.key(player), *(ledger_key(player, game) for game in games))

    def forget_game(self, player: str, game: str) -> None:
        """Delete the outcomes of this player's notices about a removed game."""
        self._redis.unlink(ledger_key(player, game))
        self._redis.srem(TOLD.key(player), game)


def ledger_key(player: str, game: str) -> str:
    """Return the key of the outcomes of a player's notices about a game or challenge."""
    return f"st:{{{player}}}:told:{game}"


_ORDER: Final = ("failed", "waiting", "chosen", "reached")


def _life(notice: NoticeParts) -> int:
    return int(LIFE_AFTER_END if kind_of(notice.kind).is_last else LIFE)


def _field(notice: NoticeParts, channel: str) -> str:
    return f"{notice.version}.{notice.kind}.{channel}"


def _read(held: str) -> RecordedOutcome:
    outcome, at = held.split()
    return RecordedOutcome(cast(NoticeOutcome, outcome), int(at))


MOST_DELIVERIES: Final = 40
"""The most deliveries stored for each channel."""
LOG_LIFE: Final = 60 * DAY

DeliveryState = Literal["waiting", "delivered", "failed", "dropped"]
"""The state of a delivery: `waiting` will be retried; `dropped` had become obsolete before its
retry."""


@dataclass(frozen=True, slots=True)
class ChannelDelivery:
    """A message and its attempts. `notice` is the id of its notice; moments are unix seconds.

    `answer` is the HTTP status of the receiver's response, None without a response; `words` is our
    explanation. `again`: the player requested the same message once more.
    """

    notice: str
    kind: str
    game: str
    first: int
    last: int
    state: DeliveryState
    attempts: int = 1
    answer: int | None = None
    words: str = ""
    message: Mapping[str, object] | None = None
    again: bool = False


def delivery_id(notice: str) -> str:
    """Return the public id of a notice's delivery: the notice's id with its dots replaced."""
    return notice.replace(".", "_")


def notice_of(delivery: str) -> str:
    """Return the id of the notice with this public delivery id."""
    return delivery.replace("_", ".")


@dataclass(eq=False, repr=False)
class DeliveryLog:
    """The deliveries on all channels. Only one thread at a time may handle a notice."""

    _redis: Client

    def all(self, player: str, channel_id: str) -> list[ChannelDelivery]:
        """Return the stored deliveries, the latest first."""
        stored = cast(dict[str, str], self._redis.hgetall(_log_key(player, channel_id)))
        deliveries = [ChannelDelivery(**json.loads(held)) for held in stored.values()]
        return sorted(deliveries, key=lambda one: (-one.first, one.notice))

    def find(self, player: str, channel_id: str, notice: str) -> ChannelDelivery | None:
        """Return the stored delivery of this notice; None without one."""
        held = cast(str | None, self._redis.hget(_log_key(player, channel_id), notice))
        return None if held is None else ChannelDelivery(**json.loads(held))

    def record(self, player: str, channel_id: str, delivery: ChannelDelivery) -> None:
        """Store this delivery, replacing an earlier one of the same notice."""
        key = _log_key(player, channel_id)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hset(key, delivery.notice, json.dumps(asdict(delivery)))
        pipeline.expire(key, LOG_LIFE)
        pipeline.hlen(key)
        if pipeline.execute()[2] > MOST_DELIVERIES:
            old = self.all(player, channel_id)[MOST_DELIVERIES:]
            self._redis.hdel(key, *(one.notice for one in old))

    def forget_game(self, player: str, channel_id: str, game: str) -> None:
        """Delete the deliveries of messages about a removed game."""
        if gone := [one.notice for one in self.all(player, channel_id) if one.game == game]:
            self._redis.hdel(_log_key(player, channel_id), *gone)

    def forget(self, player: str, channel_id: str) -> None:
        self._redis.unlink(_log_key(player, channel_id))


def _log_key(player: str, channel_id: str) -> str:
    return f"st:{{{player}}}:deliveries:{channel_id}"
