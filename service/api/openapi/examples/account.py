"""The examples of operations on an account: tokens, messages, settings, channels."""

from typing import Final

from service.accounts.channels import CHANNEL_GROUPS
from service.accounts.notice_kinds import CHOICES, GROUPS
from service.api.openapi.examples.game import (
    ADA,
    BO,
    GAME,
    MOMENT,
    Example,
    given_orders,
    registered,
    reply,
    token_of,
)

MESSAGE: Final = {
    "number": 7,
    "by": "south",
    "created_at": MOMENT,
    "via": "web",
    "text": "Well played!",
}
NOTE: Final = "She keeps the blue nine."
CALENDAR: Final[dict[str, object]] = {
    "zone": "Europe/Berlin",
    "sleep": {"from": "23:00", "to": "07:00"},
    "vacations": [{"from": "2026-12-20T23:00:00Z", "to": "2026-12-27T23:00:00Z"}],
    "by_itself": False,
    "vacation_account": [{"year": 2026, "seconds": 30 * 86_400, "spent": 7 * 86_400}],
}
_ME: Final = {
    "id": ADA,
    "name": "Ada",
    "email": "ada@example.org",
    "email_verified": True,
    "email_pending": None,
    "archive": "no",
    "email_problem": None,
    "created_at": MOMENT,
    "mails": {kind: kind != "started" for kind in CHOICES},
}
_TOKEN: Final = {
    "id": "0f3a9c5d7b1e2846",
    "name": "my bot",
    "kind": "api",
    "scopes": ["games:read", "games:play"],
    "created_at": MOMENT,
    "expires_at": None,
    "last_used_at": MOMENT,
}
_FURTHER: Final = {
    "id": "5b1e28460f3a9c7d",
    "email": "ada@example.com",
    "created_at": MOMENT,
    "verified": False,
}
_PROFILE: Final = {
    "id": ADA,
    "name": "Ada",
    "bot": False,
    "owner": None,
    "created_at": MOMENT,
}
_RATINGS: Final = {
    "base": {"rating": 1540, "deviation": 80, "games": 16},
    "tactics": {"rating": 1500, "deviation": 350, "games": 0},
}
_BOT_ID: Final = "robotwizltorzwi4"
_BOT: Final = {
    **_PROFILE,
    "id": _BOT_ID,
    "name": "Deep Stone (bot)",
    "bot": True,
    "owner": {"id": ADA, "name": "Ada", "bot": False},
}


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    asked = {key: _TOKEN[key] for key in ("name", "scopes")}
    exported = {
        "id": GAME,
        "record": [],
        "orders": given_orders(),
        "messages": [MESSAGE],
        "note": NOTE,
    }
    export = {
        "exported_at": MOMENT,
        "player": _ME,
        "face": "GR-stag",
        "answer_addresses": [_FURTHER],
        "identities": [],
        "tokens": [],
        "muted": ["started"],
        "mail_signature": ["head of analytical engines"],
        **settings(),
        "presence": "days",
        "calendar": CALENDAR,
        "channels": [],
        "challenges": [],
        "bots": [],
        "ratings": _RATINGS,
        "games": [exported],
    }
    return {
        **_messages(),
        **_settings(),
        **_channels(),
        "findPlayers": reply({"players": [_PROFILE], "next": None}),
        "getPlayer": reply(
            {
                **_PROFILE,
                "games": {"active": 2, "finished": 17},
                "ratings": _RATINGS,
                "head_to_head": {"won": 3, "lost": 5, "drawn": 0},
            }
        ),
        "registerPlayer": reply(registered(ADA), {"name": "Ada", "email": "ada@example.org"}),
        "getMe": reply({**_ME, "scopes": ["games:read", "account"]}),
        "updateMe": reply(_ME, {"name": "Ada", "mails": {"started": False}}),
        "exportMe": reply(export),
        "createToken": reply({**_TOKEN, "token": token_of(ADA)}, asked),
        "signIn": Example({"code": "q7xk-m2vd-a5tz"}),
        "registerBot": Example({"name": "Deep Stone"}),
        "listOwnBots": reply({"bots": [_BOT]}),
        "listTokens": reply({"tokens": [_TOKEN], "next": None}),
    }


def _messages() -> dict[str, Example]:
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


def _settings() -> dict[str, Example]:
    whole = settings()
    game = {"delivery": "off", "effective": "off", "messages_wanted": True, "note": NOTE}
    asked = {"mail": {"delivery": "digest"}, "messages_wanted": True}
    return {
        "getCalendar": reply(CALENDAR),
        "setCalendar": Example({key: CALENDAR[key] for key in ("zone", "vacations")}),
        "getSettings": reply(whole),
        "updateSettings": Example(asked),
        "getGameSettings": reply(game),
        "updateGameSettings": Example({"delivery": "off", "note": NOTE}),
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


def _channels() -> dict[str, Example]:
    groups = dict.fromkeys(CHANNEL_GROUPS, True)
    made = {
        "id": "ab2cd3ef",
        "type": "webhook",
        "name": "my program",
        "leads_to": "hooks.example.org",
        "groups": groups,
        "fallback": False,
        "games_off": [],
        "state": "off",
        "trouble": {"first_at": MOMENT, "why": "it has not taken a test yet"},
        "last_delivered_at": None,
        "created_at": MOMENT,
    }
    working = {"state": "working", "trouble": None}
    changed = {**made, **working, "groups": {**groups, "over": False}, "fallback": True}
    secret = "whsec_Z2l2ZW4gb25jZSBhbmQgbmV2ZXIgc2hvd24gYWdhaW4="
    target = {"url": "https://hooks.example.org/scottenbury"}
    return {
        "createChannel": reply(
            {**made, "secret": secret}, {"name": "my program", "webhook": target}
        ),
        "listChannels": reply({"channels": [], "push_key": None}),
        "updateChannel": reply(changed, {"groups": {"over": False}, "fallback": True}),
    }
