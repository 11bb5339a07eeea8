"""Which names players may take."""

import pytest

from service.accounts.names import displayable, name_problem

ENCODED = "=?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?="


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Ada Lovelace",
        "J. R. R. Tolkien",
        "Dr. Who",
        "R2.0",
        "王小明",
        "?!",
        "o.O",
        "a=b",
        "W.W.",
    ],
)
def test_a_name_for_people(name: str) -> None:
    assert name_problem(name) is None
    assert displayable(name) == name


@pytest.mark.parametrize(
    ("name", "left"),
    [
        (ENCODED, "utf 8 b eA0KUmVwbHktVG86YUBlLnZpbA"),
        ("\uff1d\uff1futf-8?q?x?=", "utf 8 q x"),
        ("http://e.vil", "http e vil"),
        ("www.evil", "www evil"),
        ("win at evil.example", "win at evil example"),
        ("evil\uff0ecom", "evil com"),
        ("evil\u3002com", "evil com"),
        ("a@e.vil", "a e vil"),
        ("10.0.0.1", "10 0 0 1"),
        ("a\r\nReply-To: x", "a Reply To x"),
        ("a\u202eb", "a b"),
        ("a\u2066b", "a b"),
        ("://", "Somebody"),
    ],
)
def test_a_name_that_a_mail_program_would_act_on(name: str, left: str) -> None:
    assert name_problem(name) is not None
    assert displayable(name) == left
    assert name_problem(displayable(name)) is None
