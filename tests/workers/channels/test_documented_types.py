"""The types of messages that the documentation names."""

import re
from pathlib import Path

from service.accounts.channels.model import channel_group
from service.accounts.mail_preferences import KINDS, LAST_REMINDER
from workers.channels.write import _prefix

DOCUMENT = Path(__file__).parents[3] / "docs" / "channels.md"


def test_the_documentation_names_every_type_of_message() -> None:
    told = {kind for kind in (*KINDS, LAST_REMINDER) if channel_group(kind) is not None}
    types = {f"{_prefix(kind)}.{kind}" for kind in told} | {"channel.digest", "channel.test"}
    named = re.findall(
        r"`((?:game|challenge|calendar|channel)\.[a-z-]+)`", DOCUMENT.read_text("utf-8")
    )
    assert set(named) == types
