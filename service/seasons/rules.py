"""What each line of a season's log may hold, as `season_form.js` checks too; and what may follow
what in a log whose lines have this form. Pure.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

from engine.cards import SEATS
from engine.chain import NO_HASH, VIA
from engine.clock_events import clock_terms
from engine.game import STONES
from engine.shuffle import commitment
from engine.value_checks import (
    Check,
    Malformed,
    flag,
    list_of,
    matching,
    moment,
    object_of,
    one_of,
    or_null,
    whole,
)
from service.core.times import unix
from service.seasons.ladder import AWAY, MOST_TIME_OUTS, PAUSES, Ladder
from service.seasons.season import (
    LARGEST,
    LEFT_OUT,
    LONGEST_WAIT,
    PRIVATE,
    REMOVED,
    SEEN,
    SMALLEST,
    CardsSealed,
    ChallengeMade,
    DivisionPaired,
    Format,
    PlayerEntered,
    PlayerWithdrew,
    Reason,
    ResultTaken,
    Season,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    seated,
)

NAME: Final = "name"
"""The member of an exported line that holds the name of who entered. It is not sealed, so that a
deleted player's can go."""
_MANY: Final = 2**53 - 1
"""The largest number that every JSON reader takes as it is."""
_HEX: Final = matching("[0-9a-f]{64}", "not 64 hex digits")
_ID: Final = matching("[a-z0-9]+", "not an id")
_WORD: Final = matching("[a-z0-9]+(-[a-z0-9]+)*", "not a word")
_TEXT: Final = matching("[^\ud800-\udfff]+", "not a text")
_NUMBER: Final = whole(0, _MANY)
_PLAYERS: Final = list_of(list_of(_ID, 0, _MANY), 0, _MANY)
"""The players of each division."""
_SECRET: Final = or_null(object_of({PRIVATE: _HEX}))


def _nothing(value: object, path: str) -> None:
    if value is not None:
        raise Malformed(path, "not null")


_LINE: Final[Mapping[str, Check]] = {
    "seq": _NUMBER,
    "v": whole(1, 1),
    "at": moment,
    "by": _nothing,
    "via": one_of(*VIA, "operator"),
    "salt": or_null(_HEX),
    "hash": _HEX,
}
"""The members that all lines have besides `type`, `data` and `private`."""
_DATA: Final[Mapping[str, Check]] = {
    "announced": object_of(
        {
            "id": _ID,
            "name": _TEXT,
            "edition": _WORD,
            "tactics": flag,
            "expert": flag,
            "clock": clock_terms,
            "division": _NUMBER,
            "starts_at": or_null(moment),
            "players": or_null(_NUMBER),
            "bots": list_of(matching("[a-z]+", "not the name of a bot"), 0, _MANY),
            "follows": or_null(_ID),
            "commitment": _HEX,
            "by": or_null(_ID),
        },
        # Leagues of older versions do not say that they are one.
        {"format": one_of(*get_args(Format))},
    ),
    "sealed": object_of({"commitment": _HEX}, {"next_cards": or_null(_HEX)}),
    "entered": object_of({"player": _ID, "salt": _TEXT}),
    "withdrawn": object_of({"player": _ID, "reason": _WORD}),
    "started": object_of({"secret": _HEX, "divisions": _PLAYERS}),
    "paired": object_of(
        {
            "division": _NUMBER,
            "games": list_of(
                object_of(
                    {
                        "game": _ID,
                        "round": whole(1, 1),
                        "leg": whole(1, 2),
                        "north": _ID,
                        "south": _ID,
                    }
                ),
                least=0,
                most=_MANY,
            ),
        }
    ),
    "challenged": object_of(
        {"game": _ID, "number": _NUMBER, "challenger": _ID, "challenged": _ID, "next_cards": _HEX}
    ),
    "result": object_of(
        {
            "game": _ID,
            "head": _HEX,
            "winner": or_null(_ID),
            "reason": _WORD,
            "stones": object_of(dict.fromkeys(SEATS, whole(0, 9))),
        }
    ),
    "ended": object_of({"tables": _PLAYERS}, {"by_operator": flag}),
}
"""The form of `data`, by type."""


def _form(type_: str) -> Check:
    """The form of a line of this type."""
    has_secret = type_ in (SeasonAnnounced.TYPE, CardsSealed.TYPE)
    private = _SECRET if has_secret else _nothing
    members = {**_LINE, "type": one_of(type_), "data": _DATA[type_], "private": private}
    return object_of(members, {NAME: or_null(_TEXT)} if type_ == PlayerEntered.TYPE else {})


_FORMS: Final = {type_: _form(type_) for type_ in _DATA}


def form_fault(line: Any) -> str | None:
    """What is wrong with the form of a line, as read from JSON; None if nothing is."""
    type_: Any = line.get("type") if isinstance(line, dict) else None
    try:
        one_of(*_FORMS)(type_, "type")
        _FORMS[type_](line, "")
        hides = type_ == SeasonAnnounced.TYPE and line["private"] is None
        if hides != (line["salt"] is None):
            raise Malformed("salt", "missing, or shown, where it should not be")
    except Malformed as fault:
        return str(fault)
    return None


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
