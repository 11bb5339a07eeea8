"""When somebody is told: the whole policy, a row for each of its rules."""

from dataclasses import replace
from typing import Any, Final

import pytest

from service.accounts.mail_preferences import MailChoice, QuietHours
from service.core.times import DAY, HOUR, MINUTE
from tests.support.clock import NOON
from workers.policy import (
    Decision,
    Drop,
    Later,
    NoticeState,
    Preferences,
    ReminderTime,
    Send,
    decide,
)

PLAYER: Final = Preferences(
    MailChoice(), "at_once", True, True, wants_digest=True, on_channels=False
)
"""Whoever has chosen nothing."""
QUIET: Final = replace(PLAYER, choice=MailChoice(quiet=QuietHours(begin=11 * 60, end=13 * 60)))
DIGEST: Final = replace(PLAYER, delivery="digest")
VISIT: Final = replace(PLAYER, delivery="until_visit")
NOWHERE: Final = replace(PLAYER, has_address=False)
UNWANTED: Final = replace(PLAYER, wants_mail=False)
HOOKED: Final = replace(UNWANTED, on_channels=True)
IN_TIME: Final = ReminderTime(NOON - 1, NOON + HOUR)
AT_EIGHT: Final = NOON + 20 * HOUR
"""The moment of the next digest."""
KEPT: Final = Later(AT_EIGHT + 5 * MINUTE, "kept-for-digest", AT_EIGHT)

