"""When somebody is told: the whole policy, as one decision on facts that were read before."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.accounts.mail_choice import Delivery, MailChoice
from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.core.durations import DAY, MINUTE

AFTER_DIGEST: Final = 5 * MINUTE
"""Seconds after the digest at which a notice that it did not tell falls due by itself."""
ANSWER_PAUSE: Final = 2.0
"""Seconds until a notice is looked at again that waits for an answer."""
SHOWN_BEFORE: Final = "shown-before"
"""Why no mail goes that would tell what another has shown; the channels tell it all the same."""
TIME_CHANGED: Final = "time-changed"
"""Why a reminder is dropped of whose time another reminder tells."""
CHOSEN_AS: Final[Mapping[str, tuple[str, ...]]] = {
    REMINDER: ("both", "half"),
    LAST_REMINDER: ("both", "last"),
}
"""The kinds that remind, and the choices with which each comes."""


class Send(NamedTuple):
    """Tell it now: on all channels, and `by_mail` too; if not so, the reason says why."""

    by_mail: bool = True
    reason: str = "due"


class Later(NamedTuple):
    """Look at it again then (unix seconds). `digest_at`: when the digest is sent that tells it."""

    at: float
    reason: str
    digest_at: float | None = None


class Drop(NamedTuple):
    """Tell it nowhere. `is_chosen`: its player does not want it."""

    reason: str
    is_chosen: bool = False


Decision = Send | Later | Drop


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the player has chosen, and where they can be reached.

    `delivery` is how mail about the notice's subject comes; `on_channels` whether any channel is to
    tell it.
    """

    choice: MailChoice
    delivery: Delivery
    has_address: bool
    wants_mail: bool
    wants_digest: bool
    on_channels: bool

    @property
    def by_mail(self) -> bool:
        """Whether mail is wanted, and can go somewhere."""
        return self.has_address and self.wants_mail

    @property
    def not_by_mail(self) -> str:
        """Why no mail goes, where none does."""
        return "turned-off" if self.has_address else "no-confirmed-address"


@dataclass(frozen=True, slots=True)
class ReminderTime:
    """When a reminder is due, None while the clock stands still, and when it comes too late.

    `is_moved`: the time for the turn has changed since it arose; `is_moving`: an outage has just
    ended, and the deadline is about to move.
    """

    at: float | None
    too_late_at: float | None
    is_moved: bool = False
    is_moving: bool = False


@dataclass(frozen=True, slots=True)
class NoticeState:
    """How the notice stands.

    `too_late_at`: when the player can no longer act on it; `paused_until`: before that the channel
    takes nothing.
    """

    is_current: bool = True
    reminder: ReminderTime | None = None
    too_late_at: float | None = None
    is_told_until_visit: bool = False
    is_being_answered: bool = False
    was_shown: bool = False
    paused_until: float = 0.0


def decide(kind: str, chosen: Preferences, state: NoticeState, now: float) -> Decision:
    """Whether a notice of this kind is told now; the first rule that applies decides."""
    return (
        _follows_the_clock(kind, chosen, state.reminder, now)
        or _is_wanted_and_true(chosen, state)
        or _waits_for_another_time(kind, chosen, state, now)
        or _is_the_only_mail(chosen, state, now)
    )


def _follows_the_clock(
    kind: str, chosen: Preferences, time: ReminderTime | None, now: float
) -> Decision | None:
    """A reminder comes when so much of the turn's time has passed, and the clock may have changed
    since it arose. The first does not come after the last."""
    if kind not in CHOSEN_AS:
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
    if chosen.choice.reminders not in CHOSEN_AS[kind]:
        return Drop("turned-off")
    if time.too_late_at is None or now >= time.too_late_at:
        return Drop("too-late")
    return None


def _is_wanted_and_true(chosen: Preferences, state: NoticeState) -> Decision | None:
    """Nobody is told of anything that they do not want, that nothing can bring, or that is over."""
    if not (chosen.by_mail or chosen.on_channels):
        return Drop(chosen.not_by_mail, is_chosen=True)
    return None if state.is_current else Drop("untrue")


def _waits_for_another_time(
    kind: str, chosen: Preferences, state: NoticeState, now: float
) -> Decision | None:
    """The digest, quiet hours and a visit are waited for, the first two unless the player could not
    act by then. The last reminder heeds no quiet hours."""
    if chosen.delivery == "digest":
        if not (chosen.wants_digest or chosen.on_channels):
            return Drop("digest-turned-off", is_chosen=True)
        moment = chosen.choice.next_digest(now)
        if state.too_late_at is None or moment < state.too_late_at:
            return Later(moment + AFTER_DIGEST, "kept-for-digest", digest_at=moment)
    end = None if kind == LAST_REMINDER else chosen.choice.quiet_until(now)
    if end is not None and (state.too_late_at is None or end < state.too_late_at):
        return Later(end, "quiet-hours")
    if chosen.delivery == "until_visit" and state.is_told_until_visit:
        return Drop("told-until-visit", is_chosen=True)
    return Later(state.paused_until, "channel-pauses") if state.paused_until > now else None


def _is_the_only_mail(chosen: Preferences, state: NoticeState, now: float) -> Decision:
    """Each turn and each end is shown by one mail: the answer to a player's own comes first."""
    if not chosen.by_mail:
        return Send(by_mail=False, reason=chosen.not_by_mail)
    if state.is_being_answered:
        return Later(now + ANSWER_PAUSE, "answer-comes-first")
    return Send(by_mail=False, reason=SHOWN_BEFORE) if state.was_shown else Send()
