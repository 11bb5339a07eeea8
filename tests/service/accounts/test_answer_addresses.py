"""Further addresses from which a player answers mails."""

import pytest

from service.accounts.answer_addresses import CONFIRM, MOST
from service.accounts.email_addresses import LINK_LIFE, AddressVerification
from service.container import Container
from service.core.errors import RequestRejected
from service.eventlog import NoticeParts, parse_notice_id

EMAIL = "ann+games@example.org"


@pytest.fixture
def ann(container: Container) -> str:
    return container.registrations.register("Ann").player.id


def asked(container: Container) -> list[NoticeParts]:
    """The mails with a link that are to be sent."""
    found = [parse_notice_id(notice.id) for notice in container.log.outbox.pending()]
    return [notice for notice in found if notice.kind == CONFIRM]


def claim_in(container: Container, notice: NoticeParts) -> str:
    found = container.answer_addresses.link_to_send(notice)
    assert found is not None
    return found[1].rpartition("/")[2]


def test_the_link_in_its_mail_confirms_it(container: Container, ann: str) -> None:
    addresses = container.answer_addresses
    addresses.add(ann, EMAIL)
    assert not addresses.is_confirmed(ann, EMAIL)
    (notice,) = asked(container)
    claim = addresses.read_link(claim_in(container, notice))
    assert claim is not None
    assert addresses.verify(claim)
    assert addresses.is_confirmed(ann, EMAIL.upper())
    assert addresses.link_to_send(notice) is None
    assert addresses.add(ann, EMAIL.upper()).verified
    assert asked(container) == [notice]


def test_each_kind_of_link_is_good_for_its_own_kind_and_signs_nobody_in(
    container: Container, ann: str
) -> None:
    container.answer_addresses.add(ann, EMAIL)
    (notice,) = asked(container)
    assert container.addresses.links.read(claim_in(container, notice)) is None
    main = container.addresses.links.url(ann, EMAIL, int(container.now()))
    assert container.answer_addresses.read_link(main.rpartition("/")[2]) is None

    assert container.addresses.players_at(EMAIL) == []
    player = container.players.find(ann)
    assert player is not None
    container.accounts.close(player)
    assert container.answer_addresses.all_of(ann) == []
    with pytest.raises(RequestRejected):
        container.answer_addresses.add(ann, EMAIL)
    assert container.answer_addresses.all_of(ann) == []


def test_an_old_link_and_one_to_a_removed_address_confirm_nothing(
    container: Container, ann: str
) -> None:
    addresses, now = container.answer_addresses, int(container.now())
    added = addresses.add(ann, EMAIL)
    old = addresses.links.url(ann, EMAIL, now - LINK_LIFE)
    assert addresses.read_link(old.rpartition("/")[2]) is None
    (notice,) = asked(container)
    token = claim_in(container, notice)
    claim = addresses.read_link(token)
    addresses.remove(ann, added.id)
    assert claim is not None
    assert not addresses.verify(claim)
    assert addresses.read_link(token) is None
    assert addresses.link_to_send(notice) is None


def test_there_is_room_for_four(container: Container, ann: str) -> None:
    addresses = container.answer_addresses
    for number in range(MOST):
        addresses.add(ann, f"{number}@example.org")
    with pytest.raises(RequestRejected) as refused:
        addresses.add(ann, EMAIL)
    assert refused.value.code == "too-many-addresses"
    addresses.add(ann, "0@example.org")  # once more, with another link
    with pytest.raises(RequestRejected) as refused:
        addresses.remove(ann, "0" * 16)
    assert refused.value.code == "address-not-found"
    bot = container.registrations.register("Robot", owner=ann).player.id
    with pytest.raises(RequestRejected) as refused:
        addresses.add(bot, EMAIL)
    assert refused.value.code == "not-for-bots"
    assert len(addresses.all_of(ann)) == MOST


def test_several_players_may_have_the_same(container: Container, ann: str) -> None:
    bob = container.registrations.register("Bob").player.id
    container.answer_addresses.add(ann, EMAIL)
    container.answer_addresses.add(bob, EMAIL)
    claims = [
        container.answer_addresses.read_link(claim_in(container, n)) for n in asked(container)
    ]
    assert {claim.player for claim in claims if claim} == {ann, bob}


def test_players_are_found_by_what_they_have_confirmed(container: Container, ann: str) -> None:
    addresses, bob = container.answer_addresses, container.registrations.register("Bob").player.id
    for player in (ann, bob):
        addresses.add(player, EMAIL)
    assert addresses.players_at(EMAIL) == []
    assert addresses.verify(AddressVerification(ann, EMAIL, 0))
    assert addresses.players_at(EMAIL.upper()) == [ann]
    assert addresses.verify(AddressVerification(bob, EMAIL, 0))
    for key in container.redis.scan_iter(match="st:answers-from:*"):
        container.redis.delete(key)
    addresses.index_all()
    assert addresses.players_at(EMAIL) == sorted([ann, bob])
    addresses.remove(ann, addresses.all_of(ann)[0].id)
    assert addresses.players_at(EMAIL) == [bob]
    addresses.leave_index(bob)
    assert addresses.players_at(EMAIL) == []
