"""The examples of operations on an account."""

from typing import Any

from service.accounts.mail_preferences import KINDS
from service.api.openapi.examples import channels
from service.api.openapi.examples.clocks import CALENDAR
from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import ADA, GAME, MOMENT, NAMES, lines_for
from service.api.openapi.examples.messages import MESSAGE, NOTE, mail
from service.api.openapi.examples.orders import given


def examples() -> dict[str, Example]:
    """The examples by operation id."""
    me = {
        "id": ADA,
        "name": "Ada",
        "email": "ada@example.org",
        "email_verified": True,
        "email_pending": None,
        "email_problem": None,
        "created": MOMENT,
        "mails": {kind: kind != "started" for kind in KINDS},
    }
    token = {
        "id": "0f3a9c5d7b1e2846",
        "name": "my bot",
        "kind": "api",
        "scopes": ["games:read", "games:play"],
        "created": MOMENT,
        "expires": None,
        "last_used": MOMENT,
    }
    further = {"id": "5b1e28460f3a9c7d", "email": "ada@example.com"}
    answering = {**further, "added": MOMENT, "verified": False}
    asked = {key: token[key] for key in ("name", "scopes")}
    exported = {
        "id": GAME,
        "record": lines_for(ADA),
        "orders": given(),
        "messages": [MESSAGE],
        "note": NOTE,
    }
    export = {
        "exported": MOMENT,
        "player": me,
        "answer_addresses": [answering],
        "tokens": [token],
        "muted": ["started"],
        "mail": mail(),
        "messages_wanted": True,
        "calendar": CALENDAR,
        "channels": [channels.channel()],
        "challenges": [],
        "games": [exported],
    }
    known = {"id": ADA, "name": "Ada", "bot": False, "created": MOMENT}
    return {
        "findPlayers": reply({"players": [known], "next": None}),
        "getPlayer": reply({**known, "games": {"active": 2, "finished": 17}}),
        "registerPlayer": reply(registered(ADA), {"name": "Ada", "email": "ada@example.org"}),
        "getMe": reply(me),
        "changeMe": reply(me, {"name": "Ada", "mails": {"started": False}}),
        "deleteMe": Example(),
        "exportMe": reply(export),
        "listAnswerAddresses": reply({"addresses": [answering]}),
        "addAnswerAddress": reply(answering, {"email": "ada@example.com"}),
        "removeAnswerAddress": Example(),
        "createToken": reply({**token, "token": _token(ADA)}, asked),
        "listTokens": reply({"tokens": [token], "next": None}),
        "revokeToken": Example(),
        "revokeOtherTokens": Example(),
    }


def registered(player: str) -> dict[str, Any]:
    """The answer to who registers."""
    return {"id": player, "name": NAMES[player], "token": _token(player)}


def _token(player: str) -> str:
    return f"scot_{player}Zk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"
