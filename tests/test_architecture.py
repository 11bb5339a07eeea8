"""What holds for the whole source: who imports whom, who spells a Redis key, where Lua stands."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT: Final = Path(__file__).parents[1]
KEY: Final = re.compile(r"st:(\{\*?\}:?|\{\w+\}:)?([a-z-]+:?)+")
"""A Redis key up to its first part that varies, after the slot of a player or bucket."""
CLIENTS: Final = ("redis", "service.core.redis")
ANYTHING: Final = re.compile(r"\{\(?\*[^}]*\}|\{\[[^}]*\}\}?")


def test_imports_keep_to_the_contracts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The linter would disable the loggers of the tests that follow.
    monkeypatch.setattr("logging.config.dictConfig", lambda config: None)
    status = lint_imports(str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_a_redis_key_is_spelled_in_one_module_only() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for module in _modules("service", "workers", "letters", "engine"):
        for text in _texts(module):
            if key := KEY.match(ANYTHING.sub("{*}", text.replace("\\", ""))):
                owners[key[0].rstrip(":")].add(str(module.relative_to(ROOT)))
    assert len(owners) > 20, "the test finds the keys"
    assert {key: found for key, found in owners.items() if len(found) > 1} == {}


def test_scripts_spell_no_redis_key() -> None:
    scripts = [*(ROOT / "service").rglob("*.lua")]
    assert scripts
    assert [
        str(script) for script in scripts if re.search(r"""['"]st:""", script.read_text())
    ] == []


def test_no_view_touches_redis() -> None:
    views = [*_modules("service/api/endpoints"), *_modules("service/web")]
    assert views
    assert [str(view.relative_to(ROOT)) for view in views if _uses_redis(view)] == []


def test_a_class_name_stands_in_one_module_only() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module in _modules("engine", "letters", "service", "workers"):
        for node in ast.parse(module.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(module.relative_to(ROOT)))
    assert len(homes) > 100
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def _modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _texts(module: Path) -> Iterator[str]:
    """The strings of a module but for its docstrings, and the keys that it declares; what is put
    into an f-string is `*`."""
    tree = ast.parse(module.read_text())
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "PlayerData":
            name = node.args[0] if node.args else node.keywords[0].value
            yield f"st:{{*}}:{ast.literal_eval(name)}"
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in skipped:
            yield str(node.value)


def _uses_redis(module: Path) -> bool:
    """Whether a module imports the client library or ours, or takes the client of the container."""
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.Attribute(attr="redis"):
                return True
            case ast.ImportFrom(module=str(name)) if name.startswith(
                ("redis", "service.core.redis")
            ):
                return True
            case ast.Import(names=names) if any(alias.name.startswith("redis") for alias in names):
                return True
    return False
