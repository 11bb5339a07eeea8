"""The types of messages that the documentation names."""

import re
from pathlib import Path

from tests.workers.channels.message_types import types_of_messages

DOCUMENT = Path(__file__).parents[3] / "docs" / "webhooks.md"


def test_the_documentation_names_every_type_of_message() -> None:
    named = re.findall(
        r"`((?:game|challenge|season|calendar|channel)\.[a-z-]+)`", DOCUMENT.read_text("utf-8")
    )
    assert set(named) == types_of_messages()
