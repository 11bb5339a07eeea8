"""Begins the games of seasons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import SEATS
from service.accounts.players import Players
from service.bots import bot_at
from service.core.errors import RequestRejected
from service.games import ChangeContext
from service.games.repository import GameRepository
from service.games.terms import NewGame, creation, joining
from service.games.writer import ChangeWriter
from service.seasons.sealing import secret_of
from service.seasons.season import Pairing, Season, seated
from service.seasons.verify import first_player, salt_in

CLOCK: Final = "clock"
_THERE: Final = ("stale-version", "game-removed")
"""The codes of refusals where another worker was quicker, or the operator has removed the game."""


@dataclass(frozen=True, slots=True)
class GameBeginning:
    """Begins the games of seasons. Every call may be repeated."""

    _repository: GameRepository
    _writer: ChangeWriter
    _players: Players

    def begin_all(self, season: Season, games: Sequence[Pairing]) -> None:
        """Begin these games, unless they have begun."""
        begun = self._repository.latest_of(game["game"] for game in games)
        for game in games:
            if begun[game["game"]] is None:
                self._begin(season, game)

    def _begin(self, season: Season, game: Pairing) -> None:
        bots = [*filter(None, map(bot_at, seated(game)))]
        for bot in bots:
            self._players.ensure_exists(bot.player, bot.title)
        rules, rated = season.rules, False if len(bots) == len(SEATS) else None
        salt, other = (salt_in(season, player) for player in seated(game))
        wanted = NewGame(
            first_player=first_player(season),
            clock=rules.clock,
            salt=salt,
            rated=rated,
            **rules.variant,
        )
        made = creation(game["north"], wanted, secret_of(season, game))
        place = {"id": season.id, "round": game["round"], "leg": game["leg"]}
        made = replace(made, terms={**made.terms, "season": place})
        draft = self._writer.draft(game["game"], None, made, CLOCK)
        draft = draft.then(joining(game["south"], draft.after.game, other), CLOCK)
        # Whoever challenged needs no notice of their own game.
        actor = None if season.ladder is None else game["north"]
        try:
            self._writer.write(draft, actor, ChangeContext(CLOCK))
        except RequestRejected as refusal:
            if refusal.code not in _THERE:
                raise
