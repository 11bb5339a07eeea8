"""Restores a backup, into an empty store or into one that has some of it already, and imports
single records from elsewhere.

Data that the store has, such as a game, a player or an answered challenge, stays. Additions from
the file are checked first; derived data is rebuilt afterwards.
"""

import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from engine import replay
from engine.chain import FINAL_TYPES, StoredEvent, canonical, to_event
from service.container import Container
from service.core import heartbeat
from service.core.heartbeat import Outage
from service.core.ids import GAME_ID
from service.eventlog import (
    Appended,
    Changed,
    FieldChange,
    Notice,
    Removed,
    UnreadableLog,
    keys,
    legible,
)
from service.eventlog.compaction import compact
from service.eventlog.outbox import notice_problem
from service.eventlog.results import read_removal
from service.games.challenge import read_challenge
from service.games.drafts import CHALLENGE, CLOCK
from service.games.rating import Result
from service.games.side_state_check import side_state_problem
from service.games.stored_game import StoredGame, changed, fold, imported_id
from service.games.terms import read_game_terms
from service.games.writer import OUTAGE, give_back, missing_outages
from service.ops.backup import READABLE_HEADERS, BackupSeal, parsed
from service.ops.integrity import (
    Damaged,
    check_readable,
    fault_in,
    reindex_challenges,
    reindex_players,
    reporting_damage,
    sweep_players,
)
from service.ops.key_snapshots import (
    MARKS,
    REMOVALS,
    KeySnapshot,
    Revoked,
    expiry_problem,
    kind_of,
    problem_of,
    restore_key,
)
from service.ops.operating import remove_again
from service.seasons import store as seasons
from service.seasons.sealing import resealed

_GAMES: Final = ({"game", "record", "notices"}, {"game", "record", "notices", "notes"})
_BESIDE: Final = {"beside", "notes", "notices", "expires"}
_ATTEMPTS: Final = 5
"""Number of attempts to write while others write to the same game."""


class Fault(NamedTuple):
    """An item that cannot be restored: its line's number, its description, and the reason."""

    line: int
    what: str
    problem: str

    def __str__(self) -> str:
        return f"{self.what}: {self.problem}"


class Inspection(NamedTuple):
    """The faults in a backup, and whether it was written with this server's secret key."""

    faults: list[Fault]
    ours: bool


class Restored(NamedTuple):
    """The numbers of games, challenges and keys restored or already present.

    `refused` could not be restored. `apart` counts notes of an older backup whose game exists: they
    were read at another moment than the game, and are left out.
    """

    games: int
    challenges: int
    keys: int
    refused: list[Fault]
    apart: int


def inspect(lines: Iterable[bytes], secret_key: str) -> Inspection:
    """Return all faults in a backup: none if it is complete and unchanged, and each game is
    sound."""
    faults: list[Fault] = []
    seal, last, number = BackupSeal(secret_key), b"", 0
    for number, line in enumerate(lines, 1):
        if number > 1:
            seal.add(last)
            faults += _faults(number - 1, last)
        last = line
    try:
        ending = parsed(last)
    except ValueError:
        ending = None
    if not seal.is_whole(ending):
        faults.append(Fault(number, "the file", "it is not whole, or not as it was written"))
    return Inspection(faults, seal.is_ours(ending))


def restore(
    container: Container,
    lines: Iterable[bytes],
    leave_out: Collection[int] = (),
    now: Callable[[], float] = time.time,
    *,
    ours: bool = True,
) -> Restored:
    """Restore the lines of a backup, except those with the numbers in `leave_out`.

    Call it only for lines in which `inspect` saw no faults. May be repeated after an interruption.
    A game that the store has with other events is refused, and the rest goes on. Anything marked as
    deleted or revoked, in the store or the file, does not come back. Marks of a file that is not
    `ours` are ignored, because they would delete accounts here. `now` gives unix seconds.
    """
    tally = _Tally(container, now, ours)
    for number, line in enumerate(lines, 1):
        if number not in leave_out:
            tally.put(number, parsed(line))
    container.games.ratings.add(tally.results)
    tally.refused += (Fault(0, *problem) for problem in tally.revoked.apply())
    reindex_players(container)
    reindex_challenges(container)
    container.season_store.reindex()
    sweep_players(container)
    return Restored(tally.games, tally.challenges, tally.keys, tally.refused, tally.apart)


