"""Each type of channel against the real other side, as far as that fits into a test."""

import base64
import json
import os
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote_plus

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from standardwebhooks import Webhook, WebhookVerificationError

from service.accounts.channels import Channel, ChannelType
from service.accounts.channels.store import public_key
from service.core.redis.client import Client
from service.eventlog import Notice
from service.eventlog.keys import log_key
from tests.support.channels import working_channel
from tests.support.clock import NOON
from tests.support.receiver import Receiver
from tests.support.settings import settings
from tests.workers.channels.networks import OWN_NETWORK, Heard
from tests.workers.channels.passing import deliver_due
from tests.workers.delivering import deliver
from tests.workers.match import Match
from tests.workers.twin_games import twins
from workers.channels import egress, senders
from workers.context import build_context


def add(match: Match, channel_type: ChannelType, target: Mapping[str, str]) -> Channel:
    return working_channel(match.context.container, match.bob, channel_type, target)


def trouble(match: Match, channel: Channel) -> str | None:
    found = match.context.container.channels.get(match.bob, channel.id).failure
    return found and found.why


class TestWebhook:
    def test_its_signature_is_verified_by_the_library(
        self, match: Match, receiver: Receiver
    ) -> None:
        match = _at_this_time(match)
        channel = add(match, "webhook", {"url": f"{receiver.url}/hook?key=1"})
        secret = match.context.container.channels.secret(match.bob, channel)
        match.play("R4@3")
        deliver_due(match)
        (got,) = receiver.received
        message = Webhook(secret).verify(got.body, dict(got.headers))
        assert message["data"]["game"] == match.id
        assert got.path == "/hook?key=1"
        assert got.headers["webhook-id"].startswith(f"{match.id}_")
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(got.body + b" ", dict(got.headers))
        other = match.context.container.channels.renew_secret(match.bob, channel.id)
        with pytest.raises(WebhookVerificationError):
            Webhook(other).verify(got.body, dict(got.headers))


def _at_this_time(match: Match) -> Match:
    """Receivers refuse what was signed long ago."""
    match.context.container.channels.now.time = time.time()  # type: ignore[attr-defined]
    return match


class TestSelfHosted:
    def test_ntfy_gets_topic_title_text_and_link(self, match: Match, receiver: Receiver) -> None:
        target = {"url": receiver.url, "topic": "stones", "token": "tk_secret"}
        add(match, "ntfy", target)
        match.play("R4@3")
        deliver_due(match)
        (got,) = receiver.received
        assert json.loads(got.body) == {
            "topic": "stones",
            "title": "Your turn: Ann v Bob",
            "message": "Ann played Red 4 on Stone 3.",
            "click": f"http://scottenbury.test/games/{match.id}",
        }
        assert got.headers["Authorization"] == "Bearer tk_secret"

    def test_gotify_gets_a_message_of_its_application(self, heard: Heard) -> None:
        add(heard.match, "gotify", {"url": f"{heard.receiver.url}/gotify/", "token": "A1.secret"})
        heard.match.play("R4@3")
        deliver_due(heard.match)
        (got,) = heard.receiver.received
        assert (got.path, got.headers["X-Gotify-Key"]) == ("/gotify/message", "A1.secret")
        sent = json.loads(got.body)
        assert sent["title"] == "Your turn: Ann v Bob"
        assert sent["extras"]["client::notification"]["click"]["url"].endswith(heard.match.id)

    @pytest.mark.parametrize("status", [401, 403, 404, 413, 500])
    def test_what_they_refuse_is_tried_again_and_told_without_their_words(
        self, match: Match, receiver: Receiver, status: int
    ) -> None:
        receiver.status = status
        channel = add(match, "ntfy", {"url": receiver.url, "topic": "stones"})
        match.play("R4@3")
        assert "postponed" in deliver_due(match)
        assert trouble(match, channel) == f"it answered {status}"


