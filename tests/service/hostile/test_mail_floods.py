"""How many mails somebody may make another read, or the server send to strangers."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import Seat
from service.accounts.email_addresses import AddressVerification
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.mail import budget
from service.mail.budget import MailBudget, folded
from service.mail_in.addresses import ReplyTo
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.settings import settings

HOUR = 3600


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    """A server that sends mail, and limits what is asked of it."""
    return create_app(
        settings(rate_limits=True, smtp_url="smtp://mail.test", mail_domain="play.test"),
        redis,
        clock,
    )


def mails(container: Container) -> int:
    """How many mails are due now, but those that verify an address."""
    return sum(
        ".mail." in notice.id and not notice.id.endswith(".verify")
        for notice in container.log.outbox.pending()
        if notice.due <= container.now()
    )


def verified(client: FlaskClient, container: Container, name: str) -> Person:
    person = Person(client, name, email=f"{name.lower()}@example.org")
    claim = AddressVerification(person.id, f"{name.lower()}@example.org", expires=0)
    assert container.players.verify(claim)
    return person


@pytest.fixture
def ada(client: FlaskClient) -> Person:
    """A player whom mail reaches, like Bob; the address is not verified."""
    return Person(client, "Ada", email="ada@example.org")


@pytest.fixture
def bob(client: FlaskClient) -> Person:
    return Person(client, "Bob", email="bob@example.org")


@pytest.fixture
def host(client: FlaskClient, container: Container) -> Person:
    """A player whose address is verified."""
    return verified(client, container, "Hal")


def test_one_challenge_or_invitation_is_open_between_two(
    ada: Person, bob: Person, container: Container
) -> None:
    def ask(asker: Person, other: Person) -> Iterator[TestResponse]:
        for _ in range(5):
            yield asker.post("/challenges", {"player": other.id})
            yield asker.post("/games", {"opponent": {"player": other.id}})

    first, *others = [*ask(ada, bob), *ask(bob, ada)]
    assert first.status_code == 201
    assert {(answer.status_code, code(answer)) for answer in others} == {(409, "already-asked")}
    assert {answer.json["id"] for answer in others} == {first.json["id"]}
    assert mails(container) == 1


ANSWERS: list[Callable[[Person, Person, str], TestResponse]] = [
    lambda ada, bob, asked: ada.delete(f"/challenges/{asked}"),
    lambda ada, bob, asked: bob.post(f"/challenges/{asked}/decline"),
    lambda ada, bob, asked: bob.post(f"/challenges/{asked}/acceptance"),
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_once_it_is_answered_they_may_ask_again(
    ada: Person, bob: Person, answer: Callable[[Person, Person, str], TestResponse]
) -> None:
    answer(ada, bob, ada.post("/challenges", {"player": bob.id}).json["id"])
    assert bob.post("/games", {"opponent": {"player": ada.id}}).status_code == 201


def test_a_counter_offer_takes_the_place_of_the_challenge(ada: Person, bob: Person) -> None:
    asked = ada.post("/challenges", {"player": bob.id}).json["id"]
    countered = bob.post(f"/challenges/{asked}/counter-offer", {"rounds": 3})
    assert countered.status_code == 201
    refused = ada.post("/challenges", {"player": bob.id})
    assert (code(refused), refused.json["id"]) == ("already-asked", countered.json["id"])
    assert ada.post(f"/challenges/{countered.json['id']}/acceptance").status_code == 200


def test_what_was_not_answered_in_time_is_open_no_more(
    ada: Person, bob: Person, clock: Clock
) -> None:
    ada.post("/games", {"opponent": {"player": bob.id}, "invitation_days": 1})
    clock.time += 24 * HOUR
    assert ada.post("/challenges", {"player": bob.id}).status_code == 201


def test_a_repeated_request_is_answered_as_before(ada: Person, bob: Person) -> None:
    key = {"headers": {"Idempotency-Key": "one"}}
    wanted = {"opponent": {"player": bob.id}}
    first, again = (ada.post("/games", wanted, **key) for _ in range(2))
    assert first.json["id"] == again.json["id"]
    bob.post(f"/games/{first.json['id']}/join")
    ada.post("/challenges", {"player": bob.id})
    assert ada.post("/games", wanted, **key).json["id"] == first.json["id"]


def test_asking_and_withdrawing_is_bounded(
    ada: Person, bob: Person, container: Container, clock: Clock
) -> None:
    """As it was done: a hundred challenges and a hundred games against one player."""
    for _ in range(100):
        answer = ada.post("/challenges", {"player": bob.id})
        if answer.status_code == 201:
            ada.delete(f"/challenges/{answer.json['id']}")
        made = ada.post("/games", {"opponent": {"player": bob.id}})
        if made.status_code == 201:
            ada.delete(f"/games/{made.json['id']}")
    assert (answer.status_code, code(answer)) == (429, "too-many-mails")
    assert int(answer.headers["Retry-After"]) == answer.json["retry_after"] <= HOUR
    asked = [
        n for n in container.log.outbox.pending() if n.id.endswith(("challenge", "invitation"))
    ]
    assert len(asked) == 5


def test_many_accounts_cannot_flood_one_player(client: FlaskClient, bob: Person) -> None:
    answers = [
        Person(client, f"Sock {number}").post("/challenges", {"player": bob.id})
        for number in range(22)
    ]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429] * 2
    assert answers[-1].json["budget"] == "recipient"


def test_one_account_cannot_mail_everybody(
    ada: Person, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        ada.post("/challenges", {"player": Person(client, f"P{number}").id}) for number in range(32)
    ]
    assert [answer.status_code for answer in answers] == [201] * 30 + [429] * 2
    assert answers[-1].json["budget"] == "account"


def test_a_game_has_few_rematches_to_be_asked_for(
    ada: Person, bob: Person, container: Container
) -> None:
    over = Started(ada, bob)
    ada.post(f"{over.path}/resignation")
    statuses = []
    for _ in range(5):
        asked = ada.post(f"{over.path}/rematch")
        statuses.append(asked.status_code)
        if asked.status_code == 200:
            ada.delete(f"/games/{asked.json['id']}")
    assert statuses == [200] * 3 + [429] * 2


def invite(host: Person, email: str, **options: Any) -> TestResponse:
    return host.post("/games", {"opponent": {"email": email}}, **options)


def test_only_a_verified_player_invites_by_mail(ada: Person, container: Container) -> None:
    answer = invite(ada, "x@example.com")
    assert (answer.status_code, code(answer)) == (403, "address-not-verified")
    assert mails(container) == 0


def test_strangers_are_invited_few_at_a_time(host: Person, container: Container) -> None:
    """As it was done: sixty invitations to `x+N@…`, which all lead to one mailbox."""
    answers = [invite(host, f"x+{number}@example.com") for number in range(60)]
    assert [answer.status_code for answer in answers[:2]] == [201, 409]
    others = [invite(host, f"{number}@example.com") for number in range(60)]
    assert [answer.status_code for answer in others] == [201] * 4 + [429] * 56
    assert mails(container) == 5


def test_one_mailbox_is_invited_few_times_by_however_many(
    client: FlaskClient, container: Container
) -> None:
    hosts = [verified(client, container, f"Host{number}") for number in range(5)]
    answers = [
        invite(host, f"{'x' if number % 2 else 'X'}.y+{number}@gmail.com")
        for number, host in enumerate(hosts)
    ]
    assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 2
    assert answers[-1].json["budget"] == "recipient"


def test_a_turn_of_play_is_always_told(ada: Person, bob: Person, container: Container) -> None:
    """Where every budget is used up, by those who play."""
    game = Started(ada, bob)
    for _ in range(8):
        answer = ada.post("/challenges", {"player": bob.id})
        ada.delete(f"/challenges/{answer.json.get('id')}")
    assert answer.status_code == 429
    for _ in range(12):
        assert game.play_any().status_code == 200
    mover = game.mover()
    assert any(f".{mover.id}.mail.turn" in notice.id for notice in container.log.outbox.pending())


@pytest.mark.parametrize(
    ("email", "mailbox"),
    [
        ("Ada+games@Example.org", "ada@example.org"),
        ("a.d.a+x@googlemail.com", "ada@gmail.com"),
        ("a.d.a@example.org", "a.d.a@example.org"),
        ("+x@example.org", "+x@example.org"),
    ],
)
def test_addresses_that_lead_to_one_mailbox_count_as_one(email: str, mailbox: str) -> None:
    assert folded(email) == mailbox


def proofs(container: Container) -> int:
    """How many mails with links that confirm or sign in are due."""
    return sum(n.id.endswith((".verify", ".sign-in")) for n in container.log.outbox.pending())


def test_registrations_flood_no_mailbox(client: FlaskClient, container: Container) -> None:
    answers = [
        client.post("/v1/players", json={"name": f"P {number}", "email": f"x+{number}@example.org"})
        for number in range(20)
    ]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 15
    assert code(answers[-1]) == "too-many-mails"
    assert proofs(container) == 5


def test_a_refused_change_of_address_changes_nothing(ada: Person, container: Container) -> None:
    for number in range(10):
        ada.patch("/me", {"email": f"{number}@example.org"})
    answer = ada.patch("/me", {"name": "Adele", "email": "11@example.org"})
    assert (answer.status_code, code(answer)) == (429, "too-many-mails")
    assert (ada.get("/me").json["name"], ada.get("/me").json["email"]) == ("Ada", "9@example.org")


def test_what_is_refused_spends_nothing(
    client: FlaskClient, eve: Person, bob: Person, container: Container
) -> None:
    """Looking for a free name keeps nobody from their own address."""
    before = proofs(container)
    for _ in range(20):
        taken = {"name": "Bob", "email": "cy@example.org"}
        assert code(client.post("/v1/players", json=taken)) == "name-taken"
        assert code(eve.patch("/me", {**taken, "email": "eve@example.org"})) == "name-taken"
    assert proofs(container) == before
    Person(client, "Cy", email="cy@example.org")
    assert eve.patch("/me", {"email": "eve@example.org"}).status_code == 200
    assert proofs(container) == before + 2


def test_links_to_sign_in_flood_no_mailbox(container: Container) -> None:
    """Whether the address is anybody's or not: the answer tells nothing."""
    for _ in range(20):
        container.sign_in.request_link("nobody@example.org")
    with pytest.raises(RequestRejected):
        container.sign_in.request_link("no.body+1@example.org".replace(".b", "b"))
    assert proofs(container) == 20


