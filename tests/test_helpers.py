"""What tests share lies in `tests/support`, or in a module beside them."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]


def imports(path: Path) -> set[str]:
    """The names of the modules that a file imports from."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    direct = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return direct | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_nothing_imports_from_a_conftest() -> None:
    files = [path for folder in ("tests", "bench") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 100
    assert [path for path in files if any("conftest" in name for name in imports(path))] == []
