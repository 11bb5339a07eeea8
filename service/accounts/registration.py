"""Registration: who may open an account here; and players, guests and bots, each with a name and a
first token.

An invitation of the operator admits one person. It lasts a week. The person who has used it can
open it again, so that a repeated request returns the same account.

st:{operator}:invitation:DIGEST       an invitation
st:{operator}:invitation:DIGEST:used  the player whom it admitted
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from redis.typing import EncodableT, FieldT

from service.accounts.email_addresses import EmailAddresses
from service.accounts.idempotency import IdempotencyStore, key_spent
from service.accounts.mail_preferences import MailPreferences
from service.accounts.names import NameTaken, check_free, with_sign, without_sign
from service.accounts.player import OWN_BOTS, PLAYER, Player, check_person
from service.accounts.players import Players
from service.accounts.tokens import SCOPES, IssuedToken, Tokens
from service.core import ids
from service.core.errors import RequestRejected
from service.core.held_secrets import HeldSecrets
from service.core.redis.client import Client
from service.core.settings import Registration as Openness
from service.core.times import DAY, timestamp
from service.core.words import N_
from service.eventlog import IdempotencyKey

INVITATION_LIFE: Final = 7 * DAY
"""Seconds until an operator's invitation expires."""
_WHY: Final[dict[Openness, str]] = {
    "invited": "New players come here by invitation: ask somebody who plays here, or the host.",
    "closed": "This server takes no new players without an invitation of its host.",
}


class Admission:
    """Admits new players to this server, according to the setting `registration`."""

    def __init__(self, redis: Client, registration: Openness) -> None:
        self._redis = redis
        self._invitations = HeldSecrets(redis, "st:{operator}:invitation:", INVITATION_LIFE)
        self.registration: Final = registration

    def make_invitation(self) -> str:
        """Create an invitation of the operator; return its secret."""
        return self._invitations.make("1")

    def is_invitation(self, secret: str) -> bool:
        """Whether this is the secret of an invitation that nobody has used."""
        made, used = self._invitations.meaning(secret), self._redis.exists(_used_key(secret))
        return made is not None and not used

    @contextmanager
    def admitting(
        self, player: str, invitation: str | None = None, *, holds_invite: bool = False
    ) -> Iterator[None]:
        """Admit a new player in this block, and use the invitation up unless the block fails.

        `invitation` is the secret of an operator's invitation. `holds_invite`: the player has a
        valid invite to a game. Raises `RequestRejected`: `registration-closed`.
        """
        admits_all = self.registration == "open"
        if admits_all or (holds_invite and self.registration == "invited"):
            yield
            return
        used, life = _used_key(invitation or ""), INVITATION_LIFE
        exists = self._invitations.meaning(invitation or "") is not None
        is_first = bool(exists and self._redis.set(used, player, nx=True, ex=life))
        if not exists or not (is_first or self._redis.get(used) == player):
            raise RequestRejected(
                "registration-closed", _WHY[self.registration], registration=self.registration
            )
        try:
            yield
        except BaseException:
            if is_first:
                self._redis.unlink(used)
            raise


def _used_key(secret: str) -> str:
    return f"st:{{operator}}:invitation:{ids.digest(secret)}:used"


MOST_BOTS: Final = 10
"""The most bots that one player can own."""
_TRIES: Final = 5
"""The most attempts to take a free name for a guest, if others take the suggested names first."""
FIRST_TOKEN = "registration"
"""The name of the token issued at registration."""


class Registration(NamedTuple):
    """A new player and the text of its bearer token, which is shown only this once."""

    player: Player
    token: str


