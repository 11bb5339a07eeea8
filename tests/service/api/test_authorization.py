"""Who may do what: each endpoint, asked by everybody who could ask.

- nobody sends no token, and no cookie;
- the spectator is a player who has nothing to do with the game or the account;
- the opponent sits in the owner's game, or was invited to it;
- the owner made the game and is to move; the account is the owner's;
- the narrow token is the owner's too, with every scope but the one that is needed;
- the revoked token was the owner's.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts import tokens
from service.container import EXTENSION
from service.core.redis.client import Client, connect
from service.server.app import create_app
from tests.service.api.declared import check_answer
from tests.service.api.world import BODIES, World
from tests.support.clock import Clock
from tests.support.people import Person
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.stored_state import StoredState

# method, address, game (if one is in the address), the scope needed,
# and the status for: nobody, spectator, opponent, owner, narrow token, revoked token
TABLE: Final = """
POST   /v1/players                         -        -           201 201 201 201 201 201
GET    /v1/players                         -        games:read  200 200 200 200 403 401
GET    /v1/players/{player_id}             -        games:read  200 200 200 200 403 401
GET    /v1/me                              -        -           401 200 200 200 200 401
GET    /v1                                 -        -           200 200 200 200 200 200
PATCH  /v1/me                              -        account     401 200 200 200 403 401
DELETE /v1/me                              -        account     401 204 204 204 403 401
DELETE /v1/me                              -        games:read  401 204 204 204 403 401
DELETE /v1/me                              -        games:play  401 204 204 204 403 401
GET    /v1/me/export                       -        account     401 200 200 200 403 401
GET    /v1/me/export                       -        games:read  401 200 200 200 403 401
GET    /v1/me/settings                     -        account     401 200 200 200 403 401
PATCH  /v1/me/settings                     -        account     401 200 200 200 403 401
PUT    /v1/me/blocked/{player_id}          -        account     401 204 204 409 403 401
DELETE /v1/me/blocked/{player_id}          -        account     401 204 204 204 403 401
GET    /v1/me/calendar                     -        account     401 200 200 200 403 401
PUT    /v1/me/calendar                     -        account     401 200 200 200 403 401
PUT    /v1/me/calendar                     -        games:play  401 200 200 200 403 401
GET    /v1/me/stream                      -        games:read  401 200 200 200 403 401
POST   /v1/me/channels - account 401 201 201 201 403 401
POST   /v1/me/channels - games:read 401 201 201 201 403 401
GET    /v1/me/channels - account 401 200 200 200 403 401
GET    /v1/me/channels - games:read 401 200 200 200 403 401
PATCH  /v1/me/channels/{channel_id} - account 401 404 404 200 403 401
PATCH  /v1/me/channels/{channel_id} - games:read 401 404 404 200 403 401
DELETE /v1/me/channels/{channel_id} - account 401 404 404 204 403 401
DELETE /v1/me/channels/{channel_id} - games:read 401 404 404 204 403 401
POST   /v1/me/tokens                       -        account     401 201 201 201 403 401
POST   /v1/me/bots                         -        account     401 201 201 201 403 401
GET    /v1/me/bots                         -        account     401 200 200 200 403 401
DELETE /v1/me/bots/{bot_id}                -        account     401 404 404 204 403 401
DELETE /v1/me/bots/{bot_id}                -        games:read  401 404 404 204 403 401
DELETE /v1/me/bots/{bot_id}                -        games:play  401 404 404 204 403 401
POST   /v1/me/bots/{bot_id}/token          -        account     401 404 404 201 403 401
POST   /v1/me/bots/{bot_id}/token          -        games:read  401 404 404 201 403 401
POST   /v1/me/bots/{bot_id}/token          -        games:play  401 404 404 201 403 401
GET    /v1/me/tokens                       -        account     401 200 200 200 403 401
DELETE /v1/me/tokens/{token_id}            -        account     401 404 404 204 403 401
POST   /v1/seals                           -        games:play  401 201 201 201 403 401
POST   /v1/games                           -        games:play  401 201 201 201 403 401
GET    /v1/games                           -        games:read  401 200 200 200 403 401
GET    /v1/games/{game_id}                 public   games:read  200 200 200 200 403 401
GET    /v1/games/{game_id}                 private  games:read  404 404 200 200 403 401
GET    /v1/games/{game_id}/events          public   games:read  200 200 200 200 403 401
GET    /v1/games/{game_id}/events          private  games:read  404 404 200 200 403 401
GET    /v1/games/{game_id}/record          public   games:read  200 200 200 200 403 401
GET    /v1/games/{game_id}/record          private  games:read  404 404 200 200 403 401
GET    /v1/games/{game_id}/board           public   games:read  200 200 200 200 403 401
GET    /v1/games/{game_id}/board           private  games:read  404 404 200 200 403 401
GET    /v1/games/{game_id}/proofs          public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/proofs          private  games:read  401 404 200 200 403 401
GET    /v1/games/{game_id}/analysis        public   games:read  409 409 409 409 403 401
GET    /v1/games/{game_id}/analysis        private  games:read  404 404 409 409 403 401
POST   /v1/games/{game_id}/analysis        public   games:play  401 409 409 409 403 401
POST   /v1/games/{game_id}/analysis        private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/join            invited  games:play  401 403 200 409 403 401
POST   /v1/games/{game_id}/join            public   games:play  401 409 409 409 403 401
POST   /v1/games/{game_id}/join            private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/moves           public   games:play  401 403 409 200 403 401
POST   /v1/games/{game_id}/moves           private  games:play  401 404 409 200 403 401
POST   /v1/games/{game_id}/turns           public   games:play  401 403 409 200 403 401
POST   /v1/games/{game_id}/turns           private  games:play  401 404 409 200 403 401
POST   /v1/games/{game_id}/claims          public   games:play  401 403 409 409 403 401
POST   /v1/games/{game_id}/claims          private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/resignation     public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/resignation     private  games:play  401 404 200 200 403 401
POST   /v1/sign-ins                        -        -           404 404 404 404 404 404
GET    /v1/editions                        -        -           200 200 200 200 200 200
GET    /v1/bots                            -        -           200 200 200 200 200 200
GET    /v1/records                         -        games:read  200 200 200 200 403 401
GET    /v1/lobby                           -        games:read  200 200 200 200 403 401
POST   /v1/challenges                      -        games:play  401 409 201 201 403 401
GET    /v1/challenges                      -        games:read  401 200 200 200 403 401
GET    /v1/challenges/{challenge_id}       theirs   games:read  401 404 200 200 403 401
DELETE /v1/challenges/{challenge_id}       theirs   games:play  401 404 200 403 403 401
POST   /v1/challenges/{challenge_id}/acceptance    theirs games:play 401 404 403 200 403 401
POST   /v1/challenges/{challenge_id}/decline       theirs games:play 401 404 403 200 403 401
POST   /v1/challenges/{challenge_id}/counter-offer theirs games:play 401 404 403 201 403 401
DELETE /v1/games/{game_id}                 invited  games:play  401 403 200 200 403 401
DELETE /v1/games/{game_id}                 private  games:play  401 404 409 409 403 401
GET    /v1/games/{game_id}/offers          public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/offers          private  games:read  401 404 200 200 403 401
POST   /v1/games/{game_id}/offers          public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/offers          private  games:play  401 404 200 200 403 401
DELETE /v1/games/{game_id}/offers/{offer_kind} public   games:play  401 403 200 200 403 401
DELETE /v1/games/{game_id}/offers/{offer_kind} private  games:play  401 404 200 200 403 401
POST   /v1/games/{game_id}/clock           public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/clock           private  games:play  401 404 200 200 403 401
POST   /v1/games/{game_id}/time-out        public   games:play  401 403 409 409 403 401
POST   /v1/games/{game_id}/time-out        private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/rematch         over     games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/rematch         private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/practice        over     games:play  401 201 201 201 403 401
POST   /v1/games/{game_id}/practice        private  games:play  401 404 409 409 403 401
GET    /v1/games/{game_id}/orders          public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/orders          private  games:read  401 404 200 200 403 401
PUT    /v1/games/{game_id}/orders          public   games:play  401 403 200 200 403 401
PUT    /v1/games/{game_id}/orders          private  games:play  401 404 200 200 403 401
GET    /v1/games/{game_id}/settings        public   games:read  401 403 200 200 403 401
PATCH  /v1/games/{game_id}/settings        public   games:play  401 403 200 200 403 401
GET    /v1/games/{game_id}/settings        private  games:read  401 404 200 200 403 401
PATCH  /v1/games/{game_id}/settings        private  games:play  401 404 200 200 403 401
GET    /v1/games/{game_id}/messages         public  games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/messages         private games:read  401 404 200 200 403 401
POST   /v1/games/{game_id}/messages         public  games:play  401 403 201 201 403 401
POST   /v1/games/{game_id}/messages         private games:play  401 404 201 201 403 401
PUT    /v1/games/{game_id}/messages/read    public  games:play  401 403 204 204 403 401
PUT    /v1/games/{game_id}/messages/read    private games:play  401 404 204 204 403 401
POST   /v1/games/{game_id}/messages/reports public  games:play  401 403 404 404 403 401
POST   /v1/games/{game_id}/messages/reports private games:play  401 404 404 404 403 401
PATCH  /v1/games/{game_id}/settings        over     games:play  401 403 409 409 403 401
GET    /v1/seasons                         -        games:read  200 200 200 200 403 401
POST   /v1/seasons                         -        games:play  401 403 403 403 403 401
GET    /v1/seasons/{season_id}             -        games:read  200 200 200 200 403 401
GET    /v1/seasons/{season_id}/log         -        games:read  200 200 200 200 403 401
PUT    /v1/seasons/{season_id}/entry       -        games:play  401 200 200 200 403 401
DELETE /v1/seasons/{season_id}/entry       -        games:play  401 200 200 200 403 401
POST   /v1/seasons/{season_id}/challenges  -        games:play  401 409 409 409 403 401
"""

# method, address, and the answer to: a browser where nobody is signed in or whose session was
# revoked, one of somebody who has nothing to do with any of it, and the owner's. An answer is a
# status, or the address to which it leads (`sign-in` stands for the way there), and, after a colon,
# one kind of key that has changed: none has changed where none is named. `=` is the answer before.
# What all of them may do, the forms' own tokens aside, is in tests/web.
PAGES: Final = """
GET  /                                       200 200 200
GET  /games/list                             401 200 200
GET  /games/finished                         sign-in 200 200
GET  /games/new                              200 200 200
POST /games/new                              422 422 422
GET  /lobby                                  200 200 200
POST /lobby/{game_id}/join                   409 409 409
POST /invitations/{game_id}/accept           sign-in 409 409
POST /invitations/{game_id}/end              sign-in 403 409
GET  /challenges/{challenge_id}              sign-in 404 200
POST /challenges/{challenge_id}/accept       sign-in 404 /games/{challenge_id}:games
POST /challenges/{challenge_id}/decline      sign-in 404 /:challenges
POST /challenges/{challenge_id}/withdraw     sign-in 404 403
POST /challenges/{challenge_id}/notice       sign-in 404 /
POST /challenges/{challenge_id}/counter-offer sign-in 404 422
GET  /players/{player_id}                    200 200 200
GET  /seasons                                200 200 200
POST /seasons                                sign-in 403 403
GET  /seasons/{season_id}                    200 200 200
GET  /seasons/{season_id}.ics                200 200 200
GET  /seasons/{season_id}.atom               200 200 200
POST /seasons/{season_id}/enter              sign-in /seasons/{season_id}:season =
POST /seasons/{season_id}/leave              sign-in /seasons/{season_id} =
POST /seasons/{season_id}/challenges         sign-in 409 409
POST /players/{player_id}/block              sign-in /players/{player_id}:blocked 409
GET  /welcome/{secret}                       410 / /
POST /welcome/{secret}                       /:player / /
GET  /arrival                                / / /
POST /arrival/begin                          / / /
POST /arrival/link/{player_id}               / / /
GET  /account                                sign-in 200 200
POST /account                                /:player /account/mail =
POST /account/identities/{link_id}/end sign-in 404 /account?saved=identities:identities
POST /account/challenges                     sign-in /account#challenges:challenges =
GET  /account/channels                       sign-in 200 200
POST /account/channels                       sign-in 200:channels =
GET  /account/channels/{channel_id}          sign-in 404 200
POST /account/channels/{channel_id}     sign-in 404 /account/channels/{channel_id}?saved=1:channels
POST /account/channels/{channel_id}/switch   sign-in 404 /account/channels/{channel_id}:channels
POST /account/channels/{channel_id}/test     sign-in 404 /account/channels/{channel_id}?asked=1
POST /account/channels/{channel_id}/secret   sign-in 404 200:channels
POST /account/channels/{channel_id}/delete   sign-in 404 /account/channels:channels
POST /account/channels/{channel_id}/deliveries/{delivery_id}/again sign-in 404 404
POST /account/links                          sign-in /account/channels#links:private-link =
POST /account/links/end                      sign-in /account/channels#links =
GET  /push-worker.js                         200 200 200
GET  /manifest.webmanifest                   200 200 200
GET  /icons/{name}.png                       404 404 404
GET  /preview.png                            200 200 200
GET  /calendar/{secret}.ics                  404 404 404
GET  /turns/{secret}.atom                    404 404 404
GET  /account/devices                        sign-in 200 200
POST /account/devices/link                   sign-in 200:device-link =
POST /account/devices/link/revoke            sign-in /account/devices =
POST /account/devices/{token_id}/end         sign-in 404 /account/devices:tokens
GET  /open                                   200 200 200
GET  /open/{code}                            410 410 410
POST /open/{code}                            410 410 410
POST /account/archive                        sign-in /account?saved=archive:player =
POST /account/face                           sign-in /account?saved=face:player =
POST /account/name                           sign-in /account?saved=name:player =
POST /account/mails                          sign-in 422 422
GET  /account/mail                           sign-in 200 200
POST /account/export                         sign-in 200 200
GET  /account/delete                         sign-in 200 200
POST /account/delete                         sign-in 200:player =
GET  /account/tokens                         sign-in 200 200
GET  /account/time-off                       sign-in 200 200
POST /account/time-off                       sign-in /account/time-off?saved=hours:calendar =
POST /account/time-off/vacations      sign-in /account/time-off?saved=vacations:calendar =
POST /account/time-off/vacations/end         sign-in /account/time-off?saved=vacations =
POST /account/time-off/by-itself      sign-in /account/time-off?saved=by-itself:calendar =
POST /account/tokens                         sign-in 200:tokens =
POST /account/bots                           sign-in 200:bots =
POST /account/bots/{bot_id}/end              sign-in 404 /account/tokens#bots:bots
POST /account/tokens/{token_id}/revoke       sign-in 404 /account/tokens:tokens
POST /account/tokens/revoke-others           sign-in /account/devices:tokens =
POST /account/address                        sign-in /account/mail?saved=address:address =
POST /account/answer-addresses               sign-in /account/mail:answer-addresses =
POST /account/answer-addresses/{address_id}/remove sign-in 404 /account/mail:answer-addresses
GET  /sign-in                                200 200 200
POST /sign-in                                200:sign-in = =
GET  /sign-in/openid                         404 404 404
GET  /sign-in/openid/callback                404 404 404
GET  /sign-in/{secret}                       410 410 410
POST /sign-in/{secret}                       410 410 410
POST /sign-out                               / /:tokens =
GET  /verify/{token}                         410 410 410
POST /verify/{token}                         410 410 410
GET  /unsubscribe/{token}                    404 404 404
POST /unsubscribe/{token}                    404 404 404
GET  /language/{language}                    / /:mail =
POST /language                               / /:mail =
GET  /mailbox                                403 403 403
GET  /mailbox/{mail_id}                      404 404 404
POST /mailbox/{mail_id}                      404 404 404
GET  /mailbox/html/{mail_id}                 404 404 404
GET  /games                                  sign-in / /
GET  /games/{game_id}                        200 200 200
GET  /games/{game_id}/preview.png            404 404 404
GET  /games/{game_id}/end.png                404 404 404
GET  /games/{game_id}/link                   404 404 404
POST /games/{game_id}/hints                  422 422 422
POST /games/{game_id}/telling                sign-in /games/{game_id}?notify=mail#telling:address =
POST /games/{game_id}/turns                  403 409 409
POST /games/{game_id}/seat                   409 409 409
GET  /games/{game_id}/resign                 sign-in 403 200
POST /games/{game_id}/resign                 sign-in 403 412
GET  /games/{game_id}/abandon                sign-in 403 200
POST /games/{game_id}/abandon                sign-in 403 412
POST /games/{game_id}/keep-playing           sign-in 403 /games/{game_id}
GET  /games/{game_id}/call-off               sign-in 403 200
POST /games/{game_id}/call-off               sign-in 403 409
POST /games/{game_id}/analysis               sign-in 409 409
POST /games/{game_id}/rematch                sign-in 403 409
POST /games/{game_id}/practice               409 409 409
POST /games/{game_id}/mail                   sign-in 403 /games/{game_id}:mail
GET  /games/{game_id}/time                   sign-in 422 422
POST /games/{game_id}/time                   sign-in 403 /games/{game_id}:due
POST /games/{game_id}/time-out               sign-in 403 409
POST /games/{game_id}/pause                  sign-in 403 /games/{game_id}:due
POST /games/{game_id}/pause/withdrawal       sign-in 403 /games/{game_id}
POST /games/{game_id}/resumption             sign-in 403 409
GET  /games/{game_id}/messages               sign-in 403 200
POST /games/{game_id}/messages               sign-in 403 /games/{game_id}#talk:messages
POST /games/page-sign                        sign-in 204:page-sign =
POST /games/{game_id}/page-sign              sign-in 403 204:page-sign
POST /page-sign                              sign-in 204:page-sign =
POST /games/{game_id}/messages/read          sign-in 404 404
POST /games/{game_id}/messages/wanted        sign-in 403 /games/{game_id}#talk:messages
GET  /games/{game_id}/messages/{number}/report sign-in 403 404
POST /games/{game_id}/messages/{number}/report sign-in 403 404
POST /games/{game_id}/note                   sign-in 403 /games/{game_id}#note:notes
POST /account/messages                       sign-in /account?saved=messages:messages =
POST /account/presence                       sign-in /account?saved=presence:player =
GET  /games/{game_id}/orders                 sign-in 403 200
POST /games/{game_id}/orders                 sign-in 403 /games/{game_id}/orders:g
POST /games/{game_id}/orders/plan            sign-in 403 422
POST /games/{game_id}/orders/plan/withdrawal sign-in 403 /games/{game_id}/orders
POST /mail-in                                404 404 404
GET  /games/{game_id}/record                 200 200 200
GET  /games/{game_id}/news                   200 200 200
GET  /news                                   204 200:feed =
POST /play-the-steward                       /games/{new}:games = =
GET  /daily                                  200 200 200
POST /daily                                  /games/{new}:games = =
GET  /daily/{day}                            404 404 404
POST /seals                                  401 200:seals =
GET  /operator                               401 401 401
GET  /operator/open/{secret}                 410 410 410
POST /operator/open/{secret}                 410 410 410
POST /operator/leave                         / / /
POST /operator/dead-letters                  401 401 401
POST /operator/addresses                     401 401 401
POST /operator/messages                      401 401 401
GET  /operator/players                       401 401 401
GET  /operator/players/{player_id}           401 401 401
POST /operator/players/{player_id}           401 401 401
GET  /operator/games                         401 401 401
GET  /operator/games/{game_id}               401 401 401
POST /operator/games/{game_id}               401 401 401
GET  /operator/log                           401 401 401
GET  /judge                                  200 200 200
GET  /replay                                 200 200 200
POST /replay                                 422 422 422
GET  /docs                                   200 200 200
GET  /rules                                  200 200 200
GET  /docs/{name}                            404 404 404
GET  /docs/api/{name}                        404 404 404
GET  /docs/console                           200 200 200
GET  /help                                   200 200 200
GET  /learn/{number}                         404 404 404
GET  /puzzles                                200 200 200
GET  /puzzles/{seed}                         404 404 404
GET  /help/{name}                            404 404 404
GET  /openapi.yaml                           200 200 200
GET  /openapi.json                           200 200 200
GET  /healthz                                200 200 200
GET  /readyz                                 200 200 200
GET  /metrics                                200 200 200
"""

FORM: Final = {"email": "a@b.example", "name": "bot", "scopes": "account"}
FORMS: Final[dict[str, dict[str, str]]] = {
    "/account/channels": {"type": "webhook", "url": "https://hooks.example.org/new"},
    "/players/{player_id}/block": {"blocked": "yes"},
    "/account/presence": {"shown": "live"},
    "/account/archive": {"archive": "named"},
    "/account/face": {"clan": "G", "cloth": "R", "figure": "stag"},
    "/account/time-off": {"zone": "Asia/Kathmandu"},
    "/account/time-off/vacations": {"first": "2026-12-24", "last": "2026-12-26"},
    "/account/time-off/by-itself": {"by_itself": "on"},
    "/games/{game_id}/turns": {"version": "2"},
    "/games/{game_id}/mail": {"delivery": "off"},
    "/games/page-sign": {"sign": "here"},
    "/games/{game_id}/page-sign": {"sign": "here"},
    "/page-sign": {"sign": "here"},
    "/games/{game_id}/messages": {"text": "Well played!"},
    "/sign-out": {"sure": "yes"},
    "/games/{game_id}/note": {"note": "She keeps the blue nine."},
    "/games/{game_id}/orders": {"claim_proved": "on"},
    "/games/{game_id}/time": {"days": "1", "version": "2"},
}
QUERIES: Final = {"GET /v1/players": "?name=Ada"}
ROLES: Final = ("nobody", "spectator", "opponent", "owner", "narrow", "revoked")

NEEDED, ENDED = "/sign-in?why=needed", "/sign-in?why=ended"

REASONS: Final = {"narrow": "insufficient-scope", "revoked": "unauthenticated"}


class Row(NamedTuple):
    """A line of the table for the API."""

    method: str
    rule: str
    game: str
    scope: str
    statuses: list[int]


class Page(NamedTuple):
    """A line of the table for pages."""

    method: str
    rule: str
    nobody: str
    stranger: str
    owner: str


def rows() -> list[Row]:
    lines = [line.split() for line in TABLE.strip().splitlines()]
    return [Row(*line[:4], [int(status) for status in line[4:]]) for line in lines]  # type: ignore[call-arg]


def pages() -> list[Page]:
    found = []
    for line in PAGES.strip().splitlines():
        method, rule, nobody, stranger, owner = line.split()
        nobody = NEEDED if nobody == "sign-in" else nobody
        stranger = nobody if stranger == "=" else stranger
        found.append(Page(method, rule, nobody, stranger, stranger if owner == "=" else owner))
    return found


class Worlds:
    """Each kind of world, made once and put back after each question that has changed it."""

    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self._made: dict[str, tuple[World, StoredState]] = {}
        self._untouched: tuple[str, Flask, World] | None = None

    def put(self, game: str) -> tuple[Flask, World]:
        """Such a world, and a server that was started after the last change."""
        if self._untouched is None or self._untouched[0] != game:
            self._untouched = (game, *self._put(game))
        _, app, world = self._untouched
        return app, world

    def has_changed(self) -> None:
        """Put the world back before the next question."""
        self._untouched = None

    def _put(self, game: str) -> tuple[Flask, World]:
        self.redis.flushall()
        app = create_app(settings(), self.redis, Clock())
        if game not in self._made:
            world = World(app.test_client(), game)
            self._made[game] = world, StoredState.of(self.redis)
            app = create_app(settings(), self.redis, Clock())
        world, stored = self._made[game]
        stored.put_back(self.redis)
        return app, world.through(app.test_client())


@pytest.fixture(scope="module")
def worlds(redis_server: SocketServer) -> Iterator[Worlds]:
    # One process need not wait until others know of a revocation.
    with pytest.MonkeyPatch.context() as patch, connect(redis_server.url) as redis:
        patch.setattr(tokens, "ACCESS_CACHE_SECONDS", 0.0)
        yield Worlds(redis)


def ask(world: World, row: Row, role: str) -> TestResponse:
    token = world.token(role, row.scope)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = BODIES.get(f"{row.method} {row.rule}")
    options = {} if row.method in ("GET", "DELETE") else {"json": body(world) if body else {}}
    path = row.rule.format(**world.ids) + QUERIES.get(f"{row.method} {row.rule}", "")
    return world.client.open(path, method=row.method, headers=headers, buffered=True, **options)


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.method} {row.rule} {row.game}")
def test_each_endpoint_answers_each_role_as_the_table_says(worlds: Worlds, row: Row) -> None:
    answers = {}
    for role in ROLES:
        answers[role] = ask(worlds.put(row.game)[1], row, role)
        if row.method != "GET" and answers[role].status_code < 400:
            worlds.has_changed()
        check_answer(answers[role], row.rule, row.method)
    statuses = {role: answer.status_code for role, answer in answers.items()}
    assert statuses == dict(zip(ROLES, row.statuses, strict=True))
    if row.scope != "-":
        for role, reason in REASONS.items():
            assert answers[role].json["code"] == reason, role


@pytest.mark.parametrize("page", pages(), ids=lambda page: f"{page.method} {page.rule}")
def test_each_page_answers_each_browser_as_the_table_says(worlds: Worlds, page: Page) -> None:
    expected = {
        "nobody": page.nobody,
        "revoked": page.nobody.replace(NEEDED, ENDED),
        "spectator": page.stranger,
        "owner": page.owner,
    }
    for browser, answer in expected.items():
        assert visit(worlds, page, browser, answer.partition(":")[2]) == answer, browser


def visit(worlds: Worlds, page: Page, browser: str, kind: str) -> str:
    """How this browser is answered, as the table says it. `kind` is a kind of key to look for."""
    app, world = worlds.put("theirs" if "{challenge_id}" in page.rule else "public")
    ids = {
        **world.ids,
        **dict.fromkeys(("secret", "token", "code", "mail_id", "name", "seed", "day"), "none"),
        "language": "en",
    }
    client = app.test_client()
    cookie = "scos_revoked"
    if browser in ("owner", "spectator"):
        player: Person = getattr(world, browser)
        cookie = app.extensions[EXTENSION].tokens.open_session(player.id, "a browser")
    if browser != "nobody":
        client.set_cookie("scottenbury_session", cookie)
    form = {"form": _form_token(client), **FORM, **FORMS.get(page.rule, {})}
    before = StoredState.of(worlds.redis)
    path = page.rule.format(number="7", **ids)
    options = {"data": form} if page.method == "POST" else {}
    answer = client.open(path, method=page.method, buffered=True, **options)
    changed = before.changed(StoredState.of(worlds.redis))
    if changed:
        worlds.has_changed()
    return _shown(answer, path, world) + _kind(changed, kind)


def _shown(answer: TestResponse, path: str, world: World) -> str:
    if answer.status_code != 303:
        return str(answer.status_code)
    led = answer.headers["Location"].removesuffix(f"&next={path}")  # where signing in leads back
    for name, value in world.ids.items():
        led = led.replace(value, f"{{{name}}}")
    return re.sub(r"\b[a-z2-7]{20}\b", "{new}", led)


def _kind(changed: set[str], wanted: str) -> str:
    """What of the store has changed: the kind that is wanted, if it is among it."""
    kinds = {key.rpartition("}:")[2].removeprefix("st:").split(":")[0] for key in changed}
    return f":{wanted if wanted in kinds else ','.join(sorted(kinds))}" if kinds else ""


def _form_token(browser: FlaskClient) -> str:
    return browser.get("/sign-in").text.partition('name="form" value="')[2].partition('"')[0]


def test_every_endpoint_is_in_a_table(app: Flask) -> None:
    written = {(row.method, row.rule) for row in rows()} | {page[:2] for page in pages()}
    assert written == {
        (method, _plain(rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.endpoint.endswith("static")
    }


def _plain(rule: str) -> str:
    """An address as the tables write it: `/games/{game_id}`."""
    return re.sub(r"<(?:[^:>]*:)?([a-z_]+)>", r"{\1}", rule)
