"""The pages as a browser gets them."""

import re

import pytest
from flask.testing import FlaskClient

from service.accounts.mail_preferences import MailPreferences, Subscription, guest
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from tests.web.people import dump
from tests.web.shown import Shown, begin

# The front page


def test_the_front_page_leads_to_the_api(client: FlaskClient) -> None:
    assert 'href="/docs"' in client.get("/").text


# A game


def test_links_are_those_of_this_site_whatever_a_request_names(client: FlaskClient) -> None:
    foreign = client.get("/", environ_overrides={"SCRIPT_NAME": "//elsewhere.test"})
    assert "elsewhere" not in foreign.text
    assert "elsewhere" not in client.get("/").text, "nobody else gets those links either"


def test_a_game_shows_the_board_and_what_happened(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])

    page = client.get(f"/games/{game.id}").text

    assert 'aria-label="Red 4"' in page
    assert "Ann played Red 4 on Stone 3." in re.sub("<[^>]+>", "", page)
    assert 'value="6" aria-valuetext="After turn 1 of 1"' in page


def test_a_passer_by_sees_no_hidden_card(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    page = client.get(f"/games/{game.id}").text

    hand = container.games.view(container.games.load(game.id), game.ann).hands["north"].cards
    assert len(hand) == 6
    assert not re.search('aria-label="(Red|Orange|Yellow|Green|Blue|Purple) ', page)


def test_the_end_of_a_game_is_told(client: FlaskClient, container: Container, game: Shown) -> None:
    container.games.resign(game.id, game.bob)

    page = client.get(f"/games/{game.id}").text
    assert "Ann won: Bob resigned." in page
    for shown in (page, client.get(f"/games/{game.id}?at=3").text):
        assert "Unseen cards" not in shown  # a step that is pressed leaves the tabs as they are


def test_a_private_game_is_found_only_with_its_invite(
    client: FlaskClient, container: Container
) -> None:
    ada = container.registrations.register("Ada").player.id
    game = container.games.create(ada, NewGame(private=True))
    invite = container.games.invitations.token(game.id)

    assert client.get(f"/games/{game.id}").status_code == 404
    assert client.get(f"/games/{game.id}?invite=wrong").status_code == 404
    assert client.get(f"/games/{game.id}?invite={invite}").status_code == 200


def test_an_unknown_game_is_not_found_on_a_page(client: FlaskClient) -> None:
    missing = client.get("/games/nowhere")

    assert missing.status_code == 404
    assert missing.mimetype == "text/html"


def test_a_name_is_never_html(client: FlaskClient, container: Container) -> None:
    game = begin(container, ann="<b>Ann</b>")

    assert "<b>Ann</b>" not in client.get(f"/games/{game.id}").text


# Turning mails off


def link_of(container: Container, subscription: Subscription) -> tuple[MailPreferences, str]:
    known = container.settings
    mail_preferences = MailPreferences(container.redis, known.secret_key, known.base_url)
    return mail_preferences, mail_preferences.url(subscription).removeprefix(known.base_url)


def test_a_page_turns_mails_off_by_its_answer_and_on_again(
    client: FlaskClient, container: Container
) -> None:
    turn = Subscription("ann", "turn")
    mail_preferences, path = link_of(container, turn)

    assert "A mail tells you that it is your turn." in client.get(path).text
    assert mail_preferences.wanted(turn)

    assert client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not mail_preferences.wanted(turn)
    assert "No mail tells you that it is your turn." in client.get(path).text

    client.post(path)

    client.post(path, data={"on": "1"})

    assert mail_preferences.wanted(turn)


def test_the_page_says_whose_mails_they_are_and_what_no_turn_mail_means(
    client: FlaskClient, container: Container
) -> None:
    ada = container.registrations.register("Ada", email="ada@example.org").player.id
    _, path = link_of(container, Subscription(ada, "turn"))
    text = client.get(path).text
    assert "These are the mails to <b>Ada</b>, a…@example.org." in text
    assert "would then hear of no turn any more" in text
    assert "Which mails you get" not in text
    client.post(path)
    assert "would then hear of no turn any more" not in client.get(path).text

    _, path = link_of(container, Subscription(guest("bob@example.org"), "invitation"))
    text = client.get(path).text
    assert "These are the mails to the address that this link was sent to." in text
    assert "would then hear" not in text


def test_a_forged_link_is_not_found(client: FlaskClient) -> None:
    assert client.get("/unsubscribe/forged").status_code == 404
    assert client.post("/unsubscribe/forged").status_code == 404


# All pages


@pytest.fixture
def paths(client: FlaskClient, container: Container, redis: Client, game: Shown) -> list[str]:
    """Every kind of page."""
    _, unsubscribe = link_of(container, Subscription("ann", "turn"))
    return ["/", f"/games/{game.id}", f"/games/{game.id}?at=3", unsubscribe]


def test_a_look_changes_nothing(client: FlaskClient, redis: Client, paths: list[str]) -> None:
    before = dump(redis)

    for path in paths:
        assert client.get(path).status_code == 200
        assert client.head(path).status_code == 200

    assert dump(redis) == before
