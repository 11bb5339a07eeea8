"""The addresses that a mail can be answered to."""

import pytest

from letters.wishes import Offered
from service.mail_in.addresses import OffersShown, Purpose, ReplyAddresses, ReplyTo
from tests.support.settings import settings

GAME, HEAD = "a2" * 10, "0123456789abcdef" * 4
ADDRESSES = ReplyAddresses(settings(secret_key="a key"))


def written(reply_to: ReplyTo) -> str:
    address = ADDRESSES.write(reply_to)
    assert address is not None
    return address


@pytest.mark.parametrize("head", ["f" * 64, HEAD, "9" * 64])
@pytest.mark.parametrize("version", [1, 999_999])
def test_an_address_says_all_that_an_answer_is_about_in_any_case(version: int, head: str) -> None:
    address = written(ReplyTo("resign", GAME, version, "north", head))
    assert len(address.partition("@")[0]) <= 64
    assert ADDRESSES.read(address.upper()) == ReplyTo("resign", GAME, version, "north", head[:8])
    offer = ReplyTo("challenge", GAME, 1)
    assert ADDRESSES.read(written(offer)) == offer


@pytest.mark.parametrize("purpose", ["invitation", "naming", "challenge", "made"])
def test_an_id_is_read_whole_whatever_it_begins_with(purpose: Purpose) -> None:
    # Without its first letter, it could be a player's id, a version and a number of an offer.
    for game in ("nsmjvxlaxzn3mvygc6q6", "nwh77lcwpo3hdfrce543", "smjvxlaxzn3mvygc6q67"):
        asked = ReplyTo(purpose, game, 1)
        assert ADDRESSES.read(written(asked)) == asked


def test_the_address_of_a_wish_names_its_player() -> None:
    wish = ReplyTo("wish", "nsmjvxlaxzn3mvyg", 1, question="abcdefghi")
    assert ADDRESSES.read(written(wish)) == wish


@pytest.mark.parametrize("kinds", [("pause",), ("abandonment",), ("pause", "abandonment")])
@pytest.mark.parametrize("version", [1, 999_999])
@pytest.mark.parametrize("number", [1, 35, 36, 29_905_920, 999_999_999])
def test_it_says_what_the_other_player_offers(
    version: int, number: int, kinds: tuple[Offered, ...]
) -> None:
    offers = OffersShown(kinds, number)
    address = written(ReplyTo("turn", GAME, version, "north", HEAD, offers))
    assert len(address.partition("@")[0]) <= 64
    read = ADDRESSES.read(address.upper())
    assert read is not None
    assert (read.offers, read.version) == (offers, version)
    assert len(read.head) >= 2
    assert HEAD.startswith(read.head)


def test_no_part_of_it_can_be_changed_or_left_out() -> None:
    good = written(ReplyTo("turn", GAME, 42, "south", HEAD))
    assert ADDRESSES.read(good) is not None
    for old, new in (("h0123", "h1123"), ("h01234567", ""), ("42h", "43h"), ("+ts", "+tn")):
        assert old in good
        assert ADDRESSES.read(good.replace(old, new)) is None
    assert ADDRESSES.read(good.replace("@", "a@")) is None
    assert ReplyAddresses(settings(secret_key="another")).read(good) is None


def test_addresses_that_were_sent_by_earlier_programs_are_known() -> None:
    address = f"play+tn{GAME}7-l3m3njpc4thpfq5tzs2wdwcopf@scottenbury.test"
    assert ADDRESSES.read(address) == ReplyTo("turn", GAME, 7, "north")
    assert ADDRESSES.read(address.replace("7-", "8-")) is None
