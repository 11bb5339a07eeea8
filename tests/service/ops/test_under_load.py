"""A backup of a store in which people play: each game is of one moment."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

import pytest

from engine import legal
from service import container
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import connect
from service.eventlog import FieldChange, Notice, VersionConflict, notice_id
from service.eventlog.snapshot import Snapshot, Snapshots
from service.games import NewGame
from service.games.drafts import Orders, TurnOrder
from service.games.stored_game import StoredGame
from service.ops.restore import inspect, restore
from tests.support.backups import KEY, backup
from tests.support.settings import settings
from tests.support.stored_games import game_id

LETTERS = "abcdefghijklmnop"
BACKUPS = 5


@contextmanager
def load(*work: Callable[[], object]) -> Iterator[None]:
    """Each of these again and again, in a thread of its own."""
    stop = threading.Event()
    failed: list[BaseException] = []

    def repeat(do: Callable[[], object]) -> None:
        try:
            while not stop.is_set():
                do()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=repeat, args=(do,)) for do in work]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []


def client(store: Container) -> Container:
    """The same store, as another process sees it."""
    options = store.redis.get_connection_kwargs()
    return container.Container(settings(), connect(f"unix://{options['path']}"))


def parsed(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def test_log_notes_and_notices_of_every_game_are_of_one_version(store: Container) -> None:
    """Each write sets the note to its version, and leaves a notice of it."""
    versions = dict.fromkeys(map(game_id, LETTERS), 0)
    turn = count()

    def write(writer: Container, game: str) -> None:
        version = versions[game]
        notice = Notice(notice_id(game, version + 1, "p" * 16, "mail", "turn"), 1.0)
        change = FieldChange("north", str(version) if version else "", str(version + 1))
        answer = writer.log.events.append(
            game, version, ["{}"], side_state=[change], notices=[notice]
        )
        assert not isinstance(answer, VersionConflict)
        versions[game] += 1

    def writing(games: list[str]) -> Callable[[], object]:
        writer = client(store)
        return lambda: write(writer, games[next(turn) % len(games)])

    games = list(versions)
    with load(writing(games[::2]), writing(games[1::2])):
        for _ in range(4 * BACKUPS):
            for snapshot in Snapshots(store.redis, store.log.events).of(games):
                version = len(snapshot.events)
                assert snapshot.side_state == ({"north": str(version)} if version else {})
                assert len(snapshot.notices) == version


class Opponents:
    """People who challenge each other, give orders and play, the same for the same chance."""

    def __init__(self, store: Container, people: list[str], seed: int) -> None:
        self.games = client(store).games
        self.people = people
        self.chance = random.Random(seed)
        self.running: list[str] = []

    def act(self) -> None:
        with suppress(RequestRejected):  # the two have been asked often enough
            self._challenge(*self.chance.sample(self.people, 2))
        for game in self.running[-4:]:
            self._play(self.games.load(game))

    def _challenge(self, one: str, other: str) -> None:
        made = self.games.challenges.make(one, other, NewGame())
        if self.chance.random() < 0.3:
            made = self.games.challenges.counter(made.id, other, {"rounds": 2})
        if self.chance.random() < 0.8:
            self.running.append(self.games.challenges.accept(made.id, made.to).id)

    def _play(self, stored: StoredGame) -> None:
        mover = stored.player_to_move()
        assert mover is not None
        for player in stored.players:
            order = TurnOrder((self.chance.choice(["R7@3", "B1@1"]),))
            self.games.orders.give(stored.id, player, Orders(turn=order))
        self.games.play(stored.id, mover, [self.chance.choice(legal(stored.game))])


def test_what_was_backed_up_under_load_can_be_restored_and_played_on(
    store: Container, elsewhere: Container
) -> None:
    people = [store.registrations.register(f"Player {number}").player.id for number in range(40)]
    taken = []
    with load(*(Opponents(store, people, seed).act for seed in (1, 2))):
        while len(taken) < BACKUPS:
            taken.append(backup(store))
    for lines in taken:
        assert inspect(lines, KEY) == ([], True)
        told = parsed(lines)
        games = {line["game"] for line in told if "game" in line}
        beside = {line["beside"]: line["notes"]["challenge"] for line in told if "beside" in line}
        answers = {name: json.loads(note) for name, note in beside.items()}
        for name, challenge in answers.items():
            assert challenge["status"] != "accepted" or name in games
            assert challenge["counter_offer"] in {None, *games, *answers}
    assert len(games) > len(taken)
    assert restore(elsewhere, taken[0]).refused == []
    assert restore(elsewhere, taken[-1]).refused == []
    for game in elsewhere.log.events.game_ids():
        stored = elsewhere.games.load(game)
        mover = stored.player_to_move()
        assert mover is not None
        elsewhere.games.play(game, mover, elsewhere.games.view(stored, mover).legal[:1])


def test_a_challenge_and_a_counter_offer_made_meanwhile_are_both_in_it(
    store: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The challenge was read before, as open."""
    one, other = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
    made = store.games.challenges.make(one, other, NewGame())
    read, offered = Snapshots._batch, []

    def then_counter(*args: Any) -> Iterator[Snapshot]:
        yield from read(*args)
        if not offered:
            offered.append(store.games.challenges.counter(made.id, other, {"rounds": 3}))

    monkeypatch.setattr(Snapshots, "_batch", then_counter)
    told = parsed(backup(store))
    notes = {line["beside"]: json.loads(line["notes"]["challenge"]) for line in told[1:4]}
    assert notes[made.id]["counter_offer"] == offered[0].id
    assert notes[offered[0].id]["status"] == "open"
