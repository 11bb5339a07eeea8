"""Names that could be mistaken for one another, and names that could not."""

import pytest

from service.accounts.names import look_alike


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "ADA"),
        ("IAN", "ian"),
        ("Zoe", "Zo\u00eb"),
        ("Soren", "S\u00f8ren"),
        ("Lukasz", "\u0141ukasz"),
        ("strasse", "Stra\u00dfe"),
        ("ipek", "\u0130pek"),
        ("Ada", "\u0410\u0434\u0430".replace("\u0434", "d")),
        ("Ada", "\uff21\uff44\uff41"),
        ("Ada", "\U0001d4d0da"),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Arn", "Am"),
        ("O'Brien", "O\u2019Brien"),
        ("Ada", "Ad\u3164a"),
        ("Ada", "Ad\u034fa"),
        ("\u2764", "\u2764\ufe0f"),
        ("\u041d\u0410\u0422\u0410", "\u043d\u0430\u0442\u0430"),
        ("\u0397\u039b\u0399\u0391\u03a3", "\u03b7\u03bb\u03b9\u03b1\u03c2"),
    ],
)
def test_these_could_be_mistaken(name: str, other: str) -> None:
    assert look_alike(name, other)
    assert look_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Ada", "Ada 2"),
        ("Ai", "al"),
        ("\u304b", "\u304c"),
        ("\u0915\u092e", "\u0915\u0941\u092e"),
        ("\u738b\u5c0f\u660e", "\u738b\u5927\u660e"),
    ],
)
def test_these_could_not(name: str, other: str) -> None:
    assert not look_alike(name, other)
