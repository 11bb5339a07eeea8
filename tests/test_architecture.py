"""Who may import whom; the contracts are in pyproject.toml."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def test_imports_keep_to_the_contracts(capsys):
    status = lint_imports(str(PROJECT), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out
