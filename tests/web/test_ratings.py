"""Ratings on pages: of a player, of a challenge and an invitation, and at the end of a game."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.clock_events import AgreedClock
from service.bots import BOTS
from service.container import Container
from service.games import NewGame
from service.games.projections.ratings import HeadToHead, PlayerRating
from service.games.rating import Form, Result, is_rated
from service.web.words import against_words, points_words, strength_words
from tests.support.clock import NOON
from tests.web.games.game_form import PLAIN, made
from tests.web.people import Browser
from tests.web.shown import Shown, play_on

CLOCK: AgreedClock = {"days_per_move": 3}
BETWEEN = "Won 3, lost 1 against Bob."
MEANING = "Rated: a win raises your rating. A loss lowers it, and resigning is a loss."


@pytest.fixture
def rated(container: Container, ann: Browser, bob: Browser) -> None:
    """Four games of Ann and Bob."""
    container.games.ratings.add(
        Result(int(NOON), f"{number:020d}", ann.player, bob.player, score, 0, True)
        for number, score in enumerate((1.0, 1.0, 0.0, 1.0))
    )


@pytest.fixture
def page(app: Flask) -> Iterator[None]:
    """A request: its reader's language is that of the words."""
    with app.test_request_context():
        yield


def words_of(page: str) -> str:
    return " ".join(page.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.usefixtures("page")
def test_a_rating_is_shown_as_one_number() -> None:
    assert words_of(points_words({"rating": 1540, "deviation": 80})) == "1,540"


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("games", "words"),
    [
        (None, ""),
        (HeadToHead(0, 0, 0), ""),
        (HeadToHead(3, 1, 0), "you won 3, lost 1"),
        (HeadToHead(0, 1, 2), "you won 0, lost 1, drew 2"),
    ],
)
def test_beside_a_name_stand_games_and_a_settled_rating(
    games: HeadToHead | None, words: str
) -> None:
    rating = PlayerRating("bob", (Form(games=1, at=int(NOON)), Form()), games)
    assert words_of(strength_words(rating, NOON, tactics=False)) == words
    assert strength_words(PlayerRating("bob"), NOON, tactics=False) == ""
    steward = PlayerRating(BOTS["steward"].player)
    assert words_of(strength_words(steward, NOON, tactics=False)) == "hard; 1,500"
    assert words_of(strength_words(steward, NOON, tactics=False, rated=False)) == "hard"


@pytest.mark.usefixtures("rated")
def test_lists_show_opponents_askers_and_the_lobby_how_strong_they_are(
    container: Container, client: FlaskClient, ann: Browser, bob: Browser
) -> None:
    beside = re.compile(r'<small class="strength">([^<]+)</small>')
    game = container.games.create(bob.player, NewGame(opponent=ann.player))
    (asker,) = beside.findall(words_of(ann.get("/")))
    assert asker == "Bob: you won 3, lost 1"
    asker = asker.removeprefix("Bob: ")
    container.games.join(game.id, ann.player)
    assert beside.findall(words_of(ann.get("/"))) == [asker]
    assert beside.findall(words_of(ann.get("/games/list"))) == [asker]
    assert beside.findall(words_of(bob.get("/"))) == ["you won 1, lost 3"]
    container.games.create(bob.player, NewGame(listed=True))
    assert beside.findall(words_of(ann.get("/lobby"))) == [asker]
    assert beside.findall(words_of(client.get("/lobby").text)) == []


@pytest.mark.usefixtures("rated")
def test_a_challenge_in_a_list_shows_how_strong_the_challenger_is(
    container: Container, ann: Browser, bob: Browser
) -> None:
    container.games.challenges.make(bob.player, ann.player, NewGame())
    for page in ("/", "/lobby"):
        shown = words_of(ann.get(page))
        assert re.search(r"challenges you\. .*?Bob: you won 3, lost 1</small>", shown)


@pytest.mark.usefixtures("page")
def test_the_games_between_two_are_told_in_a_sentence() -> None:
    assert against_words(HeadToHead(3, 1, 0), "Bob") == BETWEEN
    drawn = "Won 1, lost 0, drew 2 against Bob."
    assert against_words(HeadToHead(1, 0, 2), "Bob") == drawn
    assert against_words(HeadToHead(0, 0, 0), "Bob") == against_words(None, "Bob") == ""


@pytest.mark.usefixtures("rated")
def test_a_players_page_shows_the_rating_to_anybody_and_the_games_together_to_the_two(
    client: FlaskClient, container: Container, ann: Browser, bob: Browser
) -> None:
    game = container.games.create(ann.player, NewGame(opponent=bob.player))
    container.games.join(game.id, bob.player)
    page = words_of(client.get(f"/players/{bob.player}").text)
    assert "after 4 rated games" in page
    assert "against" not in page
    assert BETWEEN in ann.get(f"/players/{bob.player}")
    assert "against" not in ann.get(f"/players/{ann.player}")


def test_a_rating_is_shown_once_a_game_has_counted(client: FlaskClient, ann: Browser) -> None:
    page = words_of(client.get(f"/players/{ann.player}").text)
    assert "No rated game yet" in page
    assert "provisional" not in page
    steward = ann.container.games.create(ann.player, NewGame(bot="steward")).game.players["south"]
    assert steward == BOTS["steward"].player
    assert "1,500" in words_of(client.get(f"/players/{steward}").text)


