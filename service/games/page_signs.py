"""Signs of an open page: a player is looking at it, or writing a message. They are stored for a few
minutes. While the page of a game or the list of games is in sight, notices of what it shows wait,
and what it has shown needs none (`workers.policy`). Opponents learn of them only if the player
shows "here now": in the game whose page is in sight the player is here, in others online.

st:{PLAYER}:page-sign:GAME    the latest sign, the page that sent it, its number there, the last
                              moment at which a page was in sight, and "shown" or "hidden"
st:{PLAYER}:page-sign         the same of all pages, with "game", "list" or "site", and the game
                              whose page was the last in sight
st:{PLAYER}:page-stream       the latest stream of news that a browser of the player has opened
st:{PLAYER}:page-stream:end   a stream whose browser is gone, and since when: a browser that is
                              killed sends no sign
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple, cast, get_args

from engine import OTHER, Seat
from service.accounts.privacy import HERE, Presences
from service.bots import bot_at
from service.core import ids
from service.core.errors import STORE_FAILURE
from service.core.redis.batch import Batch, Query
from service.core.redis.client import Client, Lua
from service.core.times import DAY, MINUTE
from service.games import permissions
from service.games.conversations import Conversations
from service.games.projections.feed_log import PlayerNews
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame

Sign = Literal["here", "writing", "away"]
"""The page is in sight; a message is being written on it; it was closed or covered."""
SIGNS: Final[tuple[Sign, ...]] = get_args(Sign)
_LIFE: Final[dict[Sign, int]] = {"here": HERE, "writing": MINUTE // 2, "away": HERE}
"""Seconds for which a sign is valid. A page in sight repeats its sign every minute. `away` lasts as
long as a player's last request would still show them as here."""


_OPEN: Final = ("here", "writing")
_RECONNECTS: Final = 10
"""Seconds within which a browser whose connection broke has opened another stream."""
_SHOWN: Final = "shown"
_HIDDEN: Final = "hidden"


Place = Literal["game", "list", "site"]
"""A page that gives signs: that of a game, the list of a player's games, or any other."""
Whereabouts = Literal[Sign, "elsewhere"]
"""What a player's pages tell the opponent in a game: the sign of its page, or that another is in
sight."""


class Sight(NamedTuple):
    """Whether a player has a game's page in sight, and when they last had (unix seconds; 0:
    unknown); and which page they have in sight, that of any game, or None."""

    is_open: bool = False
    latest: int = 0
    place: Place | None = None