class Browser:
    """One that has asked for push: it decrypts what it gets."""

    def __init__(self, receiver: Receiver) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.target = {
            "endpoint": f"{receiver.url}/push/1",
            "p256dh": base64.urlsafe_b64encode(point).decode().rstrip("="),
            "auth": base64.urlsafe_b64encode(self._auth).decode().rstrip("="),
        }

    def read(self, body: bytes) -> Any:
        return json.loads(
            http_ece.decrypt(
                body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
            )
        )


class TestPush:
    def test_the_browser_alone_can_read_it_and_the_service_knows_who_sends(
        self, match: Match, receiver: Receiver
    ) -> None:
        browser = Browser(receiver)
        receiver.status = 201
        add(match, "push", browser.target)
        match.play("R4@3")
        deliver_due(match)
        (got,) = receiver.received
        assert browser.read(got.body) == {
            "title": "Your turn: Ann v Bob",
            "text": "Ann played Red 4 on Stone 3.",
            "url": f"http://scottenbury.test/games/{match.id}",
            "tag": match.id,
            "waiting": 1,
        }
        headers = {name.lower(): value for name, value in got.headers.items()}
        assert b"Ann" not in got.body
        assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
        assert headers["topic"] == match.id
        assert Vapid02.verify(headers["authorization"])
        token, _, key = headers["authorization"].removeprefix("vapid t=").partition(",k=")
        assert key == public_key(OWN_NETWORK.secret_key)
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert (claims["sub"], claims["aud"]) == ("mailto:ada@example.org", receiver.url)

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_subscription_that_was_given_up_is_forgotten(self, heard: Heard, status: int) -> None:
        heard.receiver.status = status
        add(heard.match, "push", Browser(heard.receiver).target)
        heard.match.play("R4@3")
        assert "dead-letter" in deliver_due(heard.match)
        assert heard.match.context.container.channels.all(heard.match.bob) == []

    @pytest.mark.parametrize("status", [408, 425, 429, 500, 503])
    def test_trouble_of_the_service_is_tried_again(self, heard: Heard, status: int) -> None:
        heard.receiver.status = status
        channel = add(heard.match, "push", Browser(heard.receiver).target)
        heard.match.play("R4@3")
        assert "postponed" in deliver_due(heard.match)
        assert trouble(heard.match, channel) == f"it answered {status}"

    @pytest.mark.parametrize("status", [400, 401, 403, 413])
    def test_what_the_service_refuses_is_not_tried_again(
        self, match: Match, receiver: Receiver, status: int
    ) -> None:
        receiver.status = status
        channel = add(match, "push", Browser(receiver).target)
        match.play("R4@3")
        assert "dead-letter" in deliver_due(match)
        assert trouble(match, channel) == f"it answered {status}"
        assert match.context.container.channels.get(match.bob, channel.id).state == "failing"

    def test_a_key_that_is_none_is_given_up(self, match: Match, receiver: Receiver) -> None:
        target = {**Browser(receiver).target, "p256dh": "A" * 87}
        channel = add(match, "push", target)
        match.play("R4@3")
        assert "dead-letter" in deliver_due(match)
        assert trouble(match, channel) == "its keys are none"
        assert receiver.received == []

    def test_without_a_contact_nothing_is_sent(self, heard: Heard, redis: Client) -> None:
        channel = add(heard.match, "push", Browser(heard.receiver).target)
        silent = settings(allowed_egress=OWN_NETWORK.allowed_egress)
        context = build_context(silent, redis, heard.match.context.container.now)
        heard.match.play("R4@3")
        deliver_due(heard.match._replace(context=context))
        assert trouble(heard.match, channel) == "this server has no contact for push services"
        assert heard.receiver.received == []


