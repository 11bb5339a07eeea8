"""GET, PATCH and DELETE /v1/me, and GET /v1/me/export."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.verify import verify
from service.account_closure import PLAYER_DATA
from service.accounts.email_addresses import AddressVerification
from service.accounts.identities import Identity
from service.accounts.mail_preferences import Subscription, subscription_of
from service.accounts.notice_kinds import CHOICES, KINDS
from service.accounts.tokens import SCOPES
from service.container import Container
from service.core.redis.client import Client
from service.mail_in.outcome import PLAYED
from service.ops.key_snapshots import kind_of
from tests.support.people import Person, Started, code, record_of

ADA = {"name": "Ada", "email": "ada@example.org"}


@pytest.fixture
def mailed(client: FlaskClient) -> Person:
    """A player with an address that is not verified yet."""
    return Person(client, "Ada", email="ada@example.org")


class TestMe:
    def test_a_player_sees_what_they_registered(self, mailed: Person) -> None:
        assert mailed.get("/me").json == {
            "id": mailed.id,
            **ADA,
            "email_verified": False,
            "email_pending": None,
            "language": None,
            "archive": "no",
            "email_problem": None,
            "created_at": "2026-11-21T12:00:00Z",
            "scopes": ["games:read", "games:play", "account"],
            "mails": dict.fromkeys(CHOICES, True),
        }

    def test_an_address_that_mail_does_not_reach_is_told_until_it_is_confirmed_again(
        self, mailed: Person, container: Container
    ) -> None:
        verify_address(container, mailed)
        container.addresses.failing.mark_returned(ADA["email"], "5.1.1 nobody", container.now())
        problem = mailed.get("/me").json["email_problem"]
        remedy = problem.pop("remedy")
        assert problem == {
            "email": ADA["email"],
            "how": "returned",
            "why": "5.1.1 nobody",
            "first_at": "2026-11-21T12:00:00Z",
            "last_at": "2026-11-21T12:00:00Z",
        }
        assert "`PATCH /v1/me`" in remedy
        assert mailed.get("/me/export").json["player"]["email_problem"] is not None

        assert mailed.patch("/me", {"email": ADA["email"]}).json["email_problem"] is not None
        verify_address(container, mailed)
        assert mailed.get("/me").json["email_problem"] is None

    def test_a_new_name_is_shown_in_old_games(self, bob: Person, game: Started) -> None:
        assert game.ada.patch("/me", {"name": " Ada  Lovelace "}).json["name"] == "Ada Lovelace"
        assert bob.get(game.path).json["players"]["north"]["name"] == "Ada Lovelace"

    def test_a_language_is_chosen_from_the_list_and_left_to_the_browser_again(
        self, mailed: Person
    ) -> None:
        assert mailed.patch("/me", {"language": "en"}).json["language"] == "en"
        refused = mailed.patch("/me", {"language": "tlh"})
        assert (refused.status_code, code(refused)) == (422, "validation-failed")
        assert "Must be one of: en, de, fr." in refused.text
        assert mailed.get("/me").json["language"] == "en"
        assert mailed.patch("/me", {"language": None}).json["language"] is None

    def test_a_change_is_taken_back_by_the_address_before(self, mailed: Person) -> None:
        verify_address(mailed.container, mailed)
        mailed.patch("/me", {"email": "ada@example.com"})
        assert mailed.patch("/me", {"email": ADA["email"]}).json["email_pending"] is None
        assert not mailed.container.players.verify(
            AddressVerification(mailed.id, "ada@example.com", 0)
        )

    def test_a_narrow_token_does_not_become_a_wide_one(
        self, mailed: Person, client: FlaskClient, container: Container
    ) -> None:
        verify_address(container, mailed)
        asked = {"name": "narrow", "scopes": ["account"]}
        narrow = mailed.post("/me/tokens", asked).json["token"]
        bearer = {"Authorization": f"Bearer {narrow}"}
        for email in ("eve@example.org", None):
            answer = client.patch("/v1/me", json={"email": email}, headers=bearer)
            assert (answer.status_code, code(answer)) == (403, "insufficient-scope")
        assert code(client.delete("/v1/me", headers=bearer)) == "insufficient-scope"
        moved = {"messages_wanted": False, "mail": {"time_zone": "Asia/Kathmandu"}}
        refused = client.patch("/v1/me/settings", json=moved, headers=bearer)
        assert code(refused) == "insufficient-scope"
        assert mailed.get("/me/settings").json["messages_wanted"] is True
        assert mailed.get("/me/calendar").json["zone"] == "UTC"
        assert client.patch("/v1/me", json={"name": "Countess"}, headers=bearer).status_code == 200
        assert mailed.get("/me").json["email"] == ADA["email"]

    def test_an_address_given_again_stays_verified_and_a_new_one_has_to_be(
        self, mailed: Person, container: Container
    ) -> None:
        verify_address(container, mailed)
        assert mailed.patch("/me", {"email": ADA["email"]}).json["email_verified"]

        assert mailed.get("/me").json["email_verified"]

        changed = mailed.patch("/me", {"email": "ada@example.com"}).json

        assert (changed["email"], changed["email_verified"]) == (ADA["email"], True)
        assert changed["email_pending"] == "ada@example.com"
        assert container.addresses.players_at("ada@example.com") == []
        assert container.players.verify(AddressVerification(mailed.id, "ada@example.com", 0))
        now = mailed.get("/me").json
        assert (now["email"], now["email_verified"]) == ("ada@example.com", True)
        assert now["email_pending"] is None
        assert container.addresses.players_at(ADA["email"]) == []
        assert container.addresses.players_at("ada@example.com") == [mailed.id]

    def test_an_address_can_be_taken_back(self, mailed: Person, container: Container) -> None:
        changed = mailed.patch("/me", {"email": None}).json
        assert (changed["email"], changed["email_verified"]) == (None, False)
        assert container.addresses.players_at(ADA["email"]) == []

    @pytest.mark.parametrize(
        "body", [{}, {"name": None}, {"name": ""}, {"email": "x"}, {"id": "a"}, []]
    )
    def test_what_is_no_change_is_refused(self, mailed: Person, body: Any) -> None:
        before = mailed.get("/me").json
        answer = mailed.patch("/me", body)
        assert (answer.status_code, code(answer)) == (422, "validation-failed")
        assert mailed.get("/me").json == before


class TestMails:
    def test_every_kind_is_on_until_it_is_turned_off(self, ada: Person) -> None:
        assert ada.get("/me").json["mails"] == dict.fromkeys(CHOICES, True)
        changed = ada.patch("/me", {"mails": {"started": False, "over": False}}).json["mails"]
        assert {kind for kind, wanted in changed.items() if not wanted} == {"started", "over"}
        ada.patch("/me", {"mails": {"over": True}})
        assert ada.get("/me").json["mails"] == {**dict.fromkeys(CHOICES, True), "started": False}

    def test_it_is_the_choice_that_mails_go_by(self, ada: Person, container: Container) -> None:
        ada.patch("/me", {"mails": {"turn": False}})
        assert not container.mail_preferences.wanted(Subscription(ada.id, "turn"))
        assert container.mail_preferences.wanted(Subscription(ada.id, "over"))

    @pytest.mark.parametrize("mails", [None, [], {"turn": 1}, {"turn": None}, {"spam": True}])
    def test_what_is_no_choice_is_refused(self, ada: Person, mails: Any) -> None:
        answer = ada.patch("/me", {"mails": mails})
        assert (answer.status_code, code(answer)) == (422, "validation-failed")

    def test_a_refused_change_changes_no_choice(self, ada: Person, bob: Person) -> None:
        assert code(ada.patch("/me", {"name": "Bob", "mails": {"turn": False}})) == "name-taken"
        assert ada.get("/me").json["mails"]["turn"]

    def test_the_kinds_are_those_that_are_sent(self) -> None:
        sent = {name for name, kind in KINDS.items() if kind.is_to_reader} | {PLAYED, "digest"}
        assert set(CHOICES) == {subscription_of("ann", kind).kind for kind in sent}


def _keep_everything(person: Person, other: Person, container: Container) -> None:
    """Make the server keep something of each kind about this player."""
    game = Started(person, other)
    container.registrations.register("Robot", owner=person.id)
    container.answer_addresses.add(person.id, "ada@example.com")
    container.contact_choices.block(person.id, other.id)
    container.contact_choices.set_challenges_off(person.id, off=True)
    container.identities.link(person.id, Identity("https://id.example", "ada"), "ada")
    container.mail_preferences.turn_off(Subscription(person.id, "over"))
    container.mail_preferences.set_choice(person.id, {"delivery": "off"})
    container.mail_signatures.add(person.id, ["countess"])
    container.private_links.renew(person.id)
    container.private_links.renew(person.id)  # which revokes the first
    container.device_links.make(person.id)
    discord = {"url": "https://discord.com/api/webhooks/123456/secret-a"}
    person.post("/me/channels", {"discord": discord})
    container.ledger.record_visit(person.id, game.id, 2)
    container.tokens.record_answer(person.id)
    person.put("/me/calendar", {"zone": "Asia/Kathmandu"})
    person.patch(f"{game.path}/settings", {"note": "watch the ends"})
    container.games.conversations.wishes.set_off(person.id, off=True)
    # Last: a request is a visit, which frees the slot of the one mail.
    container.deferred_notices.reserve(person.id, "a notice")
    container.deferred_notices.add(person.id, "a notice")


class TestDeleting:
    def test_all_that_is_kept_about_a_player_is_backed_up_exported_and_deleted_as_declared(
        self, mailed: Person, bob: Person, container: Container
    ) -> None:
        _keep_everything(mailed, bob, container)
        assert [
            data for data in PLAYER_DATA if not container.redis.exists(data.key(mailed.id))
        ] == []
        for data in PLAYER_DATA:
            assert (kind_of(data.key(mailed.id)) is not None) == (data.content is not None), data
            seconds = container.redis.ttl(data.key(mailed.id))
            assert (seconds, data.expires) == (-1, None) or 0 < seconds <= (data.expires or 0), data
        shown = mailed.get("/me/export").json
        told = {name for name, value in shown.items() if value not in (None, [], {})}
        assert {data.exported for data in PLAYER_DATA if data.exported} - told == set()

        assert mailed.delete("/me").status_code == 204
        assert [key for key in container.redis.scan_iter() if mailed.id in key] == []
        assert container.redis.keys("st:identity:*") == []

    def test_nothing_of_the_player_is_left(self, mailed: Person, bob: Person) -> None:
        game = Started(mailed, bob)
        mailed.post("/challenges", {"player": bob.id})
        mailed.put(f"{game.path}/orders", {"claim_proved": True})
        mailed.get("/me/stream")
        mailed.container.answer_addresses.add(mailed.id, "ada@example.com")

        assert mailed.delete("/me").status_code == 204

        assert code(mailed.get("/me")) == "unauthenticated"
        assert [key for key in mailed.container.redis.scan_iter() if mailed.id in key] == []
        assert mailed.container.redis.keys("st:address:*") == []
        assert "Ada" not in bob.get(game.path).text

    def test_no_list_of_games_comes_back_with_a_notice_that_is_late(
        self, ada: Person, bob: Person, game: Started, redis: Client, container: Container
    ) -> None:
        ada.post("/games", {"opponent": {"player": bob.id}})
        ada.get("/me/stream")
        assert ada.delete("/me").status_code == 204
        for game_id in container.log.events.game_ids():
            container.games.index.apply(container.games.load(game_id))  # as the workers do
        assert [key for key in redis.scan_iter() if ada.id in key] == []
        assert len(bob.get("/games").json["games"]) == 1

    def test_a_running_match_is_resigned_to_its_end(self, ada: Person, bob: Person) -> None:
        match = Started(ada, bob, rounds=3)
        ada.delete("/me")
        view = bob.get(match.path).json
        assert (view["status"], view["winner"]) == ("finished", "south")

    def test_a_game_that_has_not_begun_is_called_off(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games").json
        ada.delete("/me")
        assert bob.get(f"/games/{made['id']}").json["status"] == "aborted"

    def test_the_opponents_games_stay_without_the_name(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        ada.delete("/me")
        view = bob.get(game.path).json
        assert view["players"]["north"] == {"id": ada.id, "name": None, "bot": False}
        assert [game["id"] for game in bob.get("/games").json["games"]] == [game.id]

    def test_the_log_stays_sound(self, ada: Person, bob: Person, game: Started) -> None:
        game.play_any()
        before = record_of(bob.get(f"{game.path}/record"))
        ada.delete("/me")
        after = record_of(bob.get(f"{game.path}/record"))
        assert [line["hash"] for line in after][: len(before)] == [line["hash"] for line in before]
        assert verify(after) is None

    def test_no_other_player_is_touched(
        self, ada: Person, bob: Person, client: FlaskClient
    ) -> None:
        namesake = Person(client, "Augusta", email="ada@example.org")
        ada.delete("/me")
        assert namesake.get("/me").json["email"] == "ada@example.org"
        assert bob.get("/me").status_code == 200

    def test_a_registration_sent_again_brings_nobody_back(self, client: FlaskClient) -> None:
        key = {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}
        token = client.post("/v1/players", json=ADA, headers=key).json["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        client.delete("/v1/me", headers=bearer)

        again = client.post("/v1/players", json=ADA, headers=key)

        assert (again.status_code, code(again)) == (409, "idempotency-key-spent")
        assert client.get("/v1/me", headers=bearer).status_code == 401


class TestExport:
    def test_it_holds_all_that_is_stored(self, mailed: Person, bob: Person) -> None:
        made = mailed.post("/me/tokens", {"name": "bot", "scopes": ["games:play"]}).json
        game = Started(mailed, bob)
        asked = bob.post("/challenges", {"player": mailed.id}).json
        given = mailed.put(f"{game.path}/orders", {"claim_proved": True}).json
        further = mailed.container.answer_addresses.add(mailed.id, "ada@example.com")
        exported = mailed.get("/me/export").json

        assert {**exported["player"], "scopes": list(SCOPES)} == mailed.get("/me").json
        assert {token["name"] for token in exported["tokens"]} == {"registration", "bot"}
        assert made["token"] not in str(exported)
        assert exported["challenges"] == [asked]
        assert exported["answer_addresses"] == [
            {
                "id": further.id,
                "email": "ada@example.com",
                "created_at": "2026-11-21T12:00:00Z",
                "verified": False,
            }
        ]
        (own,) = exported["games"]
        assert own == {
            "id": game.id,
            "record": record_of(mailed.get(f"{game.path}/record")),
            "orders": given,
            "messages": [],
            "note": "",
        }

    def test_it_shows_no_cards_of_others(self, ada: Person, bob: Person, game: Started) -> None:
        game.play_any()  # and draws
        assert ada.get("/me/export").json["games"] != bob.get("/me/export").json["games"]

    def test_a_game_one_is_only_invited_to_is_not_ones_own(self, ada: Person, bob: Person) -> None:
        ada.post("/games", {"opponent": {"player": bob.id}})
        assert len(ada.get("/me/export").json["games"]) == 1
        assert bob.get("/me/export").json["games"] == []


def verify_address(container: Container, person: Person) -> None:
    """As the player does by the link in the mail."""
    link = container.addresses.links.url(person.id, ADA["email"], int(container.addresses._now()))
    claim = container.addresses.links.read(link.rpartition("/")[2])
    assert claim is not None
    assert container.players.verify(claim)
