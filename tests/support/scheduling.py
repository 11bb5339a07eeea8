"""Long files first: whichever of two processes ends up with the short ones, both end together."""

from typing import Final

import pytest

LONG: Final = (
    "web/browser/test_every_page.py",
    "web/browser/",
    "service/mail_in/test_letters.py",
    "service/hostile/test_processor_time.py",
    "test_readme.py",
    "test_programs.py",
    "service/api/test_schemathesis.py",
    "mail/test_rewrapping",
    "service/server/test_serve.py",
    "faults/test_mail_in.py",
    "mail/test_replies.py",
    "faults/test_mail_kills.py",
    "workers/test_week.py",
    "workers/test_year.py",
    "workers/test_process.py",
    "web/game/test_play.py",
    "letters/mail/test_growth.py",
    "workers/mail/test_turn_mail.py",
    "cli/test_play.py",
    "clients/python/",
    "mail/test_whole_game.py",
    "service/bots/",
    "faults/",
)
"""Files and folders that take more than five seconds, the longest first."""


def put_long_files_first(items: list[pytest.Item]) -> None:
    """Put the tests of long files first; all else stays in its order."""
    ranks = {item.nodeid: _rank(item.nodeid) for item in items}
    items.sort(key=lambda item: ranks[item.nodeid])


def _rank(node_id: str) -> int:
    path = node_id.removeprefix("tests/")
    return next((place for place, name in enumerate(LONG) if path.startswith(name)), len(LONG))