CHATS: dict[ChannelType, tuple[str, dict[str, str]]] = {
    "telegram": (
        "/bot123456789:" + "a" * 35 + "/sendMessage",
        {"token": "123456789:" + "a" * 35, "chat": "-1001234567"},
    ),
    "discord": (
        "/api/webhooks/123456/abc-DEF",
        {"url": "https://discord.com/api/webhooks/123456/abc-DEF"},
    ),
    "slack": (
        "/services/T0123ABCD/B0123ABCD/" + "a" * 24,
        {"url": "https://hooks.slack.com/services/T0123ABCD/B0123ABCD/" + "a" * 24},
    ),
    "pushover": ("/1/messages.json", {"user": "u" * 30, "token": "a" * 30}),
}


@pytest.mark.parametrize("channel_type", CHATS)
class TestChat:
    @pytest.fixture(autouse=True)
    def at_the_receiver(
        self, channel_type: ChannelType, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(senders.HOSTS, channel_type, receiver.url)

    def test_the_message_is_text_with_a_link(self, heard: Heard, channel_type: ChannelType) -> None:
        add(heard.match, channel_type, CHATS[channel_type][1])
        heard.match.play("R4@3")
        assert "postponed" not in deliver_due(heard.match)
        (got,) = heard.receiver.received
        text = got.body.decode()
        assert got.path == CHATS[channel_type][0]
        assert "Your turn: Ann v Bob" in unquote_plus(text)
        assert "Ann played Red 4 on Stone 3" in unquote_plus(text)
        assert heard.match.id in text

    @pytest.mark.parametrize("status", [400, 403, 429, 500])
    def test_what_it_refuses_is_tried_again_and_its_answer_told(
        self, match: Match, receiver: Receiver, channel_type: ChannelType, status: int
    ) -> None:
        receiver.status = status
        channel = add(match, channel_type, CHATS[channel_type][1])
        match.play("R4@3")
        assert "postponed" in deliver_due(match)
        assert trouble(match, channel) == f"it answered {status}"
        (logged,) = match.context.container.delivery_log.all(match.bob, channel.id)
        assert logged.answer == status

    def test_what_has_been_deleted_there_turns_it_off(
        self, match: Match, receiver: Receiver, channel_type: ChannelType
    ) -> None:
        receiver.status = 404
        channel = add(match, channel_type, CHATS[channel_type][1])
        match.play("R4@3")
        assert "dead-letter" in deliver_due(match)
        assert match.context.container.channels.get(match.bob, channel.id).state == "off"

    def test_without_an_answer_it_says_no_more_than_is_known(
        self, match: Match, receiver: Receiver, channel_type: ChannelType
    ) -> None:
        receiver.raw = b""
        channel = add(match, channel_type, CHATS[channel_type][1])
        match.play("R4@3")
        assert "postponed" in deliver_due(match)
        assert trouble(match, channel) == "no connection to it"

    def test_no_redirect_is_followed(
        self, match: Match, receiver: Receiver, channel_type: ChannelType
    ) -> None:
        receiver.status, receiver.headers = 307, {"Location": f"{receiver.url}/elsewhere"}
        add(match, channel_type, CHATS[channel_type][1])
        match.play("R4@3")
        deliver_due(match)
        assert "/elsewhere" not in [one.path for one in receiver.received]

    def test_who_hangs_is_given_up(
        self, heard: Heard, channel_type: ChannelType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(egress, "TOTAL_TIMEOUT", 0.3)
        heard.receiver.hangs = True
        channel = add(heard.match, channel_type, CHATS[channel_type][1])
        heard.match.play("R4@3")
        assert "postponed" in deliver_due(heard.match)
        assert trouble(heard.match, channel) == "it did not answer in time"


@pytest.mark.parametrize(
    "name", ["@everyone <@123> [x](y) `*_", "<!channel>", "\u202ea\r\nX-Evil: 1\r\n\r\n\x1b[31m"]
)
def test_a_name_calls_nobody_in_a_chat(
    match: Match, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(senders.HOSTS, "discord", receiver.url)
    match.context.container.redis.hset(f"st:{{{match.ann}}}:player", "name", name)
    add(match, "discord", CHATS["discord"][1])
    match.play("R4@3")
    deliver_due(match)
    (got,) = receiver.received
    for sign in ("@", "<", "[", "`", "*", "\\u202e", "\\u001b", "X-Evil"):
        assert sign not in got.body.decode().partition('"content"')[2], sign


@pytest.mark.parametrize("trouble_of", ["hangs", "drips"])
def test_a_receiver_that_hangs_fails_in_time(
    trouble_of: str, match: Match, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(egress, "TOTAL_TIMEOUT", 0.3)
    setattr(receiver, trouble_of, True)
    channel = add(match, "webhook", {"url": f"{receiver.url}/hook"})
    match.play("R4@3")
    assert "postponed" in deliver_due(match)
    assert trouble(match, channel) == "it did not answer in time"


def test_a_damaged_game_is_no_fault_of_the_channel(match: Match, receiver: Receiver) -> None:
    channel = add(match, "webhook", {"url": f"{receiver.url}/hook"})
    match.play("R4@3")
    container = match.context.container
    (mail,) = [one for one in match.due() if one.endswith(".mail.turn")]
    own = mail.replace(".mail.", f".webhook-{channel.id}.")
    container.log.outbox.add(Notice(own, container.now()))
    container.redis.xadd(log_key(match.id), {"event": "{", "write": "x"}, id="999-0")
    assert deliver(match.context, own) == "postponed"
    assert trouble(match, channel) is None


def test_one_message_is_on_its_way_on_a_channel_at_a_time(match: Match, receiver: Receiver) -> None:
    channel = add(match, "webhook", {"url": f"{receiver.url}/hook"})
    sending = match.context.container.send_limits
    with sending.begin(match.bob, channel):
        match.play("R4@3")
        assert deliver_due(match) == ["sent", "postponed"]
    match.clock.time += 2
    assert deliver_due(match) == ["sent"]
    with sending.begin(match.bob, channel) as may_begin:
        assert may_begin


def at_once(match: Match, *sent: tuple[str, Channel]) -> list[bool]:
    """Which of these players' messages may be on their way at the same time."""
    with ExitStack() as stack:
        begin = match.context.container.send_limits.begin
        return [stack.enter_context(begin(player, channel)) for player, channel in sent]


def test_whoever_has_many_channels_that_hang_leaves_threads_to_others(match: Match) -> None:
    hooks = [add(match, "webhook", {"url": f"http://127.0.0.1:{port}/"}) for port in range(1, 6)]
    of_bob = [(match.bob, hook) for hook in hooks]
    expected = [True, True, True, False, False]
    assert at_once(match, *of_bob, (match.ann, hooks[0])) == [*expected, True]
    assert at_once(match, *reversed(of_bob)) == expected


def test_a_host_that_hangs_leaves_threads_to_others_whoever_leads_to_it(match: Match) -> None:
    hooks = [add(match, "webhook", {"url": f"http://127.0.0.1/{path}"}) for path in "abcd"]
    elsewhere = add(match, "webhook", {"url": "http://127.0.0.1:2/"})
    sent = [(f"{number}" * 16, hook) for number, hook in enumerate(hooks)]
    assert at_once(match, *sent, (match.ann, elsewhere)) == [True, True, True, False, True]


@pytest.mark.parametrize("seed", range(3))
def test_games_that_differ_in_hidden_cards_give_the_same_message(
    match: Match, receiver: Receiver, seed: int
) -> None:
    container = match.context.container
    add(match, "webhook", {"url": f"{receiver.url}/hook"})
    names = twins(match, seed)
    for name in names:
        version = container.games.load(name).turn_version
        container.log.outbox.add(Notice(f"{name}.{version}.{match.bob}.mail.turn", NOON))
    deliver_due(match)
    told = [json.loads(one.body)["data"] for one in receiver.received]
    assert {one.pop("game") for one in told} == set(names)
    first, second = (
        {name: value for name, value in one.items() if name not in ("head", "url")} for one in told
    )
    assert first == second
