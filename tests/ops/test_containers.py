"""The container files: what no engine here can run is checked as far as it can be read."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_compose_file_follows_the_compose_specification():
    check = ["check_jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    result = subprocess.run(
        [sys.executable, "-m", *check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout


def test_redis_keeps_every_write_and_evicts_nothing(compose):
    command = compose["services"]["redis"]["command"]
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"
    assert "games:/data" in compose["services"]["redis"]["volumes"]


def test_web_and_worker_wait_for_a_healthy_redis(compose):
    for name in ("web", "worker"):
        assert compose["services"][name]["depends_on"]["redis"]["condition"] == "service_healthy"
    assert "healthcheck" in compose["services"]["redis"]


def test_the_image_runs_as_an_ordinary_user_and_watches_its_health():
    instructions = [
        line.split()[0] for line in (ROOT / "Dockerfile").read_text().splitlines() if line
    ]
    last_stage = instructions[len(instructions) - instructions[::-1].index("FROM") :]
    assert "USER" in last_stage
    assert "HEALTHCHECK" in last_stage


def test_the_image_is_given_all_that_it_copies():
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    copies = [line.split() for line in (ROOT / "Dockerfile").read_text().splitlines()]
    copied = {part for words in copies if words[:1] == ["COPY"] for part in words[1:-1]}
    assert {part for part in copied if not part.startswith(("--", "/"))} == sent
