"""Reading what anybody may have made hard to read: within a limit that the kernel holds."""

import sys

import pytest

from letters.mail.body import UNREADABLE, ReadBody
from service.mail_in import apart
from service.mail_in.message import read
from tests.service.mail_in.replies import mail
from tests.support.waiting import PATIENCE

LARGE = b"X: y\n\nR7@3\n" + b"> quoted\n" * 10_000


def child(monkeypatch: pytest.MonkeyPatch, reading: str) -> None:
    """Let a child read in this way, with a second of processor time."""
    source = (
        "import re, signal, sys, time\n"
        "from service.mail_in import apart\n"
        "apart._SECONDS = 1\n"
        f"apart.read_body = lambda lines: {reading}\n"
        "sys.exit(apart.main())"
    )
    monkeypatch.setattr(apart, "_CHILD", (sys.executable, "-c", source))


@pytest.mark.parametrize(
    "reading",
    [
        "re.fullmatch('(a|a)*', 'a' * 60 + 'b')",  # one step, which no thread could interrupt
        "[0 for _ in iter(int, 1)]",
        "bytes(1 << 40)",
    ],
)
def test_a_reading_that_takes_too_much_is_ended(
    monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    child(monkeypatch, reading)
    monkeypatch.setattr(apart, "_PATIENCE", 4 * PATIENCE)  # two seconds of a processor with others
    body = apart.read_apart(LARGE)
    assert body == UNREADABLE._replace(seconds=apart._SECONDS)


def test_a_child_that_gets_no_processor_says_nothing_of_the_mail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child(monkeypatch, "time.sleep(1000)")
    monkeypatch.setattr(apart, "_PATIENCE", 0.5)
    with pytest.raises(OSError, match="in time"):
        apart.read_apart(LARGE)


@pytest.mark.parametrize(
    "reading", ["1 / 0", "__import__('os').kill(__import__('os').getpid(), 9)"]
)
def test_a_child_that_ends_otherwise_says_nothing_of_the_mail(
    monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    child(monkeypatch, reading)
    with pytest.raises(OSError, match="could not be read"):
        apart.read_apart(LARGE)


def test_a_large_mail_is_read_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for raw in (
        mail("G1@9\nclaim 2 é", lambda made: made.add_alternative("<p>R7@3</p>", subtype="html")),
        mail("<p>G1@9<hr>R7@3", Content_Type="text/html; charset=utf-8"),
        mail("R7@3 \nG1", Content_Type="text/plain; format=flowed; delsp=yes"),
        mail("x", Content_Type="image/png"),
    ):
        monkeypatch.undo()
        here = read(raw).body
        monkeypatch.setattr(apart, "SMALL", 0)
        there = read(raw).body
        assert there.seconds > 0
        assert there._replace(seconds=0.0) == here
        assert isinstance(here, ReadBody)


def test_what_is_small_needs_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_CHILD", ("/nonexistent",))
    assert apart.read_apart(b"X: y\n\nR7@3\n").text.text == "R7@3\n"
    with pytest.raises(FileNotFoundError):
        apart.read_apart(LARGE)


def test_the_child_knows_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", "secret")
    child(monkeypatch, "[[str(dict(__import__('os').environ))], None, None, None]")
    said = apart.read_apart(LARGE).text.text
    assert "PYTHONPATH" in said
    assert "secret" not in said
