"""Putting a backup back, into an empty store or into one that has some of it already."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, cast

from engine.chain import StoredEvent, canonical
from service.archive.backup import HEADER, Digest
from service.archive.keepsakes import Keepsake, put_back
from service.archive.soundness import fault_in
from service.games.stored import fold
from service.log import Appended, Notice
from service.services import Services

_GAME: Final = {"game", "record", "notices"}
_ENDING: Final = re.compile(r'"via":"[^"]*"\}')


class Fault(NamedTuple):
    """Something that cannot be put back: the number of its line, what it is, and why not."""

    line: int
    what: str
    problem: str

    def __str__(self) -> str:
        return f"{self.what}: {self.problem}"


class Restored(NamedTuple):
    """How many games and keys were put back or were there already, and what was refused."""

    games: int
    keys: int
    refused: list[Fault]


def inspect(lines: Iterable[str]) -> Iterator[Fault]:
    """Everything wrong with a backup: nothing, if it is whole, unchanged, and each game sound."""
    digest, last, number = Digest(), "", 0
    for number, text in enumerate(lines, 1):
        if number > 1:
            digest.add(last)
            fault = _fault(number - 1, last)
            if fault is not None:
                yield fault
        last = text
    if last != digest.end():
        yield Fault(number, "the file", "it is not whole, or not as it was written")


def put(services: Services, lines: Iterable[str], leave_out: Collection[int] = ()) -> Restored:
    """Put back the lines of a backup, but for those with the numbers `leave_out`.

    Only for what `inspect` has found no fault with. What is there already stays: so this may be
    done again after an interruption, and a game that the store has with other events is refused.
    """
    games = keys = 0
    refused: list[Fault] = []
    for number, text in enumerate(lines, 1):
        line = {} if number in leave_out else json.loads(text)
        if "game" in line:
            notices = [Notice(*notice) for notice in line["notices"]]
            if put_game(services, line["game"], line["record"], notices):
                games += 1
            else:
                refused.append(Fault(number, f"game {line['game']}", "it is there, but another"))
        elif "key" in line:
            put_back(services.redis, cast(Keepsake, line))
            keys += 1
    return Restored(games, keys, refused)


def put_game(
    services: Services, game_id: str, record: Sequence[StoredEvent], notices: Sequence[Notice] = ()
) -> bool:
    """Store a sound game under this id, with all that follows from it.

    False where there is a game with this id that did not begin with these events.
    """
    texts = [canonical(event) for event in record]
    stored = fold(game_id, None, texts)
    assert stored is not None, "a sound record has events"
    answer = services.log.append(game_id, 0, texts, notices=notices, deadline=stored.deadline)
    if not isinstance(answer, Appended) and services.log.read(game_id, upto=len(texts)) != texts:
        return False
    if stored.game.over:
        services.log.pack(game_id)
    services.games.project(services.games.load(game_id))
    return True


def _fault(number: int, text: str) -> Fault | None:
    try:
        line = json.loads(text)
    except ValueError as error:
        return Fault(number, f"line {number}", _where(text, error))
    if number == 1:
        known = line == HEADER
        return None if known else Fault(1, "the file", "it is no backup of a form known here")
    if line.keys() == _GAME:
        problem = fault_in(line["record"])
        return Fault(number, f"game {line['game']}", problem) if problem else None
    if line.keys() == Keepsake.__annotations__.keys():
        return None
    return Fault(number, f"line {number}", "it is no line of a backup")


def _where(text: str, error: ValueError) -> str:
    """Which event of a game cannot be read: every one before it ends in its channel."""
    place = error.pos if isinstance(error, json.JSONDecodeError) else 0
    return f"event {len(_ENDING.findall(text, 0, place)) + 1}: it is not JSON: {error}"
