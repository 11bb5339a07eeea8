"""Links and codes that open something for whoever holds them: an account, on this device or
another, a player's calendar and feed, and the operator's page; and the look-up of the signed-in
player, in one round trip with the data that every page needs.

st:sign-in:DIGEST             the address for the link with this secret, and in a second line the
                              page to open then, until it is used or expires
st:device-link:DIGEST         the player whom the code with this digest signs in
st:{PLAYER}:device-link       the digest of the player's valid code
st:{PLAYER}:private-link      a random text, new with each link
st:{operator}:link:DIGEST     a link that was not opened yet: the name under which it was made
st:{operator}:session:DIGEST  a session, with that name
"""

import base64
import hmac
import re
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar, cast

from service.accounts.email_addresses import ADDRESS, EmailAddresses
from service.accounts.identities import Identities, Identity
from service.accounts.mail_preferences import MailPreferences, Reading
from service.accounts.mail_state import DeferredNotices
from service.accounts.player import Player, Revocations
from service.accounts.players import Players
from service.accounts.tokens import Access, Credential, Tokens, player_of
from service.core import ids
from service.core.held_secrets import HeldSecrets
from service.core.ids import PLAYER_ID
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import PlayerData, text
from service.core.settings import Settings
from service.core.times import HOUR, MINUTE
from service.eventlog import Notice, Outbox, notice_id

