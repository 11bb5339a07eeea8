"""Who may open an account."""

import pytest

from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.settings import Registration
from service.eventlog import IdempotencyKey
from service.games import NewGame
from tests.support.clock import Clock
from tests.support.settings import settings


def server(redis: Client, registration: Registration, clock: Clock) -> Container:
    return Container(settings(registration=registration), redis, clock)


@pytest.fixture
def invited(redis: Client, clock: Clock) -> Container:
    return server(redis, "invited", clock)


@pytest.fixture
def closed(redis: Client, clock: Clock) -> Container:
    return server(redis, "closed", clock)


def is_refused(refused: pytest.ExceptionInfo[RequestRejected]) -> bool:
    return refused.value.code == "registration-closed"


def hosted_game(store: Container, *, listed: bool = False) -> tuple[str, str]:
    """A game of somebody who was admitted by the operator, and its invite."""
    host = store.registrations.register("Host", invitation=store.admission.make_invitation()).player
    game = store.games.create(host.id, NewGame(listed=listed)).id
    return game, store.games.invitations.token(game)


@pytest.mark.parametrize("registration", ["invited", "closed"])
def test_a_stranger_is_refused_and_nothing_is_stored(
    redis: Client, clock: Clock, registration: Registration
) -> None:
    store = server(redis, registration, clock)
    with pytest.raises(RequestRejected) as refused:
        store.registrations.register("Ann", "ann@example.org")
    assert is_refused(refused)
    assert refused.value.members == {"registration": registration}
    with pytest.raises(RequestRejected) as refused:
        store.guests.register("Ann")
    assert is_refused(refused)
    assert store.players.named("Ann") == []


def test_an_invitation_admits_one_person(closed: Container) -> None:
    invitation = closed.admission.make_invitation()
    assert closed.admission.is_invitation(invitation)
    assert closed.registrations.register("Ann", invitation=invitation)
    assert not closed.admission.is_invitation(invitation)
    with pytest.raises(RequestRejected) as refused:
        closed.registrations.register("Bob", invitation=invitation)
    assert is_refused(refused)


def test_a_repeated_request_finds_its_account(closed: Container) -> None:
    invitation, key = closed.admission.make_invitation(), IdempotencyKey("scope", "key", "body")
    first = closed.registrations.register("Ann", None, key, invitation)
    assert closed.registrations.register("Ann", None, key, invitation) == first
    guests, another = closed.guests, closed.admission.make_invitation()
    assert guests.register("Cat", "seed", another) == guests.register("Cat", "seed", another)


def test_a_refused_name_uses_no_invitation_up(closed: Container) -> None:
    invitation = closed.admission.make_invitation()
    closed.registrations.register("Ann", invitation=closed.admission.make_invitation())
    with pytest.raises(RequestRejected) as refused:
        closed.registrations.register("Ann", invitation=invitation)
    assert refused.value.code == "name-taken"
    assert closed.registrations.register("Bob", invitation=invitation)


def test_an_invitation_expires(closed: Container, redis: Client) -> None:
    closed.admission.make_invitation()
    (key,) = redis.scan_iter("st:{operator}:invitation:*")
    assert 6 * 86400 < int(str(redis.ttl(key))) <= 7 * 86400


def test_the_invite_of_a_game_admits_where_players_may_invite(invited: Container) -> None:
    game, invite = hosted_game(invited)
    _, guest = invited.games.join_as_guest(game, "Gus", invite=invite)
    assert invited.players.find(guest.player.id)


def test_the_lobby_admits_nobody_new(invited: Container) -> None:
    game, _ = hosted_game(invited, listed=True)
    with pytest.raises(RequestRejected) as refused:
        invited.games.join_as_guest(game, "Gus")
    assert is_refused(refused)
    assert invited.players.named("Gus") == []


def test_where_registration_is_closed_players_invite_only_each_other(closed: Container) -> None:
    game, invite = hosted_game(closed)
    with pytest.raises(RequestRejected) as refused:
        closed.games.join_as_guest(game, "Gus", invite=invite)
    assert is_refused(refused)
