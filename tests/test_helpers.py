"""What tests share lies in `tests/support`, or in a module beside them; each has its own id."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("workers", "names", "code"),
    [("0", ["one", "other"], 0), ("0", ["one", "one"], 4), ("1", ["one", "one"], 4)],
)
def test_tests_that_share_an_id_are_not_run(
    tmp_path: Path, workers: str, names: list[str], code: int
) -> None:
    """0 and 4 are pytest's exit codes for success and for a run that cannot begin."""
    (tmp_path / "conftest.py").write_text(
        "from tests.support.node_ids import *\n\n"
        "def pytest_pycollect_makeitem(collector, name, obj):\n"
        "    import pytest\n"
        "    if name == 'test_it':\n"
        "        make = pytest.Function.from_parent\n"
        f"        return [make(collector, name=name, callobj=obj) for name in {names!r}]\n"
    )
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", workers, "."]
    run = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert run.returncode == code, run.stdout + run.stderr
    assert ("Several tests have one id: test_it.py::one" in run.stderr) == (code == 4)
