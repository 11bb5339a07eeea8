"""Looks up the signed-in player, in one round trip with the data that every page needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from service.accounts.deferred_notices import DeferredNotices
from service.accounts.identities import Identities, Identity
from service.accounts.mail_preferences import MailPreferences
from service.accounts.tokens import Access, Credential, Tokens, player_of
from service.core.redis.batch import Batch
from service.core.redis.client import Client

Asked = TypeVar("Asked")
Ask = Callable[[Batch, str | None], Asked]
"""Adds queries to a batch, about the player whom a session names, even if the session is invalid.

The player is None without a session.
"""


class SessionLookup(NamedTuple, Generic[Asked]):
    """The result of looking up a session: its access rights, None if it is invalid; its player's
    time zone, None if not chosen; and the results of the additional queries."""

    access: Access | None
    time_zone: str | None
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
            return SessionLookup(None, None, asked)
        if self.tokens.was_valid(text):
            count(batch, player)
        access = batch.ask(token)
        opens = identity and batch.ask(self.identities.opens_query(player, identity))
        awaits_visit = batch.ask(self.deferred.awaits_visit_query(player))
        time_zone = batch.ask(self.preferences.time_zone_query(player))
        asked = ask(batch, player)
        batch.send()
        if access.get() is None or (opens is not None and not opens.get()):
            return SessionLookup(None, None, asked)
        if is_visit and awaits_visit.get():
            self.deferred.visited(player)
        return SessionLookup(access.get(), time_zone.get(), asked)
