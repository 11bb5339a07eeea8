"""Nobody loses on time by an outage of the server, or without having been told of the turn."""

import json
from typing import Any

import pytest

from service.accounts.channels.deliveries import NoticeOutcome
from service.accounts.email_addresses import AddressVerification
from service.core.redis.client import Client
from service.core.times import timestamp
from service.eventlog import parse_notice_id
from service.games import ChangeContext, StoredGame
from service.games.clock.state import ClockState
from service.games.drafts import Orders, TurnOrder
from tests.service.games.unattended import DAY, UnattendedGame
from tests.support.clock import NOON
from tests.support.telling import tell_all

HOUR = 3600
LIMIT = 7 * DAY


@pytest.fixture
def site(redis: Client) -> UnattendedGame:
    """Ann has a day for her move, of which she was told at noon."""
    return UnattendedGame(redis)


def events(site: UnattendedGame, after: int = 3) -> list[dict[str, Any]]:
    return [json.loads(text) for text in site.web.log.events.read(site.id, after)]


def told(site: UnattendedGame, after: int = 3) -> list[tuple[str, Any]]:
    """Each event after the game has begun, with what matters of it."""
    return [(one["type"], one["data"]) for one in events(site, after)]


def adjusted(begin: float, end: float, seat: str | None = None) -> tuple[str, Any]:
    data = {
        "seat": seat,
        "reason": "outage" if seat is None else "untold",
        "from": timestamp(begin),
        "to": timestamp(end),
    }
    return ("clock_adjusted", data)


