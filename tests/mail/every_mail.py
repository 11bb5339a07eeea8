"""Every kind of mail that we send, in every edition, as games and answers bring them about."""

from dataclasses import replace
from itertools import count

from engine import EDITIONS
from service.accounts.email_addresses import AddressVerification
from service.core.times import DAY, HOUR, timestamp
from service.eventlog import Notice, notice_id
from service.games import ChangeContext, NewGame
from service.games.drafts import Orders, TurnOrder
from service.games.notices import TIME_OUT
from service.mail.mailbox import Mailbox, StoredMail
from service.ops.operating import remove_game
from service.seasons.seasons import NewSeason
from tests.support.clock import Clock
from tests.workers.mail.correspondence import run
from tests.workers.match import SECRET
from workers.context import WorkerContext

TURNS = 5
"""Turns of each game that are told by mail."""
MESSAGES = (
    "Would you play R7 at 3? I would claim 3, or play the Joker on Stone 5; then pass.",
    "R7@3 !3 +C\nclaim 3\nresign\nsay: pass",
    "accept as Eve, accept as Eve, accept as Eve, accept as Eve, accept as Eve",
    "I claim the win! Or win on time; do you agree? I agree to the pause, give me or give 2 days.",
    "> claim 3\n-- \n“show” and *help*, STR:R7@3>x, REC:CCT, -R1,JOK, R7\uff203",
)
_numbers = count()


class Correspondence:
    """Two players of these names, and what they and others do."""

    def __init__(
        self, context: WorkerContext, clock: Clock, ann: str, bob: str, language: str | None = None
    ) -> None:
        self.context, self.container, self.clock = context, context.container, clock
        self.language = language
        self.ann = self.join_as(ann, "ann@example.org")
        self.bob = self.join_as(bob, "bob@example.org")

    def join_as(self, name: str, email: str) -> str:
        """The id of a new player, who has had a mail about the address and confirmed it."""
        player = self.container.registrations.register(name, email).player.id
        self.container.mail_preferences.set_choice(player, {"language": self.language})
        run(self.context)
        self.container.players.verify(AddressVerification(player, email, expires=0))
        return player

    def begin(self, edition: str, tactics: bool, **clock: str) -> str:
        """A game that has begun."""
        games = self.container.games
        wanted = NewGame(
            edition=edition,
            tactics=tactics,
            expert=EDITIONS[edition].has_expert and not tactics,
            first_player="opponent" if tactics else "creator",
            opponent=self.bob,
            clock={"days_per_move": 3, **clock},
            salt="a",
        )
        made = games.create(self.ann, wanted, secret=SECRET)
        games.join(made.id, self.bob, salt="b")
        return made.id

    def turn(self, game: str) -> bool:
        """A turn of whoever is to move, claims and Ruses before others; false at the end."""
        games = self.container.games
        mover = games.load(game).player_to_move()
        while mover is not None and (stored := games.load(game)).player_to_move() == mover:
            legal = games.view(stored, mover).legal
            lively = [text for text in legal if text[0] == "!" or text[3:4] == ":"] or legal
            games.play(game, mover, [lively[stored.version * 7919 % len(lively)]])
        return not games.load(game).game.over

    def play(self, game: str, to_the_end: bool) -> None:
        """The first turns, each told by mail, and the end: by the rules, or by resigning."""
        for _ in range(TURNS):
            self.tell_of_orders(game)
            run(self.context)
            self.give_orders(game)
            self.turn(game)
        while to_the_end and self.turn(game):
            pass
        if not to_the_end:
            self.container.games.resign(game, self.ann)
        run(self.context)

    def give_orders(self, game: str) -> None:
        """Orders that will be cancelled, from whoever waits."""
        mover = self.container.games.load(game).player_to_move()
        waiting = self.bob if mover == self.ann else self.ann
        order = Orders(turn=TurnOrder(("STR:R7@3>x", "!3", "+C")))
        self.container.games.orders.give(game, waiting, order)

    def tell_of_orders(self, game: str) -> None:
        """Tell whoever is to move what became of their order, as if it was not their turn."""
        stored = self.container.games.load(game)
        mover = stored.player_to_move() or self.ann
        notice = notice_id(game, stored.version, mover, "mail", "orders")
        self.container.log.outbox.add(Notice(notice, self.clock()))

    def answer(self, text: str, sender: str = "", reader: str = "") -> None:
        """Answer the latest mail that can be answered, or that this reader can answer."""
        mails = (mail.message for mail in self.newest())
        mail = next(mail for mail in mails if mail["Reply-To"] and reader in str(mail["To"]))
        reader = sender or str(mail["To"]).rpartition("<")[2].strip(">")
        raw = f"From: {reader}\nMessage-ID: <{next(_numbers)}@example.org>\n\n{text}\n"
        self.container.incoming_mail.accept(str(mail["Reply-To"]), reader, raw.encode())
        run(self.context)

    def write_to_the_desk(self, text: str) -> None:
        """Write to the address that our mails come from."""
        raw = f"From: ann@example.org\nMessage-ID: <{next(_numbers)}@example.org>\n\n{text}\n"
        desk = "scottenbury@scottenbury.test"
        self.container.incoming_mail.accept(desk, "ann@example.org", raw.encode())
        run(self.context)

    def newest(self) -> list[StoredMail]:
        """All mails, the newest first."""
        return Mailbox(self.container.redis).newest(1000)

    def wait(self, hours: int) -> None:
        """Let time pass."""
        self.clock.time += hours * HOUR
        run(self.context)


