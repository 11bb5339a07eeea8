"""The secrets of the cards: sealed before anybody knows whose game they are for, and sealed anew
where the log may have lost events.

The secret of a ladder's game follows from the number of its challenge alone. If the log has lost
that challenge, the next one gets the number again, and the players of the lost game know its cards.
"""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from engine.chain import StoredEvent
from engine.shuffle import commitment
from service.seasons.events import CardsSealed, Pairing, ResultTaken, SeasonEvent, nobodys
from service.seasons.season import Season, challenge_secret, fold, game_secret, lines_after

_VIA: Final = "operator"


def new_seal(next_challenge: int | None) -> CardsSealed:
    """The seal of a fresh secret: of a league (None), or of a ladder from this challenge on."""
    cards = secrets.token_hex(32)
    if next_challenge is None:
        return CardsSealed(commitment(cards), cards)
    next_cards = commitment(challenge_secret(cards, next_challenge))
    return CardsSealed(commitment(cards), cards, next_cards)


def secret_of(season: Season, game: Pairing) -> str:
    """The secret of a game, in hex: of a ladder's, by the seal that held when it was challenged."""
    if not season.sealings:  # the season is of an older version
        return secrets.token_hex(32)
    if season.ladder is None:
        return game_secret(_told(season.sealings[-1]), game)
    found = [challenge_secret(_told(seal), game["round"]) for seal in season.sealings]
    sealed = season.ladder.seals.get(game["game"])  # older logs do not seal the first game
    return next((secret for secret in found if commitment(secret) == sealed), found[0])


def _told(seal: CardsSealed) -> str:
    assert seal.secret is not None, "whoever begins games has read the whole log"
    return seal.secret


def resealed(
    lines: Sequence[StoredEvent], versions: Callable[[Iterable[str]], Mapping[str, int]], now: float
) -> list[str]:
    """The events that follow the log of a season from a backup, to seal the cards of its games to
    come anew; none if there are none to come.

    On a ladder the games without a log count for nobody: their players may know the cards.
    `versions` gives the versions of games, `now` is in unix seconds.
    """
    season = fold(None, lines)
    assert season is not None, "a log in a backup holds events"
    is_ladder, games = season.ladder is not None, season.open_games
    if season.ended is not None or not season.sealings or (season.started and not is_ladder):
        return []
    there = versions(game["game"] for game in games)
    lost = [game["game"] for game in games if not there[game["game"]]]
    events: list[SeasonEvent] = [*map(nobodys, lost)]
    events.append(new_seal(len(season.games) + 1 if is_ladder else None))
    return lines_after(season, events, _VIA, now)


def is_of_restore(text: str) -> bool:
    """Whether a restore has appended this event to a log."""
    line = json.loads(text)
    is_seal = line["type"] == CardsSealed.TYPE and line["seq"] > 2
    return bool(line["via"] == _VIA and (is_seal or line["type"] == ResultTaken.TYPE))
