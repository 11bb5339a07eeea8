"""Moments by a player's local clock, correct on days of clock changes too.

If the change skips a time of day, that time means the moment of the change. If it repeats a time,
that means the first of both, or, as the end of quiet hours, the second.

Readers' choices about mail: its kinds, delivery, times, exceptions for single games, and the
signed links that turn off a kind.

A reader is a player's id, or `guest-DIGEST` for an e-mail address that belongs to no player.

    st:{READER}:muted         set: the kinds that this reader has turned off
    st:{PLAYER}:mail          hash: delivery, digest_at, time_zone, quiet, reminders,
                              language, browser_language, and
                              `game:GAME` for each game with a delivery of its own
    st:reader:ALIAS           the reader `guest-DIGEST` with this short name
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, cast, get_args
from zoneinfo import ZoneInfo, available_timezones

from marshmallow import fields
from redis.typing import EncodableT, FieldT

from service.accounts.notice_kinds import CHOICES, GROUPS, chosen_as
from service.core import ids
from service.core.held_secrets import SignedLinks
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import DIGEST, PlayerData, kept_key, text
from service.core.times import DAY
from service.core.words import N_

MINUTES_A_DAY: Final = 24 * 60
_MINUTE: Final = 60


class QuietHours(NamedTuple):
    """Quiet hours, in minutes after midnight. They may cross midnight."""

    begin: int
    end: int


@lru_cache(1)
def zone_names() -> tuple[str, ...]:
    """Return the names of all time zones, such as `Europe/Berlin`, in order."""
    return tuple(sorted(name for name in available_timezones() if name != "localtime"))


@lru_cache
def zone_choices(chosen: str) -> tuple[str, ...]:
    """Return the time zones to choose from, each once, in order, and the `chosen` one, which may be
    the name that a zone had before."""
    rows = files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8").splitlines()
    present = {row.split("\t")[2] for row in rows if not row.startswith("#")}
    return tuple(dict.fromkeys(("UTC", *sorted(present.intersection(zone_names())), chosen)))


def zone(name: str) -> tzinfo:
    """Return the time zone of this name; UTC if this server does not have it (any more)."""
    return ZoneInfo(name) if name in zone_names() else UTC


def moment_of(day: date, minute: int, where: tzinfo, fold: int = 0) -> float:
    """Return the unix second at which clocks in this zone show this minute of that day, for the
    first time, or with `fold=1` for the second."""
    wall = datetime(day.year, day.month, day.day, *divmod(minute, 60), fold=fold, tzinfo=where)
    moment = wall.timestamp()
    if datetime.fromtimestamp(moment, where).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return moment
    # The clock skips this time: by the old offset it is after the jump, by the new one before it.
    before, after = wall.replace(fold=1).timestamp(), wall.replace(fold=0).timestamp()
    old = _offset(before, where)
    while after - before > _MINUTE:
        middle = before + (after - before) // (2 * _MINUTE) * _MINUTE
        before, after = (middle, after) if _offset(middle, where) == old else (before, middle)
    return after


def next_time_of_day(now: float, minute: int, where: tzinfo) -> float:
    """Return the next unix second at which clocks in this zone show this minute of the day."""
    moments = (moment_of(day, minute, where) for day in _days_around(now, where))
    return min(moment for moment in moments if moment > now)


def quiet_until(now: float, quiet: QuietHours, where: tzinfo) -> float | None:
    """Return the unix second at which the quiet hours at `now` end; None outside quiet hours."""
    until = now
    while ends := [end for begin, end in _nights(until, quiet, where) if begin <= until < end]:
        until = max(ends)
    return until if until > now else None


def _nights(now: float, quiet: QuietHours, where: tzinfo) -> Iterator[tuple[float, float]]:
    """Yield the unix seconds at which quiet hours begin and end, on the days around `now`."""
    past_midnight = timedelta(days=int(quiet.end <= quiet.begin))
    for day in _days_around(now, where):
        end = moment_of(day + past_midnight, quiet.end, where, fold=1)
        yield moment_of(day, quiet.begin, where), end


def _days_around(now: float, where: tzinfo) -> list[date]:
    today = datetime.fromtimestamp(now, where).date()
    return [today + timedelta(days=step) for step in range(-2, 3)]


def _offset(moment: float, where: tzinfo) -> timedelta | None:
    return datetime.fromtimestamp(moment, where).utcoffset()


Delivery = Literal["at_once", "until_visit", "digest", "off"]
DELIVERIES: Final[tuple[Delivery, ...]] = get_args(Delivery)
DELIVERY_MEANINGS: Final[Mapping[Delivery, str]] = {
    # Note: when mails come, after "Write to me"; as the next three
    "at_once": N_("at once"),
    "until_visit": N_("one mail, then none until I visit"),
    "digest": N_("once a day, all in one mail"),
    "off": N_("never"),
}
"""The ways of delivery, in a player's words."""

Reminders = Literal["both", "half", "last"]
REMINDERS: Final[Mapping[Reminders, str]] = {
    # Note: after "Remind me"; as the next two
    "both": N_("halfway, and at the last tenth"),
    "half": N_("after half of my time"),
    "last": N_("when a tenth of my time is left"),
}
"""The choices of reminders, in a player's words."""