RULES: Final[list[tuple[str, Preferences, dict[str, Any], Decision]]] = [
    # Whoever has chosen nothing is told at once.
    ("turn", PLAYER, {}, Send()),
    # A rematch is asked for once its player knows of the end.
    ("invitation", PLAYER, {"is_end_untold": True}, Later(NOON + 2, "end-comes-first")),
    ("invitation", UNWANTED, {"is_end_untold": True}, Drop("turned-off", is_chosen=True)),
    # A reminder follows the clock.
    ("reminder", PLAYER, {}, Drop("untrue")),
    ("reminder", PLAYER, {"reminder": replace(IN_TIME, is_moved=True)}, Drop("time-changed")),
    (
        "reminder",
        PLAYER,
        {"reminder": replace(IN_TIME, is_moving=True)},
        Later(NOON + MINUTE, "outage-to-give-back"),
    ),
    ("reminder", PLAYER, {"reminder": ReminderTime(None, None)}, Later(NOON + DAY, "clock-stands")),
    (
        "reminder",
        PLAYER,
        {"reminder": ReminderTime(NOON + 5, NOON + 9)},
        Later(NOON + 5, "too-early"),
    ),
    ("reminder", PLAYER, {"reminder": ReminderTime(NOON - 9, NOON)}, Drop("too-late")),
    ("reminder", PLAYER, {"reminder": IN_TIME}, Send()),
    *(
        (
            kind,
            replace(PLAYER, choice=MailChoice(reminders=choice)),
            {"reminder": IN_TIME},
            Send() if comes else Drop("turned-off"),
        )
        for kind, choice, comes in (
            ("reminder", "half", True),
            ("reminder", "last", False),
            ("last-reminder", "last", True),
            ("last-reminder", "half", False),
        )
    ),
    # What nobody wants, nothing can bring, or is over, is not told.
    ("turn", UNWANTED, {}, Drop("turned-off", is_chosen=True)),
    ("turn", NOWHERE, {}, Drop("no-confirmed-address", is_chosen=True)),
    ("turn", UNWANTED, {"is_current": False}, Drop("turned-off", is_chosen=True)),
    ("turn", PLAYER, {"is_current": False}, Drop("untrue")),
    ("turn", DIGEST, {"is_current": False}, Drop("untrue")),
    ("withdrawn", PLAYER, {"is_news": False}, Drop("never-told")),
    ("turn", HOOKED, {}, Send(by_mail=False, reason="turned-off")),
    (
        "turn",
        replace(NOWHERE, on_channels=True),
        {},
        Send(by_mail=False, reason="no-confirmed-address"),
    ),
    # It waits for the digest, unless the player could not act by then.
    ("turn", DIGEST, {}, KEPT),
    ("turn", DIGEST, {"too_late_at": AT_EIGHT + 1}, KEPT),
    ("turn", DIGEST, {"too_late_at": AT_EIGHT}, Send()),
    ("reminder", DIGEST, {"reminder": IN_TIME}, KEPT),
    ("turn", replace(DIGEST, choice=QUIET.choice), {}, KEPT),
    ("turn", replace(DIGEST, wants_digest=False), {}, Drop("digest-turned-off", is_chosen=True)),
    ("turn", replace(DIGEST, wants_digest=False, on_channels=True), {}, KEPT),
    # Nobody is disturbed in quiet hours, except where it could not wait.
    ("turn", QUIET, {}, Later(NOON + HOUR, "quiet-hours")),
    ("turn", QUIET, {"too_late_at": NOON + HOUR + 1}, Later(NOON + HOUR, "quiet-hours")),
    ("turn", QUIET, {"too_late_at": NOON + HOUR}, Send()),
    ("last-reminder", QUIET, {"reminder": IN_TIME}, Send()),
    ("reminder", QUIET, {"reminder": IN_TIME}, Later(NOON + HOUR, "quiet-hours")),
    ("digest", QUIET, {}, Later(NOON + HOUR, "quiet-hours")),
    # Who wants one mail until the next visit gets one.
    ("turn", VISIT, {}, Send()),
    ("turn", VISIT, {"is_mail_reserved": True}, Drop("told-until-visit", is_chosen=True)),
    ("turn", PLAYER, {"is_mail_reserved": True}, Send()),
    (
        "turn",
        replace(VISIT, choice=QUIET.choice),
        {"is_mail_reserved": True},
        Later(NOON + HOUR, "quiet-hours"),
    ),
    # A channel that fails is left alone for a while.
    ("turn", HOOKED, {"paused_until": NOON + 60}, Later(NOON + 60, "channel-pauses")),
    ("turn", HOOKED, {"paused_until": NOON}, Send(by_mail=False, reason="turned-off")),
    # What its page has told needs no notice, at once or in the digest.
    ("over", PLAYER, {"was_seen": True}, Drop("seen-on-page")),
    ("over", DIGEST, {"was_seen": True}, Drop("seen-on-page")),
    ("over", PLAYER, {"was_seen": True, "is_current": False}, Drop("untrue")),
    # A notice waits while its page is in sight, for some minutes, and in time.
    ("turn", PLAYER, {"in_sight_until": NOON + HOUR}, Later(NOON + 20, "page-in-sight")),
    ("turn", PLAYER, {"in_sight_until": NOON + 20}, Send()),
    ("turn", PLAYER, {"in_sight_until": NOON + HOUR, "too_late_at": NOON + 20}, Send()),
    ("turn", PLAYER, {"in_sight_until": NOON + HOUR, "is_current": False}, Drop("untrue")),
    (
        "turn",
        NOWHERE,
        {"in_sight_until": NOON + HOUR},
        Drop("no-confirmed-address", is_chosen=True),
    ),
    # One mail shows each turn: the answer to the player's own comes first.
    ("turn", PLAYER, {"is_being_answered": True}, Later(NOON + 2, "answer-comes-first")),
    ("turn", PLAYER, {"was_shown": True}, Send(by_mail=False, reason="shown-before")),
    (
        "turn",
        PLAYER,
        {"is_being_answered": True, "was_shown": True},
        Later(NOON + 2, "answer-comes-first"),
    ),
    ("turn", HOOKED, {"is_being_answered": True}, Send(by_mail=False, reason="turned-off")),
]


@pytest.mark.parametrize(("kind", "chosen", "state", "expected"), RULES)
def test_rule(kind: str, chosen: Preferences, state: dict[str, Any], expected: Decision) -> None:
    assert decide(kind, chosen, NoticeState(**state), NOON) == expected
