"""The five lessons, played through by their own buttons."""

import pytest
from flask.testing import FlaskClient

from service.core.words import ENGLISH
from service.text.claim_words import claim_states
from service.web.reference.judge import YOU
from service.web.reference.lessons import LESSONS
from tests.engine.invariants import violations
from tests.web.pressing import read

SOLVED = {
    1: ["R9@5", "!5"],
    2: ["G6@4", "!4"],
    3: ["O1@7", "!3"],
    4: ["G7@9", "!3"],
    5: ["JOK@6", "!6"],
}
ASTRAY = {1: ["Y3@5"], 2: ["G9@4"], 4: ["O1@7"], 5: ["R1@6"]}


def asked(client: FlaskClient, number: int, actions: list[str], chosen: str = "") -> str:
    """The lesson with this much of the turn."""
    answer = client.get(f"/learn/{number}", query_string={"turn": actions, "chosen": chosen})
    assert answer.status_code == 200
    return answer.text


def test_every_board_is_sound_and_nothing_can_be_claimed_unplayed() -> None:
    for lesson in LESSONS:
        assert violations(lesson.game) == []
    claimable = [claim_states(ENGLISH, each.game, YOU)[each.stone].claimable for each in LESSONS]
    assert claimable == [False, False, True, False, False], "the third is a proof already"


@pytest.mark.parametrize("number", SOLVED)
def test_each_press_is_on_the_page_until_the_stone_is_claimed(
    client: FlaskClient, number: int
) -> None:
    play, claim = SOLVED[number]
    card = play.partition("@")[0]
    assert f'name="chosen" value="{card}"' in asked(client, number, [])
    assert f'name="turn" value="{play}"' in asked(client, number, [], card)
    assert f'name="turn" value="{claim}"' in asked(client, number, [play])
    done = asked(client, number, [play, claim])
    assert f"Stone {LESSONS[number - 1].stone} is yours." in done
    way_on = f"/learn/{number + 1}" if number < len(LESSONS) else "/puzzles/1"
    assert f'href="{way_on}"' in done


@pytest.mark.parametrize("number", ASTRAY)
def test_another_card_says_what_is_wrong_and_can_be_taken_back(
    client: FlaskClient, number: int
) -> None:
    page = asked(client, number, ASTRAY[number])
    assert "Not yet." in page
    wanted = "play Red 9 on Stone 5" if number == 1 else "try another way"
    assert f"Press Undo and {wanted}." in page
    assert "is yours." not in page


def test_the_players_of_a_lesson_are_the_reader_and_their_opponent(client: FlaskClient) -> None:
    page = asked(client, 1, [])
    assert "<b>You</b>" in page
    assert "Your opponent</b>" in page
    assert not {"North", "South", "(you)"} & set(page.replace("<", " ").replace(">", " ").split())


def test_a_lesson_marks_what_it_names_and_offers_a_claim_at_one_place(client: FlaskClient) -> None:
    (marked,) = [
        each.attributes["value"]
        for each in read(asked(client, 1, [])).all("button")
        if "asked" in each.attributes["class"].split()
    ]
    assert marked == "R9"
    assert 'class="game asks"' in asked(client, 1, [], "R9")
    assert 'class="game asks"' not in asked(client, 1, ["R9@5"])
    assert 'class="game asks"' not in asked(client, 2, [])

    offered = '<div class="offers">'
    assert offered not in asked(client, 1, [])
    page = asked(client, 1, ["R9@5"])
    assert "Now claim Stone 5." in page
    assert "Claim Stone 5</button>" in page.partition(offered)[2]


def test_the_fourth_says_why_the_claim_stands(client: FlaskClient) -> None:
    assert "No colour run above 15" not in asked(client, 4, ["G7@9"])
    assert "No colour run: Green 7 lies on Stone 9." in asked(client, 4, ["G7@9", "!3"])


def test_a_stone_says_when_pressed_why_its_claim_stands(client: FlaskClient) -> None:
    (opened,) = [
        part
        for part in read(asked(client, 3, [])).all("ul")
        if part.attributes.get("class") == "because"
    ]
    assert opened.text.strip() == "No colour run: Green 7 lies on Stone 7."


@pytest.mark.parametrize("actions", [["nonsense"], ["R9@5", "!9"], ["!5"], ["B1@1"]])
def test_what_the_rules_refuse_is_left_out(client: FlaskClient, actions: list[str]) -> None:
    assert "is yours." not in asked(client, 1, actions)


@pytest.mark.parametrize("number", [0, 6])
def test_there_are_five(client: FlaskClient, number: int) -> None:
    assert client.get(f"/learn/{number}").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules", "/help"])
def test_a_newcomer_finds_them(client: FlaskClient, path: str) -> None:
    assert 'href="/learn/1"' in client.get(path).text
