"""Words that take a turn back, and those that only look so."""

import pytest

from letters.mail.phrases import takes_back


@pytest.mark.parametrize(
    "line",
    [
        *("Gesendet: Dienstag, 07. Mai 2024 um 10:00 Uhr", "mercredi 15 mai 2024 19:14"),
        *("Den 7. mai 2024 kl. 10:00 skrev", "ter., 7 de mai. de 2024 às 10:00"),
    ],
)
def test_a_date_in_may_takes_nothing_back(line: str) -> None:
    assert not takes_back(line)


@pytest.mark.parametrize("line", ["mai", "Mai!", "mai più", "mai 3", "più che mai 7 luglio 2024"])
def test_never_in_italian_does(line: str) -> None:
    assert takes_back(line)
