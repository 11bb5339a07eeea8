"""An address that somebody only gave: it shows and changes nothing of its owner's."""

import pytest

from service.accounts.email_addresses import AddressFailure, AddressVerification
from service.accounts.player import Player
from service.container import Container

VICTIM = "victim@example.org"


@pytest.fixture
def owner(container: Container) -> Player:
    """The player who has confirmed the address, to which mail fails."""
    victim = container.registrations.register("Victim", VICTIM).player
    assert container.players.verify(AddressVerification(victim.id, VICTIM, 0))
    container.addresses.failing.mark(VICTIM, "550 5.1.1 she has left", "returned")
    return again(container, victim.id)


@pytest.fixture
def mallory(container: Container) -> Player:
    return container.registrations.register("Mallory").player


def again(container: Container, player: str) -> Player:
    found = container.players.find(player)
    assert found is not None
    return found


def failure(container: Container) -> AddressFailure | None:
    return container.addresses.failing.find(VICTIM)


@pytest.mark.parametrize("email", [VICTIM, VICTIM.title()])
def test_who_gives_it_neither_reads_nor_clears_why_mail_to_it_fails(
    container: Container, owner: Player, mallory: Player, email: str
) -> None:
    container.players.set_address(mallory, email)
    claiming = again(container, mallory.id)
    assert container.players.address_problem(claiming) is None
    assert not container.players.mail_fails(claiming)

    container.players.set_address(claiming, None)

    assert failure(container) is not None
    assert container.players.mail_fails(owner)


def test_nor_does_who_waits_for_it_instead_of_one_of_theirs(
    container: Container, owner: Player, mallory: Player
) -> None:
    own = "mallory@example.org"
    container.players.set_address(mallory, own)
    assert container.players.verify(AddressVerification(mallory.id, own, 0))
    container.players.set_address(again(container, mallory.id), VICTIM)
    waiting = again(container, mallory.id)
    assert waiting.pending == VICTIM
    assert container.players.address_problem(waiting) is None

    container.players.set_address(waiting, None)

    assert failure(container) is not None


def test_nor_does_who_deletes_an_account_that_gave_it(
    container: Container, owner: Player, mallory: Player
) -> None:
    container.players.set_address(mallory, VICTIM)
    container.accounts.close(again(container, mallory.id))
    assert failure(container) is not None


def test_its_owner_reads_it_and_leaves_it_behind(container: Container, owner: Player) -> None:
    problem = container.players.address_problem(owner)
    assert problem is not None
    assert problem.failure.error == "550 5.1.1 she has left"

    container.players.set_address(owner, None)

    assert failure(container) is None


def test_one_owner_who_leaves_it_clears_nothing_for_the_other(
    container: Container, owner: Player
) -> None:
    other = container.registrations.register("Other", VICTIM).player
    container.addresses.failing.mark(VICTIM, "550 5.1.1 she has left")
    assert container.players.verify(AddressVerification(other.id, VICTIM, 0))
    container.addresses.failing.mark(VICTIM, "550 5.1.1 she has left")

    container.players.set_address(again(container, other.id), None)

    assert failure(container) is not None
    container.players.set_address(owner, "elsewhere@example.org")
    assert container.players.verify(AddressVerification(owner.id, "elsewhere@example.org", 0))
    assert failure(container) is None
