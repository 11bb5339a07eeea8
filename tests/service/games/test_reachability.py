"""A notice for a player whom no mail can reach is never queued."""

import pytest

from service.container import Container
from service.core.redis.client import Client
from service.eventlog import parse_notice_id
from service.games import NewGame
from tests.support.settings import settings


@pytest.fixture
def mailing(redis: Client) -> Container:
    """A server that sends mail to the outside world."""
    return Container(settings(smtp_url="smtp://mail.test"), redis)


@pytest.fixture
def local(redis: Client) -> Container:
    """A server with a local mailbox."""
    return Container(settings(), redis)


def queued(container: Container) -> set[tuple[str, str]]:
    """Recipient and kind of the notices that are queued."""
    parts = (parse_notice_id(notice.id) for notice in container.log.outbox.pending())
    return {(part.recipient, part.kind) for part in parts}


def started(container: Container, north: str, south: str) -> str:
    made = container.games.create(north, NewGame(opponent=south, first_player="creator"))
    container.games.join(made.id, south)
    return made.id


def test_without_an_address_nothing_is_queued_but_what_keeps_the_lists(mailing: Container) -> None:
    ada, bob = (mailing.registrations.register(name).player.id for name in ("Ada", "Bob"))
    game = started(mailing, ada, bob)
    assert queued(mailing) == {("server", "list")}
    mailing.games.play(game, ada, _move(mailing, game))
    assert queued(mailing) == {("server", "list")}
    mailing.games.resign(game, bob)
    assert queued(mailing) == {("server", "list"), ("server", "pack")}


def test_with_one_given_the_turn_is_queued_before_it_is_verified(mailing: Container) -> None:
    ada = mailing.registrations.register("Ada").player.id
    bob = mailing.registrations.register("Bob", "bob@example.org").player.id
    game = started(mailing, ada, bob)
    mailing.games.play(game, ada, _move(mailing, game))
    assert (bob, "turn") in queued(mailing)
    assert (ada, "turn") not in queued(mailing)


def test_the_local_mailbox_reaches_everybody(local: Container) -> None:
    ada, bob = (local.registrations.register(name).player.id for name in ("Ada", "Bob"))
    game = started(local, ada, bob)
    local.games.play(game, ada, _move(local, game))
    assert (bob, "turn") in queued(local)


def test_a_challenge_follows_the_same_rule(mailing: Container) -> None:
    ada, bob = (mailing.registrations.register(name).player.id for name in ("Ada", "Bob"))
    mailing.games.challenges.make(ada, bob, NewGame())
    assert queued(mailing) == set()


def _move(container: Container, game: str) -> list[str]:
    stored = container.games.load(game)
    return [container.games.view(stored, stored.player_to_move()).legal[0]]
