"""The examples of finding an opponent: editions, bots, the lobby, challenges, agreements."""

from typing import Final

from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import ADA, BO, GAME, MOMENT, begun, made, view
from service.bots import BOTS
from service.games.projections.ratings import PlayerRating
from service.games.reading.views import ratings_view

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


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    challenge = _challenge()
    offer = {
        "id": GAME,
        "created_at": MOMENT,
        "expires_at": "2026-12-05T12:00:00Z",
        "creator": {"id": ADA, "name": "Ada", "bot": False},
        "seat": "south",
        **_OPTIONS,
    }
    counter = {**challenge, "id": GAME, "from": challenge["to"], "to": challenge["from"]}
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
        "getChallenge": reply(challenge),
        "withdrawChallenge": reply({**challenge, "status": "withdrawn"}),
        "acceptChallenge": reply(view(begun(), BO), {}),
        "declineChallenge": reply({**challenge, "status": "declined"}, {}),
        "makeCounterOffer": reply({**counter, "counters": CHALLENGE}, {"tactics": False}),
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
