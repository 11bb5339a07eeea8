"""What may follow what in a season's log whose lines have the form that `events` checks. Pure."""

from typing import get_args

from engine.chain import NO_HASH
from engine.game import STONES
from engine.shuffle import commitment
from service.core.times import unix
from service.seasons.events import (
    REMOVED,
    CardsSealed,
    ChallengeMade,
    DivisionPaired,
    PlayerEntered,
    PlayerWithdrew,
    Reason,
    ResultTaken,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
)
from service.seasons.ladder import AWAY, MOST_TIME_OUTS, PAUSES, Ladder
from service.seasons.season import LARGEST, LEFT_OUT, LONGEST_WAIT, SEEN, SMALLEST, Season, seated


def problem(season: Season | None, event: SeasonEvent, at: str) -> str | None:
    """Why this event cannot follow here at this moment (RFC 3339), in words for a fault of a log;
    None if it can.

    Whether draws and tables are right is for `verify`.
    """
    if season is None or isinstance(event, SeasonAnnounced):
        return _announcement_problem(season, event)
    if season.ended is not None:
        return "the season is over"
    return _ladder_problem(season, season.ladder, event, at) or _problem(season, event, at)


def _problem(season: Season, event: SeasonEvent, at: str) -> str | None:
    match event:
        case CardsSealed():
            return _seal_problem(season, event)
        case PlayerEntered(player):
            return _entry_problem(season, player)
        case PlayerWithdrew(player, reason):
            return _withdrawal_problem(season, player, reason, at)
        case SeasonStarted(secret):
            return _start_problem(season, secret, at)
        case DivisionPaired():
            return _pairing_problem(season, event)
        case ChallengeMade():
            return _challenge_problem(season, event, at)
        case ResultTaken():
            return _result_problem(season, event)
        case SeasonEnded():
            return _end_problem(season, event, at)
    return "it is no event of a season"


def _announcement_problem(season: Season | None, event: SeasonEvent) -> str | None:
    if season is not None or not isinstance(event, SeasonAnnounced):
        return "a season is announced once, by its first event"
    if event.format == "ladder":
        unused = (event.division, event.starts_at, event.players, [*event.bots], event.follows)
        is_possible = unused == (0, None, None, [], None)
    else:
        is_possible = event.division in range(SMALLEST, LARGEST + 1)
    return None if is_possible else "its rules are impossible"


def _seal_problem(season: Season, seal: CardsSealed) -> str | None:
    is_first = season.version == 1
    is_late = not season.sealings or season.started is not None
    if not is_first and is_late and season.ladder is None:
        return "the cards are sealed before anybody enters, and anew before the start at most"
    if seal.next_cards is None:
        is_missing = season.ladder is not None and not is_first
        return "it does not seal the cards of the next game" if is_missing else None
    return None if season.ladder is not None else "a league has no next challenge"


def _entry_problem(season: Season, player: str) -> str | None:
    if not season.takes_entries:
        return "nobody enters after the start"
    return "the player has entered before" if season.has(player) else None


def _ladder_problem(
    season: Season, ladder: Ladder | None, event: SeasonEvent, at: str
) -> str | None:
    """Why this event cannot follow on a ladder, for reasons that leagues do not have."""
    if ladder is None:
        return None
    if (late := ladder.overdue()) is not None and event != PlayerWithdrew(late, "time-outs"):
        return f"a player with {MOST_TIME_OUTS} time-outs is withdrawn at once"
    match event:
        case PlayerEntered(player):
            left = season.withdrawn.get(player)
            if ladder.plays(player):
                return "games of the player from before are still going on"
            is_early = left is not None and unix(at) < unix(left.at) + PAUSES.get(left.reason, 0)
            return "the player enters again too early" if is_early else None
        case PlayerWithdrew(player, "away"):
            is_early = unix(at) < unix(ladder.signs.get(player, at)) + AWAY
            return "the player gave a sign of life shortly before" if is_early else None
        case SeasonStarted() | DivisionPaired():
            return "a ladder has no such event"
    return None


def _challenge_problem(season: Season, event: ChallengeMade, at: str) -> str | None:
    if season.ladder is None:
        return "nobody is challenged in a league"
    if event.number != len(season.games) + 1 or event.game in season.games:
        return "its game is that of another challenge"
    obstacle = season.ladder.obstacle(event.challenger, event.challenged, unix(at))
    return None if obstacle is None else f"this challenge was not allowed: {obstacle}"


def _start_problem(season: Season, secret: str, at: str) -> str | None:
    if season.started is not None:
        return "the season has started before"
    wanted = season.rules.players
    is_full = wanted is not None and len(season.active) >= wanted
    if not is_full and unix(at) < season.due:
        return "it is too early to start with so few"
    fits = commitment(secret) == season.rules.commitment
    return None if fits else "the secret is not that of the commitment"


def _pairing_problem(season: Season, event: DivisionPaired) -> str | None:
    if any(game["game"] in season.games for game in event.games):
        return "a game is that of another pair"
    fits = 0 < event.division <= len(season.divisions) and event.division not in season.paired
    return None if fits else "there is no such division to pair"


def _end_problem(season: Season, end: SeasonEnded, at: str) -> str | None:
    ladder = season.ladder
    if end.by_operator:
        is_played = ladder is None and season.started is not None
        return "nobody ends a league that is being played" if is_played else None
    if ladder is not None:
        is_empty = not ladder.order and unix(season.latest) + LONGEST_WAIT <= unix(at)
        return None if is_empty else "somebody stood on it within 90 days"
    if season.started is None and unix(at) < season.due:
        return "it is too early to end without a start"
    unpaired = len(season.paired) < len(season.divisions)
    return "games are still going on" if season.open_games or unpaired else None


def _withdrawal_problem(season: Season, player: str, reason: str, at: str) -> str | None:
    if not season.has(player):
        return "the player is not in the season"
    of_others = "away" if season.ladder is None else "not-seen"
    if reason not in get_args(Reason) or reason == of_others:
        return "there is no such reason to withdraw anybody"
    if (reason == "time-outs") != (season.time_outs(player) >= MOST_TIME_OUTS):
        return f"{MOST_TIME_OUTS} time-outs, and nothing less, are a withdrawal"
    if reason in LEFT_OUT and season.started is not None and season.ladder is None:
        return "nobody is left out after the start"
    if reason == "not-seen" and unix(at) < unix(season.entered[player]) + SEEN:
        return "the player had entered within the week before"
    return None


def _result_problem(season: Season, result: ResultTaken) -> str | None:
    paired, counts = season.games.get(result.game), result.stones
    if paired is None or result.game in season.results:
        return "no such game of the season is going on"
    if result.winner not in (None, *seated(paired)):
        return "the winner did not play"
    if sum(counts.values()) > len(STONES):
        return "nobody wins so many of nine Stones"
    if result.reason == REMOVED:
        is_nobodys = (result.head, result.winner, *counts.values()) == (NO_HASH, None, 0, 0)
        return None if is_nobodys else "a removed game counts for nobody"
    if result.head in season.heads:
        return "its head is that of another result"
    return None
