"""A store with games that no version should have let in: every other game is served as ever."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.chain import NO_HASH, StoredEvent, canonical, hash_of
from service.cli import main
from service.container import Container
from service.eventlog.keys import log_key, side_state_key
from tests.support.backups import sealed
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.stored_games import finished, game_id, keep, running

Change = Callable[[dict[str, Any]], None]


def resealed(change: Change, of_running: bool = False) -> list[StoredEvent]:
    """A game with a change in the line that makes it, and a chain that holds all the same."""
    game = running() if of_running else finished()
    lines = [json.loads(text) for text in game.texts]
    change(lines[0])
    previous = NO_HASH
    for line in lines:
        line["hash"] = previous = hash_of(previous, line["salt"], line)
    return lines


def set_(*path: str, to: Any) -> Change:
    def change(line: dict[str, Any]) -> None:
        for part in path[:-1]:
            line = line[part]
        line[path[-1]] = to

    return change


DEEP: Any = 1
for _ in range(500):
    DEEP = [DEEP]

OUT_OF_FORM = {
    "at": set_("at", to="yesterday"),
    "year 1": set_("at", to="0001-01-01T00:00:00+14:00"),
    "via": set_("via", to="api\nFrom: 7"),
    "player": set_("data", "player", to="}:x{"),
    "invited": set_("data", "terms", "invited", to=["x"]),
    "clock": set_("data", "terms", "clock", to={"days_per_move": 10**12}),
    "no clock": set_("data", "terms", "clock", to=7),
    "terms": set_("data", "terms", to=None),
    "edition": set_("data", "edition", to={}),
    "deep": set_("data", "terms", "more", to=DEEP),
}


@pytest.fixture(autouse=True)
def _environment(
    redis_server: SocketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL", redis_server.url)
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path))
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", settings().secret_key)


def run(*arguments: object) -> Result:
    told = CliRunner().invoke(main, [str(each) for each in arguments])
    assert told.exception is None or isinstance(told.exception, SystemExit)
    return told


def append(store: Container, letter: str, lines: list[StoredEvent]) -> None:
    """Store lines as an older version did, without a look at them."""
    store.log.events.append(game_id(letter), 0, [canonical(line) for line in lines])


@pytest.fixture
def damaged(store: Container) -> list[str]:
    """Games that cannot be read, among two that can: `a` and `z`."""
    keep(store, "a", running(seed=1))
    keep(store, "z", finished(seed=2))
    store.redis.set(log_key(game_id("b")), "9 3 of a later version")
    store.redis.set(log_key(game_id("c")), "1 garbage")
    store.redis.hset(log_key(game_id("d")), "a", "hash")
    store.redis.xadd(log_key(game_id("e")), {"no": "event"}, id="1-0")
    store.redis.set(log_key(game_id("f")), b"1 7 \xff\xfe")
    store.redis.set(side_state_key(game_id("h")), "no hash")
    store.log.events.append(game_id("i"), 0, ["no JSON"])
    return [game_id(letter) for letter in "bcdefhi"]


class TestUnreadable:
    def test_a_backup_names_each_and_writes_the_rest(
        self, damaged: list[str], tmp_path: Path
    ) -> None:
        told = run("backup", tmp_path / "backup")
        assert told.exit_code == 1
        assert "holds 2 games," in told.output
        for game in damaged:
            assert told.output.count(f"game {game}: ") == 1
        assert run("restore", tmp_path / "backup").exit_code == 0

    def test_reindex_names_each_and_writes_the_rest(
        self, store: Container, damaged: list[str]
    ) -> None:
        store.redis.delete(*store.redis.scan_iter("*:games:*"))
        told = run("reindex")
        assert told.exit_code == 1
        assert "Written anew: 2 games," in told.output
        for game in set(damaged) - {game_id("h")}:
            assert told.output.count(f"game {game}: ") == 1
        player = store.games.load(game_id("a")).player_to_move()
        assert len(store.games.lists.of_player(player)[0]) == 1

    def test_verify_names_each(self, damaged: list[str]) -> None:
        told = run("verify", "--all")
        assert told.exit_code == 1
        assert f"Not sound: {len(damaged) - 1} games." in told.output

    def test_the_doctor_goes_on(self, damaged: list[str]) -> None:
        assert "append-only file" in run("doctor").output


class TestOutOfForm:
    """Sound by chain and decisions, but with a content that breaks what reads it."""

    @pytest.mark.parametrize("change", OUT_OF_FORM.values(), ids=OUT_OF_FORM)
    def test_an_import_leaves_nothing(self, store: Container, change: Any, tmp_path: Path) -> None:
        record = tmp_path / "record.jsonl"
        record.write_text("".join(canonical(line) + "\n" for line in resealed(change)))
        told = run("import", record)
        assert (told.exit_code, told.output.count("\n")) == (1, 1)
        assert list(store.redis.scan_iter()) == []

    @pytest.mark.parametrize("of_running", [True, False], ids=["running", "finished"])
    def test_a_restore_names_each_and_puts_the_rest_back(
        self, store: Container, of_running: bool, tmp_path: Path
    ) -> None:
        games = [resealed(change, of_running) for change in OUT_OF_FORM.values()]
        lines = [
            {"game": game_id(letter), "record": record, "notices": [], "notes": {}}
            for letter, record in zip("abcdefghij", games, strict=True)
        ]
        sound = {"game": game_id("z"), "record": running().lines, "notices": [], "notes": {}}
        file = tmp_path / "backup"
        file.write_bytes(b"".join(sealed(*lines, sound)))
        told = run("restore", file, "--salvage")
        assert told.exit_code == 1
        assert f"{len(games)} faults" in told.output
        assert list(store.log.events.game_ids()) == [game_id("z")]

    def test_those_in_the_store_stop_nothing(self, store: Container, tmp_path: Path) -> None:
        for letter, change in zip("bcdefghijk", OUT_OF_FORM.values(), strict=True):
            append(store, letter, resealed(change, of_running=True))
        keep(store, "z", running(seed=1))
        player = store.games.load(game_id("z")).player_to_move()
        store.redis.delete(*store.redis.scan_iter("*:games:*"))
        run("reindex")
        listed, _ = store.games.lists.of_player(player)
        assert game_id("z") in [game["id"] for game in listed]
        told = run("backup", tmp_path / "backup")
        assert told.exit_code == 1
        assert "holds 1 game," in told.output
        for letter in "bcdefghijk":
            assert told.output.count(f"game {game_id(letter)}: ") == 1
        assert run("doctor").output
