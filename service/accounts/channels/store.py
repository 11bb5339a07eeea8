"""The channels of all players, and the key pair that signs push messages.

st:{PLAYER}:channels  hash, with moments in unix seconds; for each channel:
                      ID: JSON of the player's choices
                      ID:off: JSON of when it was turned off, and why
                      ID:failing: JSON of when it began to fail, and the latest reason
                      ID:reached: when it last delivered
                      ID:pause: when the next attempt may be made

The key pair (VAPID, RFC 8292) is derived from the server's secret key, so web and worker share it
without storing it. With another secret key, browsers have to subscribe again.
"""

import base64
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from marshmallow import ValidationError, fields

from service.accounts.channels import (
    BY_PLAYER,
    CHANNEL_GROUPS,
    CHANNEL_ID,
    MAX_GAMES_OFF,
    TARGETS,
    TITLES,
    TYPES,
    URL,
    Channel,
    ChannelFailure,
    ChannelType,
    notice_channel,
    target_problem,
)
from service.accounts.channels.deliveries import DeliveryLog
from service.accounts.notice_kinds import TEST
from service.accounts.player import Revocations
from service.core import ids
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.network import url_problem
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, PlayerData, plain_text, text, timestamp_text
from service.core.settings import Settings
from service.core.times import timestamp
from service.eventlog import Notice, Outbox, notice_id

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: a private key is a number from 1 to `_ORDER - 1`."""


@lru_cache(maxsize=4)
def private_key(secret_key: str) -> "EllipticCurvePrivateKey":
    # Here, as most processes never sign: 7 MB.
    from cryptography.hazmat.primitives.asymmetric import ec

    drawn = ids.derive(secret_key, "vapid", "0") + ids.derive(secret_key, "vapid", "1")
    number = int.from_bytes(drawn) % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key(secret_key: str) -> str:
    """Return the public key, in base64url, with which a browser subscribes to push."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = private_key(secret_key).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


MAX_CHANNELS: Final = 10
"""The most channels of one player."""
LONGEST_NAME: Final = 40
TEST_PERIOD: Final = 10**9
"""The version of a test's notice is the unix second of its request, modulo this number."""
_DETAILS: Final[dict[str, fields.Field[Any]]] = {
    "type": text("|".join(TYPES), required=True),
    "name": plain_text(LONGEST_NAME, required=True),
    "target": fields.Dict(text("[a-z0-9]{1,16}"), text("[!-~]{1,2000}"), required=True),
    "groups": fields.List(text("|".join(CHANNEL_GROUPS)), required=True),
    "fallback": fields.Boolean(required=True),
    "games_off": fields.List(text(f"{GAME_ID}"), required=True),
    "created": timestamp_text(required=True),
    "serial": fields.Integer(required=True),
}


class _Stored(fields.Field[object]):
    """A validator for the stored hash of channels: checks each field by its name."""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **options: object
    ) -> object:
        for name, held in fields.Dict(text(rf"{CHANNEL_ID}(:[a-z]+)?")).deserialize(value).items():
            _, _, part = name.partition(":")
            if part not in _PARTS:
                raise ValidationError("It is not part of a channel.")
            content = _PARTS[part].deserialize(held)
            if not part and target_problem(content["type"], content["target"]):
                raise ValidationError("A channel leads nowhere.")
        return value


