"""Who may do what: each endpoint, asked by everybody who could ask.

- nobody sends no token, and no cookie;
- the spectator is a player who has nothing to do with the game or the account;
- the opponent sits in the owner's game, or was invited to it;
- the owner made the game and is to move; the account is the owner's;
- the narrow token is the owner's too, with every scope but the one that is needed;
- the revoked token was the owner's.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts import tokens
from service.core.redis.client import Client
from service.server.app import create_app
from tests.service.api.world import World
from tests.support.clock import Clock
from tests.support.settings import settings

# method, address, game (if one is in the address), the scope needed,
# and the status for: nobody, spectator, opponent, owner, narrow token, revoked token
TABLE: Final = """
POST   /v1/players                         -        -           201 201 201 201 201 201
GET    /v1/players                         -        games:read  200 200 200 200 403 401
GET    /v1/players/{player_id}             -        games:read  200 200 200 200 403 401
GET    /v1/me                              -        account     401 200 200 200 403 401
PATCH  /v1/me                              -        account     401 200 200 200 403 401
DELETE /v1/me                              -        account     401 204 204 204 403 401
DELETE /v1/me                              -        games:read  401 204 204 204 403 401
DELETE /v1/me                              -        games:play  401 204 204 204 403 401
GET    /v1/me/export                       -        account     401 200 200 200 403 401
GET    /v1/me/export                       -        games:read  401 200 200 200 403 401
GET    /v1/me/answer-addresses             -        account     401 200 200 200 403 401
POST   /v1/me/answer-addresses             -        account     401 201 201 201 403 401
POST   /v1/me/answer-addresses             -        games:read  401 201 201 201 403 401
POST   /v1/me/answer-addresses             -        games:play  401 201 201 201 403 401
DELETE /v1/me/answer-addresses/{address_id} -       account     401 404 404 204 403 401
DELETE /v1/me/answer-addresses/{address_id} -       games:read  401 404 404 204 403 401
DELETE /v1/me/answer-addresses/{address_id} -       games:play  401 404 404 204 403 401
GET    /v1/me/mail                         -        account     401 200 200 200 403 401
PATCH  /v1/me/mail                         -        account     401 200 200 200 403 401
GET    /v1/me/calendar                     -        account     401 200 200 200 403 401
PUT    /v1/me/calendar                     -        account     401 200 200 200 403 401
PUT    /v1/me/calendar                     -        games:play  401 200 200 200 403 401
GET    /v1/me/stream                      -        games:read  401 200 200 200 403 401
POST   /v1/me/channels - account 401 201 201 201 403 401
POST   /v1/me/channels - games:read 401 201 201 201 403 401
GET    /v1/me/channels - account 401 200 200 200 403 401
GET    /v1/me/channels - games:read 401 200 200 200 403 401
GET    /v1/me/channels/{channel_id} - account 401 404 404 200 403 401
GET    /v1/me/channels/{channel_id} - games:read 401 404 404 200 403 401
PATCH  /v1/me/channels/{channel_id} - account 401 404 404 200 403 401
PATCH  /v1/me/channels/{channel_id} - games:read 401 404 404 200 403 401
DELETE /v1/me/channels/{channel_id} - account 401 404 404 204 403 401
DELETE /v1/me/channels/{channel_id} - games:read 401 404 404 204 403 401
POST   /v1/me/channels/{channel_id}/secret - account 401 404 404 201 403 401
POST   /v1/me/channels/{channel_id}/secret - games:read 401 404 404 201 403 401
POST   /v1/me/channels/{channel_id}/test - account 401 404 404 202 403 401
POST   /v1/me/channels/{channel_id}/test - games:read 401 404 404 202 403 401
GET    /v1/me/channels/{channel_id}/deliveries - account 401 404 404 200 403 401
GET    /v1/me/channels/{channel_id}/deliveries - games:read 401 404 404 200 403 401
POST   {redelivery} - account 401 404 404 404 403 401
POST   {redelivery} - games:read 401 404 404 404 403 401
GET    /v1/me/links                            -        account     401 200 200 200 403 401
GET    /v1/me/links                            -        games:read  401 200 200 200 403 401
POST   /v1/me/links                            -        account     401 201 201 201 403 401
POST   /v1/me/links                            -        games:read  401 201 201 201 403 401
DELETE /v1/me/links                            -        account     401 204 204 204 403 401
DELETE /v1/me/links                            -        games:read  401 204 204 204 403 401
POST   /v1/me/tokens                       -        account     401 201 201 201 403 401
GET    /v1/me/tokens                       -        account     401 200 200 200 403 401
DELETE /v1/me/tokens                       -        account     401 204 204 204 403 401
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
GET    /v1/games/{game_id}/proofs          public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/proofs          private  games:read  401 404 200 200 403 401
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
GET    /v1/editions                        -        -           200 200 200 200 200 200
GET    /v1/bots                            -        -           200 200 200 200 200 200
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
GET    /v1/games/{game_id}/abandonment     public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/abandonment     private  games:read  401 404 200 200 403 401
POST   /v1/games/{game_id}/abandonment     public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/abandonment     private  games:play  401 404 200 200 403 401
DELETE /v1/games/{game_id}/abandonment     public   games:play  401 403 200 200 403 401
DELETE /v1/games/{game_id}/abandonment     private  games:play  401 404 200 200 403 401
GET    /v1/games/{game_id}/pause           public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/pause           private  games:read  401 404 200 200 403 401
POST   /v1/games/{game_id}/pause           public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/pause           private  games:play  401 404 200 200 403 401
DELETE /v1/games/{game_id}/pause           public   games:play  401 403 200 200 403 401
DELETE /v1/games/{game_id}/pause           private  games:play  401 404 200 200 403 401
POST   /v1/games/{game_id}/resumption      public   games:play  401 403 409 409 403 401
POST   /v1/games/{game_id}/resumption      private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/time            public   games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/time            private  games:play  401 404 200 200 403 401
POST   /v1/games/{game_id}/time-out        public   games:play  401 403 409 409 403 401
POST   /v1/games/{game_id}/time-out        private  games:play  401 404 409 409 403 401
POST   /v1/games/{game_id}/rematch         over     games:play  401 403 200 200 403 401
POST   /v1/games/{game_id}/rematch         private  games:play  401 404 409 409 403 401
GET    /v1/games/{game_id}/orders          public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/orders          private  games:read  401 404 200 200 403 401
PUT    /v1/games/{game_id}/orders          public   games:play  401 403 200 200 403 401
PUT    /v1/games/{game_id}/orders          private  games:play  401 404 200 200 403 401
DELETE /v1/games/{game_id}/orders          public   games:play  401 403 204 204 403 401
DELETE /v1/games/{game_id}/orders          private  games:play  401 404 204 204 403 401
GET    /v1/games/{game_id}/mail            public   games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/mail            private  games:read  401 404 200 200 403 401
PUT    /v1/games/{game_id}/mail            public   games:play  401 403 200 200 403 401
PUT    /v1/games/{game_id}/mail            private  games:play  401 404 200 200 403 401
GET    /v1/me/messages                     -        account     401 200 200 200 403 401
PATCH  /v1/me/messages                     -        account     401 200 200 200 403 401
GET    /v1/games/{game_id}/messages         public  games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/messages         private games:read  401 404 200 200 403 401
POST   /v1/games/{game_id}/messages         public  games:play  401 403 201 201 403 401
POST   /v1/games/{game_id}/messages         private games:play  401 404 201 201 403 401
PATCH  /v1/games/{game_id}/messages         public  games:play  401 403 200 200 403 401
PATCH  /v1/games/{game_id}/messages         private games:play  401 404 200 200 403 401
PUT    /v1/games/{game_id}/messages/read    public  games:play  401 403 204 204 403 401
PUT    /v1/games/{game_id}/messages/read    private games:play  401 404 204 204 403 401
POST   /v1/games/{game_id}/messages/reports public  games:play  401 403 404 404 403 401
POST   /v1/games/{game_id}/messages/reports private games:play  401 404 404 404 403 401
GET    /v1/games/{game_id}/note             public  games:read  401 403 200 200 403 401
GET    /v1/games/{game_id}/note             private games:read  401 404 200 200 403 401
PUT    /v1/games/{game_id}/note             public  games:play  401 403 200 200 403 401
PUT    /v1/games/{game_id}/note             private games:play  401 404 200 200 403 401
PUT    /v1/games/{game_id}/mail            over     games:play  401 403 409 409 403 401
"""

# method, address, and the status for: nobody, a browser that is signed in, one whose session was
# revoked; what all of them may do, the forms' own tokens aside, is in tests/web
PAGES: Final = """
GET  /                                     200 200 200
GET  /games/list                           401 200 401
GET  /games/finished                       303 200 303
GET  /games/new                            200 200 200
POST /games/new                            422 422 422
GET  /lobby                                200 200 200
POST /lobby/{game_id}/join                 409 409 409
POST /invitations/{game_id}/accept         303 409 303
POST /invitations/{game_id}/end            303 409 303
GET  /challenges/{challenge_id}            303 200 303
POST /challenges/{challenge_id}/accept     303 303 303
POST /challenges/{challenge_id}/decline    303 303 303
POST /challenges/{challenge_id}/withdraw   303 403 303
POST /challenges/{challenge_id}/notice     303 303 303
POST /challenges/{challenge_id}/counter-offer 303 422 303
GET  /players/{player_id}                  200 200 200
GET  /account                              303 200 303
GET  /account/channels                     303 200 303
POST /account/channels                     303 422 303
GET  /account/channels/{channel_id}        303 200 303
POST /account/channels/{channel_id}        303 303 303
POST /account/channels/{channel_id}/switch 303 303 303
POST /account/channels/{channel_id}/test   303 303 303
POST /account/channels/{channel_id}/secret 303 200 303
POST /account/channels/{channel_id}/delete 303 303 303
POST /account/channels/{channel_id}/deliveries/{delivery_id}/again 303 404 303
POST /account/links                        303 303 303
POST /account/links/end                    303 303 303
GET  /push-worker.js                       200 200 200
GET  /manifest.webmanifest                 200 200 200
GET  /icons/{name}.png                     404 404 404
GET  /preview.png                          200 200 200
GET  /calendar/{secret}.ics                404 404 404
GET  /turns/{secret}.atom                  404 404 404
GET  /account/devices                      303 200 303
POST /account/devices/link                 303 200 303
POST /account/devices/link/revoke          303 303 303
POST /account/devices/{token_id}/end       303 303 303
GET  /open                                 200 200 200
GET  /open/{code}                          410 410 410
POST /open/{code}                          410 410 410
POST /account/name                         303 303 303
POST /account/mails                        303 422 303
POST /account/export                       303 200 303
GET  /account/delete                       303 200 303
POST /account/delete                       303 200 303
GET  /account/tokens                       303 200 303
GET  /account/time-off                     303 200 303
POST /account/time-off                     303 422 303
POST /account/time-off/vacations           303 422 303
POST /account/time-off/vacations/end       303 303 303
POST /account/time-off/by-itself           303 303 303
POST /account/tokens                       303 200 303
POST /account/tokens/{token_id}/revoke     303 303 303
POST /account/tokens/revoke-others         303 303 303
POST /account/address                      303 303 303
POST /account/answer-addresses             303 303 303
POST /account/answer-addresses/{address_id}/remove 303 303 303
GET  /sign-in                              200 200 200
POST /sign-in                              200 200 200
GET  /sign-in/{secret}                     410 410 410
POST /sign-in/{secret}                     410 410 410
POST /sign-out                             303 303 303
GET  /verify/{token}                       410 410 410
POST /verify/{token}                       410 410 410
GET  /unsubscribe/{token}                  404 404 404
POST /unsubscribe/{token}                  404 404 404
GET  /mailbox                              200 200 200
GET  /mailbox/{mail_id}                    404 404 404
GET  /mailbox/html/{mail_id}               404 404 404
GET  /games/{game_id}                      200 200 200
POST /games/{game_id}/turns                403 409 403
POST /games/{game_id}/seat                 409 409 409
GET  /games/{game_id}/preview.png          404 404 404
POST /games/{game_id}/hints                422 422 422
POST /games/{game_id}/telling              303 303 303
GET  /games/{game_id}/resign               303 200 303
POST /games/{game_id}/resign               303 412 303
GET  /games/{game_id}/abandon              303 200 303
POST /games/{game_id}/abandon              303 412 303
POST /games/{game_id}/keep-playing         303 303 303
GET  /games/{game_id}/call-off             303 200 303
POST /games/{game_id}/call-off             303 409 303
POST /games/{game_id}/rematch              303 409 303
POST /games/{game_id}/mail                 303 303 303
GET  /games/{game_id}/time                 303 422 303
POST /games/{game_id}/time                 303 422 303
POST /games/{game_id}/time-out             303 409 303
POST /games/{game_id}/pause                303 303 303
POST /games/{game_id}/pause/withdrawal     303 303 303
POST /games/{game_id}/resumption           303 409 303
GET  /games/{game_id}/messages             303 200 303
POST /games/{game_id}/messages             303 422 303
POST /games/{game_id}/messages/read        303 404 303
POST /games/{game_id}/messages/wanted      303 303 303
GET  /games/{game_id}/messages/{number}/report 303 404 303
POST /games/{game_id}/messages/{number}/report 303 404 303
POST /games/{game_id}/note                 303 303 303
POST /account/messages                     303 303 303
GET  /games/{game_id}/orders               303 200 303
POST /games/{game_id}/orders               303 303 303
POST /games/{game_id}/orders/plan          303 422 303
POST /games/{game_id}/orders/plan/withdrawal 303 303 303
POST /mail-in                              404 404 404
GET  /games/{game_id}/record               200 200 200
GET  /games/{game_id}/news                 200 200 200
GET  /news                                  204 200 204
POST /play-the-steward                     303 303 303
POST /seals                                401 200 401
GET  /operator                             401 401 401
GET  /operator/open/{secret}               410 410 410
POST /operator/open/{secret}               410 410 410
POST /operator/leave                       303 303 303
POST /operator/dead-letters                401 401 401
POST /operator/addresses                   401 401 401
POST /operator/messages                    401 401 401
GET  /judge                                200 200 200
GET  /replay                               200 200 200
POST /replay                               422 422 422
GET  /docs                                 200 200 200
GET  /rules                                200 200 200
GET  /docs/problems                        200 200 200
GET  /openapi.yaml                         200 200 200
GET  /healthz                              200 200 200
GET  /readyz                               200 200 200
GET  /metrics                              200 200 200
"""

BODIES: Final[dict[str, Callable[[World], Any]]] = {
    "POST /v1/players": lambda world: {"name": "Zed"},
    "PATCH /v1/me": lambda world: {"name": "Zed"},
    "POST /v1/me/answer-addresses": lambda world: {"email": "further@example.org"},
    "PATCH /v1/me/mail": lambda world: {"delivery": "digest"},
    "PUT /v1/games/{game_id}/mail": lambda world: {"delivery": "off"},
    "PATCH /v1/me/messages": lambda world: {"wanted": False},
    "PATCH /v1/games/{game_id}/messages": lambda world: {"wanted": False},
    "POST /v1/games/{game_id}/messages": lambda world: {"text": "Well played!"},
    "PUT /v1/games/{game_id}/messages/read": lambda world: {"number": 1},
    "POST /v1/games/{game_id}/messages/reports": lambda world: {"number": 1},
    "PUT /v1/games/{game_id}/note": lambda world: {"text": "She keeps the blue nine."},
    "POST /v1/me/channels": lambda world: {"webhook": {"url": "https://hooks.example.org/"}},
    "PATCH /v1/me/channels/{channel_id}": lambda world: {"fallback": True},
    "POST /v1/me/tokens": lambda world: {"name": "bot", "scopes": ["account"]},
    "POST /v1/challenges": lambda world: {"player": world.spectator.id},
    "POST /v1/games/{game_id}/moves": lambda world: world.move(),
    "POST /v1/games/{game_id}/turns": lambda world: {"actions": world.legal()[:1]},
    "POST /v1/games/{game_id}/claims": lambda world: {"stone": 1},
    "PUT /v1/me/calendar": lambda world: {"zone": "Asia/Kathmandu"},
    "POST /v1/games/{game_id}/time": lambda world: {"days": 1},
}
QUERIES: Final = {"GET /v1/players": "?name=Ada"}
ROLES: Final = ("nobody", "spectator", "opponent", "owner", "narrow", "revoked")

REASONS: Final = {
    "narrow": "insufficient-scope",
    "revoked": "unauthenticated",
}

_REDELIVERY: Final = "/v1/me/channels/{channel_id}/deliveries/{delivery_id}/redelivery"


class Row(NamedTuple):
    """A line of the table for the API."""

    method: str
    rule: str
    game: str
    scope: str
    statuses: list[int]


def rows() -> list[Row]:
    table = TABLE.replace("{redelivery}", _REDELIVERY)
    lines = [line.split() for line in table.strip().splitlines()]
    return [Row(*line[:4], [int(status) for status in line[4:]]) for line in lines]  # type: ignore[call-arg]


def pages() -> list[tuple[str, str, list[int]]]:
    lines = [line.split() for line in PAGES.strip().splitlines()]
    return [(line[0], line[1], [int(status) for status in line[2:]]) for line in lines]


@pytest.fixture
def app(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Flask:
    # One process need not wait until others know of a revocation.
    monkeypatch.setattr(tokens, "ACCESS_CACHE_SECONDS", 0.0)
    return create_app(settings(), redis, Clock())


def ask(world: World, row: Row, role: str) -> TestResponse:
    token = world.token(role, row.scope)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = BODIES.get(f"{row.method} {row.rule}")
    options = {} if row.method in ("GET", "DELETE") else {"json": body(world) if body else {}}
    path = row.rule.format(**world.ids) + QUERIES.get(f"{row.method} {row.rule}", "")
    return world.client.open(path, method=row.method, headers=headers, **options)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.method} {row.rule} {row.game}")
def test_each_endpoint_answers_each_role_as_the_table_says(
    client: FlaskClient, row: Row, role: Any
) -> None:
    answer = ask(World(client, row.game), row, role)
    assert answer.status_code == row.statuses[ROLES.index(role)], answer.text
    if row.scope != "-" and role in REASONS:
        assert answer.json["code"] == REASONS[role]


@pytest.mark.parametrize(("method", "path", "statuses"), pages())
def test_each_page_answers_each_browser_as_the_table_says(
    client: FlaskClient, app: Flask, container: Any, method: str, path: str, statuses: list[int]
) -> None:
    world = World(client, "theirs" if "{challenge_id}" in path else "public")
    path = path.format(
        secret="none", token="none", code="none", mail_id="none@x", number="7", **world.ids
    )
    session = container.tokens.open_session(world.owner.id, "a browser")
    for cookie, status in zip((None, session, "scos_revoked"), statuses, strict=True):
        browser = app.test_client()
        if cookie:
            browser.set_cookie("scottenbury_session", cookie)
        form = {"email": "a@b.example", "name": "bot", "scopes": "account"}
        if method == "POST":
            form["form"] = _form_token(browser)
        options = {"data": form} if method == "POST" else {}
        assert browser.open(path, method=method, **options).status_code == status


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
