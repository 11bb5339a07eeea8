"""An operator's commands, on a store that is being served."""

import os
import socket
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Self

import pytest

from engine.record import to_jsonl, to_text
from service.cli import operate
from service.container import Container
from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client
from service.server import embedded
from tests.cli.runner import run
from tests.support import stored_games
from tests.support.servers import bundled_binary, running
from tests.support.stored_games import TACTICS, SlowGame, finished, game_id, keep
from tests.support.stored_games import running as running_game

pytestmark = pytest.mark.usefixtures("environment")


@pytest.fixture
def games(store: Container) -> Any:
    return [keep(store, "a", finished(TACTICS)), keep(store, "b", running_game())]


def spoil(store: Any, letter: Any) -> None:
    """Store a game in which somebody changed one event."""
    game = finished(seed=4)
    game.lines[4] = {**game.lines[4], "via": "order"}
    store.log.events.append(game_id(letter), 0, game.texts)


class TestExportArchive:
    @pytest.fixture
    def months(self, store: Container, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The months in which two games ended whose players let them be studied."""
        monkeypatch.setattr(stored_games, "BEGINNING", 1_700_000_000)  # in 2023
        monkeypatch.setattr(SlowGame, "_salt", lambda game: game.chance.randbytes(32).hex())
        ended = []
        for letter, seed in (("a", 1), ("b", 2)):
            game = finished(seed=seed)
            keep(store, letter, game)
            for player in game.players:
                store.players.let_study(player, "nameless")
            ended.append(game.lines[-1]["at"][:7])
        return ended

    def test_it_writes_the_games_of_a_month_for_verify(
        self, months: list[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "archive.gz"
        told = run("export-archive", str(path), "--month", months[0])
        assert told.exit_code == 0, told.output
        count = months.count(months[0])
        assert f"holds {count} game" in told.output
        checked = run("verify", str(path))
        assert checked.exit_code == 0, checked.output
        assert "nameless record" in checked.output

    def test_whoever_takes_their_word_back_is_not_in_later_files(
        self, store: Container, months: list[str], tmp_path: Path
    ) -> None:
        for seed in (1, 2):
            store.players.let_study(finished(seed=seed).players[0], "no")
        told = run("export-archive", str(tmp_path / "archive.gz"), "--month", months[0])
        assert "holds 0 games" in told.output

    def test_a_month_that_is_not_whole_is_refused(self, store: Container, tmp_path: Path) -> None:
        told = run("export-archive", str(tmp_path / "archive.gz"), "--month", "2199-01")
        assert told.exit_code == 1
        assert "2199-01 is not whole yet" in told.output
        assert not (tmp_path / "archive.gz").exists()

    @pytest.mark.parametrize(
        ("now", "month"),
        [
            ("2023-12-01T23:59:59", "2023-10"),
            ("2023-12-02T00:00:00", "2023-11"),
            ("2024-01-01T12:00:00", "2023-11"),
            ("2024-01-02T12:00:00", "2023-12"),
            ("2024-03-31T12:00:00", "2024-02"),
        ],
    )
    def test_without_a_month_it_writes_the_last_whole_one(
        self,
        store: Container,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        now: str,
        month: str,
    ) -> None:
        class Stopped(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return cls.fromisoformat(now).replace(tzinfo=tz)

        monkeypatch.setattr(operate, "datetime", Stopped)
        told = run("export-archive", str(tmp_path / "archive.gz"))
        assert told.exit_code == 0, told.output
        assert f"holds 0 games of {month}" in told.output


class TestVerifyAll:
    def test_a_store_in_order(self, games: Any) -> None:
        told = run("verify", "--all")
        assert told.exit_code == 0
        assert "Sound: 2 games" in told.output

    def test_each_unsound_game_is_named_and_the_exit_code_is_1(
        self, store: Container, games: Any
    ) -> None:
        spoil(store, "c")
        told = run("verify", "--all")
        assert told.exit_code == 1
        assert f"{game_id('c')}: event 5: " in told.output
        assert game_id("a") not in told.output

    def test_an_interrupted_walk_goes_on_where_it_stopped(
        self, store: Container, games: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spoil(store, "c")

        def interrupted_at_b(log: Any, game: Any) -> Any:
            if game == game_id("b"):
                raise KeyboardInterrupt
            return "a fault found before"

        with monkeypatch.context() as patch:
            patch.setattr("service.ops.integrity.fault_in_stored", interrupted_at_b)
            assert run("verify", "--all").exit_code == 1

        told = run("verify", "--all")
        assert "Going on" in told.output
        assert f"{game_id('a')}: a fault found before" in told.output
        assert f"{game_id('c')}: event 5: " in told.output

    def test_afresh_it_begins_at_the_first_game(self, store: Container, games: Any) -> None:
        store.redis.set("st:{audit}:after", game_id("a"))
        assert "Sound: 2 games" in run("verify", "--all", "--afresh").output

    @pytest.mark.parametrize("arguments", [[], ["--all", "record.jsonl"]])
    def test_it_is_a_record_or_all(self, arguments: list[str]) -> None:
        assert run("verify", *arguments).exit_code == 2


class TestBackup:
    def test_there_and_back(self, store: Container, games: Any, tmp_path: Path) -> None:
        file = tmp_path / "backup.jsonl"
        told = run("backup", file)
        assert (told.exit_code, file.stat().st_mode & 0o077) == (0, 0)
        assert "holds 2 games" in told.output
        before = [store.log.events.read(game) for game in games]
        store.redis.flushall()

        told = run("restore", file)

        assert told.exit_code == 0
        assert "2 games" in told.output
        assert [store.log.events.read(game) for game in games] == before

    def test_the_marks_alone_hold_for_an_older_backup(
        self, store: Container, games: Any, tmp_path: Path
    ) -> None:
        older, marks = tmp_path / "backup.jsonl", tmp_path / "marks.jsonl"
        ann = store.registrations.register("Ann").player
        run("backup", older)
        store.accounts.close(ann)
        told = run("backup", "--marks", marks)
        assert (told.exit_code, marks.stat().st_mode & 0o077) == (0, 0)
        assert len(marks.read_text().splitlines()) == 3
        assert "holds 0 games" in told.output
        store.redis.flushall()

        for file in (older, marks):
            assert run("restore", file).exit_code == 0

        assert store.players.find(ann.id) is None
        assert len(list(store.log.events.game_ids())) == 2

    def test_a_changed_record_is_refused_at_its_event_and_nothing_restored(
        self, store: Container, games: Any, tmp_path: Path
    ) -> None:
        file = tmp_path / "backup.jsonl"
        run("backup", file)
        text = file.read_text()
        place = text.index('"seq":30,')
        place = text.index('"via":"', place) + 7
        file.write_text(text[:place] + "x" + text[place + 1 :])
        store.redis.flushall()

        told = run("restore", file)

        assert told.exit_code == 1
        assert f"game {game_id('a')}: event 30: " in told.output
        assert list(store.redis.scan_iter()) == []

        told = run("restore", file, "--salvage")
        assert (told.exit_code, list(store.log.events.game_ids())) == (1, [])
        told = run("restore", file, "--salvage", "--trust-foreign-backup")
        assert told.exit_code == 1
        assert list(store.log.events.game_ids()) == [game_id("b")]

    def test_a_game_that_cannot_be_read_is_named_and_the_rest_is_written(
        self, store: Container, games: Any, tmp_path: Path
    ) -> None:
        file = tmp_path / "backup.jsonl"
        file.write_text("the one before")
        (log_key,) = store.redis.scan_iter(f"*{game_id('a')}*:log")
        store.redis.set(log_key, "9 3 of a later version")
        told = run("backup", file)
        assert told.exit_code == 1
        assert f"game {game_id('a')}: " in told.output
        assert "holds 1 game," in told.output
        assert file.with_name("backup.jsonl.complete").read_text() == "the one before"
        store.redis.flushall()
        assert run("restore", file).exit_code == 0
        assert list(store.log.events.game_ids()) == [game_id("b")]

    @pytest.mark.parametrize("fails", [OSError(28, "No space left on device"), KeyboardInterrupt])
    def test_a_backup_that_fails_leaves_the_one_before(
        self,
        store: Container,
        games: Any,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        fails: Any,
    ) -> None:
        def fail(*_: Any) -> None:
            raise fails

        file = tmp_path / "backup.jsonl"
        file.write_text("the one before")
        monkeypatch.setattr(os, "fsync", fail)
        told = run("backup", file)
        assert (told.exit_code, told.exception.__class__) == (1, SystemExit)
        assert file.read_text() == "the one before"
        assert [path.name for path in tmp_path.glob("*backup*")] == [file.name]


class TestImport:
    @pytest.mark.parametrize("form", [to_jsonl, to_text])
    def test_a_record_becomes_a_game_at_the_address_that_the_server_has(
        self, store: Container, form: Any
    ) -> None:
        Heartbeat(store.redis, store.now, "https://real.example.org").record("a worker")
        told = run("import", "-", stdin=form(finished(TACTICS).lines))
        assert told.exit_code == 0
        (stored,) = store.log.events.game_ids()
        assert told.output == f"https://real.example.org/games/{stored}\n"

    def test_without_a_server_the_address_is_told_as_a_guess(self, store: Container) -> None:
        told = run("import", "-", stdin=to_jsonl(finished(TACTICS).lines))
        assert told.exit_code == 0
        assert "No server says that it runs." in told.stderr
        assert told.stdout.startswith("https://games.example.org/games/")

    def test_a_changed_one_is_refused_at_its_event(self, store: Container) -> None:
        lines = finished(TACTICS).lines
        lines[40] = {**lines[40], "at": "2026-11-21T12:00:00Z"}
        told = run("import", "-", stdin=to_jsonl(lines))
        assert told.exit_code == 1
        assert "event 41: " in told.output
        assert list(store.log.events.game_ids()) == []


def test_reindex_writes_the_lists_anew(store: Container, games: Any) -> None:
    player = store.games.load(games[1]).player_to_move()
    listed = store.games.lists.of_player(player)
    store.redis.delete(*store.redis.scan_iter("*:games:*"))
    told = run("reindex")
    assert told.exit_code == 0
    assert "Written anew: 2 games" in told.output
    assert store.games.lists.of_player(player) == listed


class TestDoctor:
    def test_a_server_without_a_worker_is_not_in_order(self, redis: Client) -> None:
        told = run("doctor")
        assert told.exit_code == 1
        assert "bad      workers" in told.output
        assert "scottenbury worker" in told.output

    def test_a_server_in_order(self, redis: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        Heartbeat(redis).record("a worker")
        monkeypatch.setattr(socket, "getaddrinfo", lambda host, port: [])
        redis.config_set("appendfsync", "always")
        told = run("doctor")
        redis.config_set("appendfsync", "no")
        assert told.exit_code == 0
        assert "ok       append-only file" in told.output


class TestStore:
    def test_without_a_url_it_is_the_server_of_the_data_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SCOTTENBURY_REDIS_URL")
        with running(bundled_binary()) as server:
            (tmp_path / embedded.SOCKET_FILE).symlink_to(server.socket)
            assert "Sound: 0 games" in run("verify", "--all").output

    def test_without_a_server_a_command_says_what_to_do(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SCOTTENBURY_REDIS_URL")
        told = run("backup", "somewhere")
        assert told.exit_code == 1
        assert "scottenbury serve" in told.output

    def test_a_redis_that_is_away_is_one_line(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("SCOTTENBURY_REDIS_URL", f"unix://{tmp_path}/away")
        told = run("verify", "--all")
        assert (told.exit_code, told.output.count("\n")) == (1, 1)
        assert "SCOTTENBURY_REDIS_URL" in told.output

    @pytest.mark.parametrize("ran", [False, True])
    def test_where_the_servers_own_redis_is_away_a_full_disk_is_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ran: bool
    ) -> None:
        monkeypatch.delenv("SCOTTENBURY_REDIS_URL")
        monkeypatch.setattr("service.core.data_folder.free", lambda folder: 1 << 20)
        if ran:  # it was killed, and left its socket
            with closing(socket.socket(socket.AF_UNIX)) as left:
                monkeypatch.chdir(tmp_path)  # its whole path may be too long
                left.bind(embedded.SOCKET_FILE)
        told = run("doctor")
        assert (told.exit_code, told.output.count("\n")) == (1, 1)
        assert "it is full, 1 MiB free. Make room" in told.output
