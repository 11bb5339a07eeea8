"""A player's overview: games by time left, invitations, challenges, results."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

from engine import OTHER, Seat, chain
from engine.events import CLOCK_TYPES, RoundStarted
from service.accounts.players import Players
from service.accounts.privacy import Presence, Presences
from service.bots import bot_at
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.core.times import DAY, timestamp, unix
from service.core.words import Words
from service.eventlog import EventStore
from service.games.agreements import open_offer, was_declined
from service.games.challenge import Challenge
from service.games.drafts import ABANDONMENT, PAUSE
from service.games.page_signs import PageSigns, Whereabouts
from service.games.projections.player_games import GameFilter
from service.games.projections.ratings import PlayerRating, all_rated_query
from service.games.rating import Rated, was_too_short
from service.games.reading.views import (
    challenge_view,
    invited,
    offered,
    people_in,
    rating_changes,
    summary,
)
from service.games.service import Games
from service.games.shapes import ChallengeShape, GameSummaryShape, OpenGameShape, PlayerSummaryShape
from service.games.stored_game import StoredGame
from service.text.card_names import card_name, people
from service.text.history import narrate

MOST_LISTED: Final = 100
"""The most games of each kind to list, the newest."""
MOST_FINISHED: Final = 10
_ANSWERS_LISTED: Final = 14 * DAY
"""Seconds after the end of a game for which it is listed that the rematch was declined."""
_RECENT: Final = 16
"""The number of last lines that surely include the opponent's last action."""
_NEVER: Final = "9999"
"""A text that sorts after every deadline."""

Summary = GameSummaryShape


class Listed(NamedTuple):
    """A running or finished game as last read, and `game`, its summary.

    `news` is the opponent's last action since the player's own turn, if any; `opponent` is the
    opponent's presence, as far as they let it be seen, and `page_sign` what their
    open pages tell. `offers_pause`, `offers_end`: the opponent offers a pause, or to abandon the
    game. `declined_pause`, `declined_end`: the opponent declined the player's offer of that since
    the player's last turn; `declined_rematch`: the one of a game that is over; `rating_change`: the
    points that a rated game has won or lost the player; `was_too_short`: too few turns for it to
    count.
    """

    game: Summary
    stored: StoredGame
    news: str | None = None
    opponent: Presence | None = None
    page_sign: Whereabouts | None = None
    offers_pause: bool = False
    offers_end: bool = False
    declined_pause: bool = False
    declined_end: bool = False
    declined_rematch: bool = False
    rating_change: int | None = None
    was_too_short: bool = False

    @property
    def opponent_id(self) -> str:
        """The other player's id."""
        return _opponent(self.game)


class Unbegun(NamedTuple):
    """A game that waits for its second player, as the lobby would show it.

    `invited` is the holder of the seat, as in a game view; only the game's maker sees
    `invite_url`; `commitment` seals the shuffle. `is_rematch`: it repeats one of the player's last
    games.
    """

    offer: OpenGameShape
    invited: PlayerSummaryShape | Literal[True] | None
    listed: bool
    invite_url: str | None
    commitment: str
    is_rematch: bool = False


class Overview(NamedTuple):
    """A player's games and challenges.

    `to_move` and `waiting` are sorted by the time left. `invitations` are games with a seat for
    this player, `open` those waiting for anybody else; `received` and `sent` are challenges, as
    views, and `declined` those of `sent` that were declined, until the player has acknowledged it.
    `daily` is the try of today's deal that the player has begun and not finished. `more`: there are
    games beyond those listed. `ratings` has the opponents of running games, and the players who
    invite or challenge this one.
    """

    to_move: list[Listed]
    waiting: list[Listed]
    invitations: list[Unbegun]
    open: list[Unbegun]
    received: list[ChallengeShape]
    sent: list[ChallengeShape]
    declined: list[ChallengeShape]
    daily: Listed | None
    finished: list[Listed]
    more: bool
    ratings: dict[str, PlayerRating]

    @property
    def waits(self) -> int:
        """The number of turns, invitations and challenges that wait for the player."""
        return len(self.to_move) + len(self.received) + len(self.invitations)

    @property
    def is_bare(self) -> bool:
        """Whether nothing runs, waits or is to be answered."""
        return not any(self[: self._fields.index("finished")])


