"""Guests: players who took a seat from a link. Whoever is not used any more is forgotten."""

import time
from collections.abc import Callable

from service.account_closure import Accounts
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.core.timestamps import unix
from service.games import Games
from service.games.notifications import GUEST_LIFE


class Guests:
    """What becomes of guests. `now` gives unix seconds."""

    def __init__(
        self,
        players: Players,
        tokens: Tokens,
        games: Games,
        accounts: Accounts,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._players = players
        self._tokens = tokens
        self._games = games
        self._accounts = accounts
        self._now = now

    def look(self, player_id: str) -> float | None:
        """Close the account of a guest who is not used any more.

        Gives when to look again (unix seconds); None where there is nothing more to look for: the
        guest is gone, or has given an address and so keeps the account.
        """
        guest = self._players.find(player_id)
        if guest is None or guest.email is not None or guest.pending is not None:
            return None
        used = self._tokens.last_use(player_id)
        unused_at = (unix(guest.created) if used is None else used) + GUEST_LIFE
        if unused_at > self._now():
            return unused_at
        if self._games.goes_on(player_id):
            return self._now() + GUEST_LIFE
        self._accounts.close(guest)
        return None
