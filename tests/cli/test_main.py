"""The commands of operators, where no process has to be started."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from engine import COMPILED
from service.cli import COMMANDS, main
from service.core import data_folder
from tests.support.processes import clean_environment


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(main, arguments, env=env)


@pytest.mark.parametrize("command", ["serve", "worker", "verify", "replay", "judge"])
def test_every_command_explains_itself(command: str) -> None:
    assert f"  {command} " in run("--help").output
    assert run(command, "--help").output.startswith(f"Usage: main {command}")


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_no_help_text_is_cut(columns: str) -> None:
    def words(text: str) -> str:
        return " ".join(text.split())

    overview = words(run("--help", COLUMNS=columns).output.partition("Commands:")[2])
    assert "..." not in overview
    for name in COMMANDS:
        told = run(name, "--help", COLUMNS=columns).output
        assert "..." not in told.partition("Options:")[2]
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert words(command.get_short_help_str(1000)) in overview


def test_each_command_is_found_by_its_own_name() -> None:
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.name == name


def test_the_version_says_whether_the_rules_are_compiled() -> None:
    ending = "engine: compiled\n" if COMPILED else "engine: pure\n"
    assert run("--version").output.endswith(ending)


def test_a_command_that_does_not_exist_is_refused() -> None:
    assert run("nonsense").exit_code == 2


def test_a_worker_of_its_own_needs_to_know_its_redis() -> None:
    result = run("worker", SCOTTENBURY_REDIS_URL="", SCOTTENBURY_SECRET_KEY="k")
    assert result.exit_code == 1
    assert result.output.startswith("Error: SCOTTENBURY_REDIS_URL is not set")


class TestWorkerCheck:
    """`scottenbury worker --check`, which containers use as their health check."""

    def check(self, data: Path, **env: str) -> Result:
        return run("worker", "--check", SCOTTENBURY_DATA=str(data), **env)

    def test_it_is_well_while_a_worker_here_gives_signs_of_life(self, tmp_path: Path) -> None:
        assert self.check(tmp_path).exit_code == 1
        data_folder.show_heartbeat(tmp_path)
        assert self.check(tmp_path).exit_code == 0
        data_folder.end_heartbeats(tmp_path)
        assert self.check(tmp_path).exit_code == 1

    def test_it_is_ill_when_the_last_sign_is_long_ago(self, tmp_path: Path) -> None:
        data_folder.show_heartbeat(tmp_path)
        (sign,) = (tmp_path / data_folder.HEARTBEATS).iterdir()
        os.utime(sign, (0, 0))
        result = self.check(tmp_path)
        assert result.exit_code == 1
        assert result.output == "Error: no worker of this machine was heard for 60 s\n"

    def test_workers_elsewhere_do_not_count(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(socket, "gethostname", lambda: "elsewhere")
            data_folder.show_heartbeat(tmp_path)
        assert self.check(tmp_path).exit_code == 1

    def test_the_folder_may_be_named_in_a_file(self, tmp_path: Path) -> None:
        named = tmp_path / "named"
        named.write_text(f"{tmp_path}\n")
        data_folder.show_heartbeat(tmp_path)
        assert self.check(Path("/nowhere"), SCOTTENBURY_DATA_FILE=str(named)).exit_code == 0
        assert self.check(tmp_path, SCOTTENBURY_DATA_FILE="/nowhere").exit_code == 1

    def test_white_space_around_the_folder_is_ignored_and_machines_long_gone_are_forgotten(
        self, tmp_path: Path
    ) -> None:
        data_folder.show_heartbeat(tmp_path)
        assert self.check(Path(f" {tmp_path} "), SCOTTENBURY_DATA_FILE=" ").exit_code == 0

        gone = tmp_path / data_folder.HEARTBEATS / "gone"
        gone.touch()
        os.utime(gone, (0, 0))
        data_folder.end_heartbeats(tmp_path)
        assert not gone.exists()

    def test_it_imports_none_of_what_the_worker_needs(self, tmp_path: Path) -> None:
        """A check every ten seconds is to cost next to nothing."""
        data_folder.show_heartbeat(tmp_path)
        script = """if True:
            import sys
            from service.cli import main
            main(["worker", "--check"], standalone_mode=False)
            print({"flask", "redis", "marshmallow", "engine"} & set(sys.modules))
        """
        told = subprocess.run(
            [sys.executable, "-c", script],
            env=clean_environment() | {"SCOTTENBURY_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == "set()\n"