@dataclass(eq=False, repr=False)
class Overviews:
    """The overviews of all players."""

    _redis: Client
    _events: EventStore
    _games: Games
    _players: Players
    _presences: Presences
    _page_signs: PageSigns

    def of(self, words: Words, player: str) -> Overview:
        """The overview of a player, its news in their language."""
        lists = self._games.lists
        active, further = lists.of_player(player, GameFilter("active"), limit=MOST_LISTED)
        unbegun, more = lists.of_player(player, GameFilter("open"), limit=MOST_LISTED)
        finished, _ = lists.of_player(player, GameFilter("finished"), limit=MOST_FINISHED)
        views = self._challenges(player)
        invitations = [self._unbegun(game, finished) for game in unbegun if game["seat"] is None]
        received = [view for view in views if view["to"]["id"] == player]
        askers = [one.offer["creator"]["id"] for one in invitations]
        askers += [view["from"]["id"] for view in received]
        batch = Batch(self._redis)
        daily = batch.ask(self._games.daily.query_today(player))
        over = self._ask_finished(batch, finished, player)
        active.sort(key=lambda game: (game["deadline"] or _NEVER, game["created_at"]))
        running, ratings = self._running(words, batch, active, player, askers)
        return Overview(
            to_move=[listed for listed in running if _is_to_move(listed.game)],
            waiting=[listed for listed in running if not _is_to_move(listed.game)],
            invitations=invitations,
            open=[self._unbegun(game, finished) for game in unbegun if game["seat"] is not None],
            received=received,
            sent=[view for view in views if view["from"]["id"] == player],
            declined=self._views(self._games.challenges.declined_of(player, MOST_LISTED)),
            daily=self._daily(daily.get(), player),
            finished=over(),
            more=further is not None or more is not None,
            ratings=ratings,
        )

    def _unbegun(self, summary: Summary, finished: Sequence[Summary]) -> Unbegun:
        stored = self._games.cached(summary["id"])  # just read, so it is cached
        names = self._players.names(people_in(stored))
        is_maker = summary["seat"] is not None
        return Unbegun(
            offered(stored, names),
            invited(stored, names),
            stored.listed,
            self._games.invitations.url(stored.id) if is_maker else None,
            stored.game.commitment,
            any(self._games.rematches.is_of(stored.id, old["id"]) for old in finished),
        )

    def challenges_to(self, player: str) -> list[ChallengeShape]:
        """The open challenges to this player, the newest first."""
        return [view for view in self._challenges(player) if view["to"]["id"] == player]

    def _challenges(self, player: str) -> list[ChallengeShape]:
        challenges, _ = self._games.challenges.open_of(player, None, MOST_LISTED)
        return self._views(challenges)

    def _views(self, challenges: list[Challenge]) -> list[ChallengeShape]:
        concerned = {player for made in challenges for player in (made.by, made.to)}
        names = self._players.names(concerned)
        return [challenge_view(challenge, names) for challenge in challenges]

    def _running(
        self,
        words: Words,
        batch: Batch,
        games: Sequence[Summary],
        player: str,
        askers: Sequence[str],
    ) -> tuple[list[Listed], dict[str, PlayerRating]]:
        """These games with the opponents' presence and offers, and with the news if it is the
        player's turn; and the ratings of the opponents and of `askers`. All is read in one round
        trip, with what was asked of `batch` before."""
        lines = {
            game["id"]: batch.ask(
                self._events.last_events_query(game["id"], _RECENT, game["version"])
            )
            for game in games
            if _is_to_move(game)
        }
        presences = [self._ask_presence(batch, game) for game in games]
        signs = [batch.ask(self._page_signs.query(game["id"], _opponent(game))) for game in games]
        sides = [batch.ask(self._games.log.side_state.query(game["id"])) for game in games]
        opponents = [_opponent(game) for game in games]
        ratings = self._games.ratings.ask_all(batch, [*opponents, *askers], player)
        rows = zip(self.listed(games), presences, signs, sides, strict=True)
        shown = []
        for listed, presence, sign, side in rows:
            last = lines[listed.game["id"]].get() if listed.game["id"] in lines else None
            since = listed.stored.turn_since if last is None else _last_own(listed.game, last)
            shown.append(
                self._with_offers(listed, side.get(), unix(since) if since else 0)._replace(
                    news=_news(words, listed.game, last or []),
                    opponent=presence(),
                    page_sign=sign.get(),
                )
            )
        return shown, ratings()

    def _daily(self, stored: StoredGame | None, player: str) -> Listed | None:
        """The try as it is listed, its day's end as its deadline; None without one that goes on."""
        if stored is None or stored.game.over or stored.daily is None:
            return None
        game = summary(stored, player, self._players.names(people_in(stored)))
        return Listed({**game, "deadline": timestamp(stored.daily.ends)}, stored)

    def _ask_finished(
        self, batch: Batch, games: Sequence[Summary], player: str
    ) -> Callable[[], list[Listed]]:
        recent = self._games.now() - _ANSWERS_LISTED
        declined = [
            batch.ask(self._games.rematches.declined_query(game["id"], player))
            if unix(game["ended_at"] or game["created_at"]) > recent
            else None
            for game in games
        ]
        rated = batch.ask(all_rated_query([game["id"] for game in games]))
        return lambda: [
            listed._replace(
                declined_rematch=answer is not None and answer.get(),
                rating_change=_rating_change(listed, effect),
                was_too_short=was_too_short(listed.stored, effect),
            )
            for listed, answer, effect in zip(
                self.listed(games), declined, rated.get()[: len(games)], strict=True
            )
        ]

    def _with_offers(
        self, listed: Listed, side_state: Mapping[str, str], last_turn: float
    ) -> Listed:
        own = cast(Seat, listed.game["seat"])
        other = OTHER[own]
        pause = open_offer(PAUSE, listed.stored, side_state, self._games.now())
        end = open_offer(ABANDONMENT, listed.stored, side_state, self._games.now())
        return listed._replace(
            offers_pause=pause is not None and pause.by == other,
            offers_end=end is not None and end.by == other,
            declined_pause=was_declined(PAUSE, side_state, own, last_turn),
            declined_end=was_declined(ABANDONMENT, side_state, own, last_turn),
        )

    def presence_in(self, game: Summary) -> tuple[Presence | None, Whereabouts | None]:
        """The presence of the opponent in a game that is being played, if they show it, and
        what their open pages tell."""
        batch = Batch(self._redis)
        presence = self._ask_presence(batch, game)
        sign = batch.ask(self._page_signs.query(game["id"], _opponent(game)))
        return presence(), sign.get()

    def _ask_presence(self, batch: Batch, game: Summary) -> Callable[[], Presence | None]:
        other, opponent = OTHER[cast(Seat, game["seat"])], _opponent(game)
        if bot_at(opponent) is not None:
            return lambda: None
        is_shut_out = self._games.conversations.ask_shut_out(batch, game["id"], other, opponent)
        presence = self._presences.ask(batch, opponent)
        return lambda: None if is_shut_out() else presence()

    def finished(self, games: Sequence[Summary], player: str) -> list[Listed]:
        """These games of the player, which are over and which the process has just read."""
        batch = Batch(self._redis)
        return self._ask_finished(batch, games, player)()

    def listed(self, games: Iterable[Summary]) -> list[Listed]:
        """These games, which the process has just read, with their boards and clocks."""
        return [Listed(game, self._games.cached(game["id"])) for game in games]


