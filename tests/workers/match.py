"""A match between two players who get mail."""

import json
from typing import Any, NamedTuple

from service.accounts.email_addresses import AddressVerification
from service.games import NewGame, StoredGame
from service.mail.mailbox import StoredMail
from tests.support.clock import Clock
from workers.context import WorkerContext

SECRET = "5e" * 32


class Match(NamedTuple):
    """Ann (north, who plays first) against Bob."""

    context: WorkerContext
    id: str
    ann: str
    bob: str

    @property
    def clock(self) -> Clock:
        clock = self.context.container.now
        assert isinstance(clock, Clock)
        return clock

    def play(self, *turns: str) -> StoredGame:
        """Turns of whoever is to move."""
        for turn in turns:
            mover = self.now().player_to_move()
            assert mover is not None
            self.context.container.games.play(self.id, mover, turn.split())
        return self.now()

    def now(self) -> StoredGame:
        return self.context.container.games.load(self.id)

    def lines(self) -> list[dict[str, Any]]:
        """The log."""
        return [json.loads(line) for line in self.context.container.log.events.read(self.id)]

    def due(self) -> list[str]:
        """The notices that are not finished."""
        return sorted(notice.id for notice in self.context.container.log.outbox.pending())

    def first_notice(self) -> str:
        """The one that there is after Ann's first turn."""
        self.play("R4@3")
        (notice,) = self.due()
        return notice


def registered(context: WorkerContext, name: str) -> str:
    """The id of a new player whose address, NAME@example.org, is verified."""
    email = f"{name.lower()}@example.org"
    player = context.container.registrations.register(name, email).player
    assert context.container.players.verify(AddressVerification(player.id, email, expires=0))
    return player.id


def begin(context: WorkerContext, **options: object) -> Match:
    """A new match that has just begun, and Ann knows it: no notice is due."""
    ann, bob = (registered(context, name) for name in ("Ann", "Bob"))
    wanted = NewGame(first_player="creator", salt="a", **options)  # type: ignore[arg-type]
    made = context.container.games.create(ann, wanted, secret=SECRET)
    invite = context.container.games.invitations.token(made.id)
    context.container.games.join(made.id, bob, invite=invite, salt="b")
    match = Match(context, made.id, ann, bob)
    for notice in match.due():
        context.container.log.outbox.finish(notice)
    return match


def only(mails: list[StoredMail]) -> StoredMail:
    (mail,) = mails
    return mail


def begin_with_tactics(context: WorkerContext) -> str:
    """A game of Ann's and Bob's, whose mails are the first that they get."""
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    for notice in context.container.log.outbox.pending():
        context.container.log.outbox.finish(notice.id)
    games = context.container.games
    wanted = NewGame(tactics=True, first_player="creator", salt="16", opponent=bob)
    made = games.create(ann, wanted, secret=SECRET)
    games.join(made.id, bob, salt="b")
    return made.id
