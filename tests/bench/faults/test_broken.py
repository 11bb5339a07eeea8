"""The servers that are broken on purpose are broken: what they replace is there."""

import subprocess
import sys

import pytest

from bench.faults.broken import DOUBLE, UNGUARDED, broken_environment
from service.eventlog.keys import load
from tests.support.processes import clean_environment

LEAKS = """
import engine
from service.games.reading import views
print(views.engine.seen_fields.__module__, engine.seen_fields is views.engine.seen_fields)
"""


@pytest.mark.parametrize("change", [*DOUBLE, *UNGUARDED])
def test_the_script_has_what_is_replaced(change: tuple[str, str]) -> None:
    old, new = change
    assert old in load("append").source
    assert new not in load("append").source


def test_a_server_that_leaks_loads_its_module_first() -> None:
    with broken_environment("leak") as environment:
        done = subprocess.run(
            [sys.executable, "-P", "-c", LEAKS],
            env=clean_environment() | environment,
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout == "sitecustomize True\n"


def test_a_sound_server_has_no_module() -> None:
    with broken_environment("") as environment:
        assert environment == {}
