"""The examples of operations on games: opponents, moves, clocks, offers and orders."""

from typing import Final

import engine
from engine import record
from engine.chain import StoredEvent
from service.api.openapi.examples.game import (
    ADA,
    BO,
    GAME,
    JSON,
    MOMENT,
    NAMES,
    Example,
    begun,
    given_orders,
    lines_for,
    made,
    played,
    registered,
    reply,
    view,
)
from service.bots import BOTS
from service.bots.analysis import Estimate, WeighedTurn
from service.games.analysis.service import Analysis
from service.games.analysis.summary import analysis_data
from service.games.projections.ratings import PlayerRating
from service.games.reading import views
from service.games.reading.views import ratings_view
from service.realtime import deferred
from service.text.board import board_text

JSON_LINES: Final = "application/x-ndjson"
TEXT: Final = "text/plain"
_ANALYSIS: Final = Analysis(
    "running",
    44,
    (
        WeighedTurn(
            seq=4,
            round=1,
            seat="north",
            played="R4@1",
            chance=Estimate(0.48, 0.045),
            best=("R4@5",),
            loss=Estimate(0.06, 0.025),
            drawn="G9",
            drawn_at=5,
            luck=Estimate(0.02, 0.01),
            missed=(),
        ),
    ),
)


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    return {**_changes(), **_readings(), **_opponents(), **_clocks()}


def _changes() -> dict[str, Example]:
    joined = view(begun(), BO)
    invite = "s3iT6jw0ZJr2l1Qm8nVYp4bXcUeHk5aGd7oRtMwNzEA"
    invited = {
        "invite": invite,
        "invite_url": f"https://stones.example/games/{GAME}?invite={invite}",
    }
    wanted = {"edition": "iello", "tactics": False, "first_player": "creator"}
    seal = {
        "seal": "Qm8nVYp4bXcUeHk5aGd7oRtMwNzEAs3iT6jw0ZJr2l1",
        "commitment": made().stored.game.commitment,
        "expires_at": "2026-11-21T13:00:00Z",
    }
    return {
        "createSeal": reply(seal, {}),
        "createGame": reply({**view(made(), ADA), **invited}, wanted),
        "joinGame": Example(
            {"invite": invite},
            {JSON: joined, f"201 {JSON}": {**joined, "account": registered(BO)}},
        ),
        "playMove": Example({"card": "R7", "stone": 3, "claims": [3]}),
        "claimStone": Example({"stone": 3}),
        "playTurn": Example({"actions": ["R7@3", "!3"]}),
        "requestRematch": Example({}),
        "practiseGame": Example({"step": 12}),
    }


def _readings() -> dict[str, Example]:
    stored, lines = played().stored, lines_for(ADA)
    archived = {
        "id": "2026-11-21.4b1f0c7a92d3e85f6a07",
        "players": None,
        "record": [lines[-1]],
    }
    news, place = {"game": GAME, "event": lines[-1]}, "k3v7q2xa.42"
    return {
        "listGames": reply({"games": [views.summary(stored, ADA, NAMES)], "next": None}),
        "listEvents": Example(
            answers={
                JSON: {"version": stored.version, "events": lines[-1:], "next": None},
                JSON_LINES: record.to_jsonl(lines[-1:]),
                deferred.MIMETYPE: _message(str(lines[-1]["seq"]), lines[-1], lines[-1]),
            }
        ),
        "getRecord": Example(
            answers={JSON_LINES: record.to_jsonl(lines[1:2]), TEXT: record.to_text(lines)}
        ),
        "listRecords": Example(
            answers={
                JSON: {"records": [], "next": None},
                JSON_LINES: f"{views.to_json(archived)}\n",
            }
        ),
        "getBoard": Example(
            answers={
                TEXT: board_text(engine.view(stored.game, None), {"north": "Ada", "south": "Bo"}),
                "image/svg+xml": "<svg>…</svg>",
                "image/png": "…",
            }
        ),
        "listProofs": reply(
            {"version": stored.version, "proofs": engine.proofs(stored.game, "north")}
        ),
        "getAnalysis": reply(analysis_data(_ANALYSIS)),
        "streamNews": Example(
            answers={
                JSON: {"events": [news], "next": place, "reset": False},
                deferred.MIMETYPE: _message(place, lines[-1], news),
            }
        ),
    }


def _message(last_id: str, event: StoredEvent, data: object) -> dict[str, str]:
    """Return a stream's message: the id, the type of the event, and the data as JSON."""
    return {"id": last_id, "event": event["type"], "data": views.to_json(data)}


CHALLENGE: Final = "onvwkzdfobxxe5dfmvzg"
_STEWARD: Final = {
    "name": "steward",
    "player": {"id": BOTS["steward"].player, "name": BOTS["steward"].title, "bot": True},
    "character": BOTS["steward"].character,
    "ratings": ratings_view(PlayerRating(BOTS["steward"].player), 0),
}
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

_OPTIONS: Final = {
    "edition": "iello",
    "tactics": True,
    "expert": False,
    "rounds": 1,
    "first_player": "random",
    "clock": {"days_per_move": 3},
    "rated": True,
}


def _opponents() -> dict[str, Example]:
    challenge = _challenge()
    offer = {
        "id": GAME,
        "created_at": MOMENT,
        "expires_at": "2026-12-05T12:00:00Z",
        "creator": {"id": ADA, "name": "Ada", "bot": False},
        "seat": "south",
        **_OPTIONS,
    }
    return {
        "getServer": reply(
            {
                "name": "scottenbury",
                "version": "0.2.0",
                "registration": "open",
                "sandbox": False,
            }
        ),
        "listEditions": reply(_EDITIONS),
        "listBots": reply({"bots": [_STEWARD]}),
        "getLobby": reply({"games": [offer], "next": None}),
        "challengePlayer": reply(challenge, {"name": "Bo", "tactics": True}),
        "listChallenges": reply({"challenges": [], "next": None}),
        "acceptChallenge": reply(view(begun(), BO), {}),
        "makeCounterOffer": Example({"tactics": False}),
    }


def _challenge() -> dict[str, object]:
    return {
        "id": CHALLENGE,
        "status": "open",
        "from": {"id": ADA, "name": "Ada", "bot": False},
        "to": {"id": BO, "name": "Bo", "bot": False},
        "created_at": MOMENT,
        "expires_at": "2026-12-05T12:00:00Z",
        **_OPTIONS,
        "seat": "north",
        "private": False,
        "commitment": made().stored.game.commitment,
        "salt": "Ada's",
        "counters": None,
        "counter_offer": None,
        "game": None,
    }


_OFFERS: Final[dict[str, object]] = {
    "version": 3,
    "status": "active",
    "paused": None,
    "offers": [
        {
            "kind": "pause",
            "state": "offered",
            "by": "north",
            "number": 29_905_920,
            "until": "2026-12-27T12:00:00Z",
        }
    ],
}


def _clocks() -> dict[str, Example]:
    orders = given_orders()
    wanted = {key: orders[key] for key in ("claim_proved", "pass_when_stuck", "turn")}
    return {
        "listOffers": reply(_OFFERS),
        "makeOffer": Example({"kind": "pause", "until": "2026-12-27T12:00:00Z"}),
        "changeClock": Example({"give": {"days": 2}}),
        "getOrders": reply(orders),
        "setOrders": Example(wanted),
    }