class _Tally:
    """Restores one line after the other, and counts."""

    def __init__(self, container: Container, now: Callable[[], float], ours: bool) -> None:
        self._container = container
        self._now = now
        self._ours = ours
        self.revoked = Revoked(container, now)
        self._away: Outage | None = None
        """The outage since the backup was made; None if the store has its last heartbeats."""
        self.games = self.challenges = self.keys = self.apart = 0
        self.refused: list[Fault] = []
        self.results: list[Result] = []

    def put(self, number: int, line: Mapping[str, object]) -> None:
        try:
            with reporting_damage():
                self._put(line)
        except Damaged as damaged:
            what = line.get("game") or line.get("beside") or line.get("key")
            self.refused.append(Fault(number, _named(line, what), str(damaged)))

    def _put(self, line: Mapping[str, Any]) -> None:
        if "game" in line:
            notices = [Notice(*notice) for notice in line["notices"]]
            notes = line.get("notes", {})
            if self._container.log.events.removal(line["game"]) is not None:
                return  # the operator has removed it since
            # The players come after the games.
            restored = restore_game(
                *(self._container, line["game"], line["record"], notices, notes),
                absent_too=True,
                away=self._away,
            )
            if not restored:
                raise Damaged("it is there, but another")
            self.revoked.note_game(line["game"], line["record"])
            result = self._container.games.ratings.result(self._container.games.load(line["game"]))
            self.results += [result] if result is not None else []
            self.games += 1
        elif "beside" in line:
            notices = [Notice(*notice) for notice in line["notices"]]
            self._put_challenge(line["beside"], line["notes"], notices, line["expires"])
        elif "key" in line:
            self._put_key(cast(KeySnapshot, line))

    def _put_key(self, snapshot: KeySnapshot) -> None:
        if (game_id := _game_of_notes(snapshot["key"])) is None:
            self._put_kind(snapshot)
        elif self._container.log.events.version(game_id):
            self.apart += 1
        else:
            self._put_challenge(game_id, snapshot["value"], [], snapshot["expires"])

    def _put_kind(self, snapshot: KeySnapshot) -> None:
        kind = kind_of(snapshot["key"])
        if kind in MARKS:
            if self._ours:
                self.revoked.add(snapshot)
        elif kind in REMOVALS:
            if self._ours:
                self._put_removal(snapshot)
        elif kind in seasons.LASTING_KEYS:
            self._put_season(snapshot)
        elif kind is not None and not kind.derived:
            if (left := self.revoked.without(snapshot)) is not None:
                restore_key(self._container.redis, left, self._now())
            self.keys += 1
        if kind is heartbeat.LAST_HEARTBEATS:
            self._note_away(snapshot["value"])

    def _put_removal(self, snapshot: KeySnapshot) -> None:
        removed = keys.game_of(snapshot["key"])
        remove_again(self._container, removed, read_removal(snapshot["value"]))
        self.results = [each for each in self.results if each.game != removed]

    def _put_season(self, snapshot: KeySnapshot) -> None:
        """Put a season's log back, and seal its cards anew: players may know those of games that
        began after the backup."""
        season_id, texts = snapshot["key"].rpartition(":")[2], snapshot["value"]
        try:
            with legible(f"season {season_id}"):
                versions = self._container.log.events.versions
                anew = resealed([*map(json.loads, texts)], versions, self._now())
        except UnreadableLog:  # nobody goes on with it
            anew = []
        if not self._container.season_store.restore(season_id, texts, anew):
            raise Damaged("it is there, but another")
        self.keys += 1

    def _note_away(self, heartbeats: Mapping[str, str]) -> None:
        """Compute the outage from the backup to now, to refund it to each restored game.

        None if the store has these heartbeats now: its next one ends the outage for all games.
        """
        last = heartbeat.last_heartbeat_of(heartbeats)
        there = self._container.outages.last_heartbeat()
        now = int(self._now())
        self._away = None if last is None or last == there or last >= now else Outage(last, now)

    def _put_challenge(
        self, game_id: str, notes: Mapping[str, str], notices: Sequence[Notice], expires: int | None
    ) -> None:
        text = notes.get(CHALLENGE)
        if text is None or self.revoked.concerns(text):
            return
        life = read_challenge(text).life if expires is None else expires - int(self._now())
        if life > 0:
            restore_challenge(self._container, game_id, text, notices, life)
            self.challenges += 1