def every_mail(
    context: WorkerContext, clock: Clock, ann: str, bob: str, language: str | None = None
) -> list[StoredMail]:
    """The mails of all games and of what is around them, in this language."""
    people = Correspondence(context, clock, ann, bob, language)
    for edition in EDITIONS.values():
        people.play(people.begin(edition.name, tactics=False), to_the_end=False)
        if edition.has_tactics:
            people.play(people.begin(edition.name, tactics=True), to_the_end=edition.name == "bga")
    _removal(people)
    _offers(people)
    _messages(people)
    _answers(people)
    _reminders(people)
    _clocks(people)
    _season(people)
    _vacation(people)
    _account(people)
    _digest(people)
    return people.newest()


def _offers(people: Correspondence) -> None:
    games = people.container.games
    wanted = NewGame(tactics=True, clock={"days_per_move": 3})
    games.challenges.make(people.ann, people.bob, wanted)
    run(people.context)
    people.answer("R7@3"), people.answer("I have to ask my wife")
    people.answer("decline")
    made = games.challenges.make(people.ann, people.bob, wanted)
    games.challenges.counter(made.id, people.bob, {"tactics": False})
    run(people.context)
    people.answer("accept")
    for number in range(2):
        games.create(people.ann, NewGame(opponent_email=f"cy{number}@example.com", listed=False))
        run(people.context)
        people.answer("accept")
        people.answer("decline" if number else "accept as Cy")
    made = games.create(people.ann, NewGame(opponent=people.bob))
    people.wait(1)
    games.call_off(made.id, people.ann)
    run(people.context)


def _removal(people: Correspondence) -> None:
    game = people.begin("iello", tactics=False)
    remove_game(people.container, "Otto", game, "asked for by a court", "A court asked for it.")
    people.wait(1)


def _messages(people: Correspondence) -> None:
    game = people.begin("iello", tactics=True)
    run(people.context)
    for number, text in enumerate(MESSAGES):
        writer = people.bob if number % 2 else people.ann
        people.container.games.conversations.write(game, writer, text, "web")
        run(people.context)
    people.answer("say: R7@3, claim 3 and well played")
    people.answer("say: one\nR7@3"), people.answer("R9@1\nsay: two")