SIGN_IN_LIFE: Final = 15 * MINUTE
"""Seconds until a link expires."""
SIGN_IN: Final = "sign-in"
"""The kind of notice with a link that signs in."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """The links that sign in. `now` returns unix seconds."""

    redis: Client
    outbox: Outbox
    players: Players
    addresses: EmailAddresses
    identities: Identities
    settings: Settings
    now: Callable[[], float] = time.time

    def request_link(self, email: str, next_path: str = "/") -> None:
        """Send a link to this address if it is a player's. The caller does not learn whether it is.

        `next_path` is the page of this server to open once it has signed somebody in.

        Raises `RequestRejected`, `too-many-mails`, for any address alike.
        """
        request = ids.game_id()
        self.addresses.count_sign_in_mail(email, request)
        self._secrets().store(self._secret(request), f"{email}\n{next_path}")
        notice = notice_id(request, int(self.now()), ADDRESS, "mail", SIGN_IN)
        self.outbox.add(Notice(notice, self.now()))

    def link_to_send(self, request: str) -> tuple[str, str, str] | None:
        """Return the address and the link of this request, and the player whose words to use.

        None if it was used or has expired, or if no player has the address.
        """
        secret = self._secret(request)
        accounts = self.accounts(secret)
        # The owner's spelling, not that of the request.
        if not accounts or accounts[0].email is None:
            return None
        link = f"{self.settings.base_url}/sign-in/{secret}"
        return accounts[0].email, link, accounts[0].id

    def accounts(self, secret: str) -> list[Player]:
        """Return the players whom the link with this secret can sign in: all at its address."""
        meaning = self._secrets().meaning(secret)
        if meaning is None:
            return []
        email = meaning.partition("\n")[0]
        players = map(self.players.find, self.addresses.players_at(email))
        return [one for one in players if one is not None and self._reached(one, email)]

    def next_path(self, secret: str) -> str:
        """Return the page to open once the link with this secret has signed somebody in."""
        return (self._secrets().meaning(secret) or "").partition("\n")[2] or "/"

    def redeem(self, secret: str, player_id: str) -> Player | None:
        """Use up the link, and return the player to sign in.

        Return None if the link is not for this player (it then stays valid), or was used already.
        """
        player = next((one for one in self.accounts(secret) if one.id == player_id), None)
        return player if player is not None and self._secrets().use(secret) else None

    def reaches_by_mail(self, player: Player) -> bool:
        """Whether this player could sign in again by mail."""
        return player.email is not None and self._reached(player, player.email)

    def can_return(self, player: Player) -> bool:
        """Whether this player could sign in again: by mail, or by an identity."""
        return player.id not in self.guests([player])

    def guests(self, players: Collection[Player]) -> set[str]:
        """Return the ids of those among these players who could not sign in again: each such
        account is that of one browser or program."""
        unreached = [player.id for player in players if not self.reaches_by_mail(player)]
        if not self.settings.auth_header and not self.settings.oidc_issuer:
            return set(unreached)  # nobody comes by an identity where none is asked for
        return set(unreached) - self.identities.linked(unreached)

    def _reached(self, player: Player, email: str) -> bool:
        own = player.email is not None and player.email.lower() == email.lower()
        # Mail to the local mailbox does not leave the machine: there is nothing to verify.
        is_verified = player.verified or self.settings.smtp_url is None
        return own and player.suspended is None and is_verified

    def _secret(self, request: str) -> str:
        return ids.secret_text(ids.derive(self.settings.secret_key, SIGN_IN, request))

    def _secrets(self) -> HeldSecrets:
        return HeldSecrets(self.redis, "st:sign-in:", SIGN_IN_LIFE)


CODE_LIFE: Final = 10 * 60
"""Seconds until a code expires."""
DEVICE_LINK: Final = PlayerData("device-link", "string", expires=CODE_LIFE)
CODE_LENGTH: Final = 12
"""The number of letters and digits in a code: 60 bits. At twenty guesses a minute, nobody guesses a
code within ten minutes."""
_GROUP: Final = 4


class DeviceLinks:
    """The codes of all players."""

    def __init__(self, redis: Client, secret_key: str) -> None:
        self._redis = redis
        self._secret_key = secret_key
        self._codes = HeldSecrets(redis, "st:device-link:", CODE_LIFE, digest=str)

    def make(self, player: str) -> str:
        """Create a code for this player, and revoke the previous one; return it as displayed:
        `q7xk-m2vd-a5tz`."""
        self.revoke(player)
        code = base64.b32encode(secrets.token_bytes(8)).decode().lower()[:CODE_LENGTH]
        digest = self._digest(code)
        self._codes.store(digest, player)
        self._redis.set(DEVICE_LINK.key(player), digest, ex=CODE_LIFE)
        return "-".join(code[at : at + _GROUP] for at in range(0, CODE_LENGTH, _GROUP))

    def is_open(self, player: str) -> bool:
        """Whether this player has a valid code."""
        digest = cast(str | None, self._redis.get(DEVICE_LINK.key(player)))
        return digest is not None and self._codes.meaning(digest) is not None

    def owner(self, code: str) -> str | None:
        """Return the id of the player whom this code signs in, in any spelling; None if it is not
        valid."""
        digest = self._digest(code)
        player = self._codes.meaning(digest)
        # Of two codes made at once only the later is valid.
        if player is None or self._redis.get(DEVICE_LINK.key(player)) != digest:
            return None
        return player

    def use(self, code: str) -> str | None:
        """Use up the code, and return the id of the player to sign in; None if it is not valid.

        Of two simultaneous users, only the first is signed in.
        """
        player = self.owner(code)
        if player is None or not self._codes.use(self._digest(code)):
            return None
        self._redis.unlink(DEVICE_LINK.key(player))
        return player

    def revoke(self, player: str) -> None:
        digest = cast(str | None, self._redis.getdel(DEVICE_LINK.key(player)))
        if digest is not None:
            self._codes.end(digest)

    def _digest(self, code: str) -> str:
        """Return a keyed digest of the code. A reader of the store could reverse a plain one,
        because a code is short."""
        plain = "".join(code.lower().replace("-", " ").split())
        return ids.derive(self._secret_key, "device link", plain).hex()


PRIVATE_LINK: Final = PlayerData("private-link", "string", text("[0-9a-f]{32}"))
_SECRET: Final = re.compile(rf"(?P<player>{PLAYER_ID})(?P<proof>[a-z2-7]{{32}})")


class PrivateLink(NamedTuple):
    """The URLs of a player's calendar and feed."""

    calendar: str
    atom: str


