"""Backups made and changed by tests."""

import io
import json
from typing import Any

from engine.chain import canonical
from service.container import Container
from service.eventlog.snapshot import Snapshots
from service.ops.backup import HEADER, BackupSeal, write_backup
from tests.support.settings import settings

KEY = settings().secret_key


def backup(store: Container, *, marks_only: bool = False) -> list[bytes]:
    """The lines of a backup of this store, in which nothing is left out."""
    out = io.BytesIO()
    written = write_backup(
        store, Snapshots(store.redis, store.log.events).ids(), out, marks_only=marks_only
    )
    assert written.left_out == []
    return out.getvalue().splitlines(keepends=True)


def sealed(*lines: Any, key: str = KEY) -> list[bytes]:
    """A backup of these lines, sealed with this secret key."""
    seal = BackupSeal(key)
    texts = [seal.add(f"{canonical(line)}\n".encode()) for line in (HEADER, *lines)]
    return [*texts, seal.line()]


def sealed_as_before(*lines: Any) -> list[bytes]:
    """The same as an older version wrote it: in format 1, without a MAC."""
    seal = BackupSeal("")
    header = {**HEADER, "format": 1}
    texts = [seal.add(f"{canonical(line)}\n".encode()) for line in (header, *lines)]
    ending = json.loads(seal.line())
    return [*texts, f"{canonical({key: ending[key] for key in ('lines', 'sha256')})}\n".encode()]


def key_line(key: str, key_type: str, value: Any, expires: int | None = None) -> dict[str, Any]:
    """The line of a key."""
    return {"key": key, "type": key_type, "value": value, "expires": expires}