@dataclass(frozen=True, slots=True)
class Registrations:
    """Registers players. From `secret_key` derives the values that a repeated registration needs;
    `now` returns unix seconds."""

    redis: Client
    players: Players
    tokens: Tokens
    addresses: EmailAddresses
    idempotency: IdempotencyStore
    admission: Admission
    preferences: MailPreferences
    secret_key: str = field(repr=False)
    now: Callable[[], float] = time.time

    def register(
        self,
        name: str,
        email: str | None = None,
        key: IdempotencyKey | None = None,
        invitation: str | None = None,
        owner: str | None = None,
        language: str | None = None,
    ) -> Registration:
        """Register a player, or a bot of its `owner`, whose name then ends with `BOT_SIGN`.
        `language` is that of mails until they choose one.

        The same `key` within a day returns the same player and token. Raises `RequestRejected`:
        `registration-closed`; `name-reserved`, `name-taken` with a `suggestion`;
        `idempotency-key-reused` if the key came with other data, `idempotency-key-spent` if its
        player has been deleted; `too-many-mails`; with an owner `too-many-bots`, `not-for-bots`.
        """
        check_free(without_sign(name) if owner else name)
        stored = self.idempotency.begin(key)
        player, issued = self._registration(stored.seed, stored.at, name, email, owner)
        if stored.done:
            self.tokens.check_stored(player.id, issued)
            return Registration(player, issued.text)
        try:
            with (
                self._owning(owner) if owner else self.admission.admitting(player.id, invitation),
                self.addresses.counting_mail(email, player.id),
            ):
                self.players.acquire_name(player.name, player.id)
        except RequestRejected:
            self.idempotency.abandon(key, stored)
            raise
        if language is not None:  # before the mail to their address
            self.preferences.set_choice(player.id, {"browser_language": language})
        self._write(player, issued)
        self.idempotency.finish(key, stored)
        return Registration(player, issued.text)

    def register_guest(
        self,
        name: str,
        seed: str | None = None,
        *,
        exactly: bool = False,
        invitation: str | None = None,
        holds_invite: bool = False,
    ) -> Registration:
        """Register a guest under this name; if it is taken, under a similar name unless `exactly`.

        All random values are derived from `seed`, so the call may be repeated with the same seed.
        `invitation` and `holds_invite` are as in `Admission.admitting`. Raises `RequestRejected`:
        `registration-closed`, `name-reserved`, `name-taken`.
        """
        check_free(name)
        drawn = seed or ids.secret_text()
        guest, issued = self._registration(drawn, timestamp(self.now()), name)
        registered = self.players.find(guest.id) if seed else None
        if registered is not None:
            guest = registered
        else:
            with self.admission.admitting(guest.id, invitation, holds_invite=holds_invite):
                if exactly:
                    self.players.acquire_name(name, guest.id)
                else:
                    guest = guest._replace(name=self._acquire_similar(name, guest.id))
        self._write(guest, issued)
        return Registration(guest, issued.text)

    def guest(self, seed: str) -> Registration:
        """Return the guest registered with this seed.

        Raises `RequestRejected`, `idempotency-key-spent`, if the account or its token was deleted.
        """
        guest, issued = self._registration(seed, timestamp(self.now()), "")
        self.tokens.check_stored(guest.id, issued)
        player = self.players.find(guest.id)
        if player is None:
            raise key_spent()
        return Registration(player, issued.text)

    def _owning(self, owner: str) -> AbstractContextManager[None]:
        """Check that this player may have another bot.

        Raises `RequestRejected`: `too-many-bots`, `not-for-bots`.
        """
        check_person(owner, N_("A bot cannot have bots of its own."))
        if self.redis.scard(OWN_BOTS.key(owner)) >= MOST_BOTS:
            raise RequestRejected(
                "too-many-bots",
                "You already have %(number)s bots. End one first.",
                {"number": MOST_BOTS},
            )
        return nullcontext()

    def _acquire_similar(self, name: str, player_id: str) -> str:
        """Take this name for a player, or a similar one; return the name taken."""
        for _ in range(_TRIES):
            try:
                self.players.acquire_name(name, player_id)
            except NameTaken as taken:
                name = taken.suggestion
            else:
                return name
        self.players.acquire_name(name, player_id)
        return name

    def _registration(
        self, seed: str, created: str, name: str, email: str | None = None, owner: str | None = None
    ) -> tuple[Player, IssuedToken]:
        material = ids.derive(self.secret_key, "player", seed)
        if owner is None:
            player = Player(ids.player_id(material), name, email, created)
        else:
            bot_id = ids.owned_bot_id(material)
            player = Player(bot_id, with_sign(name), email, created, owner=owner)
        return player, self.tokens.prepare(player.id, FIRST_TOKEN, SCOPES, seed, created)

    def _write(self, player: Player, issued: IssuedToken) -> None:
        record: dict[FieldT, EncodableT] = {"name": player.name, "created": player.created}
        optional = {"email": player.email, "owner": player.owner}
        record |= {name: value for name, value in optional.items() if value is not None}
        self.redis.hset(PLAYER.key(player.id), mapping=record)
        if player.owner is not None:
            self.redis.sadd(OWN_BOTS.key(player.owner), player.id)
        self.players.name_index().list.add(player.name, player.id)
        if player.email is not None:
            self.addresses.add_unverified(player.id, player.email, player.created)
        # Last, so that every token belongs to an existing player.
        self.tokens.store(player.id, issued)
