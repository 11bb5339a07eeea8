"""Decides when somebody is notified: the whole policy, as one decision on facts read before."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from service.accounts.mail_preferences import Delivery, MailChoice
from service.accounts.notice_kinds import LAST_REMINDER, kind_of
from service.core.times import DAY, MINUTE

AFTER_DIGEST: Final = 5 * MINUTE
"""Seconds after the digest at which a notice that it left out falls due by itself."""
ANSWER_PAUSE: Final = 2.0
"""Seconds until a notice that waits for an answer, or for the mail of an end, is checked again."""
PAGE_PAUSE: Final = 20.0
"""Seconds until a notice whose page is in sight is considered again."""
IN_SIGHT: Final = "page-in-sight"
"""Reason for putting off a notice while its player has the game's page in sight."""
SHOWN_BEFORE: Final = "shown-before"
"""Reason for dropping a mail whose content another mail has shown; channels still report it."""
OWN_END: Final = "ended-it"
"""Reason for dropping the mail of an end that its reader caused; channels still report it."""
TIME_CHANGED: Final = "time-changed"
"""Reason for dropping a reminder whose time limit another reminder covers."""


class Send(NamedTuple):
    """Send the notice now: on all channels, and `by_mail` too; otherwise `reason` says why no mail
    goes."""

    by_mail: bool = True
    reason: str = "due"


class Later(NamedTuple):
    """Decide on the notice again at `at` (unix seconds). `digest_at` is the moment of the digest
    that will report it, if one will."""

    at: float
    reason: str
    digest_at: float | None = None


class Drop(NamedTuple):
    """Send the notice nowhere. `is_chosen`: its player does not want it."""

    reason: str
    is_chosen: bool = False


Decision = Send | Later | Drop


@dataclass(frozen=True, slots=True)
class Preferences:
    """A player's choices, and where they can be reached.

    `delivery` says when mail about the notice's subject goes: at once, in the digest, once until
    the next visit, or never. `on_channels`: some channel will report it.
    """

    choice: MailChoice
    delivery: Delivery
    has_address: bool
    wants_mail: bool
    wants_digest: bool
    on_channels: bool

    @property
    def by_mail(self) -> bool:
        """Whether mail is wanted and possible."""
        return self.has_address and self.wants_mail

    @property
    def not_by_mail(self) -> str:
        """The reason why no mail goes."""
        return "turned-off" if self.has_address else "no-confirmed-address"


@dataclass(frozen=True, slots=True)
class ReminderTime:
    """The moments when a reminder is due (None while the clock is stopped) and when it is too late.

    `is_moved`: the time limit of the turn has changed since the notice was created; `is_moving`: an
    outage has just ended, and the deadline is about to move.
    """

    at: float | None
    too_late_at: float | None
    is_moved: bool = False
    is_moving: bool = False


@dataclass(frozen=True, slots=True)
class NoticeState:
    """The present state of a notice. Moments are in unix seconds.

    - `is_fanned_out`: it was made from another, for which the clock and the choices were applied
    - `is_news`: its player got the notice that this one cancels, if it cancels one
    - `too_late_at`: when the player can no longer act on it
    - `is_mail_reserved`: another notice is the one mail that the player gets until their next visit
    - `is_being_answered`: a mail from the player about this game is being answered
    - `was_shown`: another mail has shown its content
    - `is_own_end`: it tells the player that their own claim or resignation has ended the game
    - `paused_until`: the channel sends nothing before
    - `was_seen`: the game's page has told its news
    - `is_end_untold`: it asks for a rematch of a game whose end its player is still to be told
    - `in_sight_until`: until when it may wait while the player has the game's page in sight
    """

    is_current: bool = True
    is_fanned_out: bool = False
    is_news: bool = True
    reminder: ReminderTime | None = None
    too_late_at: float | None = None
    is_mail_reserved: bool = False
    is_being_answered: bool = False
    was_shown: bool = False
    is_own_end: bool = False
    paused_until: float = 0.0
    was_seen: bool = False
    is_end_untold: bool = False
    in_sight_until: float = 0.0


def decide(kind: str, chosen: Preferences, state: NoticeState, now: float) -> Decision:
    """Decide whether a notice of this kind is sent now, by the first rule that applies."""
    return (
        (None if state.is_fanned_out else _follows_the_clock(kind, chosen, state.reminder, now))
        or _is_wanted_and_true(chosen, state)
        or _waits_for_another_time(kind, chosen, state, now)
        or _is_the_only_mail(chosen, state, now)
    )


def _follows_the_clock(
    kind: str, chosen: Preferences, time: ReminderTime | None, now: float
) -> Decision | None:
    """Send a reminder after a set share of the turn's time; the clock may have changed since it was
    created. The first reminder never follows the last."""
    choices = kind_of(kind).reminders
    if not choices:
        return None
    if time is None:
        return Drop("untrue")
    if time.is_moved:
        return Drop(TIME_CHANGED)
    if time.is_moving:
        return Later(now + MINUTE, "outage-to-give-back")
    if time.at is None:
        return Later(now + DAY, "clock-stands")
    if time.at > now:
        return Later(time.at, "too-early")
    if chosen.choice.reminders not in choices:
        return Drop("turned-off")
    if time.too_late_at is None or now >= time.too_late_at:
        return Drop("too-late")
    return None


def _is_wanted_and_true(chosen: Preferences, state: NoticeState) -> Decision | None:
    """Drop a notice that is unwanted, cannot be delivered, is out of date, or was seen."""
    if not (chosen.by_mail or chosen.on_channels):
        return Drop(chosen.not_by_mail, is_chosen=True)
    if not state.is_news:
        return Drop("never-told")
    if not state.is_current:
        return Drop("untrue")
    return Drop("seen-on-page") if state.was_seen else None


def _waits_for_another_time(
    kind: str, chosen: Preferences, state: NoticeState, now: float
) -> Decision | None:
    """Wait for the digest, quiet hours, a visit, or until the player leaves the game's page; but
    for all except a visit only if the player could still act afterwards. The last reminder ignores
    quiet hours.
    """
    if chosen.delivery == "digest":
        if not (chosen.wants_digest or chosen.on_channels):
            return Drop("digest-turned-off", is_chosen=True)
        moment = chosen.choice.next_digest(now)
        if state.too_late_at is None or moment < state.too_late_at:
            return Later(moment + AFTER_DIGEST, "kept-for-digest", digest_at=moment)
    end = None if kind == LAST_REMINDER else chosen.choice.quiet_until(now)
    if end is not None and (state.too_late_at is None or end < state.too_late_at):
        return Later(end, "quiet-hours")
    if chosen.delivery == "until_visit" and state.is_mail_reserved:
        return Drop("told-until-visit", is_chosen=True)
    if state.paused_until > now:
        return Later(state.paused_until, "channel-pauses")
    later = now + PAGE_PAUSE
    if later < min(state.in_sight_until, state.too_late_at or later + 1):
        return Later(later, IN_SIGHT)
    return Later(now + ANSWER_PAUSE, "end-comes-first") if state.is_end_untold else None


def _is_the_only_mail(chosen: Preferences, state: NoticeState, now: float) -> Decision:
    """Send one mail for each turn and each end: an answer to the player's own mail takes
    precedence."""
    if not chosen.by_mail:
        return Send(by_mail=False, reason=chosen.not_by_mail)
    if state.is_being_answered:
        return Later(now + ANSWER_PAUSE, "answer-comes-first")
    if state.was_shown:
        return Send(by_mail=False, reason=SHOWN_BEFORE)
    return Send(by_mail=False, reason=OWN_END) if state.is_own_end else Send()
