"""/v1/me/channels: adding, changing, testing and deleting channels."""

from typing import Any

import pytest

from service.accounts.channels import CHANNEL_GROUPS
from service.accounts.channels.deliveries import ChannelDelivery, notice_of
from service.accounts.channels.store import MAX_CHANNELS
from service.container import Container
from service.core.errors import RequestRejected
from service.core.network import read_allowed
from service.core.redis.client import Client
from service.eventlog import parse_notice_id
from service.server.app import create_app
from tests.support.channels import take_test
from tests.support.clock import Clock
from tests.support.people import Person, code
from tests.support.settings import settings

URL = "https://hooks.example.org/hushhush-a"
WEBHOOK = {"webhook": {"url": URL}}
TARGETS: dict[str, dict[str, str]] = {
    "webhook": {"url": URL},
    "ntfy": {"url": "https://ntfy.example.org", "topic": "hushhush-a", "token": "tk_hushhush-a"},
    "gotify": {"url": "https://gotify.example.org/sub", "token": "hushhush-a.1"},
    "telegram": {"token": "123456789:" + "hushhush-a" * 3 + "ab", "chat": "-1001234567"},
    "discord": {"url": "https://discord.com/api/webhooks/123456/hushhush-a"},
    "slack": {"url": "https://hooks.slack.com/services/T0123/B0123/" + "hushhushab" * 2 + "abcd"},
    "pushover": {"user": "hushhushab" * 3, "token": "a" * 30},
}


def add(person: Person, **more: Any) -> dict[str, Any]:
    answer = person.post("/me/channels", {**WEBHOOK, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json)


class TestAdding:
    def test_a_webhook_shows_its_secret_once(self, ada: Person) -> None:
        made = add(ada, name="my program", groups={"over": False})
        assert made["secret"].startswith("whsec_")
        known = {name: value for name, value in made.items() if name != "secret"}
        assert ada.get("/me/channels").json == {"channels": [known], "push_key": None}
        assert known["leads_to"] == "hooks.example.org"
        assert known["groups"] == {group: group != "over" for group in CHANNEL_GROUPS}
        assert (known["state"], known["trouble"], known["fallback"]) == ("working", None, False)

    @pytest.mark.parametrize("kind", TARGETS)
    def test_no_answer_shows_where_a_channel_leads(self, ada: Person, kind: str) -> None:
        answer = ada.post("/me/channels", {kind: TARGETS[kind]})
        assert answer.status_code == 201, answer.text
        assert (answer.json["type"], answer.json["name"]) != ("", "")
        for text in (answer.text, ada.get("/me/channels").text, ada.get("/me/export").text):
            assert "hushhush" not in text

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {**WEBHOOK, "ntfy": TARGETS["ntfy"]},
            {"webhook": {}},
            {"webhook": {"url": URL, "secret": "x"}},
            {"webhook": {"url": "http://hooks.example.org/"}},
            {"webhook": {"url": "https://127.1/"}},
            {"webhook": {"url": "https://2130706433/"}},
            {"webhook": {"url": "https://ada:word@hooks.example.org/"}},
            {"webhook": {"url": f"https://hooks.example.org/{'a' * 2000}"}},
            {"ntfy": {**TARGETS["ntfy"], "url": "http://ntfy.lan"}},
            {"ntfy": {**TARGETS["ntfy"], "topic": "../admin"}},
            {"gotify": {**TARGETS["gotify"], "token": "a b"}},
            {"telegram": {**TARGETS["telegram"], "chat": "1/../2"}},
            {"discord": {"url": "https://discord.com.example.org/api/webhooks/1/a"}},
            {"discord": {"url": "https://discord.com/api/webhooks/1/../../a"}},
            {"slack": {"url": "https://hooks.slack.com/services/T1/B1/short"}},
            {"pushover": {"user": "short", "token": "a" * 30}},
            {**WEBHOOK, "groups": {"everything": True}},
            {**WEBHOOK, "fallback": "yes"},
            {**WEBHOOK, "name": ""},
        ],
    )
    def test_what_leads_nowhere_is_refused(self, ada: Person, body: dict[str, Any]) -> None:
        assert code(ada.post("/me/channels", body)) == "validation-failed"
        assert ada.get("/me/channels").json["channels"] == []

    def test_a_player_has_so_many_channels_at_most(self, ada: Person, bob: Person) -> None:
        for _ in range(MAX_CHANNELS):
            add(ada)
        assert code(ada.post("/me/channels", WEBHOOK)) == "too-many-channels"
        assert len(ada.get("/me/channels").json["channels"]) == MAX_CHANNELS
        add(bob)

    def test_push_is_refused_where_nobody_could_be_written_to(self, ada: Person) -> None:
        push = {"endpoint": "https://push.example.org/1", "p256dh": "A" * 87, "auth": "A" * 22}
        assert code(ada.post("/me/channels", {"push": push})) == "push-not-available"


