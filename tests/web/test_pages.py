"""The pages as a browser gets them."""

import re
from email.message import EmailMessage

import pytest
from flask.testing import FlaskClient

from service.accounts.mail_preferences import MailPreferences, Subscription
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.mail.mailbox import Mailbox
from service.server.app import create_app
from tests.support.settings import settings
from tests.web.people import dump
from tests.web.shown import Shown, begin


def keep_mail(redis: Client, text: str = "It is your turn.\n\nhttp://x.test/games/1") -> None:
    message = EmailMessage()
    message["Message-ID"] = "<g.7.p.turn@x.test>"
    message["From"] = "Bob · your turn <play@x.test>"
    message["To"] = "Ann <p@mailbox.invalid>"
    message["Subject"] = "Scottenbury: Ann v Bob"
    message.set_content(text)
    Mailbox(redis).add(message["Message-ID"], message.as_string())


# The front page


def test_the_front_page_leads_to_the_api_and_the_mailbox(client: FlaskClient) -> None:
    page = client.get("/").text

    assert 'href="/docs"' in page
    assert 'href="/mailbox"' in page


def test_a_server_with_a_mail_server_has_no_mailbox(redis: Client) -> None:
    keep_mail(redis)
    client = create_app(settings(smtp_url="smtp://mail"), redis).test_client()

    assert "/mailbox" not in client.get("/").text
    assert client.get("/mailbox").status_code == 404
    assert client.get("/mailbox/html/g.7.p.turn@x.test").status_code == 404
    assert client.get("/mailbox/g.7.p.turn@x.test").status_code == 404


# The mailbox


def test_the_mailbox_lists_mails_and_shows_one(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis)

    listed = client.get("/mailbox").text
    link = re.search(r'href="(/mailbox/[^"]+)"', listed)
    assert link is not None
    mail = client.get(link[1]).text

    assert "Ann" in listed
    assert "Bob · your turn" in listed
    assert "It is your turn." in listed
    assert "Scottenbury: Ann v Bob" in mail
    assert '<a href="http://x.test/games/1"' in mail


def keep_html(redis: Client, html: str) -> str:
    """The path of a mail with this HTML."""
    message = EmailMessage()
    message["Message-ID"] = "<g.8.p.turn@x.test>"
    message["To"] = "Ann <p@mailbox.invalid>"
    message["Reply-To"] = "play+turn@x.test"
    message["Subject"] = "Scottenbury: Ann v Bob"
    message.set_content("It is your turn.")
    message.add_alternative(html, subtype="html")
    Mailbox(redis).add(message["Message-ID"], message.as_string())
    return "g.8.p.turn@x.test"


def test_a_mail_is_shown_as_a_mail_program_shows_it(client: FlaskClient, redis: Client) -> None:
    mail = keep_html(redis, "<html><head></head><body><b>Your turn</b></body></html>")

    page = client.get(f"/mailbox/{mail}").text
    framed = client.get(f"/mailbox/html/{mail}")

    frame = re.search("<iframe[^>]*>", page)
    assert frame is not None
    assert f'src="/mailbox/html/{mail}"' in frame[0]
    assert 'sandbox="allow-top-navigation-by-user-activation"' in frame[0]
    assert "<pre>It is your turn." in page
    assert "play+turn@x.test" in page
    assert "<b>Your turn</b>" not in page
    assert '<head><base target="_top">' in framed.text
    assert "<b>Your turn</b>" in framed.text
    policy = framed.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    assert "allow-scripts" not in policy
    assert "frame-ancestors 'self'" in policy
    assert framed.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert framed.headers["Cache-Control"] == "no-store"


def test_a_mail_of_text_alone_has_no_frame(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis)

    assert "<iframe" not in client.get("/mailbox/g.7.p.turn@x.test").text
    assert client.get("/mailbox/html/g.7.p.turn@x.test").status_code == 404
    assert client.get("/mailbox/html/nothing").status_code == 404


