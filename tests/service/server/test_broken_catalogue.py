"""A catalogue that cannot be read ends the start with one line, before web and worker begin."""

import subprocess
import sys
from pathlib import Path

from tests.support.catalogues import PO
from tests.support.processes import clean_environment

CHECKS = """
import sys
from pathlib import Path
from service.core.words import Languages
from service.server import checks
checks.Languages = lambda: Languages(Path(sys.argv[1]))
sys.exit(checks.main(own_redis=True))
"""


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", CHECKS, str(folder)]
    environment = clean_environment() | {"SCOTTENBURY_DATA": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_it_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="") + "<<<<<<< HEAD\n")
    done = checked(tmp_path)
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith("The catalogue de.po cannot be read: ")
    assert "Traceback" not in done.stderr


def test_whole_ones_let_it_begin(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed=""))
    done = checked(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
