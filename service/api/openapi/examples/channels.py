"""The examples of operations on channels."""

from typing import Any, Final

from service.accounts.channels import CHANNEL_GROUPS
from service.api.openapi.examples.example import JSON, Example

_MOMENT: Final = "2026-11-21T12:00:00Z"
_ID: Final = "ab2cd3ef"
_DELIVERY: Final = f"onrw65dumvxhs5dporxw_12_mfzwizltorzwi4tf_webhook-{_ID}_turn"
_LINK: Final = "mfzwizltorzwi4tfonrw65dumvxhs5dporxwonrw65dumvxh"
_LINKS: Final = {
    "calendar": f"https://play.example.org/calendar/{_LINK}.ics",
    "atom": f"https://play.example.org/turns/{_LINK}.atom",
}
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
    failed = {
        "id": _DELIVERY,
        "kind": "turn",
        "game": _DELIVERY.split("_")[0],
        "first_at": _MOMENT,
        "last_at": _MOMENT,
        "attempts": 1,
        "state": "waiting",
        "answer": 503,
        "why": "it answered 503",
    }
    return {
        "createChannel": (
            {**fresh, "state": "off", "trouble": untried, "secret": _SECRET},
            {"name": "my program", "webhook": target},
        ),
        "listChannels": ({"channels": [], "push_key": None}, None),
        "getChannel": (channel(), None),
        "updateChannel": (off, {"groups": {"over": False}, "fallback": True}),
        "deleteChannel": (None, None),
        "renewChannelSecret": ({"secret": _SECRET}, None),
        "testChannel": ({"id": _DELIVERY}, None),
        "listDeliveries": ({"deliveries": [failed], "next": None}, None),
        "getPrivateLinks": (_LINKS, None),
        "renewPrivateLinks": (_LINKS, None),
        "revokePrivateLinks": (None, None),
        "redeliverMessage": ({"id": _DELIVERY}, None),
    }