def _rating_change(listed: Listed, rated: Rated | None) -> int | None:
    changes = rating_changes(listed.stored, rated)
    own = changes and changes[cast(Seat, listed.game["seat"])]
    return own["rating"] - own["before"] if own else None


def _opponent(game: Summary) -> str:
    """The other player's id in a game that has begun, of a player's own."""
    player = game["players"][OTHER[cast(Seat, game["seat"])]]
    return cast(PlayerSummaryShape, player)["id"]


def _is_to_move(game: Summary) -> bool:
    return bool(game["turn"] == game["seat"])


def _last_own(game: Summary, texts: list[str]) -> str | None:
    """Return the moment (RFC 3339) of the player's own last event; None without any."""
    lines = map(json.loads, reversed(texts))
    return next((line["at"] for line in lines if line["by"] == game["seat"]), None)


def _news(words: Words, game: Summary, texts: list[str]) -> str | None:
    """Return the last sentence about events since the player's own last one; None without any.

    Clock events are left to the game's page.
    """
    seat = game["seat"]
    lines = [chain.redact(json.loads(text), seat, False) for text in texts]
    own = [place for place, line in enumerate(lines, 1) if line["by"] == seat]
    names: dict[str, str] = {
        side: (player and player["name"]) or words.say("The other player")
        for side, player in game["players"].items()
    }
    since = [line for line in lines[max(own, default=0) :] if line["type"] not in CLOCK_TYPES]
    sentences = narrate(words, since, people(words, names), seat, card_name)
    # How the round before ended matters more than that the next began.
    is_new = bool(since) and since[-1]["type"] == RoundStarted.TYPE
    return " ".join(each.text for each in sentences[-2 if is_new else -1 :]) or None
