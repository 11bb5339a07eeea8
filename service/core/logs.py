"""The log of every process, in one form: plain lines, or JSON for programs that collect them.

    2026-11-22T20:55:21Z WARNING web service.api.problems: A log cannot be read (request=… game=…)

A line names ids only. No address, card, token or secret belongs into a message.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

from service.core.settings import Settings

_PLAIN: Final = "%(asctime)s %(levelname)s %(process_name)s %(name)s: %(message)s%(shown_ids)s"
_WHEN: Final = "%Y-%m-%dT%H:%M:%SZ"
_NAMES: Final = {
    "asctime": "time",
    "levelname": "level",
    "process_name": "process",
    "name": "logger",
}
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_bound: ContextVar[Mapping[str, str]] = ContextVar("bound", default=_NONE)


def configure(
    process: str, settings: Settings, about: Callable[[], Mapping[str, str]] = dict
) -> None:
    """Write this process's log to standard error as the settings say.

    `process` names it: web, worker, supervisor, mail-in. `about` gives ids besides those of
    `bound`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(settings))
    handler.addFilter(_adding_ids(process, about))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Add these ids, such as `game` or `notice`, to the lines that this block logs."""
    token = _bound.set({**_bound.get(), **ids})
    try:
        yield
    finally:
        _bound.reset(token)


def _adding_ids(
    process: str, about: Callable[[], Mapping[str, str]]
) -> Callable[[logging.LogRecord], bool]:
    def add(record: logging.LogRecord) -> bool:
        ids = {**_bound.get(), **about()}
        record.process_name = process
        record.__dict__.update(ids)
        shown = " ".join(f"{name}={value}" for name, value in ids.items())
        record.shown_ids = f" ({shown})" if shown else ""
        return True

    return add


def _formatter(settings: Settings) -> logging.Formatter:
    formatter: logging.Formatter
    if settings.log_format == "plain":
        formatter = logging.Formatter(_PLAIN, _WHEN)
    else:
        # Only here: most servers need none of it, and each process would hold it.
        from pythonjsonlogger.json import JsonFormatter

        formatter = JsonFormatter(
            "{asctime}{levelname}{process_name}{name}{message}",
            _WHEN,
            style="{",
            rename_fields=_NAMES,
            reserved_attrs=[*logging.makeLogRecord({}).__dict__, "shown_ids"],
            json_ensure_ascii=False,
        )
    formatter.converter = time.gmtime
    return formatter
