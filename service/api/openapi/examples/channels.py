"""The examples of operations on channels."""

from typing import Any, Final

from service.accounts.channels import CHANNEL_GROUPS
from service.api.openapi.examples.example import JSON, Example

_MOMENT: Final = "2026-11-21T12:00:00Z"
_ID: Final = "ab2cd3ef"
_SECRET: Final = "whsec_Z2l2ZW4gb25jZSBhbmQgbmV2ZXIgc2hvd24gYWdhaW4="


def channel() -> dict[str, Any]:
    """Return a webhook that works."""
    return {
        "id": _ID,
        "type": "webhook",
        "name": "my program",
        "leads_to": "hooks.example.org",
        "groups": dict.fromkeys(CHANNEL_GROUPS, True),
        "fallback": False,
        "games_off": [],
        "state": "working",
        "trouble": None,
        "last_delivered_at": _MOMENT,
        "created_at": _MOMENT,
    }


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    return {
        operation: Example(body, {} if answer is None else {JSON: answer})
        for operation, (answer, body) in _answers_and_bodies().items()
    }


def _answers_and_bodies() -> dict[str, tuple[object, object]]:
    target = {"url": "https://hooks.example.org/scottenbury"}
    fresh = {**channel(), "last_delivered_at": None}
    untried = {"first_at": _MOMENT, "why": "it has not taken a test yet"}
    off = {**fresh, "groups": {**channel()["groups"], "over": False}, "fallback": True}
    return {
        "createChannel": (
            {**fresh, "state": "off", "trouble": untried, "secret": _SECRET},
            {"name": "my program", "webhook": target},
        ),
        "listChannels": ({"channels": [], "push_key": None}, None),
        "updateChannel": (off, {"groups": {"over": False}, "fallback": True}),
        "deleteChannel": (None, None),
    }
