"""The examples of operations on messages, notes and mail settings."""

from typing import Final

from service.accounts.notice_kinds import GROUPS
from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import GAME, MOMENT

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
    wanted = reply({"wanted": False}, {"wanted": False})
    return {
        "listMessages": reply(listed),
        "sendMessage": reply(MESSAGE, {"text": MESSAGE["text"]}),
        "updateGameMessageSettings": wanted,
        "markMessagesRead": Example({"number": 7}),
        "reportMessage": Example({"number": 7, "reason": "an insult"}),
        "getMessageSettings": reply({"wanted": True}),
        "updateMessageSettings": wanted,
        "getNote": reply({"text": NOTE}),
        "setNote": reply({"text": NOTE}, {"text": NOTE}),
    }


def mail_examples() -> dict[str, Example]:
    """Return the examples of operations on mail, by operation id."""
    whole, game = mail(), {"delivery": "off", "effective": "off"}
    asked = {name: whole[name] for name in ("delivery", "time_zone", "quiet")}
    return {
        "getMailSettings": reply(whole),
        "updateMailSettings": reply(whole, asked),
        "getGameMailSettings": reply(game),
        "setGameMailSettings": reply(game, {"delivery": "off"}),
    }


def mail() -> dict[str, object]:
    """Return an example of a player's mail settings."""
    return {
        "delivery": "digest",
        "digest_at": "08:00",
        "time_zone": "Europe/Berlin",
        "quiet": {"begin": "22:00", "end": "07:00"},
        "reminders": "both",
        "groups": dict.fromkeys(GROUPS, True),
        "games": {GAME: "off"},
    }