CHOICE_FIELDS: Final = (
    "delivery",
    "digest_at",
    "time_zone",
    "quiet",
    "reminders",
    "language",
    "browser_language",
)
"""The field names of a stored choice, without those of single games."""
_CLOCK_TIME: Final = re.compile("([01][0-9]|2[0-3]):([0-5][0-9])")
_GAME: Final = "game:"


@dataclass(frozen=True, slots=True)
class MailChoice:
    """The delivery of mail to a player. `digest_at` is in minutes after midnight.

    `time_zone` is a name such as `Europe/Berlin`: it stays correct if the law changes. `games` maps
    games to their delivery if it differs from `delivery`. `language` is the one that the player
    chose, or else that of their browser at their last visit; None before one.
    """

    delivery: Delivery = "at_once"
    digest_at: int = 8 * 60
    time_zone: str = "UTC"
    quiet: QuietHours | None = None
    reminders: Reminders = "both"
    language: str | None = None
    games: Mapping[str, Delivery] = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        return zone(self.time_zone)

    def delivery_of(self, game: str) -> Delivery:
        """Return the delivery chosen for mail about this game, or else the player's usual one."""
        return self.games.get(game, self.delivery)

    def quiet_until(self, now: float) -> float | None:
        """Return the unix second at which quiet hours end; None if `now` is outside them."""
        return None if self.quiet is None else quiet_until(now, self.quiet, self.zone)

    def next_digest(self, now: float) -> float:
        """Return the next moment of the daily digest, in unix seconds."""
        return next_time_of_day(now, self.digest_at, self.zone)


