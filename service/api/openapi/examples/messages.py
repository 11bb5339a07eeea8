"""The examples of operations on messages and settings."""

from typing import Final

from service.accounts.notice_kinds import GROUPS
from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import BO, GAME, MOMENT

MESSAGE: Final = {
    "number": 7,
    "by": "south",
    "created_at": MOMENT,
    "via": "web",
    "text": "Well played!",
}
NOTE: Final = "She keeps the blue nine."


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    listed = {
        "messages": [MESSAGE],
        "next": None,
        "unread": 1,
        "wanted": True,
        "refusal": None,
    }
    return {
        "listMessages": reply(listed),
        "sendMessage": reply(MESSAGE, {"text": MESSAGE["text"]}),
        "markMessagesRead": Example({"number": 7}),
        "reportMessage": Example({"number": 7, "reason": "an insult"}),
    }


def settings_examples() -> dict[str, Example]:
    """Return the examples of operations on settings, by operation id."""
    whole = settings()
    game = {"delivery": "off", "effective": "off", "messages_wanted": True, "note": NOTE}
    asked = {"mail": {"delivery": "digest"}, "messages_wanted": True}
    return {
        "getSettings": reply(whole),
        "updateSettings": reply(whole, asked),
        "getGameSettings": reply(game),
        "updateGameSettings": reply(game, {"delivery": "off", "note": NOTE}),
    }


def settings() -> dict[str, object]:
    """Return an example of a player's settings."""
    return {
        "mail": {
            "delivery": "digest",
            "digest_at": "08:00",
            "time_zone": "Europe/Berlin",
            "quiet": {"begin": "22:00", "end": "07:00"},
            "reminders": "both",
            "groups": dict.fromkeys(GROUPS, True),
            "games": {GAME: "off"},
        },
        "messages_wanted": True,
        "contact": {
            "challenges": True,
            "blocked": [{"id": BO, "name": "Bo", "blocked_at": MOMENT}],
        },
    }
