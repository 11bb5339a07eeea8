"""The page of a ladder."""

import re

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.times import DAY
from service.seasons.ladder import OBSTACLES
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from tests.web.people import Browser
from tests.web.shown import words

NAMES = ("Cyrus", "Dora", "Emil", "Flora", "Gus")


@pytest.fixture
def ladder(container: Container, ann: Browser) -> Season:
    """Cyrus, Dora, Emil, Flora, Gus, from the top, and below them Ann."""
    wanted = NewSeason("The hill", format="ladder")
    made = container.seasons.announce(wanted, None, "operator")
    people = [container.registrations.register(name).player.id for name in NAMES]
    for player in (*people, ann.player):
        made = container.seasons.enter(made.id, player, None, "web")
    return made


def rungs(page: str) -> list[str]:
    """What the page says of each player, from the top."""
    listed = page.partition('<ol class="rungs"')[2].partition("</ol>")[0]
    return [words(f"<{rung}") for rung in listed.split('<li class="rung')[1:]]


def of(page: str, name: str) -> str:
    return next(rung for rung in rungs(page) if re.match(rf"Place \d+ {name}", rung))


def challenge(container: Container, ladder: Season, one: str, other: str) -> str:
    return container.seasons.challenge(ladder.id, one, other, "api").id


def test_everybody_stands_in_order_and_each_other_name_says_why_not(
    ann: Browser, ladder: Season, container: Container
) -> None:
    page = ann.get(f"/seasons/{ladder.id}")
    assert "You stand on place 6 of 6." in words(page)
    names = [*NAMES, "Ann"]
    assert [next(name for name in names if name in rung) for rung in rungs(page)] == names
    for name in NAMES[:2]:
        assert OBSTACLES["too-far-up"] in of(page, name)
    assert all(of(page, name).endswith("Challenge") for name in NAMES[2:])
    top = ladder.entries[0].player
    game = challenge(container, ladder, ladder.entries[3].player, top)
    page = ann.get(f"/seasons/{ladder.id}")
    assert "challenges Cyrus" in of(page, "Flora")
    assert "challenged by Flora" in of(page, "Cyrus")
    assert page.count(f'href="/games/{game}"') == 2
    assert page.count('class="small-board"') == 1


def test_one_is_suggested_and_one_press_begins_the_game(
    ann: Browser, ladder: Season, container: Container
) -> None:
    path = f"/seasons/{ladder.id}"
    page = ann.get(path)
    assert re.findall(r"<button>([^<]+)</button>", page) == ["Challenge Gus, on place 5"]
    emil = ladder.entries[2].player
    answer = ann.press(path, f"{path}/challenges", player=emil)
    assert answer.status_code == 303
    game = answer.location.rpartition("/")[2]
    assert {*container.games.load(game).players} == {ann.player, emil}
    assert "Ladder: The hill" in words(ann.get(answer.location))
    assert OBSTACLES["already-playing"] in of(ann.get(path), "Emil")
    container.games.resign(game, emil)
    container.season_clock.run(ladder.id, [game])
    page = ann.get(path)
    assert "You stand on place 3 of 6." in words(page)
    assert "Ann won against Emil." in words(page)
    assert of(page, "Emil") == "Place 4 Emil"  # which says that he stands below


def test_a_game_in_which_it_is_ones_turn_comes_before_a_challenge(
    ann: Browser, ladder: Season, container: Container
) -> None:
    path, players = f"/seasons/{ladder.id}", [entry.player for entry in ladder.entries]
    for player in players[3:5]:
        challenge(container, ladder, ann.player, player)
    stored = [container.games.load(game) for game in container.seasons.get(ladder.id).games]
    page = ann.get(path)
    is_to_move = any(each.player_to_move() == ann.player for each in stored)
    assert ("Your turn against" in words(page)) == is_to_move
    assert "<button>Challenge" not in page
    assert OBSTACLES["two-of-yours"] in of(page, "Emil")


def test_a_refused_challenge_says_why(ann: Browser, ladder: Season) -> None:
    path = f"/seasons/{ladder.id}"
    for player, code in ((ladder.entries[0].player, "too-far-up"), ("nobody", "off-ladder")):
        answer = ann.press(path, f"{path}/challenges", player=player)
        assert answer.status_code == 409
        assert OBSTACLES[code] in words(answer.text)  # type: ignore[index]


