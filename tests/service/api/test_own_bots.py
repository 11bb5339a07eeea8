"""Bots of a player: programs that play under a name of their own, shown as bots of their owner."""

import uuid
from copy import copy

import pytest
from flask.testing import FlaskClient

from service.accounts.registration import MOST_BOTS
from service.container import Container
from service.core.ids import is_owned_bot
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.settings import settings
from tests.support.stored_state import stored_text


def bot_of(owner: Person, name: str = "Deep") -> Person:
    made = owner.post("/me/bots", {"name": name})
    assert made.status_code == 201, made.json
    bot = copy(owner)
    bot.id, bot.token = made.json["id"], made.json["token"]
    return bot


def test_a_bot_is_shown_as_one_of_its_owner(ada: Person, bob: Person) -> None:
    made = ada.post("/me/bots", {"name": "Deep"})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert made.json["name"] == "Deep (bot)"
    profile = bob.get(f"/players/{made.json['id']}").json
    assert profile["bot"] is True
    assert profile["owner"] == {"id": ada.id, "name": "Ada", "bot": False}
    public = profile.keys() - {"games", "ratings", "head_to_head"}
    assert ada.get("/me/bots").json["bots"] == [{key: profile[key] for key in public}]
    assert bob.get("/players?name=deep").json["players"] == ada.get("/me/bots").json["bots"]


def test_people_and_the_servers_bots_have_no_owner(ada: Person) -> None:
    person = ada.get(f"/players/{ada.id}").json
    server = ada.get(f"/players/{ada.get('/bots').json['bots'][0]['player']['id']}").json
    assert (person["bot"], person["owner"]) == (False, None)
    assert (server["bot"], server["owner"]) == (True, None)


def test_a_game_shows_who_is_a_bot(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    seats = Started(bot, bob).view()["players"]
    assert seats["north"] == {"id": bot.id, "name": "Deep (bot)", "bot": True}
    assert seats["south"] == {"id": bob.id, "name": "Bob", "bot": False}


def test_a_repeated_registration_gives_the_same_bot_and_token(ada: Person) -> None:
    def register() -> object:
        return ada.post("/me/bots", {"name": "Deep"}, headers={"Idempotency-Key": key}).json

    key = str(uuid.UUID(int=0x5F0C2E8A9B1D4C378A7E6D5C4B3A2918))
    first = register()
    assert register() == first
    assert len(ada.get("/me/bots").json["bots"]) == 1


def test_the_tenth_bot_is_the_last_and_an_ended_one_makes_room(ada: Person) -> None:
    bots = [bot_of(ada, f"Deep {number}") for number in range(MOST_BOTS)]
    assert code(ada.post("/me/bots", {"name": "Further"})) == "too-many-bots"
    assert ada.delete(f"/me/bots/{bots[0].id}").status_code == 204
    assert ada.post("/me/bots", {"name": "Further"}).status_code == 201


def test_an_ended_bot_resigns_and_is_gone(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    game = Started(bot, bob)
    assert ada.delete(f"/me/bots/{bot.id}").status_code == 204
    assert bob.get(f"/games/{game.id}").json["winner"] == "south"
    assert code(bob.get(f"/players/{bot.id}")) == "player-not-found"
    assert code(bot.get("/me")) == "unauthenticated"
    assert code(ada.delete(f"/me/bots/{bot.id}")) == "player-not-found"


def test_a_bot_that_leaves_is_no_longer_listed(ada: Person) -> None:
    assert bot_of(ada).delete("/me").status_code == 204
    assert ada.get("/me/bots").json == {"bots": []}


def test_an_owner_who_leaves_takes_the_bots_along(ada: Person, redis: Client) -> None:
    bot = bot_of(ada)
    assert ada.delete("/me").status_code == 204
    assert code(bot.get("/me")) == "unauthenticated"
    assert "Deep" not in stored_text(redis)


def test_a_new_token_ends_the_former_ones(ada: Person) -> None:
    bot = bot_of(ada)
    former = bot.token
    renewed = ada.post(f"/me/bots/{bot.id}/token")
    assert renewed.status_code == 201
    assert renewed.headers["Cache-Control"] == "no-store"
    assert code(bot.get("/me")) == "unauthenticated"
    bot.token = renewed.json["token"]
    assert bot.token != former
    assert bot.get("/me").json["id"] == bot.id


def test_nobody_else_ends_a_bot_or_takes_its_token(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    assert code(bob.delete(f"/me/bots/{bot.id}")) == "player-not-found"
    assert code(bob.post(f"/me/bots/{bot.id}/token")) == "player-not-found"
    assert code(ada.delete(f"/me/bots/{bob.id}")) == "player-not-found"


def test_a_bot_has_no_address_and_no_bots(ada: Person) -> None:
    bot = bot_of(ada)
    for refused in (
        bot.patch("/me", {"email": "deep@example.org"}),
        bot.post("/me/bots", {"name": "Deeper"}),
    ):
        assert refused.status_code == 403
        assert code(refused) == "not-for-bots"


def test_a_bot_keeps_its_sign_when_it_is_renamed(ada: Person) -> None:
    bot = bot_of(ada)
    assert bot.patch("/me", {"name": "Deeper"}).json["name"] == "Deeper (bot)"
    assert bot.patch("/me", {"name": "Deep" * 10}).json["name"] == "Deep" * 8 + "De (bot)"


@pytest.mark.parametrize("name", ["Deep (bot)", "Deep (B\N{CYRILLIC SMALL LETTER O}T) 2"])
def test_a_person_cannot_bear_the_sign_of_bots(ada: Person, name: str) -> None:
    assert code(ada.patch("/me", {"name": name})) == "name-reserved"


def test_a_suggested_name_is_one_that_a_bot_can_take(ada: Person, bob: Person) -> None:
    bot_of(ada)
    taken = bob.post("/me/bots", {"name": "Deep"}).json
    assert (taken["code"], taken["suggestion"]) == ("name-taken", "Deep 2 (bot)")
    assert bob.post("/me/bots", {"name": taken["suggestion"]}).json["name"] == "Deep 2 (bot)"


def test_who_blocks_the_owner_is_apart_from_the_bots(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    bob.put(f"/me/blocked/{ada.id}", {})
    assert code(bot.post("/challenges", {"player": bob.id})) == "challenges-off"
    assert code(bob.post("/challenges", {"player": bot.id})) == "challenges-off"


def test_who_blocks_a_bot_is_not_apart_from_its_owner(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    bob.put(f"/me/blocked/{bot.id}", {})
    assert code(bot.post("/challenges", {"player": bob.id})) == "challenges-off"
    assert ada.post("/challenges", {"player": bob.id}).status_code == 201


def test_a_closed_server_admits_the_bots_of_its_players(redis: Client, clock: Clock) -> None:
    client = create_app(settings(), redis, clock).test_client()
    ada = Person(client, "Ada")
    closed = create_app(settings(registration="closed"), redis, clock).test_client()
    assert ada.through(closed).post("/me/bots", {"name": "Deep"}).status_code == 201


def test_the_owners_data_hold_the_bots(ada: Person) -> None:
    bot = bot_of(ada)
    assert [each["id"] for each in ada.get("/me/export").json["bots"]] == [bot.id]


def test_the_id_alone_shows_a_players_bot(
    ada: Person, client: FlaskClient, container: Container
) -> None:
    bot = bot_of(ada)
    assert is_owned_bot(bot.id)
    assert not is_owned_bot(ada.id)
    stored = container.players.find(bot.id)
    assert stored is not None
    assert stored.owner == ada.id
