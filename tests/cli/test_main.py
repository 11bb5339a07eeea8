"""The commands of operators, where no process has to be started."""

import socket
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.cli import COMMANDS, main
from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client
from tests.support.servers import SocketServer


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
    for command in COMMANDS:
        told = run(command.name or "", "--help", COLUMNS=columns).output
        assert "..." not in told.partition("Options:")[2]
        assert words(command.get_short_help_str(1000)) in overview


def test_a_worker_of_its_own_needs_to_know_its_redis() -> None:
    result = run("worker", SCOTTENBURY_REDIS_URL="", SCOTTENBURY_SECRET_KEY="k")
    assert result.exit_code == 1
    assert result.output.startswith("Error: SCOTTENBURY_REDIS_URL is not set")


class TestWorkerCheck:
    """`scottenbury worker --check`, which containers use as their health check."""

    def check(self, redis_server: Any) -> Result:
        env = {"SCOTTENBURY_REDIS_URL": redis_server.url, "SCOTTENBURY_SECRET_KEY": "k"}
        return run("worker", "--check", **env)

    def test_it_is_well_while_a_worker_here_gives_signs_of_life(
        self, redis: Client, redis_server: SocketServer
    ) -> None:
        Heartbeat(redis).beat(f"{socket.gethostname()}:1")
        assert self.check(redis_server).exit_code == 0

    def test_it_is_ill_when_the_last_sign_is_long_ago(
        self, redis: Client, redis_server: SocketServer
    ) -> None:
        Heartbeat(redis, now=lambda: 0.0).beat(f"{socket.gethostname()}:1")
        assert self.check(redis_server).exit_code == 1

    def test_workers_elsewhere_do_not_count(
        self, redis: Client, redis_server: SocketServer
    ) -> None:
        Heartbeat(redis).beat("elsewhere:1")
        assert self.check(redis_server).exit_code == 1
