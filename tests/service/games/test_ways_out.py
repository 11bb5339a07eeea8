"""Ways to make a rated game not count, or what should not count do so: each was tried, none works.

The rule leaves two open: both people agree to end a game, or one resigns before both have played
five turns. Games with one's own bots: `tests/service/games/test_own_bots.py`.
"""

from typing import Any

import pytest

from engine.record import from_jsonl
from service.bots import BOTS
from service.container import Container
from service.core.times import DAY
from service.games.projections.ratings import HeadToHead
from service.ops.restore import import_record
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.telling import tell_all
from tests.web.shown import Shown, play_on

CLOCK = {"clock": {"days_per_move": 1}}
BOT = BOTS["random"].player


class Losing:
    """A rated game that Ada is about to lose, after five turns of each."""

    def __init__(self, container: Container, ada: Person, made: dict[str, Any]) -> None:
        self.container, self.ada, self.id = container, ada, str(made["id"])
        self.path = f"/games/{self.id}"
        self.rival = next(p["id"] for p in made["players"].values() if p["id"] != ada.id)
        assert made["rated"]
        play_on(container, Shown(self.id, ada.id, self.rival))

    def resign(self) -> None:
        assert self.ada.post(f"{self.path}/resignation").status_code == 200

    def lost(self) -> int:
        """How many of her games against this rival count as lost for Ada."""
        against = self.container.games.ratings.of(self.rival, self.ada.id).against
        assert against is not None
        assert against in (HeadToHead(0, against.lost, 0), (0, 0, 0))
        return against.lost

    def rated(self) -> int:
        return self.container.games.ratings.of(self.ada.id, None).forms[False].games


@pytest.fixture
def to_bot(container: Container, ada: Person) -> Losing:
    wanted = {"opponent": {"bot": "random"}, "rated": True, **CLOCK}
    return Losing(container, ada, ada.post("/games", wanted).json)


@pytest.fixture
def to_bob(container: Container, ada: Person, bob: Person) -> Losing:
    return Losing(container, ada, Started(ada, bob, **CLOCK).view())


# A bot agrees to nothing that would keep a rated game from counting


@pytest.mark.parametrize("way", ["abandonment", "pause"])
def test_by_agreement_with_a_bot(ada: Person, to_bot: Losing, way: str) -> None:
    before = ada.get(to_bot.path).json
    answer = ada.post(f"{to_bot.path}/offers", {"kind": way})
    assert (answer.status_code, code(answer)) == (409, "bot-declines")
    assert ada.get(to_bot.path).json == before
    to_bot.resign()
    assert (to_bot.lost(), to_bot.rated()) == (1, 1)


def test_by_agreeing_to_an_offer_that_a_bot_never_made(ada: Person, to_bot: Losing) -> None:
    assert (
        code(ada.post(f"{to_bot.path}/offers", {"kind": "abandonment", "number": 1})) == "no-offer"
    )
    assert code(ada.post(f"{to_bot.path}/offers", {"kind": "pause", "number": 1})) == "no-offer"


@pytest.mark.parametrize("way", ["abandonment", "pause"])
def test_where_nothing_counts_a_bot_agrees(ada: Person, way: str) -> None:
    made = ada.post("/games", {"opponent": {"bot": "random"}, **CLOCK}).json
    assert ada.post(f"/games/{made['id']}/offers", {"kind": way}).status_code == 200


def test_by_abandoning_a_lost_match_with_a_bot_in_a_later_round(ada: Person) -> None:
    wanted = {"opponent": {"bot": "random"}, "rated": True, "rounds": 2, **CLOCK}
    match = Losing(ada.container, ada, ada.post("/games", wanted).json)
    match.resign()
    assert ada.get(match.path).json["round"] == 2
    assert code(ada.post(f"{match.path}/offers", {"kind": "abandonment"})) == "bot-declines"
    match.resign()
    assert (match.lost(), match.rated()) == (1, 1)


# By leaving it as it stands


@pytest.mark.parametrize("opponent", [{"bot": "random"}, None])
def test_by_never_ending_a_game_without_a_clock(
    ada: Person, opponent: dict[str, str] | None
) -> None:
    made = ada.post(
        "/games", {"opponent": opponent, "rated": True} if opponent else {"rated": True}
    )
    assert made.json["rated"] is False