class TestChanging:
    def test_what_is_not_named_stays(self, ada: Person) -> None:
        made = add(ada)
        path = f"/me/channels/{made['id']}"
        game = "onrw65dumvxhs5dporxw"
        ada.patch(path, {"groups": {"turn": False}})
        ada.patch(path, {"fallback": True, "games_off": [game, game]})
        changed = ada.patch(path, {"name": "the other"}).json
        expected = {
            "name": "the other",
            "fallback": True,
            "games_off": [game],
            "groups": {group: group != "turn" for group in CHANNEL_GROUPS},
        }
        assert changed == {**{k: v for k, v in made.items() if k != "secret"}, **expected}

    def test_a_new_one_gets_a_test(self, ada: Person, container: Container) -> None:
        made = add(ada)
        (notice,) = container.log.outbox.pending()
        assert parse_notice_id(notice.id)[2:] == (ada.id, f"webhook-{made['id']}", "test")

    def test_games_are_left_out_from_the_beginning(self, ada: Person) -> None:
        game = "onrw65dumvxhs5dporxw"
        assert add(ada, games_off=[game, game])["games_off"] == [game]
        answer = ada.post("/me/channels", {**WEBHOOK, "games_off": ["../x"]})
        assert code(answer) == "validation-failed"

    def test_it_is_turned_off_and_on(self, ada: Person, container: Container) -> None:
        made = add(ada)
        take_test(container, ada.id, made["id"])
        path = f"/me/channels/{made['id']}"
        off = ada.patch(path, {"on": False}).json
        assert (off["state"], off["trouble"]["why"]) == ("off", "you turned it off")
        assert ada.patch(path, {"on": True}).json["state"] == "working"

    def test_a_deleted_channel_goes_with_what_was_sent_and_does_not_come_back(
        self, ada: Person, container: Container
    ) -> None:
        made = add(ada)
        container.channels.record_reached(ada.id, made["id"])
        assert ada.delete(f"/me/channels/{made['id']}").status_code == 204
        assert code(ada.delete(f"/me/channels/{made['id']}")) == "channel-not-found"
        assert not container.redis.keys("st:{*}:channels")

        ada.delete(f"/me/channels/{made['id']}")
        container.channels.record_reached(ada.id, made["id"])
        container.channels.turn_off(ada.id, made["id"], "it answered 410")
        assert ada.get("/me/channels").json["channels"] == []


class TestRequests:
    """What players ask for on the pages."""

    def test_a_test_is_a_notice_of_its_own(self, ada: Person, container: Container) -> None:
        made = add(ada)
        take_test(container, ada.id, made["id"])
        asked = container.channels.request_test(ada.id, made["id"])
        (notice,) = container.log.outbox.pending()
        assert (notice.id, notice.due) == (asked, ada.clock.time)
        assert parse_notice_id(notice.id)[2:] == (ada.id, f"webhook-{made['id']}", "test")

    def test_what_was_never_sent_is_not_sent_again(self, ada: Person, container: Container) -> None:
        channel = add(ada)["id"]
        take_test(container, ada.id, channel)
        never = notice_of(f"{ada.id}_1_{ada.id}_webhook-{channel}_test")
        with pytest.raises(RequestRejected) as refused:
            container.channels.request_again(ada.id, channel, never)
        assert refused.value.code == "delivery-not-found"
        assert list(container.log.outbox.pending()) == []

    def test_a_new_secret_takes_the_place_of_the_one_before(self, ada: Person) -> None:
        made = add(ada)
        renewed = ada.container.channels.renew_secret(ada.id, made["id"])
        assert renewed != made["secret"]
        assert ada.container.channels.renew_secret(ada.id, made["id"]) != renewed


@pytest.fixture
def eve(redis: Client, clock: Clock) -> Person:
    """A player of a server whose operator has said more."""
    said = settings(allowed_egress=read_allowed("ntfy.lan:8080"), contact="mailto:ada@example.org")
    return Person(create_app(said, redis, clock).test_client(), "Eve")


class TestWhatTheOperatorHasSaid:
    def test_their_own_hosts_can_be_named(self, eve: Person) -> None:
        target = {"url": "http://ntfy.lan:8080", "topic": "games"}
        assert eve.post("/me/channels", {"ntfy": target}).status_code == 201

    def test_with_a_contact_there_is_push(self, eve: Person) -> None:
        push = {"endpoint": "https://push.example.org/1", "p256dh": "A" * 87, "auth": "A" * 22}
        made = eve.post("/me/channels", {"push": push})
        assert made.status_code == 201, made.text
        assert (made.json["secret"], made.json["leads_to"]) == (None, "push.example.org")
        assert len(eve.get("/me/channels").json["push_key"]) == 87


def test_an_account_that_is_closed_leaves_no_channel(ada: Person, container: Container) -> None:
    channel = add(ada)["id"]
    sent = ChannelDelivery("n", "turn", "g", 1, 1, "delivered")
    container.delivery_log.record(ada.id, channel, sent)
    container.channels.request_test(ada.id, channel)
    ada.delete("/me")
    left = [key for key in container.redis.keys("*") if ada.id in key]
    assert not [key for key in left if "channel" in key or "deliver" in key or "told" in key]