def test_who_blocks_somebody_on_it_is_told_before(bob: Browser, ladder: Season) -> None:
    path = f"/seasons/{ladder.id}"
    bob.container.contact_choices.block(bob.player, ladder.entries[0].player)
    page = bob.get(path)
    assert "Cyrus, whom you have blocked, stands on it" in words(page)
    assert "You are not on this ladder." not in page
    assert bob.press(path, f"{path}/enter").status_code == 303
    page = bob.get(path)
    assert "You stand on place 7 of 7." in words(page)
    assert "blocked" not in page
    assert bob.press(path, f"{path}/leave").status_code == 303
    bob.clock.time += 8 * DAY
    assert "Enter the ladder" in bob.get(path)


def test_visitors_read_its_rules_and_are_led_to_sign_in(
    client: FlaskClient, ladder: Season
) -> None:
    page = client.get(f"/seasons/{ladder.id}").text
    assert "6 players stand on this ladder." in words(page)
    assert "Sign in to enter" in page
    assert "up to three places above you" in words(page)
    assert "Challenge" not in "".join(rungs(page))
    assert "/seasons/" in client.get(f"/seasons/{ladder.id}.atom").text


def test_a_long_one_has_pages_that_begin_where_the_reader_stands(
    bob: Browser, ladder: Season, container: Container
) -> None:
    path = f"/seasons/{ladder.id}"
    for number in range(60):
        container.seasons.enter(ladder.id, f"{number:02}".rjust(16, "a"), None, "web")
    container.seasons.enter(ladder.id, bob.player, None, "web")
    assert "Higher up" not in bob.client.application.test_client().get(path).text
    page = bob.get(path)
    assert "You stand on place 67 of 67." in words(page)
    assert len(rungs(page)) == 21
    assert "Further down" not in page
    higher = re.search(r'href="([^"]+\?from=1)"', page)
    assert higher is not None
    assert len(rungs(bob.get(higher[1]))) == 50
    for asked in ("0", "68", "x", "²"):
        assert len(rungs(bob.get(f"{path}?from={asked}"))) == 21


def test_the_list_says_what_is_a_ladder_and_has_what_is_alive_first(
    ann: Browser, ladder: Season, container: Container
) -> None:
    container.seasons.announce(NewSeason("Cup", players=6), None, "operator")
    page = words(ann.get("/seasons"))
    assert page.index("The hill You are in it Ladder. 6 players") < page.index("Cup Starts once")


def test_one_that_has_ended_says_so_and_offers_nothing(
    ann: Browser, bob: Browser, ladder: Season, container: Container
) -> None:
    game = challenge(container, ladder, ann.player, ladder.entries[4].player)
    container.season_clock.end(ladder.id)
    for reader in (ann, bob):
        page = words(reader.get(f"/seasons/{ladder.id}"))
        assert "This ladder ended on" in page
        assert "Enter the ladder" not in page
        assert "Leave the ladder" not in page
    assert "/challenges" not in ann.get(f"/seasons/{ladder.id}")
    assert f"/games/{game}" in ann.get(f"/seasons/{ladder.id}")
    assert "Ended on" in words(ann.get("/seasons"))


def test_whoever_left_is_asked_first_and_then_reads_when_to_come_back(
    ann: Browser, ladder: Season
) -> None:
    path = f"/seasons/{ladder.id}"
    rules = 'class="sheet more" {}><summary><h2 id="rules">'
    assert rules.format("") in ann.get(path)
    folded = ann.get(path).partition("<summary>Leave the ladder</summary>")[2]
    assert "are lost at once" in folded.partition("</details>")[0]
    assert ann.press(path, f"{path}/leave").status_code == 303
    page = words(ann.get(path))
    assert "You have left this ladder: enter again after" in page
    assert "Enter the ladder" not in page
    assert rules.format("open") in ann.get(path)


def test_a_game_of_a_ladder_offers_no_time_no_pause_and_no_rematch(
    ann: Browser, ladder: Season, container: Container
) -> None:
    gus = ladder.entries[4].player
    game = challenge(container, ladder, ann.player, gus)
    page = ann.get(f"/games/{game}?tab=more")
    assert "The clock" in page
    assert "Offer a pause" not in page
    assert "More time for" not in page
    container.games.resign(game, gus)
    page = ann.get(f"/games/{game}")
    assert f'class="button" href="/seasons/{ladder.id}">Ladder: The hill</a>' in page
    assert "Rematch" not in page