def test_by_moving_no_more(to_bob: Losing, container: Container, clock: Clock) -> None:
    for _ in range(3):  # a day for each, and those for whom no mail is meant
        tell_all(container)
        clock.time += 8 * DAY
        container.games.current(to_bob.id)
    stored = container.games.current(to_bob.id)
    assert (stored.game.reason, to_bob.rated()) == ("time-out", 1)


def test_by_a_pause_without_an_end(ada: Person, bob: Person, to_bob: Losing) -> None:
    for player in (ada, bob):
        player.post(f"{to_bob.path}/offers", {"kind": "pause"})
    assert ada.get(to_bob.path).json["deadline"] is None
    assert bob.post(f"{to_bob.path}/clock", {"resume": True}).status_code == 200
    assert ada.get(to_bob.path).json["deadline"] is not None


# By changing the game, or its players


def test_by_calling_off_a_game_that_has_begun(ada: Person, to_bob: Losing) -> None:
    assert code(ada.delete(to_bob.path)) == "game-started"


@pytest.mark.parametrize("change", [{"private": True}, {"listed": True}, {"rated": False}])
def test_by_changing_its_options(ada: Person, to_bob: Losing, change: dict[str, bool]) -> None:
    for send in (ada.patch, ada.put):
        assert send(to_bob.path, change).status_code == 405
    assert ada.get(to_bob.path).json["rated"]


def test_by_another_name(ada: Person, to_bob: Losing) -> None:
    assert ada.patch("/me", {"name": "Adelaide"}).status_code == 200
    to_bob.resign()
    assert to_bob.rated() == 1


def test_by_blocking_the_opponent(ada: Person, bob: Person, to_bob: Losing) -> None:
    assert ada.put(f"/me/blocked/{bob.id}", {}).status_code < 300
    to_bob.resign()
    assert (to_bob.lost(), to_bob.rated()) == (1, 1)


def test_by_deleting_the_account_and_coming_again(ada: Person, bob: Person, to_bob: Losing) -> None:
    gone = ada.container.players.find(ada.id)
    assert gone is not None
    ada.container.accounts.close(gone)
    assert ada.container.registrations.register("Ada anew").player.id != ada.id
    assert to_bob.rated() == 1
    won = ada.container.games.ratings.of(bob.id, None).forms[False]
    assert (won.games, won.rating.points > 1600) == (1, True)


def test_by_the_loss_of_a_guest_who_is_never_seen_again(container: Container, bob: Person) -> None:
    made = bob.post("/games", CLOCK).json
    guest = container.guests.register("Gus")
    container.games.join(made["id"], guest.id, invite=made["invite"])
    play_on(container, Shown(made["id"], bob.id, guest.id), 11)
    for _ in range(6):
        tell_all(container)
        bob.clock.time += 40 * DAY
        container.games.current(made["id"])
        container.guests.expire_if_unused(guest.id)
    assert container.players.find(guest.id) is None
    assert container.games.ratings.of(bob.id, None).forms[False].games == 1


# By another game


def test_by_practising_before_it_is_over_or_instead(ada: Person, to_bob: Losing) -> None:
    assert code(ada.post(f"{to_bob.path}/practice")) == "game-not-over"
    to_bob.resign()
    practice = ada.post(f"{to_bob.path}/practice", {"bot": "random"}).json
    assert practice["rated"] is False
    ada.post(f"/games/{practice['id']}/resignation")
    assert (to_bob.lost(), to_bob.rated()) == (1, 1)


def test_by_a_rematch(ada: Person, to_bot: Losing) -> None:
    to_bot.resign()
    again = ada.post(f"{to_bot.path}/rematch").json
    assert (again["rated"], again["clock"]) == (True, CLOCK["clock"])
    assert to_bot.rated() == 1


def test_by_taking_its_record_in(container: Container, ada: Person, to_bob: Losing) -> None:
    """It would count twice."""
    to_bob.resign()
    record = from_jsonl(ada.get(f"{to_bob.path}/record").text)
    assert import_record(container, record) == to_bob.id
    assert to_bob.rated() == 1


# What the rule leaves open


def test_two_people_may_agree_that_a_game_does_not_count(
    ada: Person, bob: Person, to_bob: Losing
) -> None:
    for player in (ada, bob):
        player.post(f"{to_bob.path}/offers", {"kind": "abandonment"})
    assert ada.get(to_bob.path).json["reason"] == "agreement"
    assert (to_bob.lost(), to_bob.rated()) == (0, 0)
