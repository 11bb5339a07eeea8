"""Each test has an id of its own: of several with one id, xdist runs one and reports no other."""

from collections import Counter
from collections.abc import Iterable

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse to run tests of which some would be left out. Raises `pytest.UsageError`."""
    if not hasattr(config, "workerinput"):  # nobody sees what a worker of xdist raises here
        _check(item.nodeid for item in items)


def pytest_xdist_node_collection_finished(ids: list[str]) -> None:
    """The same of what a worker of xdist has collected."""
    _check(ids)


def _check(ids: Iterable[str]) -> None:
    repeated = [name for name, times in Counter(ids).items() if times > 1]
    if repeated:
        raise pytest.UsageError(f"Several tests have one id: {', '.join(repeated)}")
