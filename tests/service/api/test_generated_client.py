"""A client that a public generator makes from the document plays a whole game."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from flask import Flask

from tests.service.api.declared import CHECKED_IN, read_document
from tests.support.processes import ROOT

PACKAGE = "generated_client"
GENERATOR = Path(sys.executable).with_name("openapi-python-client")
LONGEST_GAME = 200


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the package that was generated."""
    folder = tmp_path_factory.mktemp("client")
    config = folder / "config.yaml"
    config.write_text("post_hooks: []\n")  # its code need not be beautiful
    command = [GENERATOR, "generate", "--path", CHECKED_IN, "--config", config, "--meta", "none"]
    command += ["--output-path", folder / PACKAGE, "--fail-on-warning"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield PACKAGE
    sys.path.remove(str(folder))


class Api:
    """The generated package, with the application behind it instead of a network."""

    def __init__(self, package: str, app: Flask) -> None:
        self._package = package
        self._transport = httpx.WSGITransport(app)
        self.models = import_module(f"{package}.models")

    def operation(self, name: str) -> ModuleType:
        return import_module(f"{self._package}.api.{name}")

    def client(self, token: str | None = None) -> Any:
        module = import_module(f"{self._package}.client")
        options = {
            "base_url": "http://scottenbury.test",
            "httpx_args": {"transport": self._transport},
            "raise_on_unexpected_status": True,
        }
        if token is None:
            return module.Client(**options)
        return module.AuthenticatedClient(token=token, **options)

    def register(self, name: str) -> Any:
        """The client of a new player."""
        body = self.models.PlayerInput(name=name)
        registered = self.operation("players.register_player").sync(client=self.client(), body=body)
        return self.client(registered.token)


@pytest.fixture
def api(generated: str, app: Flask) -> Api:
    return Api(generated, app)


def test_it_is_not_called_like_our_own_client() -> None:
    """Generators name their package after the title, such as `scottenbury-api-client`."""
    ours = tomllib.loads((ROOT / "client" / "pyproject.toml").read_text())["project"]["name"]
    assert "-".join([*read_document()["info"]["title"].lower().split(), "client"]) != ours


def test_it_plays_a_whole_game(api: Api) -> None:
    models = api.models
    ada, bob = api.register("Ada"), api.register("Bob")
    wanted = models.GameInput.from_dict({"tactics": True, "first_player": "creator"})
    made = api.operation("games.create_game").sync(client=ada, body=wanted)
    join = api.operation("games.join_game")
    game = join.sync(made.id, client=bob, body=models.JoinInput(invite=made.invite))
    players = {"north": ada, "south": bob}
    for _ in range(LONGEST_GAME):
        if game.turn is None:
            break
        mover = players[game.turn]
        seen = api.operation("games.get_game").sync(made.id, client=mover)
        action = next((text for text in seen.legal if text.startswith("!")), seen.legal[0])
        game = api.operation("play.play_turn").sync(
            made.id,
            client=mover,
            body=models.TurnInput(actions=[action]),
            if_match=f'"{seen.version}"',
        )
    assert game.status == "finished"
    assert game.winner in players
    events = api.operation("history.list_events").sync(made.id, client=ada)
    assert events.version == len(events.events) == game.version


def test_it_survives_what_a_later_server_adds(api: Api) -> None:
    """An event of an unknown type, another edition and another member are read and kept."""
    ada = api.register("Ada")
    made = api.operation("games.create_game").sync(client=ada, body=api.models.GameInput())
    events = api.operation("history.list_events").sync(made.id, client=ada).to_dict()
    event = events["events"][0]
    events["events"].append({**event, "type": "wind_changed", "via": "pigeon", "data": {"to": "w"}})
    read = api.models.GameEventList.from_dict(events)
    assert [type(each).__name__ for each in read.events] == ["GameCreatedEvent", "OtherGameEvent"]
    assert read.events[1].data["to"] == "w"
    later = {**made.to_dict(), "edition": "of a later version", "weather": "windy"}
    game = api.models.Game.from_dict(later)
    assert (game.edition, game["weather"]) == ("of a later version", "windy")


def test_it_reads_a_refusal(api: Api) -> None:
    answer = api.operation("games.get_game").sync("a" * 20, client=api.register("Ada"))
    assert (answer.status, answer.code) == (404, "game-not-found")
