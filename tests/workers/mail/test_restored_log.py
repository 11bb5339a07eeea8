"""Answers to mails of a log that is gone: the server was put back to a backup."""

import pytest
from redis import Redis

from service.accounts.channels.deliveries import ledger_key
from service.games import ChangeContext
from service.games.deadlines import turn_begun
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.workers.mail.correspondence import Correspondent, held, run, text_of
from tests.workers.match import Match, begin
from workers.context import WorkerContext, build_context


@pytest.fixture
def bob(match: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(match.context, mailbox, "bob@example.org")


def restarted(match: Match, bob: Correspondent) -> tuple[Match, Correspondent]:
    """The same in a process that remembers nothing."""
    container = match.context.container
    context: WorkerContext = build_context(container.settings, container.redis, container.now)
    return match._replace(context=context), Correspondent(context, bob.mailbox, bob.email)


class Backup:
    """All that is stored, and put back."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url)
        self.kept = {key: self._redis.dump(key) for key in self._redis.scan_iter()}

    def restore(self) -> None:
        self._redis.flushall()
        for key, value in self.kept.items():
            self._redis.restore(key, 0, value)


@pytest.mark.parametrize("answer", ["R5@4", "resign"])
def test_an_answer_is_not_played_on_another_board(
    match: Match, bob: Correspondent, url: str, answer: str
) -> None:
    backup = Backup(url)
    match.play("R4@3")
    run(match.context)
    if answer == "resign":
        bob.answer("resign")
    old, version = str(bob.latest["Reply-To"]), match.now().version

    backup.restore()
    match, bob = restarted(match, bob)
    assert match.play("R4@9").version == version
    text = bob.answer(answer if answer == "resign" else held(match)[0], to=old)

    assert match.now().version == version
    assert match.now().game.status == "active"
    assert "a turn that this game does not have any more" in text
    assert bob.latest["Reply-To"] != old
    bob.answer(held(match)[0])
    assert match.now().version > version


def test_nor_before_the_game_has_come_to_that_turn_again(
    match: Match, bob: Correspondent, url: str
) -> None:
    backup = Backup(url)
    match.play("R4@3")
    run(match.context)
    old = str(bob.latest["Reply-To"])
    backup.restore()
    match, bob = restarted(match, bob)
    version = match.now().version
    assert "does not have any more" in bob.answer("R5@4", to=old)
    assert match.now().version == version


def test_a_turn_is_told_although_that_version_of_the_lost_log_was(
    match: Match, bob: Correspondent, url: str, clock: Clock
) -> None:
    backup = Backup(url)
    match.play("R4@3")
    run(match.context)
    # A backup reads what players were told after the games.
    told = ledger_key(match.bob, match.id)
    with Redis.from_url(url) as redis:
        backup.kept[told.encode()] = redis.dump(told)
    clock.time += 60
    backup.restore()
    match, bob = restarted(match, bob)
    match.play("R4@9")
    stored, container = match.now(), match.context.container
    turn = match.bob, match.id, stored.turn_version, turn_begun(stored)
    assert not container.ledger.of_turn(*turn).channels
    run(match.context)
    assert "Ann played Red 4 on Stone 9" in text_of(bob.latest)


def test_what_changes_the_clock_alone_changes_no_board(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    match = begin(context, clock={"days_per_move": 3})
    bob = Correspondent(context, mailbox, "bob@example.org")
    match.play("R4@3")
    run(context)
    told = str(bob.latest["Reply-To"])
    context.container.games.clocks.give(match.id, match.ann, 86400, ChangeContext())
    bob.answer(held(match)[0], to=told)
    assert match.now().player_to_move() == match.ann