@pytest.mark.usefixtures("rated")
def test_whoever_is_asked_for_a_game_sees_how_strong_the_other_is(
    container: Container, client: FlaskClient, ann: Browser, bob: Browser
) -> None:
    challenge = container.games.challenges.make(bob.player, ann.player, NewGame(rated=False))
    page = words_of(ann.get(f"/challenges/{challenge.id}"))
    assert BETWEEN in page
    assert "Unrated, no time limit." in page
    game = container.games.create(bob.player, NewGame())
    invitation = f"/games/{game.id}?invite={container.games.invitations.token(game.id)}"
    assert "Bob: you won 3, lost 1" in ann.get(invitation)
    assert "you won" not in client.get(invitation).text + bob.get(invitation)


@pytest.mark.parametrize("limit", [CLOCK, None])
def test_it_is_said_what_rated_means_before_one_agrees_to_it(
    container: Container, ann: Browser, bob: Browser, limit: AgreedClock | None
) -> None:
    is_rated = limit is not None
    challenge = container.games.challenges.make(bob.player, ann.player, NewGame(clock=limit))
    page = ann.get(f"/challenges/{challenge.id}")
    assert (f'<p class="facts">{MEANING}' in page) == is_rated
    game = container.games.create(bob.player, NewGame(clock=limit))
    invite = container.games.invitations.token(game.id)
    assert (MEANING in ann.get(f"/games/{game.id}?invite={invite}")) == is_rated
    container.games.join(game.id, ann.player, invite=invite)
    resigning = ann.get(f"/games/{game.id}/resign")
    assert ("your loss counts if both of you have played 5 turns." in resigning) == is_rated


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (10, "Ann: 1,338, provisional"),
        (9, "does not count for ratings because not both have played 5 turns."),
    ],
)
def test_the_end_of_a_game_says_what_it_did(
    container: Container, ann: Browser, bob: Browser, turns: int, words: str
) -> None:
    wanted = NewGame(opponent=bob.player, first_player="creator", clock=CLOCK)
    game = container.games.create(ann.player, wanted)
    container.games.join(game.id, bob.player)
    play_on(container, Shown(game.id, ann.player, bob.player), turns)
    container.games.resign(game.id, ann.player)
    page = words_of(ann.get(f"/games/{game.id}"))
    assert words in page
    assert ("Won 0, lost 1 against Bob." in page) == (turns == 10)
    for path in ("/", "/games/finished"):
        listed = words_of(ann.get(path))
        assert ("· rating \N{MINUS SIGN}162" in listed) == (turns == 10)


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (NewGame(bot="shepherd", rated=True), " because it has no time limit"),
        (NewGame(bot="shepherd", rated=True, clock=CLOCK), " because not both have played 5 turns"),
        (NewGame(bot="shepherd", rated=False), ""),
        (NewGame(bot="shepherd", private=True, rated=False), " because it is private"),
    ],
)
def test_the_end_says_why_a_game_does_not_count(ann: Browser, wanted: NewGame, reason: str) -> None:
    game = ann.container.games.create(ann.player, wanted)
    ann.container.games.resign(game.id, ann.player)
    page = words_of(ann.get(f"/games/{game.id}"))
    assert f"This game does not count for ratings{reason}." in page


def test_after_an_ordinary_game_with_a_bot_ratings_are_not_spoken_of(ann: Browser) -> None:
    game = ann.container.games.create(ann.player, NewGame(bot="shepherd"))
    ann.container.games.resign(game.id, ann.player)
    page = words_of(ann.get(f"/games/{game.id}"))
    assert "Rematch" in page
    assert "count for ratings" not in page


@pytest.mark.parametrize(("chosen", "rated"), [("", None), ("yes", True), ("no", False)])
def test_the_form_of_a_new_game_has_a_say(ann: Browser, chosen: str, rated: bool | None) -> None:
    answer = ann.press("/games/new", "/games/new", whom="steward", rated=chosen, **PLAIN)
    game = made(ann.container, answer.location)
    assert game.game.terms.get("rated") is rated
    assert (game.clock is not None) == is_rated(game) == (chosen == "yes")


def test_a_game_of_too_few_turns_is_said_not_to_count_wherever_the_count_is_shown(
    container: Container, ann: Browser, bob: Browser
) -> None:
    for turns in (10, 2):
        wanted = NewGame(opponent=bob.player, first_player="creator", clock=CLOCK, rated=False)
        game = container.games.create(ann.player, wanted)
        container.games.join(game.id, bob.player)
        play_on(container, Shown(game.id, ann.player, bob.player), turns)
        container.games.resign(game.id, ann.player if turns == 10 else bob.player)
        page = words_of(ann.get(f"/games/{game.id}"))
        assert "Won 0, lost 1 against Bob." in page
        assert ("This game is not counted: not both have played 5 turns." in page) == (turns == 2)
    for path in ("/", "/games/finished", f"/players/{bob.player}"):
        assert words_of(ann.get(path)).count("not counted: too few turns") == 1