@dataclass(frozen=True, slots=True)
class PrivateLinks:
    """The links of all players."""

    redis: Client
    secret_key: str = field(repr=False)
    base_url: str

    def of(self, player: str) -> PrivateLink | None:
        """Return the player's links; None without any."""
        drawn = self._drawn(player)
        return None if drawn is None else self._link(player, drawn)

    def renew(self, player: str) -> PrivateLink:
        """Create new links, and revoke the previous ones."""
        self._mark(player)
        drawn = secrets.token_hex(16)
        self.redis.set(PRIVATE_LINK.key(player), drawn)
        return self._link(player, drawn)

    def revoke(self, player: str) -> None:
        self._mark(player)
        self.redis.unlink(PRIVATE_LINK.key(player))

    def owner(self, secret: str) -> str | None:
        """Return the id of the player whose link has this secret; None for any other text."""
        if not (match := _SECRET.fullmatch(secret)) or not (drawn := self._drawn(match["player"])):
            return None
        proof = self._proof(match["player"], drawn)
        return match["player"] if hmac.compare_digest(proof, match["proof"]) else None

    def _mark(self, player: str) -> None:
        if (drawn := self._drawn(player)) is not None:
            Revocations(self.redis).mark(player, "private-link", [drawn])

    def _link(self, player: str, drawn: str) -> PrivateLink:
        secret = f"{player}{self._proof(player, drawn)}"
        begin = self.base_url
        return PrivateLink(f"{begin}/calendar/{secret}.ics", f"{begin}/turns/{secret}.atom")

    def _proof(self, player: str, drawn: str) -> str:
        return ids.proof(self.secret_key, "private link", player, drawn, letters=32)

    def _drawn(self, player: str) -> str | None:
        return cast(str | None, self.redis.get(PRIVATE_LINK.key(player)))


OPERATOR_LINK_LIFE: Final = 10 * MINUTE
"""Seconds until a link expires."""
OPERATOR_SESSION_LIFE: Final = 8 * HOUR
"""Seconds after which a session ends, even if it is in use."""


class OperatorAccess:
    """The links and sessions of this server's operators."""

    def __init__(self, redis: Client) -> None:
        self._links = HeldSecrets(redis, "st:{operator}:link:", OPERATOR_LINK_LIFE)
        self._sessions = HeldSecrets(redis, "st:{operator}:session:", OPERATOR_SESSION_LIFE)

    def make_link(self, name: str = "operator") -> str:
        """Create a link; return its secret. Whoever opens it acts under this name."""
        return self._links.make(name)

    def is_link(self, secret: str) -> bool:
        """Whether this is the secret of a link that can be opened."""
        return self._links.meaning(secret) is not None

    def open(self, secret: str) -> str | None:
        """Use up a link, and return the text of a new session; None for any other secret.

        Of two simultaneous users, only the first gets a session.
        """
        name = self._links.use(secret)
        return None if name is None else self._sessions.make(name)

    def is_open(self, session: str) -> bool:
        """Whether this is the text of a session."""
        return self.name(session) is not None

    def name(self, session: str) -> str | None:
        """Return the name under which this session acts; None if it does not exist."""
        return self._sessions.meaning(session) if session else None

    def close(self, session: str) -> None:
        self._sessions.end(session)


Asked = TypeVar("Asked")
Ask = Callable[[Batch, str | None], Asked]
"""Adds queries to a batch, about the player whom a session names, even if the session is invalid.

The player is None without a session.
"""


class SessionLookup(NamedTuple, Generic[Asked]):
    """The result of looking up a session: its access rights, None if it is invalid; how its
    player reads; and the results of the additional queries."""

    access: Access | None
    reading: Reading
    asked: Asked


@dataclass(frozen=True, slots=True)
class Sessions:
    """Looks up the sessions of browsers."""

    redis: Client
    tokens: Tokens
    deferred: DeferredNotices
    preferences: MailPreferences
    identities: Identities

    def read(
        self,
        text: str,
        ask: Ask[Asked],
        count: Ask[None],
        *,
        is_visit: bool,
        kind: Credential = "session",
        identity: Identity | None = None,
    ) -> SessionLookup[Asked]:
        """Look up the session with this token text; with `is_visit`, record a visit of its player.

        If the text cannot be a token, `ask` adds its queries for no player (None). `count` adds the
        query that counts the request: for the player only if their session was valid before. With
        `identity`, the session is valid only for the player whose account that identity opens.
        """
        token, player = self.tokens.access_query(text, kind, is_use=is_visit), player_of(text)
        batch = Batch(self.redis)
        if token is None or player is None:
            count(batch, None)
            asked = ask(batch, None)
            batch.send()
            return SessionLookup(None, Reading(), asked)
        if self.tokens.was_valid(text):
            count(batch, player)
        access = batch.ask(token)
        opens = identity and batch.ask(self.identities.opens_query(player, identity))
        awaits_visit = batch.ask(self.deferred.awaits_visit_query(player))
        reading = batch.ask(self.preferences.reading_query(player))
        asked = ask(batch, player)
        batch.send()
        if access.get() is None or (opens is not None and not opens.get()):
            return SessionLookup(None, Reading(), asked)
        if is_visit and awaits_visit.get():
            self.deferred.visited(player)
        return SessionLookup(access.get(), reading.get(), asked)
