"""Examples of a calendar, and of a pause that is offered."""

from typing import Any, Final

CALENDAR: Final[dict[str, Any]] = {
    "zone": "Europe/Berlin",
    "sleep": {"from": "23:00", "to": "07:00"},
    "vacations": [{"from": "2026-12-20T23:00:00Z", "to": "2026-12-27T23:00:00Z"}],
    "by_itself": False,
    "vacation_account": [{"year": 2026, "seconds": 30 * 86_400, "spent": 7 * 86_400}],
}
PAUSE: Final[dict[str, Any]] = {
    "version": 3,
    "offered_by": "north",
    "until": "2026-12-27T12:00:00Z",
    "paused": None,
}
