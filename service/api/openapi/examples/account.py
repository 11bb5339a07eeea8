"""The examples of operations on an account."""

from typing import Final

from service.accounts.notice_kinds import CHOICES
from service.api.openapi.examples.clocks import CALENDAR, given_orders
from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import ADA, GAME, MOMENT, NAMES
from service.api.openapi.examples.messages import MESSAGE, NOTE, settings

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
        "deleteMe": Example(),
        "exportMe": reply(export),
        "createToken": reply({**_TOKEN, "token": _token(ADA)}, asked),
        "signIn": reply(registered(ADA), {"code": "q7xk-m2vd-a5tz"}),
        "registerBot": reply(
            {"id": _BOT_ID, "name": _BOT["name"], "token": _token(_BOT_ID)},
            {"name": "Deep Stone"},
        ),
        "listOwnBots": reply({"bots": [_BOT]}),
        "endBot": Example(),
        "renewBotToken": reply({**_TOKEN, "token": _token(_BOT_ID)}),
        "listTokens": reply({"tokens": [_TOKEN], "next": None}),
        "revokeToken": Example(),
    }


def registered(player: str) -> dict[str, object]:
    """Return the response body of a registration."""
    return {"id": player, "name": NAMES[player], "token": _token(player)}


def _token(player: str) -> str:
    return f"scot_{player}Zk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"
