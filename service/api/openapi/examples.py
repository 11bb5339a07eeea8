"""An example of each request and answer, for the document.

Game views, events and records come from one small game, played by the engine, so that they always
look as the API answers them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import engine
from engine import chain, record
from service.accounts.mail_preferences import GROUPS, KINDS
from service.api.openapi import channel_examples
from service.api.openapi.clock_examples import CALENDAR, PAUSE
from service.api.openapi.example import JSON, Example
from service.bots import BOTS
from service.core.timestamps import unix
from service.games import StoredGame
from service.games.orders.model import Orders, TurnOrder
from service.games.reading import views
from service.games.repository import changed
from service.realtime import sse

JSON_LINES: Final = "application/x-ndjson"
TEXT: Final = "text/plain"

ADA: Final = "mfzwizltorzwi4tf"
BO: Final = "nb2xi5dfnvqw4zdi"
NAMES: Final = {ADA: "Ada", BO: "Bo"}
GAME: Final = "onrw65dumvxhs5dporxw"
CHALLENGE: Final = "onvwkzdfobxxe5dfmvzg"
MOMENT: Final = "2026-11-21T12:00:00Z"
_STEWARD: Final = {"id": BOTS["steward"].player, "name": BOTS["steward"].title}
_MESSAGE: Final = {
    "number": 7,
    "by": "south",
    "at": MOMENT,
    "via": "web",
    "text": "Well played!",
}
_NOTE: Final = "She keeps the blue nine."
_TURNS: Final = 6
_EDITIONS: Final = {
    "editions": [
        {
            "name": "scottentots",
            "title": "Scottentots, 1999",
            "combinations": [
                {
                    "tactics": False,
                    "expert": False,
                    "options": {
                        "hand_size": 6,
                        "claim_timing": "before_play",
                        "joker_limit": "one_per_game",
                        "traitor_to": "any",
                    },
                }
            ],
        }
    ]
}


@cache
def by_operation() -> dict[str, Example]:
    """The examples by operation id."""
    return {
        **_account(),
        **_games(),
        **_opponents(),
        **_orders(),
        **_mails(),
        **_messages(),
        **channel_examples.examples(),
    }


def _json(answer: Any, body: Any = None) -> Example:
    return Example(body, {JSON: answer})


def _account() -> dict[str, Example]:
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
        "record": _lines(ADA),
        "orders": _given(),
        "messages": [_MESSAGE],
        "note": _NOTE,
    }
    export = {
        "exported": MOMENT,
        "player": me,
        "answer_addresses": [answering],
        "tokens": [token],
        "muted": ["started"],
        "mail": _mail(),
        "messages_wanted": True,
        "calendar": CALENDAR,
        "channels": [channel_examples.channel()],
        "challenges": [],
        "games": [exported],
    }
    known = {"id": ADA, "name": "Ada", "bot": False, "created": MOMENT}
    return {
        "findPlayers": _json({"players": [known], "next": None}),
        "getPlayer": _json({**known, "games": {"active": 2, "finished": 17}}),
        "registerPlayer": _json(_registered(ADA), {"name": "Ada", "email": "ada@example.org"}),
        "getMe": _json(me),
        "changeMe": _json(me, {"name": "Ada", "mails": {"started": False}}),
        "deleteMe": Example(),
        "exportMe": _json(export),
        "listAnswerAddresses": _json({"addresses": [answering]}),
        "addAnswerAddress": _json(answering, {"email": "ada@example.com"}),
        "removeAnswerAddress": Example(),
        "createToken": _json({**token, "token": _token(ADA)}, asked),
        "listTokens": _json({"tokens": [token], "next": None}),
        "revokeToken": Example(),
        "revokeOtherTokens": Example(),
    }


def _games() -> dict[str, Example]:
    begun, played, stored = _view(_begun(), BO), _view(_played(), ADA), _played().stored
    invite = "s3iT6jw0ZJr2l1Qm8nVYp4bXcUeHk5aGd7oRtMwNzEA"
    invited = {
        "invite": invite,
        "invite_url": f"https://stones.example/games/{GAME}?invite={invite}",
    }
    lines = _lines(ADA)
    events = {"version": stored.version, "events": lines[-2:], "next": None}
    news = {"game": GAME, "event": lines[-1]}
    place = "k3v7q2xa.42"
    messages = {
        JSON: events,
        JSON_LINES: record.to_jsonl(lines[-2:]),
        sse.MIMETYPE: _message(str(lines[-1]["seq"]), lines[-1], lines[-1]),
    }
    wanted = {"edition": "iello", "tactics": False, "first_player": "creator"}
    seal = {
        "seal": "Qm8nVYp4bXcUeHk5aGd7oRtMwNzEAs3iT6jw0ZJr2l1",
        "commitment": _made().stored.game.commitment,
        "expires_at": "2026-11-21T13:00:00Z",
    }
    return {
        "makeSeal": _json(seal, {}),
        "createGame": _json({**_view(_made(), ADA), **invited}, wanted),
        "listGames": _json({"games": [views.summary(stored, ADA, NAMES)], "next": None}),
        "getGame": _json(played),
        "joinGame": Example(
            {"invite": invite},
            {JSON: begun, f"201 {JSON}": {**begun, "account": _registered(BO)}},
        ),
        "move": _json(played, {"card": "R7", "stone": 3, "claims": [3]}),
        "claim": _json(played, {"stone": 3}),
        "takeTurn": _json(played, {"actions": ["R7@3", "!3"]}),
        "resign": _json(_view(_resigned(), ADA), {}),
        "getEvents": Example(answers=messages),
        "getRecord": Example(
            answers={JSON_LINES: record.to_jsonl(lines), TEXT: record.to_text(lines)}
        ),
        "getProofs": _json(
            {"version": stored.version, "proofs": engine.proofs(stored.game, "north")}
        ),
        "followMyGames": Example(
            answers={
                JSON: {"events": [news], "next": place, "reset": False},
                sse.MIMETYPE: _message(place, lines[-1], news),
            }
        ),
        "callOffGame": _json(_view(_after(_made(), engine.Abandon("north")), ADA)),
        "askForRematch": _json(_view(_made(), ADA), {}),
    }


def _message(last_id: str, event: Mapping[str, Any], data: Any) -> dict[str, str]:
    """A message of a stream: the type of the event, and the data as JSON."""
    return {"id": last_id, "event": event["type"], "data": views.to_json(data)}


def _opponents() -> dict[str, Example]:
    options = {
        "edition": "iello",
        "tactics": True,
        "expert": False,
        "rounds": 1,
        "first_player": "random",
        "clock": {"days_per_move": 3},
    }
    challenge = {
        "id": CHALLENGE,
        "status": "open",
        "from": {"id": ADA, "name": "Ada"},
        "to": {"id": BO, "name": "Bo"},
        "created": MOMENT,
        "expires": "2026-12-05T12:00:00Z",
        **options,
        "seat": "north",
        "private": False,
        "commitment": _made().stored.game.commitment,
        "salt": "Ada's",
        "counters": None,
        "counter_offer": None,
        "game": None,
    }
    offer = {
        "id": GAME,
        "created": MOMENT,
        "expires": "2026-12-05T12:00:00Z",
        "creator": {"id": ADA, "name": "Ada"},
        "seat": "south",
        **options,
    }
    abandonment = {"version": _played().stored.version, "status": "active", "offered_by": "north"}
    counter = {**challenge, "id": GAME, "from": challenge["to"], "to": challenge["from"]}
    return {
        "listEditions": _json(_EDITIONS),
        "listBots": _json({"bots": [{"name": "steward", "player": _STEWARD}]}),
        "getLobby": _json({"games": [offer], "next": None}),
        "challenge": _json(challenge, {"name": "Bo", "tactics": True}),
        "listChallenges": _json({"challenges": [challenge], "next": None}),
        "getChallenge": _json(challenge),
        "withdrawChallenge": _json({**challenge, "status": "withdrawn"}),
        "acceptChallenge": _json(_view(_begun(), BO), {}),
        "declineChallenge": _json({**challenge, "status": "declined"}, {}),
        "makeCounterOffer": _json({**counter, "counters": CHALLENGE}, {"tactics": False}),
        "getAbandonment": _json(abandonment),
        "abandon": _json(abandonment, {}),
        "keepPlaying": _json({**abandonment, "offered_by": None}),
        "getCalendar": _json(CALENDAR),
        "setCalendar": _json(CALENDAR, {key: CALENDAR[key] for key in ("zone", "vacations")}),
        "getPause": _json(PAUSE),
        "pauseClock": _json(PAUSE, {"until": PAUSE["until"]}),
        "declinePause": _json({**PAUSE, "offered_by": None, "until": None}),
        "resumeClock": _json(_view(_played(), ADA), {}),
        "giveTime": _json(_view(_played(), ADA), {"days": 2}),
        "claimTimeOut": _json(_view(_played(), ADA), {}),
    }


def _orders() -> dict[str, Example]:
    orders = _given()
    wanted = {key: orders[key] for key in ("claim_proved", "pass_when_stuck", "turn")}
    return {
        "getOrders": _json(orders),
        "giveOrders": _json(orders, wanted),
        "withdrawOrders": Example(),
    }


def _mails() -> dict[str, Example]:
    mail, game = _mail(), {"delivery": "off", "effective": "off"}
    asked = {name: mail[name] for name in ("delivery", "time_zone", "quiet")}
    return {
        "getMail": _json(mail),
        "changeMail": _json(mail, asked),
        "getGameMail": _json(game),
        "setGameMail": _json(game, {"delivery": "off"}),
    }


def _messages() -> dict[str, Example]:
    listed = {
        "messages": [_MESSAGE],
        "next": None,
        "unread": 1,
        "wanted": True,
        "refusal": None,
    }
    wanted = _json({"wanted": False}, {"wanted": False})
    return {
        "getMessages": _json(listed),
        "writeMessage": _json(_MESSAGE, {"text": _MESSAGE["text"]}),
        "changeMessages": wanted,
        "markMessagesRead": Example({"number": 7}),
        "reportMessage": Example({"number": 7, "reason": "an insult"}),
        "getMessagesWanted": _json({"wanted": True}),
        "changeMessagesWanted": wanted,
        "getNote": _json({"text": _NOTE}),
        "writeNote": _json({"text": _NOTE}, {"text": _NOTE}),
    }


def _mail() -> dict[str, Any]:
    return {
        "delivery": "digest",
        "digest_at": "08:00",
        "time_zone": "Europe/Berlin",
        "quiet": {"begin": "22:00", "end": "07:00"},
        "reminders": "both",
        "groups": dict.fromkeys(GROUPS, True),
        "games": {GAME: "off"},
    }


def _given() -> dict[str, Any]:
    turn = TurnOrder(actions=("R7@3",), when=("G4@3",))
    return views.orders_view(_played().stored, Orders(claim_proved=True, turn=turn))


def _registered(player: str) -> dict[str, Any]:
    return {"id": player, "name": NAMES[player], "token": _token(player)}


def _token(player: str) -> str:
    return f"scot_{player}Zk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"


# The game


class _ExampleGame(NamedTuple):
    """A game and the lines of its log."""

    stored: StoredGame
    texts: list[str]


@cache
def _made() -> _ExampleGame:
    terms = {
        "clock": {"days_per_move": 3},
        "invited": None,
        "invited_by_mail": False,
        "listed": False,
        "private": False,
    }
    command = engine.CreateGame(
        player=ADA,
        seat="north",
        edition="iello",
        tactics=False,
        expert=False,
        rounds=1,
        first_player="creator",
        secret="5e" * 32,
        salt="Ada's",
        terms=terms,
    )
    return _after(None, command)


@cache
def _begun() -> _ExampleGame:
    return _after(_made(), engine.JoinGame(BO, "Bo's"))


@cache
def _played() -> _ExampleGame:
    """After some turns. Each plays the first legal card to Stone 1, if there is one."""
    example = _begun()
    for _ in range(_TURNS):
        game = example.stored.game
        assert game.turn is not None, "nobody has won yet"
        legal = engine.legal(game)
        action = next((text for text in legal if text.endswith("@1")), legal[0])
        example = _after(example, engine.TakeTurn(game.turn, [action]))
    return example


@cache
def _resigned() -> _ExampleGame:
    return _after(_played(), engine.Resign("south"))


def _after(example: _ExampleGame | None, command: engine.Command) -> _ExampleGame:
    before, known = (example.stored, example.texts) if example else (None, [])
    stored, _, lines = changed(GAME, before, command, at=unix(MOMENT), via="api")
    return _ExampleGame(stored, [*known, *lines])


def _view(example: _ExampleGame, player: str) -> dict[str, Any]:
    return views.game_view(example.stored, player, NAMES)


def _lines(player: str) -> list[chain.StoredEvent]:
    example = _played()
    return views.redacted(example.stored, player, example.texts)