def test_mail_is_kept_by_no_cache(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis)
    for path in ("/mailbox", "/mailbox/g.7.p.turn@x.test"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


def test_an_empty_mailbox_says_so(client: FlaskClient) -> None:
    assert "No mail yet" in client.get("/mailbox").text


def test_a_mail_that_is_not_there_is_not_found(client: FlaskClient) -> None:
    assert client.get("/mailbox/nothing").status_code == 404


def test_what_a_mail_says_is_never_html(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis, "<script>alert(1)</script>")

    for path in ("/mailbox", "/mailbox/g.7.p.turn@x.test"):
        page = client.get(path).text
        assert "<script>" not in page
        assert "&lt;script&gt;" in page


# A game


def test_a_game_shows_the_board_and_what_happened(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])

    page = client.get(f"/games/{game.id}").text

    assert 'aria-label="Red 4"' in page
    assert "Ann played Red 4 on Stone 3." in re.sub("<[^>]+>", "", page)
    assert "Step 6 of 6" in page


def test_a_passer_by_sees_no_hidden_card(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    page = client.get(f"/games/{game.id}").text

    hand = container.games.view(container.games.load(game.id), game.ann).hands["north"].cards
    assert len(hand) == 6
    assert not re.search('aria-label="(Red|Orange|Yellow|Green|Blue|Purple) ', page)


def test_the_end_of_a_game_is_told(client: FlaskClient, container: Container, game: Shown) -> None:
    container.games.resign(game.id, game.bob)

    assert "Unseen cards" in client.get(f"/games/{game.id}?at=3").text
    page = client.get(f"/games/{game.id}").text
    assert "Ann won by resignation." in page
    assert "Unseen cards" not in page


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


def test_the_page_asks_and_only_the_answer_turns_off(
    client: FlaskClient, container: Container
) -> None:
    turn = Subscription("ann", "turn")
    mail_preferences, path = link_of(container, turn)

    assert "You get a mail that it is your turn." in client.get(path).text
    assert mail_preferences.wanted(turn)

    assert client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not mail_preferences.wanted(turn)
    assert "You get no mail that it is your turn." in client.get(path).text


def test_mails_can_be_turned_on_again(client: FlaskClient, container: Container) -> None:
    turn = Subscription("ann", "turn")
    mail_preferences, path = link_of(container, turn)
    client.post(path)

    client.post(path, data={"on": "1"})

    assert mail_preferences.wanted(turn)


def test_a_forged_link_is_not_found(client: FlaskClient) -> None:
    assert client.get("/unsubscribe/forged").status_code == 404
    assert client.post("/unsubscribe/forged").status_code == 404


# All pages


@pytest.fixture
def paths(client: FlaskClient, container: Container, redis: Client, game: Shown) -> list[str]:
    """Every kind of page."""
    keep_mail(redis)
    _, unsubscribe = link_of(container, Subscription("ann", "turn"))
    mail = "/mailbox/g.7.p.turn@x.test"
    return ["/", "/mailbox", mail, f"/games/{game.id}", f"/games/{game.id}?at=2", unsubscribe]


def test_a_look_changes_nothing(client: FlaskClient, redis: Client, paths: list[str]) -> None:
    before = dump(redis)

    for path in paths:
        assert client.get(path).status_code == 200
        assert client.head(path).status_code == 200

    assert dump(redis) == before


def test_a_mail_that_cannot_be_read_hides_no_other(client: FlaskClient, redis: Client) -> None:
    """As older versions kept one to a player whose name was read as a header."""
    keep_mail(redis)
    text = "To: =?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?= <b@x.test>\nSubject: x\n\nHello\n"
    for mail_id, kept in (("<bad@x.test>", text), ("<worse@x.test>", "")):
        Mailbox(redis).add(mail_id, kept)

    listed = client.get("/mailbox")
    assert listed.status_code == 200
    assert listed.text.count('<a href="/mailbox/') == 3
    assert "A mail that cannot be read" in listed.text
    assert all(client.get(f"/mailbox/{id_}@x.test").status_code == 200 for id_ in ("bad", "worse"))
