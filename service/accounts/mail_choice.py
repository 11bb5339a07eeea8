"""A player's choices about mail: its delivery, times, and exceptions for single games."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final, Literal, get_args

from service.accounts.local_time import (
    MINUTES_A_DAY,
    QuietHours,
    next_time_of_day,
    quiet_until,
    zone,
)

Delivery = Literal["at_once", "until_visit", "digest", "off"]
DELIVERIES: Final[tuple[Delivery, ...]] = get_args(Delivery)
DELIVERY_MEANINGS: Final[Mapping[Delivery, str]] = {
    "at_once": "at once",
    "until_visit": "one mail, then none until I visit",
    "digest": "once a day, all in one mail",
    "off": "never",
}
"""The ways of delivery, in a player's words."""

Reminders = Literal["both", "half", "last"]
REMINDERS: Final[Mapping[Reminders, str]] = {
    "both": "halfway, and at the last tenth",
    "half": "after half of my time",
    "last": "when a tenth of my time is left",
}
"""The choices of reminders, in a player's words."""

CHOICE_FIELDS: Final = ("delivery", "digest_at", "time_zone", "quiet", "reminders")
"""The field names of a stored choice, without those of single games."""
_CLOCK_TIME: Final = re.compile("([01][0-9]|2[0-3]):([0-5][0-9])")
_GAME: Final = "game:"


@dataclass(frozen=True, slots=True)
class MailChoice:
    """The delivery of mail to a player. `digest_at` is in minutes after midnight.

    `time_zone` is a name such as `Europe/Berlin`: it stays correct if the law changes. `games` maps
    games to their delivery if it differs from `delivery`.
    """

    delivery: Delivery = "at_once"
    digest_at: int = 8 * 60
    time_zone: str = "UTC"
    quiet: QuietHours | None = None
    reminders: Reminders = "both"
    games: Mapping[str, Delivery] = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        """The player's time zone."""
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
        reminders=read_reminders(stored.get("reminders")) or default.reminders,
        games={
            name.removeprefix(_GAME): delivery
            for name, text in stored.items()
            if name.startswith(_GAME) and (delivery := read_delivery(text))
        },
    )


def read_delivery(text: str | None) -> Delivery | None:
    """Return the way of delivery with this name; None for any other text."""
    return next((delivery for delivery in DELIVERIES if delivery == text), None)


def read_reminders(text: str | None) -> Reminders | None:
    """Return the choice of reminders with this name; None for any other text."""
    return next((reminders for reminders in REMINDERS if reminders == text), None)


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
