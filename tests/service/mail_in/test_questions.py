"""A `yes` plays the turn that was asked about, and no other."""

from letters.commands import WholeTurn
from letters.letter import OpenQuestion
from service.core.redis.client import Client
from service.mail_in.addresses import ReplyAddresses, ReplyTo
from service.mail_in.wishes import Asked, Questions
from tests.support.settings import settings

GAME = "a" * 20
FIRST = Asked(OpenQuestion(WholeTurn(("R7@3",), "hi", ("claim all",)), ("mina",)), "abcd1234")
SECOND = Asked(OpenQuestion(WholeTurn(("R7@4",))), "abcd1234")


def test_a_newer_question_takes_the_place_of_the_one_before(redis: Client) -> None:
    questions = Questions(redis)
    first = questions.ask(GAME, "north", 12, FIRST)
    assert questions.ask(GAME, "north", 12, FIRST) == first
    assert questions.find(GAME, "north", first) == FIRST
    assert questions.find(GAME, "south", first) is None

    second = questions.ask(GAME, "north", 12, SECOND)
    assert questions.find(GAME, "north", first) is None
    assert questions.find(GAME, "north", second) == SECOND


def test_the_address_holds_its_mark(redis: Client) -> None:
    mark = Questions(redis).ask(GAME, "north", 999_999, FIRST)
    addresses = ReplyAddresses(settings())
    reply_to = ReplyTo("question", GAME, 999_999, "north", question=mark)
    address = addresses.write(reply_to)
    assert address is not None
    assert len(address.partition("@")[0]) <= 64
    assert addresses.read(address) == reply_to