def _answers(people: Correspondence) -> None:
    game = people.begin("bga", tactics=True)
    run(people.context)
    games = people.container.games
    for text in ("help", "show", "resign", "foo bar R7@3 !3", "R9@1 !9", "pass", "STR:R1@1>x"):
        people.answer(text)
    people.answer("-----BEGIN PGP MESSAGE-----")
    people.answer("show", sender="eve@example.org")
    mover = games.load(game).player_to_move()
    people.answer(games.view(games.load(game), mover).legal[0])
    games.abandonments.agree(game, people.ann, ChangeContext())
    games.abandonments.withdraw(game, people.ann)
    games.abandonments.agree(game, people.bob, ChangeContext())
    run(people.context)
    people.answer("resign"), people.answer("resign")
    for text in ("help", "games", "rules", "mails", "undo", "yes", "offer an end", "R7@3 !3"):
        people.write_to_the_desk(text)
    wishes = ("new game with Cy, first edition", "new game, 3 days", "vacation until 9 Dec")
    for text in (*wishes, "time zone Europe/Rome", "mail about reminders off", "rematch"):
        people.write_to_the_desk(text)
        people.answer("perhaps"), people.answer("yes")


def _reminders(people: Correspondence) -> None:
    for player in (people.ann, people.bob):
        people.container.mail_preferences.set_choice(player, {"reminders": "both"})
    people.begin("iello", tactics=True)
    people.wait(37), people.wait(32)


def _clocks(people: Correspondence) -> None:
    game = people.begin("iello", tactics=False, time_out="claim")
    run(people.context)
    until = timestamp(people.clock() + 9 * DAY)
    people.container.games.pauses.agree(game, people.ann, until, ChangeContext())
    run(people.context)
    people.container.games.abandonments.agree(game, people.ann, ChangeContext())
    run(people.context)
    for text in ("show", "agree", "agree to abandon it", "decline the abandonment", "accept"):
        people.answer(text, reader="bob@")
    stored = people.container.games.load(game)
    waiting = people.bob if stored.player_to_move() == people.ann else people.ann
    people.container.games.clocks.resume(game, waiting, ChangeContext())
    people.wait(80)
    stored = people.container.games.load(game)
    waiting = people.bob if stored.player_to_move() == people.ann else people.ann
    notice = notice_id(game, stored.version, waiting, "mail", TIME_OUT)
    people.container.log.outbox.add(Notice(notice, people.clock()))
    run(people.context)
    for text in ("win", "agree", "claim the win", "give 91 days", "give 2 days", "claim the win"):
        people.answer(text)


def _season(people: Correspondence) -> None:
    seasons, season_clock = people.container.seasons, people.container.season_clock
    wanted = NewSeason("accept", players=4)
    season = seasons.announce(wanted, None, "operator")
    others = [people.join_as(name, f"{name}@example.org") for name in ("Kit", "Lou")]
    for player in (people.ann, people.bob, *others):
        seasons.enter(season.id, player, None, "api")
    season_clock.run_all()
    people.wait(1)
    seasons.announce(replace(wanted, name="pass", follows=season.id), None, "operator")
    for game in seasons.get(season.id).games.values():
        people.container.games.resign(game["game"], game["north"])
    season_clock.run(season.id, seasons.get(season.id).games)
    people.wait(1)


def _vacation(people: Correspondence) -> None:
    start = int(people.clock())
    vacation = (start, start + 2 * DAY)
    people.container.games.calendars.change(people.ann, "Europe/Berlin", None, (vacation,))
    people.wait(24)
    people.container.games.calendars.change(people.ann, "Europe/Berlin", None, ())
    run(people.context)


def _account(people: Correspondence) -> None:
    player = people.container.players.find(people.ann)
    assert player is not None
    people.container.players.set_address(player, "other@example.org")
    people.container.sign_in.request_link(str(player.email))
    people.container.answer_addresses.add(player.id, "further@example.org")
    run(people.context)
    further = AddressVerification(player.id, "further@example.org", expires=0)
    people.container.answer_addresses.verify(further)
    run(people.context)


def _digest(people: Correspondence) -> None:
    for player in (people.ann, people.bob):
        people.container.mail_preferences.set_choice(player, {"delivery": "digest"})
    for _ in range(3):
        people.begin("iello", tactics=False)
    people.container.games.challenges.make(people.ann, people.bob, NewGame())
    run(people.context)
    people.wait(24)
