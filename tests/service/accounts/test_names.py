"""Names: which players may take, which could be mistaken for one another, and that one at a time
holds each, whatever happens in between.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.accounts.names import (
    REGISTRATION_SECONDS,
    RETIRED_SECONDS,
    NameIndex,
    NameTaken,
    displayable,
    look_alike,
    name_problem,
)
from service.accounts.players import Players
from service.accounts.registration import Registrations
from service.container import Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.settings import settings

ENCODED = "=?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?="


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Ada Lovelace",
        "J. R. R. Tolkien",
        "Dr. Who",
        "R2.0",
        "王小明",
        "?!",
        "o.O",
        "a=b",
        "W.W.",
    ],
)
def test_a_name_for_people(name: str) -> None:
    assert name_problem(name) is None
    assert displayable(name) == name


@pytest.mark.parametrize(
    ("name", "left"),
    [
        (ENCODED, "utf 8 b eA0KUmVwbHktVG86YUBlLnZpbA"),
        ("\uff1d\uff1futf-8?q?x?=", "utf 8 q x"),
        ("http://e.vil", "http e vil"),
        ("www.evil", "www evil"),
        ("win at evil.example", "win at evil example"),
        ("evil\uff0ecom", "evil com"),
        ("evil\u3002com", "evil com"),
        ("a@e.vil", "a e vil"),
        ("10.0.0.1", "10 0 0 1"),
        ("a\r\nReply-To: x", "a Reply To x"),
        ("a\u202eb", "a b"),
        ("a\u2066b", "a b"),
        ("://", "Somebody"),
    ],
)
def test_a_name_that_a_mail_program_would_act_on(name: str, left: str) -> None:
    assert name_problem(name) is not None
    assert displayable(name) == left
    assert name_problem(displayable(name)) is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "ADA"),
        ("IAN", "ian"),
        ("Zoe", "Zo\u00eb"),
        ("Soren", "S\u00f8ren"),
        ("Lukasz", "\u0141ukasz"),
        ("strasse", "Stra\u00dfe"),
        ("ipek", "\u0130pek"),
        ("Ada", "\u0410\u0434\u0430".replace("\u0434", "d")),
        ("Ada", "\uff21\uff44\uff41"),
        ("Ada", "\U0001d4d0da"),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Arn", "Am"),
        ("O'Brien", "O\u2019Brien"),
        ("Ada", "Ad\u3164a"),
        ("Ada", "Ad\u034fa"),
        ("\u2764", "\u2764\ufe0f"),
        ("\u041d\u0410\u0422\u0410", "\u043d\u0430\u0442\u0430"),
        ("\u0397\u039b\u0399\u0391\u03a3", "\u03b7\u03bb\u03b9\u03b1\u03c2"),
    ],
)
def test_these_could_be_mistaken(name: str, other: str) -> None:
    assert look_alike(name, other)
    assert look_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Ada", "Ada 2"),
        ("Ai", "al"),
        ("\u304b", "\u304c"),
        ("\u0915\u092e", "\u0915\u0941\u092e"),
        ("\u738b\u5c0f\u660e", "\u738b\u5927\u660e"),
    ],
)
def test_these_could_not(name: str, other: str) -> None:
    assert not look_alike(name, other)


@pytest.fixture
def container(redis: Client, clock: Clock) -> Container:
    return Container(settings(), redis, clock)


@pytest.fixture
def players(container: Container) -> Players:
    return container.players


@pytest.fixture
def registrations(container: Container) -> Registrations:
    return container.registrations


def as_before(redis: Client, player: str, name: str) -> None:
    """A player as the version before stored them."""
    redis.hset(f"st:{{{player}}}:player", mapping={"name": name, "created": "2026-01-01T00:00:00Z"})
    redis.sadd("st:named:whatever", player)


def test_one_of_many_at_once_gets_the_name(players: Players, registrations: Registrations) -> None:
    def register(name: str) -> bool:
        try:
            return bool(registrations.register(name))
        except NameTaken:
            return False

    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(register, ["Ada", "ada", "\u0410da", "\u00c1da"] * 8))
    assert sum(got) == 1
    assert len(players.named("Ada")) == 1


def test_guests_of_one_name_get_others(registrations: Registrations) -> None:
    names = [registrations.register_guest("Ada").player.name for _ in range(8)]
    assert names[:5] == ["Ada", "Ada 2", "Ada 3", "Ada 4", "Ada 5"]
    assert len(set(names)) == 8


def test_a_suggestion_is_no_longer_than_a_name_may_be(registrations: Registrations) -> None:
    registrations.register("x" * 40)
    assert registrations.register_guest("x" * 40).player.name == "x" * 38 + " 2"


def test_a_process_that_dies_before_the_player_exists_leaves_the_name_free(
    registrations: Registrations, redis: Client, clock: Clock
) -> None:
    assert NameIndex(redis, lambda player: None, clock).acquire("Ada", "a" * 16)
    with pytest.raises(NameTaken):
        registrations.register("Ada")
    clock.time += REGISTRATION_SECONDS + 1
    assert registrations.register("Ada").player.name == "Ada"


def test_a_renaming_that_dies_half_way_holds_neither_name_for_ever(
    registrations: Registrations, redis: Client, clock: Clock
) -> None:
    ada = registrations.register("Ada").player
    name_index = NameIndex(redis, lambda player: None, clock)
    assert name_index.acquire("Countess", ada.id)  # and then nothing
    clock.time += REGISTRATION_SECONDS + 1
    assert registrations.register("Countess")
    with pytest.raises(NameTaken):
        registrations.register("Ada")


def test_a_deleted_name_rests(
    players: Players, registrations: Registrations, redis: Client, clock: Clock
) -> None:
    players.forget(registrations.register("Ada").player)
    clock.time += REGISTRATION_SECONDS + 1
    with pytest.raises(NameTaken) as refused:
        registrations.register("\u00c1da")
    assert refused.value.suggestion == "\u00c1da 2"
    (key,) = redis.keys("st:{names}:held:*")
    assert 0 < redis.ttl(key) <= RETIRED_SECONDS
    redis.delete(key)  # as its time would
    assert registrations.register("Ada")


class TestOfTheVersionBefore:
    def test_doubles_keep_their_name_and_are_told_apart(
        self, players: Players, redis: Client
    ) -> None:
        for player, name in (("a" * 16, "Ada"), ("b" * 16, "ADA"), ("c" * 16, "ADA")):
            as_before(redis, player, name)
        assert [player.id for player in players.named("Ada")] == ["a" * 16]
        assert len(players.named("ADA")) == 2
        assert len(players.named("\u00c1da")) == 3

    def test_nobody_new_gets_what_they_have(
        self, registrations: Registrations, redis: Client
    ) -> None:
        as_before(redis, "a" * 16, "Zo\u00eb")
        with pytest.raises(NameTaken):
            registrations.register("zoe")

    def test_a_double_may_be_given_its_own_name_and_frees_nothing(
        self, players: Players, redis: Client
    ) -> None:
        for player in ("a" * 16, "b" * 16):
            as_before(redis, player, "Ada")
        players.rename("a" * 16, "Ada")
        assert len(players.named("Ada")) == 2

        players.rename("a" * 16, "Countess")
        with pytest.raises(NameTaken):
            players.rename("a" * 16, "Ada")
        assert [player.id for player in players.named("ada")] == ["b" * 16]

    def test_all_are_in_the_directory_before_the_first_is_asked_for(
        self, players: Players, redis: Client
    ) -> None:
        for number in range(1200):
            as_before(redis, f"p{number:015}", f"Player {number}")
        assert len(players.named("player 1199")) == 1
        assert redis.exists("st:{names}:complete")
