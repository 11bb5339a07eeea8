"""Records that a command is given."""

import sys
from pathlib import Path

import click

from engine.chain import StoredEvent
from engine.record import BadRecord, from_jsonl, from_text


def read_record(path: str) -> list[StoredEvent]:
    """A record in either form, from a file or from standard input (`-`)."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{path} cannot be read: {error}") from None
    try:
        return from_text(text) if text.startswith("[") else from_jsonl(text)
    except BadRecord as bad:
        raise click.ClickException(f"{path} is no record: {bad}") from None
