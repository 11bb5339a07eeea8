"""The local mailbox, for people at this machine alone."""

import re
from email.message import EmailMessage

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import counts, held, run, text_of
from tests.workers.match import Match, begin
from workers.context import build_context

HERE = "http://127.0.0.1:8080"
MAIL = "/mailbox/g.7.p.turn@x.test"
PATHS = ("/mailbox", MAIL, "/mailbox/html/g.8.p.turn@x.test")


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    return create_app(settings(base_url=HERE), redis, clock)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser at this machine."""
    client = app.test_client()
    client.environ_base["HTTP_HOST"] = "127.0.0.1:8080"
    return client


def keep_mail(redis: Client, text: str = "It is your turn.\n\nhttp://x.test/games/1") -> None:
    message = EmailMessage()
    message["Message-ID"] = "<g.7.p.turn@x.test>"
    message["From"] = "Bob · your turn <play@x.test>"
    message["To"] = "Ann <p@mailbox.invalid>"
    message["Subject"] = "Scottenbury: Ann v Bob"
    message.set_content(text)
    Mailbox(redis).add(message["Message-ID"], message.as_string())


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
    assert 'sandbox="allow-same-origin allow-top-navigation-by-user-activation"' in frame[0]
    assert "<pre>It is your turn." in page
    assert "play+turn@x.test" in page
    assert "<b>Your turn</b>" not in page
    assert '<head><base target="_top">' in framed.text
    assert "<b>Your turn</b>" in framed.text
    policy = framed.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert "sandbox allow-same-origin allow-top-navigation-by-user-activation" in policy
    assert "allow-scripts" not in policy
    assert "frame-ancestors 'self'" in policy
    assert framed.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert framed.headers["Cache-Control"] == "no-store"


def test_a_mail_of_text_alone_has_no_frame(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis)

    assert "<iframe" not in client.get("/mailbox/g.7.p.turn@x.test").text
    assert client.get("/mailbox/html/g.7.p.turn@x.test").status_code == 404
    assert client.get("/mailbox/html/nothing").status_code == 404


def test_an_empty_mailbox_says_so(client: FlaskClient) -> None:
    assert "No mail yet" in client.get("/mailbox").text


def test_a_mail_that_is_not_there_is_not_found(client: FlaskClient) -> None:
    assert client.get("/mailbox/nothing").status_code == 404


def test_a_mail_is_never_html_and_kept_by_no_cache(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis, "<script>alert(1)</script>")

    for path in ("/mailbox", "/mailbox/g.7.p.turn@x.test"):
        page = client.get(path).text
        assert "<script>" not in page
        assert "&lt;script&gt;" in page

    keep_mail(redis)
    for path in ("/mailbox", "/mailbox/g.7.p.turn@x.test"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


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


# Answering


# A server as it is at first, without a domain for answers.
AT_FIRST = settings(base_url=HERE, mail_domain=None, mail_from="Scottenbury <play@localhost>")


@pytest.fixture
def match(redis: Client, clock: Clock) -> Match:
    """A match in which the mail of Bob's first turn has come."""
    match = begin(build_context(AT_FIRST, redis, clock))
    match.play("R4@3")
    run(match.context)
    return match


@pytest.fixture
def turn_mail(match: Match) -> str:
    """The path of that mail."""
    (stored,) = match.context.container.mailbox.newest()
    return f"/mailbox/{stored.id.strip('<>')}"


@pytest.fixture
def at_first(redis: Client, clock: Clock) -> FlaskClient:
    client = create_app(AT_FIRST, redis, clock).test_client()
    client.environ_base["HTTP_HOST"] = "127.0.0.1:8080"
    return client


def test_an_answer_here_is_carried_out_as_one_by_mail(
    at_first: FlaskClient, match: Match, turn_mail: str
) -> None:
    page = at_first.get(turn_mail)
    move = held(match)[0]
    fields = {**fields_of(page.text), "text": f"{move}\r\n"}

    answered = [at_first.post(turn_mail, data=fields) for _ in range(2)]
    run(match.context)

    assert "Answer as Bob" in page.text
    assert [(one.status_code, one.location) for one in answered] == [(303, "/mailbox")] * 2
    assert "Your answer is sent." in at_first.get("/mailbox").text
    assert counts(match) == {"played": 1}
    mails = [text_of(stored.message) for stored in match.context.container.mailbox.newest()]
    assert sum("Done. It’s Ann’s turn." in text for text in mails) == 1


def test_an_answer_without_the_token_of_a_form_is_refused(
    at_first: FlaskClient, match: Match, turn_mail: str
) -> None:
    assert at_first.post(turn_mail, data={"text": held(match)[0]}).status_code == 403
    assert match.due() == []


def test_an_answer_to_no_address_of_ours_is_refused(client: FlaskClient, redis: Client) -> None:
    keep_mail(redis)
    fields = {**fields_of(client.get(MAIL).text), "text": "yes", "to": "someone@else.example"}
    assert client.post(MAIL, data=fields).status_code == 404


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields of the form below a mail."""
    form = page[page.index('class="answer"') :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))


# Who may open it


def test_a_server_with_a_mail_server_has_no_mailbox(redis: Client) -> None:
    keep_mail(redis)
    client = create_app(settings(smtp_url="smtp://mail"), redis).test_client()

    assert "/mailbox" not in client.get("/").text
    assert client.get("/mailbox").status_code == 404
    assert client.get("/mailbox/html/g.7.p.turn@x.test").status_code == 404
    assert client.get("/mailbox/g.7.p.turn@x.test").status_code == 404


@pytest.mark.parametrize(
    ("base_url", "environ"),
    [
        (HERE, {"REMOTE_ADDR": "192.168.7.7"}),
        (HERE, {"REMOTE_ADDR": "172.17.0.1"}),
        (HERE, {"REMOTE_ADDR": ""}),
        (HERE, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}),
        (HERE, {"HTTP_FORWARDED": "for=9.9.9.9"}),
        (HERE, {"HTTP_X_REAL_IP": "9.9.9.9"}),
        ("http://192.168.7.7:8080", {}),
        ("https://stones.example", {}),
    ],
)
@pytest.mark.parametrize("proxies", [0, 1])
def test_nobody_elsewhere_and_nobody_behind_a_proxy_reads_it(
    redis: Client, base_url: str, environ: dict[str, str], proxies: int
) -> None:
    keep_mail(redis)
    keep_html(redis, "<html><head></head><body></body></html>")
    known = settings(base_url=base_url, trusted_proxies=proxies)
    client = create_app(known, redis).test_client()
    client.environ_base |= {"HTTP_HOST": "127.0.0.1:8080", **environ}
    assert [client.get(path).status_code for path in PATHS] == [403, 404, 404]
    assert "Do you run this server?" in client.get("/mailbox").text
    assert "Ann" not in client.get("/mailbox").text
    assert "/mailbox" not in client.get("/").text


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_whoever_is_at_this_machine_reads_it_and_is_told_what_it_shows(
    client: FlaskClient, redis: Client, address: str
) -> None:
    keep_mail(redis)
    client.environ_base["REMOTE_ADDR"] = address
    page = client.get("/mailbox").text
    assert "Whoever opens this page on this machine reads all mail to players" in page
    assert client.get(MAIL).status_code == 200
    assert 'href="/mailbox"' in client.get("/").text


def test_a_name_that_leads_here_from_elsewhere_opens_nothing(redis: Client) -> None:
    known = settings(base_url=HERE, allowed_hosts=("stones.example",))
    client = create_app(known, redis).test_client()
    assert client.get("/mailbox", headers={"Host": "stones.example"}).status_code == 403
