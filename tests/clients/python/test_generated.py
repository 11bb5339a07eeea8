"""The generated part of the client, against the document that it is generated from."""

import importlib.util
from types import ModuleType
from typing import get_type_hints

from scottenbury_client import AsyncClient, Client, models

from tests.support.processes import ROOT

CLIENT = ROOT / "client"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", CLIENT / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_files_are_up_to_date() -> None:
    generated = generator().generated()
    assert generated.keys() >= {"models.py", "operations.py", "async_operations.py", "client.py"}
    for name, text in generated.items():
        assert (CLIENT / "scottenbury_client" / name).read_text() == text, "run client/generate.py"


def test_both_clients_can_do_the_same() -> None:
    names = [name for name in dir(Client) if not name.startswith("_")]
    assert [name for name in names if not hasattr(AsyncClient, name)] == ["close"]
    assert {"play_turn", "create_game", "list_games", "follow", "record"} <= set(names)


def test_a_model_has_the_members_of_its_schema() -> None:
    assert {"id", "version", "legal", "hands"} <= set(get_type_hints(models.Game))


def test_a_set_of_words_that_may_grow_is_any_text() -> None:
    words = {"anyOf": [{"enum": ["iello", "bga"]}, {"type": "string"}]}
    schemas = {"Edition": words, "Seat": {"enum": ["north", "south"]}}
    text = generator().Models({"components": {"schemas": schemas}}).text()
    assert "Edition: TypeAlias = str" in text
    assert "Seat: TypeAlias = Literal['north', 'south']" in text