_NUMBER: Final = text(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_FAILURE: Final = JsonText(fields.Tuple((fields.Float(), plain_text(200))))
_PARTS: Final = {
    "": JsonText(fields.Nested(_DETAILS)),
    "off": _FAILURE,
    "failing": _FAILURE,
    "reached": _NUMBER,
    "pause": _NUMBER,
}
CHANNELS: Final = PlayerData("channels", "hash", _Stored(), exported="channels")


@dataclass(frozen=True, slots=True)
class Channels:
    """Players' channels. `now` returns unix seconds."""

    redis: Client
    outbox: Outbox
    log: DeliveryLog
    settings: Settings
    now: Callable[[], float] = time.time

    def add(
        self, player: str, channel_type: ChannelType, target: Mapping[str, str], **chosen: Any
    ) -> Channel:
        """Add a channel, and send a test on it. `chosen` are further members of `Channel`.

        Raises `RequestRejected`: `too-many-channels`, `push-not-available`, and `validation-failed`
        for a URL to which we send no requests.
        """
        self._check(channel_type, target)
        if channel_type == "push":  # a browser that subscribes again replaces its channel
            for one in self.all(player):
                if one.target.get("endpoint") == target["endpoint"]:
                    self.remove(player, one.id)
        channel = Channel(
            id=ids.game_id(secrets.token_bytes(16))[:8],
            type=channel_type,
            name=chosen.pop("name", None) or TITLES[channel_type],
            target=dict(target),
            created=timestamp(self.now()),
            **chosen,
        )
        self._write(player, channel)
        # Counted afterwards, so that two requests at once cannot exceed the limit.
        if len(self.all(player)) > MAX_CHANNELS:
            self.remove(player, channel.id)
            raise RequestRejected(
                "too-many-channels",
                "A player has at most %(number)s channels.",
                {"number": MAX_CHANNELS},
            )
        self.request_test(player, channel.id)
        return channel

    def all(self, player: str) -> list[Channel]:
        """Return the player's channels, the oldest first."""
        return execute(self.redis, self.query(player))

    def query(self, player: str) -> Query[list[Channel]]:
        return Query(("HGETALL", CHANNELS.key(player)), _read)

    def get(self, player: str, channel_id: str) -> Channel:
        """Return this channel. Raises `RequestRejected`: `channel-not-found`."""
        channel = self.find(player, channel_id)
        if channel is None:
            raise RequestRejected("channel-not-found", "There is no channel with this id.")
        return channel

    def find(self, player: str, channel_id: str) -> Channel | None:
        """Return this channel; None if it does not exist."""
        return next((one for one in self.all(player) if one.id == channel_id), None)

    def change(self, player: str, channel_id: str, **chosen: Any) -> Channel:
        """Change these members of a channel. Raises `RequestRejected`: `channel-not-found`."""
        channel = replace(self.get(player, channel_id), **chosen)
        self._write(player, channel)
        return channel

    def switch(self, player: str, channel_id: str, *, on: bool) -> None:
        """Turn a channel on, clearing its failures, or off."""
        if on:
            self._clear(player, channel_id, "off", "failing", "pause")
        else:
            self.turn_off(player, channel_id, BY_PLAYER)

    def turn_off(self, player: str, channel_id: str, why: str) -> None:
        """Turn a channel off until its player turns it on."""
        self._note(player, channel_id, "off", json.dumps([self.now(), why]))

    def push_key(self) -> str | None:
        """Return the public key for a browser's subscription; None if this server sends no push."""
        return public_key(self.settings.secret_key) if self.settings.contact else None

    def request_test(self, player: str, channel_id: str) -> str:
        """Request a test; return the id of its notice.

        Raises `RequestRejected`: `channel-not-found`. A channel that is off is tested too.
        """
        channel, now = self.get(player, channel_id), self.now()
        # Two tests within a second have one id: one is sent.
        notice = notice_id(player, int(now) % TEST_PERIOD, player, notice_channel(channel), TEST)
        self.outbox.add(Notice(notice, now))
        return notice

    def request_again(self, player: str, channel_id: str, notice: str) -> None:
        """Request the same message once more.

        Raises `RequestRejected`: `channel-not-found`, `delivery-not-found`.
        """
        self.get(player, channel_id)
        delivery = self.log.find(player, channel_id, notice)
        if delivery is None or delivery.message is None:
            raise RequestRejected("delivery-not-found", "This delivery is no longer kept.")
        self.log.record(player, channel_id, replace(delivery, again=True, state="waiting"))
        self.outbox.add(Notice(notice, self.now()))

    def remove(self, player: str, channel_id: str) -> None:
        """Delete a channel and its delivery log."""
        Revocations(self.redis, self.now).mark(player, "channels", [channel_id])
        self.log.forget(player, channel_id)
        parts = [channel_id, *(f"{channel_id}:{part}" for part in _PARTS if part)]
        self.redis.hdel(CHANNELS.key(player), *parts)

    def renew_secret(self, player: str, channel_id: str) -> str:
        """Replace the signing secret, and return the new one.

        Raises `RequestRejected`: `channel-not-found`.
        """
        channel = self.get(player, channel_id)
        return self.secret(player, self.change(player, channel_id, serial=channel.serial + 1))

    def record_reached(self, player: str, channel_id: str) -> None:
        """Record that the channel has delivered a message."""
        self._note(player, channel_id, "reached", str(int(self.now())))
        self._clear(player, channel_id, "failing", "pause")

    def record_failure(self, player: str, channel_id: str, why: str, pause: float) -> None:
        """Record that a message failed; `why` is the reason. The next attempt is in `pause`
        seconds."""
        key, failing = CHANNELS.key(player), f"{channel_id}:failing"
        before = cast(str | None, self.redis.hget(key, failing))
        since = json.loads(before)[0] if before else self.now()
        self._note(player, channel_id, "failing", json.dumps([since, why]))
        self._note(player, channel_id, "pause", f"{self.now() + pause:.3f}")

    def secret(self, player: str, channel: Channel) -> str:
        """Return the secret that signs the channel's webhooks, in the form of Standard Webhooks.

        It is derived from the server's key, so it need not be stored.
        """
        parts = (player, channel.id, str(channel.serial))
        drawn = ids.derive(self.settings.secret_key, "webhook", *parts)
        return f"whsec_{base64.b64encode(drawn).decode()}"

    def forget_game(self, player: str, channel: Channel, game: str) -> None:
        """Remove a game that is over from the channel's excluded games."""
        if game in channel.games_off:
            left = tuple(one for one in channel.games_off if one != game)
            self._write(player, replace(channel, games_off=left))

    def forget(self, player: str) -> None:
        """Delete the delivery logs of this player's channels."""
        for channel in self.all(player):
            self.log.forget(player, channel.id)

    def _check(self, channel_type: ChannelType, target: Mapping[str, str]) -> None:
        if channel_type == "push" and self.settings.contact is None:
            raise RequestRejected(
                "push-not-available",
                "This server sends no push messages: it has neither a public https address nor a"
                " contact.",
            )
        chosen = [name for name, form in TARGETS[channel_type].items() if form == URL]
        for name in chosen:  # the URLs that a player chooses
            problem = url_problem(target[name], self.settings.allowed_egress)
            if problem is not None:
                said = f"The address {problem}"
                errors = {f"{channel_type}.{name}": [said]}
                raise RequestRejected("validation-failed", said, errors=errors)

    def _write(self, player: str, channel: Channel) -> None:
        details = {name: getattr(channel, name) for name in _DETAILS}
        details["groups"] = sorted(channel.groups)
        details["games_off"] = channel.games_off[-MAX_GAMES_OFF:]
        self.redis.hset(CHANNELS.key(player), channel.id, json.dumps(details))

    def _note(self, player: str, channel_id: str, part: str, value: str) -> None:
        # A channel deleted meanwhile leaves a few bytes, which nobody reads.
        if self.redis.hexists(CHANNELS.key(player), channel_id):
            self.redis.hset(CHANNELS.key(player), f"{channel_id}:{part}", value)

    def _clear(self, player: str, channel_id: str, *parts: str) -> None:
        names = [f"{channel_id}:{part}" for part in parts]
        self.redis.hdel(CHANNELS.key(player), *names)


def has_channels_query(player: str) -> Query[bool]:
    """Return the query for whether a player has any channel, even one that is turned off."""
    return Query(("EXISTS", CHANNELS.key(player)), lambda reply: reply == 1)


def _read(stored: Mapping[str, str]) -> list[Channel]:
    channels = []
    for channel_id in (name for name in stored if ":" not in name):
        details, failure = json.loads(stored[channel_id]), None
        for part in ("failing", "off"):
            if (held := stored.get(f"{channel_id}:{part}")) is not None:
                at, why = json.loads(held)
                failure = ChannelFailure(at, why, off=part == "off")
        reached = stored.get(f"{channel_id}:reached")
        channels.append(
            Channel(
                id=channel_id,
                **details
                | {"groups": frozenset(details["groups"])}
                | {"games_off": tuple(details["games_off"])},
                failure=failure,
                reached=None if reached is None else float(reached),
                paused_until=float(stored.get(f"{channel_id}:pause", 0)),
            )
        )
    return sorted(channels, key=lambda channel: (channel.created, channel.id))
