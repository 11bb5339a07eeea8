"""Text in its plain form takes no longer than the text is long, whatever its characters are."""

import pytest

from letters import inert
from letters.mail import lines
from letters.mail.body import CUT
from letters.mail.lines import plain_form

STANDS_FOR_FOUR = "\u3300"


def test_each_character_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = list[str]()
    judge = inert._is_widthless
    monkeypatch.setattr(inert, "_is_widthless", lambda one: judged.append(one) or judge(one))
    assert inert.visible("é\u200d]\u00ad^ " * 1000) == "é]^ " * 1000
    assert sorted(judged) == sorted("é\u200d]\u00ad^")


def test_a_line_is_cut_by_what_it_is_read_as() -> None:
    most = lines._LONGEST_LINE
    assert plain_form("é" * most) == "é" * most
    read = plain_form(STANDS_FOR_FOUR * most)
    assert read.endswith(CUT)
    assert len(read) <= most + len(f" {CUT}")