def restore_game(
    container: Container,
    game_id: str,
    record: Sequence[StoredEvent],
    notices: Sequence[Notice] = (),
    notes: Mapping[str, str] | None = None,
    absent_too: bool = False,
    away: Outage | None = None,
) -> bool:
    """Store a sound game under this id, with its notes and everything derived from it.

    Players who are not here get no list of games, except with `absent_too`. A new game whose clock
    runs is refunded the time of the outage `away`. Returns False, and changes nothing, if a game
    with this id has begun with other events. Anything that can fail is tried before the first
    write.
    """
    texts = [canonical(event) for event in record]
    stored = fold(game_id, None, texts)
    assert stored is not None, "a sound record has events"
    check_readable(stored)
    if stored.game.over:
        compact(texts)
    back, added = _given_back(stored, away)
    if not _append(container, back, texts, added, notices, notes or {}):
        return False
    if stored.game.over:
        container.log.events.compact(game_id)
    container.games.index.apply(container.games.load(game_id), absent_too=absent_too)
    return True


def _given_back(stored: StoredGame, away: Outage | None) -> tuple[StoredGame, list[str]]:
    """Return the game with the time of the outage refunded, and the lines of the log that record
    it."""
    if away is None or not missing_outages(stored, [away]):
        return stored, []
    (command,) = give_back([away])
    after, _, added = changed(stored.id, stored, command, away.end, CLOCK)
    return after, added


def restore_challenge(
    container: Container, game_id: str, text: str, notices: Sequence[Notice], life: int
) -> None:
    """Restore a challenge if it has not become a game; `life` is in seconds.

    If the store has this challenge, it stays, unless it is open there but answered in the backup.
    """
    status = read_challenge(text).status
    for _ in range(_ATTEMPTS):
        there = container.log.side_state.read(game_id).get(CHALLENGE, "")
        overrules = status != "open" and (not there or read_challenge(there).status == "open")
        if status == "accepted" or (there and not overrules):
            return
        change = FieldChange(CHALLENGE, there, text)
        answer = container.log.side_state.change(
            game_id, [change], version=0, notices=notices, life=life
        )
        if isinstance(answer, Changed):
            return
        if container.log.events.version(game_id):
            return


def _append(
    container: Container,
    stored: StoredGame,
    texts: list[str],
    added: list[str],
    notices: Sequence[Notice],
    notes: Mapping[str, str],
) -> bool:
    """Try to make these events the log of the game. Return whether the log now begins with them.

    If one log begins with the other, the longer one stays, or replaces the shorter with `added`
    appended. Outages that a server has refunded to a restored game do not count as its history:
    they give way to played events.
    """
    version, there = 0, dict[str, str]()
    for _ in range(_ATTEMPTS):
        changes = [
            FieldChange(field, there.get(field, ""), notes.get(field, ""))
            for field in sorted({*notes, *there})
        ]
        answer = container.log.events.append(
            *(stored.id, version, [*texts[version:], *added]),
            notices=notices,
            deadline=stored.deadline,
            side_state=changes,
        )
        if isinstance(answer, Appended):
            return True
        if isinstance(answer, Removed):
            raise container.games.repository.missing(stored.id)
        # The store may have a challenge here that has not become a game.
        there = container.log.side_state.read(stored.id)
        log = container.log.events.read(stored.id)
        version = len(log)
        common = next(
            (n for n, pair in enumerate(zip(log, texts, strict=False)) if pair[0] != pair[1]),
            min(version, len(texts)),
        )
        if common == len(texts):
            return True
        if common < version:
            if all(map(_is_given_back, texts[common:])):
                return True
            if not all(map(_is_given_back, log[common:])):
                return False
            container.log.events.withdraw(
                stored.id, version, str(json.loads(log[-1])["hash"]), common
            )
            version = common
    return False


def _is_given_back(text: str) -> bool:
    event = json.loads(text)
    is_own = (event["type"], event["by"]) == ("clock_adjusted", None)
    return is_own and event["data"]["reason"] == OUTAGE


