"""What tests share lies in `tests/support`, or in a module beside them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


IMPORT = re.compile(
    r"^ *(?:from +(?P<module>[\w.]+) +)?import +(?P<names>\([^)]*\)|[^\n]*)", re.MULTILINE
)


def imports(path: Path) -> set[str]:
    """The modules that a file imports, or imports from.

    Read as text: `ast.parse` of Python before 3.11.8 fails now and then where several threads use
    it (gh-106905), as pytest does.
    """
    found = set()
    for each in IMPORT.finditer(path.read_text()):
        listed = re.sub(r"#.*", "", each["names"])
        names = re.findall(r"(?:^|,)\W*([\w.]+)", listed)
        found |= {f"{each['module']}.{name}" if each["module"] else name for name in names}
    return found


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