@dataclass(eq=False, repr=False)
class PageSigns:
    """The signs of all players."""

    _store = Lua(__file__, "page_sign")

    _redis: Client
    _news: PlayerNews
    _repository: GameRepository
    _presences: Presences
    _conversations: Conversations
    _now: Callable[[], float]

    def beat(self, game_id: str, player: str, sign: Sign, page: str = "", number: int = 0) -> None:
        """Store a sign of a player, and refresh the opponent's open page if they may see it and it
        has changed; that of another game's opponent too if it was left for this one.

        `page` (letters and digits) tells open pages apart, and `number` orders the signs of each.
        Raises `RequestRejected` for anyone but the players.
        """
        stored = self._repository.get(game_id)
        seat = permissions.own_seat(stored, player)
        watcher = self._watcher(stored, seat, player)
        args = [*self._args(sign, page, number), "game", game_id, _SHOWN if watcher else _HIDDEN]
        keys = [_key_of_all(player), _key(player, game_id)]
        before, left = self._store(keys=keys, args=args)
        if watcher and before != sign:
            self._news.publish([watcher], player, None)
        self._refresh(left, player)

    def beat_site(
        self, place: Place, player: str, sign: Sign, page: str = "", number: int = 0
    ) -> None:
        """Store a sign of a page that is no game's, and refresh the page of the opponent in the
        game whose page was the last in sight if they may see it and it has changed."""
        args = [*self._args(sign, page, number), place]
        _, left = self._store(keys=[_key_of_all(player)], args=args)
        self._refresh(left, player)

    def _refresh(self, game_id: str, player: str) -> None:
        """Refresh the page of the opponent in this game (`""`: in none), if they may see signs."""
        stored = self._repository.latest(game_id) if game_id else None
        seat = stored and stored.seat_of(player)
        watcher = self._watcher(stored, seat, player) if stored and seat else None
        if watcher:
            self._news.publish([watcher], player, None)

    def _watcher(self, stored: StoredGame, seat: Seat, player: str) -> str | None:
        """The opponent if they may see the player's signs; else None."""
        opponent = stored.game.players[OTHER[seat]]
        batch = Batch(self._redis)
        choice = batch.ask(self._presences.choice_query(player))
        is_shut_out = self._conversations.ask_shut_out(batch, stored.id, seat, player)
        is_shown = stored.shows_presence(self._now()) and choice.get() == "live"
        is_person = opponent is not None and bot_at(opponent) is None
        return opponent if is_person and is_shown and not is_shut_out() else None

    def _args(self, sign: Sign, page: str, number: int) -> list[str | int]:
        return [sign, page, number, _LIFE[sign], int(self._now())]

    def query(self, game_id: str, player: str) -> Query[Whereabouts | None]:
        """The query for what a player's pages tell the opponent in a game; None if no sign holds
        any more, or if the last was not to be shown. Who asks has to see that the player shows it.
        """

        def parse(reply: object) -> Whereabouts | None:
            of_all, *of_game = cast(list[str | None], reply)
            sign, _, visibility = self._read(of_game)
            if of_game[0] and visibility != _SHOWN:
                return None
            if sign in _OPEN:
                return sign_of(sign)
            sign_of_all, _, _ = self._read([of_all, *of_game[1:]])
            return "elsewhere" if sign_of_all in _OPEN else sign_of(sign_of_all or sign)

        return Query(("MGET", _key_of_all(player), *_keys_read(player, game_id)), parse)

    def sight_query(self, game_id: str, player: str) -> Query[Sight]:
        """The query for what these signs say of a player's sight of the game's page, and of
        others."""

        def parse(reply: object) -> Sight:
            of_all, *of_game = cast(list[str | None], reply)
            sign, seen, _ = self._read(of_game)
            sign_of_all, _, place = self._read([of_all, *of_game[1:]])
            is_any = sign_of_all in _OPEN
            return Sight(sign in _OPEN, seen, cast(Place, place) if is_any else None)

        return Query(("MGET", _key_of_all(player), *_keys_read(player, game_id)), parse)

    def begin_stream(self, player: str) -> Callable[[], None]:
        """Store that a browser of the player follows the news; return what to call once it is
        gone."""
        stream = ids.secret_text()
        self._note(_stream_key(player), stream, DAY)
        return partial(self._end_stream, player, stream)

    def _end_stream(self, player: str, stream: str) -> None:
        self._note(f"{_stream_key(player)}:end", f"{stream} {int(self._now())}", HERE)

    def _note(self, key: str, text: str, life: int) -> None:
        with suppress(*STORE_FAILURE):  # who only reads is not kept from it
            self._redis.set(key, text, ex=life)

    def _read(self, reply: object) -> tuple[str, int, str]:
        """Return the sign, the last moment at which a page was in sight, and the visibility (of all
        pages: the place). A browser that is gone since, and has not come back, is away."""
        text, stream, end = cast(list[str | None], reply)
        sign, _, _, seen, visibility, *_ = (text or f"   0 {_HIDDEN}").split(" ")
        ended, _, since = (end or "").partition(" ")
        if sign in _OPEN and end is not None and ended == stream:
            is_gone = int(seen) <= int(since) <= self._now() - _RECONNECTS
            sign = "away" if is_gone else sign
        return sign, int(seen), visibility


def sign_of(text: str) -> Sign | None:
    """The sign with this name; None for any other text."""
    return next((sign for sign in SIGNS if sign == text), None)


def _stream_key(player: str) -> str:
    return f"st:{{{player}}}:page-stream"


def _keys_read(player: str, game_id: str) -> tuple[str, str, str]:
    """The keys whose values `PageSigns._read` takes."""
    stream = _stream_key(player)
    return _key(player, game_id), stream, f"{stream}:end"


def _key_of_all(player: str) -> str:
    return f"st:{{{player}}}:page-sign"


def _key(player: str, game_id: str) -> str:
    return f"{_key_of_all(player)}:{game_id}"
