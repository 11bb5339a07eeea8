"""The container files: what no engine here can run is checked as far as it can be read."""

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
import yaml
from redis import Redis
from redis.backoff import ConstantBackoff, NoBackoff
from redis.exceptions import AuthenticationError
from redis.retry import Retry

from service.core.settings import Settings
from service.server import launcher
from tests.support import waiting
from tests.support.servers import bundled_binary
from workers.__main__ import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_compose_file_follows_the_compose_specification() -> None:
    check = ["check_jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    result = subprocess.run(
        [sys.executable, "-m", *check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout


def test_redis_keeps_every_write_evicts_nothing_and_asks_for_a_password(
    compose: Any, tmp_path: Path
) -> None:
    """The command of the container, run here."""
    redis = compose["services"]["redis"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "redis-server").symlink_to(bundled_binary())
    program, *args = [part.replace("$$", "$") for part in redis["command"]]
    socket = tmp_path / "redis.sock"
    args[-1] = args[-1].replace("server - ", f"server - --port 0 --unixsocket {socket} ")
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "REDISCLI_AUTH": "s3cret"}
    server = subprocess.Popen([program, *args], cwd=tmp_path, env=environment, stdout=DEVNULL)
    try:
        retry = Retry(ConstantBackoff(0.02), 500)
        with Redis(unix_socket_path=str(socket), password="s3cret", retry=retry) as client:
            kept = client.config_get("append*", "maxmemory-policy")
        assert (kept["appendonly"], kept["appendfsync"]) == ("yes", "always")
        assert kept["maxmemory-policy"] == "noeviction"
        with (
            Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0)) as stranger,
            pytest.raises(AuthenticationError),
        ):
            stranger.ping()
        arguments = Path(f"/proc/{server.pid}/cmdline").read_text()
        assert "redis-server" in arguments  # it took the shell's place: it hears when to stop
        assert "s3cret" not in arguments
    finally:
        server.terminate()
        assert server.wait(waiting.PATIENCE) == 0
    assert "games:/data" in redis["volumes"]


def test_nothing_starts_without_a_password_and_a_mail_server(compose: Any) -> None:
    for name in ("web", "worker"):
        environment = compose["services"][name]["environment"]
        assert "${SCOTTENBURY_REDIS_PASSWORD:?" in environment["SCOTTENBURY_REDIS_URL"]
        assert environment["SCOTTENBURY_SMTP_URL"].startswith("${SCOTTENBURY_SMTP_URL:?")


FIXED = {"SCOTTENBURY_HOST", "SCOTTENBURY_PORT", "SCOTTENBURY_DATA", "SCOTTENBURY_REDIS_URL"}


@pytest.mark.parametrize("name", ["web", "worker"])
def test_every_setting_is_passed_on(compose: Any, name: str) -> None:
    environment = compose["services"][name]["environment"]
    assert environment.keys() == {f"SCOTTENBURY_{one.name.upper()}" for one in fields(Settings)}
    for setting in environment.keys() - FIXED:
        value = environment[setting]
        assert value is None or value.startswith(f"${{{setting}:"), setting


@pytest.mark.parametrize("name", ["web", "worker"])
def test_what_has_no_line_reaches_the_container_too(compose: Any, name: str) -> None:
    assert compose["services"][name]["env_file"] == [{"path": ".env", "required": False}]


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("web", launcher.WEB_GRACE + launcher.MAIL_IN_GRACE),
        ("worker", PATIENCE),
        ("redis", launcher.REDIS_GRACE),
    ],
)
def test_nothing_is_killed_while_it_finishes(compose: Any, name: str, needed: float) -> None:
    number, unit = re.fullmatch(
        r"(\d+)(s|m)", compose["services"][name]["stop_grace_period"]
    ).groups()
    assert int(number) * {"s": 1, "m": 60}[unit] >= needed


def test_every_container_is_confined(compose: Any) -> None:
    for service in compose["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["read_only"]
    assert compose["services"]["redis"]["user"] == "redis"


def test_only_this_machine_reaches_the_port(compose: Any) -> None:
    published = [port for it in compose["services"].values() for port in it.get("ports", [])]
    assert [port.split(":")[0] for port in published] == ["127.0.0.1"]


def test_an_audit_asks_for_every_pinned_dependency_and_passes_none_unasked() -> None:
    command = ["make", "--dry-run", "audit"]
    steps = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "pip-audit --strict" in steps
    assert "constraints.txt" in steps


def test_web_and_worker_wait_for_a_healthy_redis(compose: Any) -> None:
    for name in ("web", "worker"):
        assert compose["services"][name]["depends_on"]["redis"]["condition"] == "service_healthy"
    assert "healthcheck" in compose["services"]["redis"]


def test_the_image_runs_as_an_ordinary_user_and_watches_its_health() -> None:
    instructions = [
        line.split()[0] for line in (ROOT / "Dockerfile").read_text().splitlines() if line
    ]
    last_stage = instructions[len(instructions) - instructions[::-1].index("FROM") :]
    assert "USER" in last_stage
    assert "HEALTHCHECK" in last_stage


def test_no_file_of_a_shell_lies_in_the_volume() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert "--no-create-home" in text
    assert "--group=root --mode=770 /data" in text


def test_the_image_is_given_all_that_it_copies() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    copies = [line.split() for line in (ROOT / "Dockerfile").read_text().splitlines()]
    copied = {part for words in copies if words[:1] == ["COPY"] for part in words[1:-1]}
    assert {part for part in copied if not part.startswith(("--", "/"))} == sent


def test_the_image_has_no_pip() -> None:
    _, last_stage = (ROOT / "Dockerfile").read_text().split("\nFROM ${BASE}\n")
    assert "pip uninstall --yes" in last_stage
    assert "--without-pip /opt/scottenbury" in (ROOT / "Dockerfile").read_text()


def test_the_image_is_made_for_both_kinds_of_machine() -> None:
    bake = (ROOT / "docker-bake.hcl").read_text()
    assert 'platforms = ["linux/amd64", "linux/arm64"]' in bake
