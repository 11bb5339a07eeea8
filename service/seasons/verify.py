"""Checks the log of a season without trusting its server: form, chain, commitment, every draw,
pair, result, table and promotion. Pure: it takes nothing but the log and the records of its games.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine.chain import NO_HASH, StoredEvent, hash_of, salt_of
from engine.errors import UnknownEvent
from engine.events import GameEnded, StoneClaimed
from engine.shuffle import commitment
from engine.verify import BAD_DATA, RecordFault
from engine.verify import verify as record_fault
from service.bots import bot_at
from service.seasons.events import (
    CardsSealed,
    DivisionPaired,
    Pairing,
    PlayerWithdrew,
    ResultTaken,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    decode,
    form_fault,
)
from service.seasons.ladder import MOST_TIME_OUTS
from service.seasons.rules import problem
from service.seasons.season import LEFT_OUT, Season, game_secret, grown
from service.seasons.table import are_enough, draw, order_after, pairs_fit, tables


class VerifiedSeason(NamedTuple):
    """A sound log: the season, how many of its results a record proved, and whether the order by
    the season before was left unchecked, as its log was not given. The cards of a proved game are
    those sealed, if the log has their secret."""

    season: Season
    proved: int
    is_order_unproved: bool


class UnsoundSeason(Exception):
    """The first fault of a log, or of a record of its games."""

    def __init__(self, seq: int | None, text: str, which: str = "") -> None:
        super().__init__(which + str(RecordFault(seq, text)).replace("the record", "the log"))
        self.seq, self.text = seq, text


def verify(
    lines: Sequence[object],
    records: Iterable[Sequence[StoredEvent]] = (),
    before: Sequence[object] | None = None,
) -> VerifiedSeason:
    """Check a log, as read from JSON Lines, with the full records of some of its games. `before` is
    the log of the season that it follows.

    Raises `UnsoundSeason`.
    """
    last = None if before is None else _season_before(before)
    try:
        checked = _chained(lines)
        return _Checking(_by_head(records), last).over(checked)
    except (*BAD_DATA, RecursionError, AssertionError) as error:
        raise UnsoundSeason(None, f"it does not hold what it should: {error!r}") from error


def _season_before(lines: Sequence[object]) -> Season:
    try:
        return verify(lines).season
    except UnsoundSeason as unsound:
        raise UnsoundSeason(unsound.seq, unsound.text, "the season before, ") from None


def _chained(lines: Sequence[Any]) -> list[StoredEvent]:
    """The lines, whose chain holds and whose salts follow from the secret.

    Before the start the first line hides its secret, and before the end that of the cards is
    hidden: those lines are taken by their hash.
    """
    if not lines:
        raise UnsoundSeason(None, "it holds no events")
    for seq, line in enumerate(lines, 1):
        if (fault := form_fault(line)) is not None:
            raise UnsoundSeason(seq, fault)
        if line["seq"] != seq:
            raise UnsoundSeason(seq, "it is no event with this number")
    secret, previous = (lines[0]["private"] or {}).get("secret"), NO_HASH
    for seq, line in enumerate(lines, 1):
        is_seal = line["type"] == CardsSealed.TYPE
        is_hidden = line["private"] is None and (is_seal or (seq == 1 and secret is None))
        if secret is not None and line["salt"] != salt_of(secret, seq):
            raise UnsoundSeason(seq, "its salt does not follow from the secret")
        if not is_hidden and hash_of(previous, line["salt"], line) != line["hash"]:
            raise UnsoundSeason(seq, "its hash is not that of its content and the event before")
        if line["at"] < lines[max(0, seq - 2)]["at"]:
            raise UnsoundSeason(seq, "it is out of place")
        previous = line["hash"]
    return list(lines)


def _by_head(records: Iterable[Sequence[StoredEvent]]) -> dict[str, Sequence[StoredEvent]]:
    sound = dict[str, Sequence[StoredEvent]]()
    for record in records:
        try:
            fault = record_fault(record)
        except UnknownEvent as error:
            raise UnsoundSeason(None, f"a record is of a later version: {error}") from None
        if fault is not None:
            raise UnsoundSeason(None, f"the record with the head {record[-1]['hash']}: {fault}")
        sound[record[-1]["hash"]] = record
    return sound


class _Checking:
    """The walk over the events of one log."""

    def __init__(self, records: dict[str, Sequence[StoredEvent]], last: Season | None) -> None:
        self._records, self._last = records, last
        self._proved, self._is_order_unproved = 0, False
        self._left_out_at: str | None = None
        """When somebody was left out, until the start that has to come with it."""

    def over(self, lines: Sequence[StoredEvent]) -> VerifiedSeason:
        season: Season | None = None
        for line in lines:
            event = decode(line)
            why = (
                problem(season, event, line["at"])
                or self._left_out_fault(season, event, line["at"])
                or self._fault(season, event)
            )
            if why is not None:
                raise UnsoundSeason(line["seq"], why)
            season = grown(season, line)
        assert season is not None, "a log holds events"
        if self._records:
            raise UnsoundSeason(None, f"no result has the head {min(self._records)} of a record")
        return VerifiedSeason(season, self._proved, self._is_order_unproved)

    def _left_out_fault(self, season: Season | None, event: SeasonEvent, at: str) -> str | None:
        """What is wrong if players of a league are left out but not in the moment of the start."""
        if season is not None and season.ladder is not None:
            return None
        is_left_out = isinstance(event, PlayerWithdrew) and event.reason in LEFT_OUT
        is_kept = is_left_out or isinstance(event, SeasonStarted | SeasonEnded)
        if self._left_out_at not in (None, at) or (self._left_out_at and not is_kept):
            return "players are left out only as the season starts"
        self._left_out_at = at if is_left_out else None
        return None

    def _fault(self, season: Season | None, event: SeasonEvent) -> str | None:
        """What is wrong with an event that may follow here."""
        if isinstance(event, SeasonAnnounced):
            if event.secret is None:
                return None if event.format == "league" else "the secret of a ladder is public"
            fits = commitment(event.secret) == event.commitment
            return None if fits else "the commitment is not that of the secret"
        assert season is not None, "no other event comes first"
        match event:
            case CardsSealed(sealed, secret):
                fits = secret is None or commitment(secret) == sealed
                return None if fits else "the commitment is not that of the secret of the cards"
            case SeasonStarted(secret, divisions):
                if season.rules.secret != secret:
                    return "it tells another secret than the season was announced with"
                drawn = self._is_drawn(season, divisions)
                return self._last_fault(season) or (None if drawn else "the draw is another")
            case DivisionPaired(number, games):
                fits = pairs_fit(season.divisions[number - 1], games)
                return None if fits else "the games are not those of all pairs"
            case ResultTaken():
                return self._result_fault(season, event)
            case SeasonEnded():
                return _end_fault(season, event)
        return None

    def _last_fault(self, season: Season) -> str | None:
        """What is wrong with the season before, as the next one starts with the next event."""
        if self._last is None:
            return None
        if self._last.id != season.rules.follows:
            return "it follows another season than the one whose log was given"
        is_over = self._last.ended is not None
        return None if is_over else "the season before was not over"

    def _is_drawn(self, season: Season, divisions: Sequence[Sequence[str]]) -> bool:
        if season.rules.follows is not None and self._last is None:
            self._is_order_unproved = True
            people = [one for each in divisions for one in each if bot_at(one) is None]
            return draw(season, season.active, people) == divisions
        last = [] if self._last is None else order_after(self._last)
        return draw(season, season.active, last) == divisions

    def _result_fault(self, season: Season, result: ResultTaken) -> str | None:
        """The contradiction between a result and the record of its game, if that is given."""
        record = self._records.pop(result.head, None)
        if record is None:
            return None
        self._proved += 1
        game, created, joined = season.games[result.game], record[0]["data"], record[1]["data"]
        rules, place = season.rules, {"id": season.id, "round": game["round"], "leg": game["leg"]}
        agreed = {
            "player": game["north"],
            "seat": "north",
            "first_player": first_player(season),
            **rules.variant,
            "salt": salt_in(season, game["north"]),
        }
        is_its_game = (
            all(created[name] == value for name, value in agreed.items())
            and created["terms"]["season"] == place
            and created["terms"]["clock"] == rules.clock
            and joined["player"] == game["south"]
            and joined["salt"] == salt_in(season, game["south"])
        )
        if not is_its_game:
            return "its record is of another game"
        if not _are_sealed(season, game, record):
            return "its cards are not those that were sealed"
        return None if told_by(record, result.game) == result else "its record tells another result"


def _end_fault(season: Season, end: SeasonEnded) -> str | None:
    if season.ladder is None and any(seal.secret is None for seal in season.sealings):
        return "the secret of the cards is still hidden"
    is_unplayed = season.started is None and not end.by_operator
    if is_unplayed and are_enough(season, len(season.active)):
        return "it could be played: enough had entered"
    if any(season.time_outs(player) >= MOST_TIME_OUTS for player in season.active):
        return "somebody with two time-outs was not withdrawn"
    return None if end.tables == tables(season) else "the tables are others"


def _are_sealed(season: Season, game: Pairing, record: Sequence[StoredEvent]) -> bool:
    """Whether the cards of a game are those sealed, as far as the log tells."""
    if season.ladder is not None:
        seal = season.ladder.seals.get(game["game"])
        return seal is None or record[0]["data"]["commitment"] == seal
    cards = season.cards_secret
    return cards is None or record[0]["private"] == {"secret": game_secret(cards, game)}


def first_player(season: Season) -> str:
    """Who begins its games: north in a league; on a ladder each game draws it."""
    return "creator" if season.ladder is None else "random"


def salt_in(season: Season, player: str) -> str:
    """A player's share of the shuffles of their games: the salt of their entry; the season's
    commitment for a bot."""
    salts = {entry.player: entry.salt for entry in season.entries}
    return salts.get(player, season.rules.commitment)


def told_by(record: Sequence[StoredEvent], game: str) -> ResultTaken:
    """The result of a game as its finished record tells it."""
    players = {record[0]["data"]["seat"]: record[0]["data"]["player"]}
    players["south"] = record[1]["data"]["player"]
    end = record[-1]
    if end["type"] != GameEnded.TYPE:
        raise ValueError("a record does not reach its game's end")
    claims = [line["by"] for line in record if line["type"] == StoneClaimed.TYPE]
    return ResultTaken(
        game,
        end["hash"],
        players.get(end["data"]["winner"]),
        end["data"]["reason"],
        {"north": claims.count("north"), "south": claims.count("south")},
    )