# Faults in a line


def _faults(number: int, text: bytes) -> Iterable[Fault]:
    try:
        line = parsed(text)
    except ValueError as error:
        return [Fault(number, f"line {number}", str(error))]
    if number == 1:
        return [] if line in READABLE_HEADERS else [Fault(1, "the file", "it is no backup")]
    if not isinstance(line, dict):
        return [Fault(number, f"line {number}", "it is no line of a backup")]
    problem = _problem(line)
    if problem is None:
        return []
    named = line.get("game") or line.get("beside") or line.get("key")
    return [Fault(number, _named(line, named) or f"line {number}", problem)]


def _named(line: Mapping[str, object], name: object) -> str:
    if not isinstance(name, str):
        return ""
    return name if "key" in line else f"game {name}"


def _problem(line: dict[str, object]) -> str | None:
    if line.keys() in _GAMES:
        record = line["record"]
        if not isinstance(record, list):
            return "its record is no list of events"
        return _side_problem(line["game"], line) or fault_in(record)
    if line.keys() == _BESIDE:
        return _side_problem(line["beside"], line) or expiry_problem(line["expires"])
    if line.keys() == KeySnapshot.__annotations__.keys():
        return _key_problem(cast(KeySnapshot, line))
    return "it is no line of a backup"


def _side_problem(game_id: object, line: Mapping[str, object]) -> str | None:
    if not isinstance(game_id, str) or not re.fullmatch(GAME_ID, game_id):
        return "its id is not that of a game"
    notes, notices = line.get("notes", {}), line["notices"]
    if not isinstance(notes, dict) or not isinstance(notices, list):
        return "it is no line of a backup"
    problems = (notice_problem(game_id, notice) for notice in notices)
    return side_state_problem(game_id, notes) or next(filter(None, problems), None)


def _key_problem(snapshot: KeySnapshot) -> str | None:
    game_id = _game_of_notes(snapshot["key"])
    if game_id is None:
        return problem_of(snapshot)
    if snapshot["type"] != "hash" or not isinstance(snapshot["value"], dict):
        return "the notes of a game have to be a hash"
    return side_state_problem(game_id, snapshot["value"])


def _game_of_notes(key: object) -> str | None:
    """The id of the game whose notes this key of an older backup holds; None for any other key."""
    match = re.fullmatch(keys.SIDE_STATE_NAME, key) if isinstance(key, str) else None
    return match and match[1]


class NotImported(Exception):
    """A record that cannot be imported; the text gives the reason and the event."""


def import_record(container: Container, record: Sequence[StoredEvent]) -> str:
    """Store the full record of a finished game; returns the game's id here.

    The id follows from the record's head: importing the same record again gives the same game. If
    the game was played here, and one of its players is still here, that game is returned. Raises
    `NotImported` unless it is the complete, sound record of a finished game, and the day over whose
    deal it has, if any; nothing changes then.
    """
    if record[-1]["type"] not in FINAL_TYPES:
        raise NotImported("This is not the full record of a finished game.")
    if (fault := fault_in(record)) is not None:
        raise NotImported(f"Not sound: {fault}.")
    day = read_game_terms(record[0]["data"]["terms"]).daily
    if day is not None and container.now() < day.ends:
        # The secret of that day is not out, and the game would be sealed here.
        raise NotImported(f"It has the deal of {day.date}, and that day is not over yet, in UTC.")
    try:
        with reporting_damage():
            if (existing := _existing(container, record)) is not None:
                return existing
            game_id = imported_id(record[-1]["hash"])
            stored = restore_game(container, game_id, record)
    except Damaged as damaged:
        raise NotImported(f"It cannot be stored: {damaged}.") from damaged
    if not stored:
        raise NotImported(f"There is another game {game_id} here.")
    return game_id


def _existing(container: Container, record: Sequence[StoredEvent]) -> str | None:
    """The id of the stored game with this record, searched in its players' lists; None without
    one."""
    at, head = record[0]["at"], record[-1]["hash"]
    made = replay(map(to_event, record[:2]))
    for player in sorted(filter(None, made.players.values())):
        for stored in container.games.lists.created_at(player, at):
            if (stored.game.commitment, stored.head) == (made.commitment, head):
                return stored.id
    return None