def test_one_caller_cannot_keep_the_owner_of_an_address_from_signing_in(redis: Client) -> None:
    callers = iter(["9.9.9.9"] * 6 + ["8.8.8.8"])
    budget = MailBudget(redis, lambda: next(callers))
    for number in range(4):
        budget.spend("sign-in", str(number), recipient="ada")
    for number in (4, 5):
        with pytest.raises(RequestRejected):
            budget.spend("sign-in", str(number), recipient="ada")
    budget.spend("sign-in", "6", recipient="ada")


def test_a_network_address_has_a_budget_whoever_asks(redis: Client) -> None:
    budget = MailBudget(redis, lambda: "203.0.113.7")
    for number in range(10):
        budget.spend("stranger", f"{number}", account=f"a{number}", recipient=f"r{number}")
    budget.spend("stranger", "9", account="a9", recipient="r9")  # the same mail again
    with pytest.raises(RequestRejected) as refused:
        budget.spend("stranger", "10", account="a10", recipient="r10")
    assert refused.value.members["budget"] == "network"
    MailBudget(redis, lambda: "203.0.113.8").spend("stranger", "10", account="a10", recipient="r10")


def test_a_player_answers_mails_of_all_games_within_one_budget(
    client: FlaskClient, container: Container, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {**budget._KINDS["mail-in"], budget.ACCOUNT: (3, 3)}
    monkeypatch.setitem(budget._KINDS, "mail-in", few)
    incoming, guest = container.incoming_mail, verified(client, container, "Gus")

    def answer(person: Person, seat: Seat, game: Started) -> None:
        to = incoming.addresses.write(ReplyTo("turn", game.id, 3, seat))
        sender = f"{person.name.lower()}@example.org"
        incoming.accept(to or "", sender, f"From: {sender}\n\nhelp {game.id}".encode())

    games = [Started(host, guest) for _ in range(4)]
    for game in games[:3]:
        answer(host, "north", game)
    with pytest.raises(RequestRejected, match="Too many mails"):
        answer(host, "north", games[3])
    answer(guest, "south", games[3])


def test_every_count_has_an_end(redis: Client) -> None:
    MailBudget(redis, lambda: None).spend("ask", "1", account="a", recipient="b", pair="a:b")
    kept = {key: redis.ttl(key) for key in redis.scan_iter()}
    assert sorted(kept.values()) == [3600] * 3 + [86400] * 3
