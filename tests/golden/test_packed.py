"""What was compacted once is read for ever: a compacted log for each form and each whole record.

`NAME.packed` is the log of `NAME.jsonl` in the compact form, `NAME.plain.packed` in the other.
None is ever edited; a new form brings files of its own.
"""

from typing import Any

import pytest

from service.eventlog.compaction import compacted_version, expand
from tests.golden.corpus import FOLDER

PACKED = sorted(FOLDER.glob("*.packed"))


def test_every_form_is_there() -> None:
    forms = {path.read_bytes().split(b" ")[0] for path in PACKED}
    assert forms == {b"1", b"2"}
    assert len(PACKED) > 10


@pytest.mark.parametrize("path", PACKED, ids=lambda path: path.stem)
def test_a_packed_log_is_read_to_the_byte(path: Any) -> None:
    record = FOLDER / f"{path.name.split('.')[0]}.jsonl"
    texts = record.read_text(encoding="utf-8").split("\n")[:-1]
    assert expand(path.read_bytes()) == texts
    assert compacted_version(path.read_bytes()) == len(texts)
