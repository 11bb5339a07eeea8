"""Trying a claim on a page."""

import pytest
from flask.testing import FlaskClient

from service.web.reference.judge import EXAMPLES
from tests.web.pressing import read


def status(client: FlaskClient, query: str) -> str:
    """What the page answers."""
    page = read(client.get(f"/judge?{query}").text)
    (found,) = [part for part in page.all("p") if part.attributes.get("role") == "status"]
    return " ".join(found.text.split())


def test_a_claim_that_nothing_can_beat_stands(client: FlaskClient) -> None:
    assert status(client, "mine=R7+R8+R9&theirs=G4+B5").startswith("The claim stands.")


def test_a_claim_that_can_be_beaten_shows_the_cards(client: FlaskClient) -> None:
    query = "mine=R4+R5+R6&theirs=G8+G9"
    assert status(client, query).startswith("The claim does not stand.")
    assert 'aria-label="Green 7"' in client.get(f"/judge?{query}").text


@pytest.mark.parametrize("query", ["mine=R4+R5", "theirs=R4+R5+R6", "mine=R4+R5+R6&modes=MUD"])
def test_an_incomplete_side_claims_nothing(client: FlaskClient, query: str) -> None:
    assert client.get(f"/judge?{query}").status_code == 200
    assert "Your side is not complete yet" in status(client, query)


def test_cards_are_written_freely(client: FlaskClient) -> None:
    asked = "mine=7r,%20r8;%20jok&theirs=&first=mine&modes=BMB&seen=G1"
    assert status(client, asked).startswith("The claim ")
    page = read(client.get(f"/judge?{asked}").text)
    (side,) = [each for each in page.all("ul") if each.name == "Your side"]
    assert [each.text for each in side.all("li")] == ["Red 7", "Red 8", "Joker"]
    assert [each.text for each in page.all("b")][:1] == ["The claim does not stand."]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("mine=X9", "'X9' is not a card."),
        ("mine=R1+R2+R3+R4", '"mine" holds more than 3 cards.'),
        ("mine=R1&theirs=R1", "R1 cannot lie in two places."),
        ("mine=R1&first=west", '"first" is'),
        ("mine=<script>alert(1)</script>", "is not a card."),
    ],
)
def test_what_cannot_be_judged_is_told(client: FlaskClient, query: str, words: str) -> None:
    assert client.get(f"/judge?{query}").status_code == 422
    assert words in status(client, query)
    assert "<script>alert" not in client.get(f"/judge?{query}").text


@pytest.mark.parametrize("query", [query for _, query in EXAMPLES])
def test_the_examples_can_be_judged(client: FlaskClient, query: str) -> None:
    assert status(client, query).startswith("The claim ")
