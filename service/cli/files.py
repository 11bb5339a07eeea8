"""Files given to a command: records to read, backups to read and write."""

from __future__ import annotations

import os
import re
import signal
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from gzip import GzipFile
from io import BufferedReader, RawIOBase
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final, NamedTuple, cast

import click

from engine.chain import StoredEvent
from engine.record import BadRecord, from_archive, from_jsonl, from_text

_LONGEST_RECORD: Final = 64 * 1024 * 1024
"""The most bytes of a record: many times the longest match."""


_BEGINNING: Final = re.compile(rb'"type"\s*:\s*"game_created"')
"""Matches the first line of each record of JSON Lines, and no other: inside a text, quotes are
escaped."""


_GZIP: Final = b"\x1f\x8b"


class StoredRecord(NamedTuple):
    """A record's text in a file, and its name for messages."""

    name: str
    content: bytes


def records_in(path: str) -> Iterator[StoredRecord]:
    """The records of a file or of standard input (`-`), one after the other; at least one."""
    try:
        with _opened(path) as opened:
            gzipped = opened.peek(2).startswith(_GZIP)
            file = cast(IO[bytes], GzipFile(fileobj=opened) if gzipped else opened)
            rows: list[bytes] = []
            size = number = 0
            while row := file.readline(_LONGEST_RECORD + 1 - size):
                if rows and _BEGINNING.search(row):
                    number += 1
                    yield StoredRecord(f"{path}, record {number}", b"".join(rows))
                    rows, size = [], 0
                size += len(row)
                if rows or row.strip():
                    rows.append(row)
                if size > _LONGEST_RECORD:
                    raise OSError(None, "it is larger than any record")
            name = f"{path}, record {number + 1}" if number else path
            yield StoredRecord(name, b"".join(rows))
    except (OSError, EOFError, zlib.error) as error:
        problem = error.strerror if isinstance(error, OSError) else None
        raise unreadable(path, problem or "it is damaged") from None


def read_record(path: str) -> list[StoredEvent]:
    """The record in a file or on standard input (`-`), in either form."""
    record, *more = islice(records_in(path), 2)
    if more:
        raise click.ClickException(f"{path} holds more than one record.")
    return parsed(record)


def parsed(record: StoredRecord) -> list[StoredEvent]:
    """The events of a record in either form. Raises `ClickException`."""
    try:
        text = record.content.decode("utf-8-sig")
        if text.startswith("["):
            return from_text(text)
        return from_archive(text) if text.startswith('{"id":') else from_jsonl(text)
    except UnicodeDecodeError:
        raise unreadable(record.name, "it is not text in UTF-8") from None
    except BadRecord as bad:
        raise click.ClickException(f"{record.name} is no record: {bad}") from None
    except RecursionError:
        raise click.ClickException(f"{record.name} is no record: it is nested too deep.") from None


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file, readable by its owner only, that replaces `path` once it is complete."""
    path = path.resolve()
    try:
        if path.exists() and not path.is_file():
            raise click.ClickException(f"{path} is not a file, so it cannot be replaced.")
        # Made readable by its owner only.
        with (
            NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as out,
            _removed_unless_renamed(out.name),
        ):
            yield out
            out.flush()
            os.fsync(out.fileno())
            os.replace(out.name, path)
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from None


def keep_aside(path: Path, other: Path) -> bool:
    """Give the file the second name `other`, unless that is taken. Return False if this fails."""
    try:
        os.link(path, other)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True


@contextmanager
def _opened(path: str) -> Iterator[BufferedReader]:
    if path != "-":
        with open(path, "rb") as file:
            yield file
    elif sys.stdin is None:
        raise OSError(None, "it is closed")
    else:
        reader: BufferedReader = BufferedReader(cast(RawIOBase, sys.stdin.buffer))
        try:
            yield reader
        finally:
            with suppress(ValueError):  # closed meanwhile
                reader.detach()  # otherwise standard input is closed with it


@contextmanager
def _removed_unless_renamed(draft: str) -> Iterator[None]:
    """Remove the unfinished file, however the command ends (except by SIGKILL)."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def unreadable(name: str, problem: str | None) -> click.ClickException:
    """The error that says which file cannot be read, and why."""
    return click.ClickException(f"{name} cannot be read: {problem}.")