def clock_time(minute: int) -> str:
    """Return a minute of the day as a clock shows it: `07:30`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def read_clock_time(text: str) -> int | None:
    """Return the minute of the day for such a time: 450 for `07:30`; None for any other text."""
    match = _CLOCK_TIME.fullmatch(text)
    return None if match is None else int(match[1]) * 60 + int(match[2])


def read_choice(stored: Mapping[str, str]) -> MailChoice:
    """Return the choice with these stored fields; an unreadable field counts as not chosen."""
    default = MailChoice()
    minute = read_clock_time(stored.get("digest_at", ""))
    return MailChoice(
        delivery=read_delivery(stored.get("delivery")) or default.delivery,
        digest_at=default.digest_at if minute is None else minute,
        time_zone=stored.get("time_zone", default.time_zone),
        quiet=_read_quiet(stored.get("quiet", "")),
        language=stored.get("language") or stored.get("browser_language"),
        reminders=next((one for one in REMINDERS if one == stored.get("reminders")), "both"),
        games={
            name.removeprefix(_GAME): delivery
            for name, text in stored.items()
            if name.startswith(_GAME) and (delivery := read_delivery(text))
        },
    )


def read_delivery(text: str | None) -> Delivery | None:
    """Return the way of delivery with this name; None for any other text."""
    return next((delivery for delivery in DELIVERIES if delivery == text), None)


def game_field(game: str) -> str:
    """Return the name of the stored field for the delivery of mail about this game."""
    return f"{_GAME}{game}"


def _read_quiet(text: str) -> QuietHours | None:
    begin, _, end = text.partition("-")
    minutes = read_clock_time(begin), read_clock_time(end)
    if minutes[0] is None or minutes[1] is None or minutes[0] == minutes[1]:
        return None
    assert max(minutes[0], minutes[1]) < MINUTES_A_DAY
    return QuietHours(minutes[0], minutes[1])


ALIAS: Final = "guest[a-z2-7]{15}"
MUTED: Final = PlayerData(
    "muted",
    "set",
    fields.List(text("[a-z-]{1,40}")),
    exported="muted",
    owner=f"{PLAYER_ID}|guest-{DIGEST}",
)
MAIL_CHOICE: Final = PlayerData(
    "mail",
    "hash",
    fields.Dict(text(rf"{'|'.join(CHOICE_FIELDS)}|game:{GAME_ID}"), text("[A-Za-z0-9_+:/-]{1,64}")),
    exported="mail",
)
LASTING_KEYS: Final = (kept_key("st:reader:*", "string", text(f"guest-{DIGEST}"), ALIAS),)
"""The keys that a backup includes."""


GUEST_LIFE: Final = 400 * DAY
"""Seconds after an invitation for which its reader can turn off further invitations by mail."""


class Subscription(NamedTuple):
    """One kind of mail to one reader."""

    reader: str
    kind: str


def subscription_of(reader: str, notice_kind: str) -> Subscription:
    """Return the subscription that includes notices of this kind to this reader."""
    return Subscription(reader, chosen_as(notice_kind))


class Reading(NamedTuple):
    """How a player reads: the name of the time zone and the code of the language that they have
    chosen, and the language in which they registered, accepted an invitation or first visited; each
    None if there is none."""

    time_zone: str | None = None
    language: str | None = None
    browser_language: str | None = None


class MailPreferences:
    """Readers' choices about mail. Whoever has a link may turn off its kind of mail."""

    def __init__(self, redis: Client, secret_key: str, base_url: str) -> None:
        self._redis = redis
        self._links = SignedLinks(secret_key, "subscription", f"{base_url}/unsubscribe")

    def url(self, subscription: Subscription) -> str:
        """Return the link that turns off this kind of mail. It never expires."""
        return self._links.url(*subscription)

    def read(self, token: str) -> Subscription | None:
        """Return the subscription of a link, from its last part; None unless we signed it."""
        values = self._links.read(token)
        return None if values is None else Subscription(*values)

    def alias_of(self, reader: str) -> str:
        """Return a name of this reader that fits into a mail address: the player's id, or a short
        alias."""
        if re.fullmatch(PLAYER_ID, reader):
            return reader
        alias = f"guest{ids.mark(reader, 15)}"
        self._redis.set(_alias_key(alias), reader, ex=GUEST_LIFE)
        return alias

    def reader_of(self, alias: str) -> str | None:
        """Return the reader with this alias; None once a short alias has expired."""
        if re.fullmatch(PLAYER_ID, alias):
            return alias
        return cast(str | None, self._redis.get(_alias_key(alias)))

    def wanted(self, subscription: Subscription) -> bool:
        """Whether the reader wants this kind of mail: they do until they turn it off."""
        return execute(self._redis, self.wanted_query(subscription))

    def wanted_query(self, subscription: Subscription) -> Query[bool]:
        command = ("SISMEMBER", MUTED.key(subscription.reader), subscription.kind)
        return Query(command, lambda reply: not reply)

    def turned_off(self, reader: str) -> list[str]:
        return sorted(cast(set[str], self._redis.smembers(MUTED.key(reader))))

    def choices(self, reader: str) -> dict[str, bool]:
        """Return for each kind whether this reader wants it by mail."""
        unwanted = self.turned_off(reader)
        return {kind: kind not in unwanted for kind in CHOICES}

    def choose(self, reader: str, choices: Mapping[str, bool]) -> None:
        """Turn the given kinds on or off."""
        for kind, wanted in choices.items():
            turn = self.turn_on if wanted else self.turn_off
            turn(Subscription(reader, kind))

    def choice(self, player: str) -> MailChoice:
        return read_choice(cast(dict[str, str], self._redis.hgetall(MAIL_CHOICE.key(player))))

    def reading(self, player: str) -> Reading:
        """Return what decides how pages look to this player."""
        return execute(self._redis, self.reading_query(player))

    def reading_query(self, player: str) -> Query[Reading]:
        command = ("HMGET", MAIL_CHOICE.key(player), *Reading._fields)
        return Query(command, lambda reply: Reading(*reply))

    def choice_query(self, player: str, game: str) -> Query[MailChoice]:
        """Return the query for a player's choices, with the exception for this game only."""
        names = (*CHOICE_FIELDS, game_field(game))

        def parse(reply: Sequence[str | None]) -> MailChoice:
            stored = zip(names, reply, strict=True)
            return read_choice({name: value for name, value in stored if value is not None})

        return Query(("HMGET", MAIL_CHOICE.key(player), *names), parse)

    def set_choice(self, player: str, chosen: Mapping[str, str | None]) -> None:
        """Store these fields of `st:{PLAYER}:mail`; None deletes one.

        Choosing the digest also turns its mails on.
        """
        stored: dict[FieldT, EncodableT] = {
            name: value for name, value in chosen.items() if value is not None
        }
        if stored:
            self._redis.hset(MAIL_CHOICE.key(player), mapping=stored)
        if gone := chosen.keys() - stored.keys():
            self._redis.hdel(MAIL_CHOICE.key(player), *gone)
        if "digest" in stored.values():
            self.turn_on(Subscription(player, "digest"))

    def set_game(self, player: str, game: str, delivery: Delivery | None) -> None:
        """Set the delivery of mail about this game; with None it is the same as for other mail."""
        self.set_choice(player, {game_field(game): delivery})

    def groups(self, player: str) -> dict[str, bool]:
        """Return for each group whether it is on, that is, whether any of its kinds is on."""
        unwanted = set(self.turned_off(player))
        return {group: not unwanted.issuperset(kinds) for group, kinds in GROUPS.items()}

    def choose_groups(self, player: str, wanted: Mapping[str, bool]) -> None:
        """Turn groups on or off. Kinds turned off within a group that stays on remain off."""
        before = self.groups(player)
        for group, chosen in wanted.items():
            if chosen != before[group] or not chosen:
                self.choose(player, dict.fromkeys(GROUPS[group], chosen))

    def turn_off(self, subscription: Subscription) -> None:
        """Stop sending this kind."""
        self._redis.sadd(MUTED.key(subscription.reader), subscription.kind)

    def turn_on(self, subscription: Subscription) -> None:
        """Send this kind again."""
        self._redis.srem(MUTED.key(subscription.reader), subscription.kind)


def guest(email: str) -> str:
    """Return the reader id of an address that belongs to no player."""
    return f"guest-{ids.digest(email.lower())}"


def _alias_key(alias: str) -> str:
    return f"st:reader:{alias}"
