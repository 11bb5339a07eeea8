"""A mail that came in, and a process killed between any two steps of taking or doing it.

Whoever brought it brings it again until it is accepted. It is carried out once, and answered by one
mail, as if nobody had died.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from service.accounts.mail_preferences import Subscription
from service.core.redis.client import Client
from service.core.times import MINUTE
from service.games import NewGame
from service.mail.mailbox import Mailbox
from service.mail_in.addresses import Purpose, ReplyTo
from service.mail_in.store import READ
from tests.faults.mortal import Act, deaths, of_writes
from tests.faults.postal import id_of
from tests.faults.world import Kept, World
from tests.support.shares import share
from workers.leases import LEASE

MESSAGE_ID = "one@example.org"


class Mail(NamedTuple):
    """A mail, the game that it changes, if any, and how it is to end."""

    sender: str
    to: str
    says: str
    game: str | None
    ends: str
    answers: str = ""

    @property
    def raw(self) -> bytes:
        head = f"From: Cy <{self.sender}>\nMessage-ID: <{MESSAGE_ID}>\nIn-Reply-To: {self.answers}"
        return f"{head}\n\n{self.says}\n".encode()


def address(world: World, name: str) -> str:
    return f"{world.ids[name]}@mailbox.invalid"


def reply(world: World, purpose: Purpose, game: str, *more: Any) -> str:
    to = world.store.incoming_mail.addresses.write(ReplyTo(purpose, game, *more))
    assert to is not None
    return to


def of_turn(world: World, purpose: Purpose, says: str | None, ends: str) -> Mail:
    game = world.begun()
    to = reply(world, purpose, game["id"], game["version"], "north")
    changes = game["id"] if ends == "played" else None
    return Mail(address(world, "Ann"), to, says or game["legal"][0], changes, ends)


def of_challenge(world: World, says: str, ends: str) -> Mail:
    made = world.store.games.challenges.make(world.ids["Ann"], world.ids["Bob"], NewGame())
    to = reply(world, "challenge", made.id, 1)
    return Mail(address(world, "Bob"), to, says, made.id if ends == "joined" else None, ends)


def of_invitation(world: World, says: str, ends: str) -> Mail:
    made = world.game(opponent={"player": world.ids["Bob"]})
    return Mail(
        address(world, "Bob"), reply(world, "invitation", made["id"], 1), says, made["id"], ends
    )


def of_newcomer(world: World) -> Mail:
    made = world.store.games.create(world.ids["Ann"], NewGame(opponent_email="cy@example.org"))
    return Mail(
        "cy@example.org", reply(world, "invitation", made.id, 1), "accept as Cy", made.id, "joined"
    )


def to_unsubscribe(world: World) -> Mail:
    to = world.store.incoming_mail.unsubscribing.write(Subscription(world.ids["Ann"], "turn"))
    assert to is not None
    return Mail(address(world, "Ann"), to, "", None, "unsubscribed")


def to_the_sender(world: World) -> Mail:
    game, to = world.begun(), world.store.incoming_mail.addresses.sender
    answers = f"<{game['id']}.3.x.turn@example.org>"
    return Mail(address(world, "Ann"), to, "help", None, "misdirected", answers)


MAILS: dict[str, Callable[[World], Mail]] = {
    "a turn": lambda world: of_turn(world, "turn", None, "played"),
    "resigning": lambda world: of_turn(world, "resign", "resign", "played"),
    "chatting": lambda world: of_turn(world, "turn", "How are you?", "refused"),
    "a challenge accepted": lambda world: of_challenge(world, "accept", "joined"),
    "a challenge declined": lambda world: of_challenge(world, "decline", "declined"),
    "an invitation accepted": lambda world: of_invitation(world, "accept", "joined"),
    "an invitation declined": lambda world: of_invitation(world, "decline", "declined"),
    "a newcomer": of_newcomer,
    "unsubscribing": to_unsubscribe,
    "the wrong address": to_the_sender,
}


def bring(world: World, mail: Mail) -> None:
    world.store.incoming_mail.accept(mail.to, mail.sender, mail.raw)


def carry_out(world: World) -> None:
    """What a worker does: the reading, the mails, and then those that wait for an answer."""
    for pause in (0, 0, MINUTE):
        world.clock.time += pause
        world.relay_all()


def again(world: World, kept: Kept, act: Callable[[], object]) -> Callable[[], Act]:
    def ask() -> Act:
        world.go_back_to(kept)
        return act

    return ask


def test_what_is_not_accepted_is_brought_again_and_done_once(redis: Client) -> None:
    world = World(redis)
    mail = MAILS["a turn"](world)
    world.relay_all()
    before, versions = world.keep(), versions_of(world)
    died = 0
    for _ in deaths(again(world, before, lambda: bring(world, mail)), of_writes):
        died += 1
        bring(world, mail)
        carry_out(world)
        assert_done_once(world, mail, versions)
    assert died == 2, "to keep the mail, and to have it read"
    bring(world, mail)  # since nobody heard that it was accepted
    carry_out(world)
    assert_done_once(world, mail, versions)


@pytest.mark.parametrize("kind", share([*MAILS], 3))
def test_what_is_accepted_is_done_once(redis: Client, kind: str) -> None:
    world = World(redis)
    mail = MAILS[kind](world)
    world.relay_all()
    versions = versions_of(world)
    bring(world, mail)
    accepted = world.keep()
    died = 0
    for _ in deaths(again(world, accepted, lambda: carry_out(world)), of_writes):
        died += 1
        world.clock.time += LEASE
        carry_out(world)
        assert_done_once(world, mail, versions)
    assert died >= 5, "there are steps between which to die"
    carry_out(world)
    assert_done_once(world, mail, versions)


def versions_of(world: World) -> dict[str, int]:
    log = world.store.log
    return {game_id: log.events.version(game_id) for game_id in log.events.game_ids()}


def assert_done_once(world: World, mail: Mail, before: dict[str, int]) -> None:
    world.check()
    mail_id = id_of(world.store, mail.to, MESSAGE_ID)
    outcome = world.store.incoming_mail._store.state(mail_id).outcome
    assert outcome is not None
    assert outcome["label"] == mail.ends
    answers = [each for each in Mailbox(world.redis).newest(500) if each.id[1:].startswith(mail_id)]
    assert len(answers) == (0 if mail.ends == "unsubscribed" else 1)
    after = versions_of(world)
    assert [game for game in after if after[game] != before.get(game)] == (
        [mail.game] if mail.game else []
    )
    now = world.clock.time
    pending = [each.id for each in world.store.log.outbox.pending() if each.due <= now]
    assert not [each for each in pending if ".mail." in each or READ in each]