class TestOutages:
    def test_one_is_given_back_by_one_event(self, site: UnattendedGame) -> None:
        site.run(HOUR)
        site.run(2 * HOUR, web=False, worker=False)
        site.heartbeat()
        assert site.worker.games.outages.apply_all() == 1
        assert site.worker.games.outages.apply_all() == 0
        assert told(site) == [adjusted(NOON + HOUR, NOON + 3 * HOUR)]
        assert site.looked_at().deadline == NOON + DAY + 2 * HOUR

    def test_who_looks_first_gives_it_back(self, site: UnattendedGame) -> None:
        site.run(DAY - HOUR)
        site.run(2 * HOUR, web=False, worker=False)
        site.heartbeat()
        assert not site.looked_at().game.over
        assert told(site) == [adjusted(NOON + DAY - HOUR, NOON + DAY + HOUR)]
        site.worker.games.outages.apply_all()
        assert len(told(site)) == 1
        site.run(HOUR)
        assert site.looked_at().game.over

    def test_one_after_the_time_was_up_changes_nothing(self, site: UnattendedGame) -> None:
        site.run(DAY + 10, worker=True)
        site.run(HOUR, web=False, worker=False)
        site.heartbeat()
        assert site.worker.games.outages.apply_all() == 0
        assert site.looked_at().game.reason == "time-out"

    def test_one_before_the_turn_changes_nothing(self, site: UnattendedGame) -> None:
        site.run(HOUR, web=False, worker=False)
        site.heartbeat()
        site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        version = site.looked_at().version
        assert site.worker.games.outages.apply_all() == 0
        assert site.looked_at().version == version

    def test_a_move_in_an_outage_that_goes_on_is_in_time(self, site: UnattendedGame) -> None:
        """The worker is away, and with it every notice and clock."""
        site.run(DAY - HOUR)
        site.run(2 * HOUR, worker=False)
        stored = site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        assert stored.player_to_move() == site.bob
        assert told(site)[0] == adjusted(NOON + DAY - HOUR, NOON + DAY + HOUR)

    def test_a_move_that_was_late_before_the_outage_is_refused(self, site: UnattendedGame) -> None:
        site.run(DAY)
        site.run(2 * HOUR, worker=False)
        with pytest.raises(Exception, match="time for this turn was up") as refused:
            site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        assert getattr(refused.value, "code", None) == "time-out"
        assert not site.looked_at().game.over
        site.heartbeat()
        assert site.looked_at().game.reason == "time-out"

    def test_an_account_can_be_closed_while_nothing_may_end(self, site: UnattendedGame) -> None:
        """Time was up before the worker went away: the clock ends the game once it is back."""
        site.run(DAY)
        site.run(2 * HOUR, worker=False)
        ann = site.web.players.find(site.ann)
        assert ann is not None
        site.web.accounts.close(ann)
        assert site.web.players.find(site.ann) is None
        assert not site.looked_at().game.over
        site.heartbeat()
        assert site.looked_at().game.reason == "time-out"

    def test_a_bank_gets_it_back_though_the_move_comes_first(self, redis: Client) -> None:
        site = UnattendedGame(redis, clock={"bank_days": 2})
        site.run(HOUR)
        site.run(DAY, web=False, worker=False)
        site.heartbeat()
        stored = site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        assert clock_of(stored).north.bank == 2 * DAY - HOUR
        assert next(kind for kind, _ in told(site)) == "clock_adjusted"
        assert site.worker.games.outages.apply_all() == 0

    def test_banks_get_back_one_that_ends_only_after_turns_were_played_in_it(
        self, redis: Client
    ) -> None:
        """The worker is away for ten hours, in which both play."""
        site = UnattendedGame(redis, clock={"bank_days": 2, "increment_hours": 1})
        site.run(HOUR)
        for player, hours in ((site.ann, 4), (site.bob, 3), (site.ann, 2)):
            site.run(hours * HOUR, worker=False)
            site.web.games.play(site.id, player, card(site, player, hours))
        site.run(HOUR, worker=False)
        begun = site.web.games.load(site.id).version
        spent = clock_of(site.web.games.load(site.id))
        assert (spent.north.bank, spent.south.bank) == (2 * DAY - 5 * HOUR, 2 * DAY - 2 * HOUR)
        site.heartbeat()
        assert site.worker.games.outages.apply_all() == 1
        assert site.worker.games.outages.apply_all() == 0
        assert told(site, begun) == [adjusted(NOON + HOUR, NOON + 11 * HOUR)]
        clock = clock_of(site.looked_at())
        assert (clock.north.bank, clock.south.bank) == (2 * DAY + HOUR, 2 * DAY + HOUR)
        assert clock.deadline() == NOON + 11 * HOUR + 2 * DAY + HOUR
        site.web.games.play(site.id, site.bob, card(site, site.bob, 9))
        assert [kind for kind, _ in told(site, begun)].count("clock_adjusted") == 1

    def test_the_first_move_after_one_comes_before_anybody_knows_of_it(self, redis: Client) -> None:
        site = UnattendedGame(redis, clock={"bank_days": 2})
        site.run(DAY, web=False, worker=False)
        site.web.games.play(site.id, site.ann, card(site, site.ann, 1))
        begun = site.web.games.load(site.id).version
        site.heartbeat()
        stored = site.web.games.play(site.id, site.bob, card(site, site.bob, 2))
        assert told(site, begun)[0] == adjusted(NOON, NOON + DAY)
        clock = clock_of(stored)
        assert (clock.north.bank, clock.south.bank) == (2 * DAY, 2 * DAY)
        assert site.worker.games.outages.apply_all() == 0

    def test_it_is_given_back_once_wherever_a_worker_dies(
        self, site: UnattendedGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        site.run(HOUR, web=False, worker=False)
        site.heartbeat()
        ledger = site.worker.outages

        class Killed(BaseException):
            pass

        def die(*args: object) -> None:
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(ledger, "mark_applied", die)
            with pytest.raises(Killed):
                site.worker.games.outages.apply_all()
        assert site.process(site.web.redis).games.outages.apply_all() == 0
        assert len(told(site)) == 1
        assert ledger.unapplied() == []

    def test_only_games_whose_clock_runs_are_looked_at(
        self, site: UnattendedGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        without = UnattendedGame(site.web.redis, clock=None)
        site.run(HOUR, web=False, worker=False)
        site.heartbeat()
        monkeypatch.setattr(site.worker.log.events, "game_ids", lambda: pytest.fail("a scan"))
        assert site.worker.games.outages.apply_all() == 1
        assert told(without) == []


def clock_of(stored: StoredGame) -> ClockState:
    assert stored.clock is not None
    return stored.clock


@pytest.fixture
def untold(site: UnattendedGame) -> UnattendedGame:
    """Bob has the turn, and its mail does not arrive."""
    site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
    return site


def card(site: UnattendedGame, player: str, stone: int) -> list[str]:
    """A turn that plays a card there."""
    return [text for text in site.legal(player) if text.endswith(f"@{stone}")][:1]


def arrive(site: UnattendedGame, outcome: NoticeOutcome = "reached", channel: str = "mail") -> None:
    """The notice of the turn has arrived, or whatever has become of it."""
    turn = next(one.id for one in site.web.log.outbox.pending() if one.id.endswith(".turn"))
    site.web.ledger.record(parse_notice_id(turn), channel, outcome)
    tell_all(site.web)


class TestUntold:
    def begin(self, site: UnattendedGame) -> int:
        return site.web.games.load(site.id).version

    def test_the_flag_waits_until_the_limit(self, untold: UnattendedGame) -> None:
        begun = self.begin(untold)
        untold.run(DAY)
        after = untold.worker.games.time_out(untold.id)
        assert after is not None
        held = {"seat": "south", "until": timestamp(NOON + DAY + LIMIT)}
        assert told(untold, begun) == [("flag_held", held)]
        assert after.deadline == NOON + DAY + LIMIT
        view = untold.web.games.view(after, untold.ann)
        assert view.untold_until == view.deadline == held["until"]
        untold.run(LIMIT - 1)
        assert untold.worker.games.time_out(untold.id) is None
        untold.run(1)
        ended = untold.worker.games.time_out(untold.id)
        assert ended is not None
        assert ended.game.reason == "time-out"

    def test_once_the_notice_arrives_the_time_begins(self, untold: UnattendedGame) -> None:
        begun = self.begin(untold)
        untold.run(DAY)
        untold.worker.games.time_out(untold.id)
        untold.run(2 * DAY)
        assert untold.worker.games.release_if_notified(untold.id)
        arrive(untold)
        assert not untold.worker.games.release_if_notified(untold.id)
        assert told(untold, begun)[1:] == [adjusted(NOON, NOON + 3 * DAY, "south")]
        assert untold.looked_at().deadline == NOON + 4 * DAY
        assert untold.web.games.view(untold.looked_at(), None).untold_until is None
        untold.run(DAY)
        assert untold.looked_at().game.reason == "time-out"

    def test_a_visit_tells_too(self, untold: UnattendedGame) -> None:
        untold.run(DAY)
        untold.worker.games.time_out(untold.id)
        untold.run(HOUR)
        assert untold.web.games.read(untold.id, untold.ann).untold_until is not None
        seen = untold.web.games.read(untold.id, untold.bob)
        assert (seen.untold_until, seen.deadline) == (None, NOON + 2 * DAY + HOUR)

    def test_who_has_been_here_since_was_told(self, untold: UnattendedGame) -> None:
        session = untold.web.tokens.open_session(untold.bob, "a browser")
        untold.run(HOUR)
        assert untold.web.tokens.authenticate(session, "session") is not None
        untold.run(DAY)
        assert untold.looked_at().game.reason == "time-out"

    def test_who_comes_again_before_the_win_is_claimed_was_told(self, redis: Client) -> None:
        site = UnattendedGame(redis, clock={"days_per_move": 1, "time_out": "claim"})
        site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        session = site.web.tokens.open_session(site.bob, "a browser")
        site.run(DAY)
        site.web.tokens.authenticate(session, "session")
        assert site.worker.games.time_out(site.id) is None  # it is told to Ann
        site.run(HOUR)
        later = site.process(redis)
        later.tokens.authenticate(session, "session")
        claimed = later.games.clocks.claim(site.id, site.ann, ChangeContext())
        assert claimed.game.reason == "time-out"

    def test_who_moves_late_and_was_not_told_is_in_time(self, untold: UnattendedGame) -> None:
        untold.run(DAY + HOUR)
        stored = untold.web.games.play(untold.id, untold.bob, untold.legal(untold.bob)[:1])
        assert stored.player_to_move() == untold.ann
        assert clock_of(stored).held is None

    def test_a_bank_loses_nothing_of_the_time_before(self, redis: Client) -> None:
        site = UnattendedGame(redis, clock={"bank_days": 2})
        site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        site.run(3 * DAY)
        assert site.looked_at().untold_until is not None
        site.run(DAY)
        stored = site.web.games.play(site.id, site.bob, site.legal(site.bob)[:1])
        assert clock_of(stored).south.bank == 2 * DAY
        assert stored.player_to_move() == site.ann

    def test_a_notice_that_was_given_up_tells_nobody(self, untold: UnattendedGame) -> None:
        arrive(untold, "failed")
        untold.run(DAY)
        assert untold.looked_at().untold_until is not None

    def test_an_address_that_fails_tells_nobody(self, untold: UnattendedGame) -> None:
        bob = untold.web.players.find(untold.bob)
        assert bob is not None
        untold.web.players.set_address(bob, "bob@example.org")
        untold.web.players.verify(AddressVerification(bob.id, "bob@example.org", 0))
        arrive(untold)
        untold.web.addresses.failing.mark("bob@example.org", "550 no such user")
        untold.run(DAY)
        assert untold.looked_at().untold_until is not None

    def test_the_failing_address_of_somebody_else_gives_no_time(
        self, untold: UnattendedGame
    ) -> None:
        bob = untold.web.players.find(untold.bob)
        assert bob is not None
        arrive(untold)
        untold.web.addresses.failing.mark("other@example.org", "550 no such user")
        untold.web.players.set_address(bob, "other@example.org")
        untold.run(DAY)
        assert untold.looked_at().game.over

    def test_one_channel_that_arrives_is_enough(self, untold: UnattendedGame) -> None:
        turn = next(one.id for one in untold.web.log.outbox.pending() if one.id.endswith(".turn"))
        untold.web.ledger.record(parse_notice_id(turn), "webhook-ab2cd3ef", "reached")
        arrive(untold, "failed")
        untold.run(DAY)
        assert untold.looked_at().game.reason == "time-out"

    def test_who_wants_no_reminder_is_not_told_by_that(self, untold: UnattendedGame) -> None:
        turn = next(one.id for one in untold.web.log.outbox.pending() if one.id.endswith(".turn"))
        reminder = parse_notice_id(turn)._replace(kind="reminder")
        untold.web.ledger.record(reminder, "mail", "chosen")
        untold.run(DAY)
        assert untold.looked_at().untold_until is not None

    def test_who_has_given_no_way_has_chosen_it(self, untold: UnattendedGame) -> None:
        tell_all(untold.web)  # the notice went nowhere
        untold.run(DAY)
        assert untold.looked_at().game.reason == "time-out"

    def test_who_wants_no_mail_has_chosen_it(self, untold: UnattendedGame) -> None:
        arrive(untold, "chosen")
        untold.run(DAY)
        assert untold.looked_at().game.reason == "time-out"

    def test_the_days_of_the_limit_are_those_of_a_round(self, redis: Client) -> None:
        """Who breaks a channel of their own does not have time for ever."""
        site = UnattendedGame(redis, clock={"bank_days": 2})
        held = []
        while len(held) < 9:
            site.web.games.play(site.id, site.ann, card(site, site.ann, len(held) + 1))
            site.run(2 * DAY)
            if (stored := site.looked_at()).game.over:
                break
            held.append((stored.deadline or 0) - site.web.now())
            site.web.games.read(site.id, site.bob)
            site.run(1)
            site.web.games.play(site.id, site.bob, card(site, site.bob, len(held)))
            tell_all(site.web)
        assert stored.game.reason == "time-out"
        assert held == [LIMIT, LIMIT - 2 * DAY, LIMIT - 4 * DAY, LIMIT - 6 * DAY]

    def test_without_a_limit_it_does_not_wait(self, redis: Client) -> None:
        site = UnattendedGame(redis, untold_limit=0)
        site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        site.run(DAY)
        assert site.looked_at().game.reason == "time-out"


class TestWhatAClockEventLeavesAlone:
    """It raises the version, and is not a turn."""

    @pytest.fixture
    def adjusted(self, site: UnattendedGame) -> UnattendedGame:
        """Ann's version 3 is now version 4."""
        site.run(HOUR, web=False, worker=False)
        site.heartbeat()
        assert site.worker.games.outages.apply_all() == 1
        return site

    def test_a_turn_that_was_put_together_on_the_table_before(
        self, adjusted: UnattendedGame
    ) -> None:
        origin = ChangeContext("web", [3], is_of_table=True)
        legal = adjusted.legal(adjusted.ann)[:1]
        assert adjusted.web.games.play(adjusted.id, adjusted.ann, legal, origin).version > 4

    def test_a_version_that_a_program_names_is_that_version(self, adjusted: UnattendedGame) -> None:
        legal = adjusted.legal(adjusted.ann)[:1]
        with pytest.raises(Exception, match="version 4"):
            adjusted.web.games.play(adjusted.id, adjusted.ann, legal, ChangeContext("api", [3]))

    def test_but_a_turn_does_not(self, adjusted: UnattendedGame) -> None:
        adjusted.web.games.play(adjusted.id, adjusted.ann, adjusted.legal(adjusted.ann)[:1])
        origin = ChangeContext("web", [3, 4], is_of_table=True)
        with pytest.raises(Exception, match="version"):
            adjusted.web.games.play(adjusted.id, adjusted.bob, ["pass"], origin)

    def test_it_comes_between_reading_and_writing(
        self, site: UnattendedGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        origin = ChangeContext("web", [3], is_of_table=True)
        legal = site.legal(site.ann)[:1]
        append = site.web.log.events.append

        def overtaken(*args: Any, **options: Any) -> Any:
            monkeypatch.setattr(site.web.log.events, "append", append)
            site.run(HOUR, web=False, worker=False)
            site.heartbeat()
            assert site.worker.games.outages.apply_all() == 1
            return append(*args, **options)

        monkeypatch.setattr(site.web.log.events, "append", overtaken)
        played = site.web.games.play(site.id, site.ann, legal, origin)
        assert played.player_to_move() == site.bob
        assert [kind for kind, _ in told(site)][:2] == ["clock_adjusted", "card_played"]

    def test_orders_that_stand(self, adjusted: UnattendedGame) -> None:
        games = adjusted.web.games
        card = games.view(games.load(adjusted.id), adjusted.bob).hands["south"].cards[0]
        games.orders.give(adjusted.id, adjusted.bob, Orders(turn=TurnOrder((f"{card}@1",))))
        adjusted.run(HOUR, web=False, worker=False)
        adjusted.heartbeat()
        assert adjusted.worker.games.outages.apply_all() == 1
        assert games.orders.of(adjusted.id, adjusted.bob)[1].turn is not None
        games.play(adjusted.id, adjusted.ann, adjusted.legal(adjusted.ann)[:1])
        assert games.load(adjusted.id).player_to_move() == adjusted.ann
