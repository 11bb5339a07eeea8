"""What tests share lies in `tests/support`, or in a module beside them."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]


def imports(path: Path) -> set[str]:
    """The modules that a file imports, or imports from."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    direct = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    members = {
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return direct | members


def holds_tests(module: str) -> bool:
    package, *parts = module.split(".")
    return package == "tests" and any(
        part == "conftest" or part.startswith("test_") for part in parts
    )


def test_nothing_imports_from_a_test_module_or_a_conftest() -> None:
    files = [path for folder in ("tests", "bench") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 100
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in files
        for name in imports(path)
        if holds_tests(name)
    }
    assert found == set()
