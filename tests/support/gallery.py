"""Every page there is, of a server on which people play: to be looked at, measured and walked."""

from email.message import EmailMessage
from typing import Final, NamedTuple
from urllib.parse import urlencode

from engine.cards import BIT
from service.accounts.channels.deliveries import ChannelDelivery
from service.accounts.mail_preferences import Subscription
from service.container import Container
from service.core.times import DAY
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, NewGame
from service.games.drafts import Orders, TurnOrder
from service.games.rematches import Wanted
from service.seasons.seasons import NewSeason
from tests.support.channels import working_channel
from tests.support.games import play_on
from tests.support.site import Town
from tests.support.weighing import weigh_turns

PLAIN: Final = ("Isla MacRae", "Fergus")
HOSTILE: Final = ("<img src=x onerror=alert(1)>\"'&{{7*7}}", "W" * 36)
"""Markup, templates, quotes, and a name without a place to break."""
NONSENSE: Final = {"chosen": HOSTILE[0], "turn": ["<b>R7</b>@3", "R7@3"], "version": "<i>"}
"""A turn as nobody puts it together."""


class Shown(NamedTuple):
    """A page: what to call it, where it is, and who looks, None for a passer-by."""

    name: str
    path: str
    player: str | None = None
    status: int = 200


class Gallery:
    """The pages of two players, of a passer-by, and what is shown when something goes wrong."""

    def __init__(self, site: Town, names: tuple[str, str] = PLAIN) -> None:
        self._site, self._known = site, site.container
        self.isla, self.fergus = (site.player(name) for name in names)
        for player in (self.isla, self.fergus):
            self._known.presences.choose(player, "live")
        self.played = self._played()
        # Later the two may not ask each other again.
        self._over, self._weighed = self._finished(), self._finished()
        weigh_turns(self._known, self._weighed)

    def pages(self) -> list[Shown]:
        """All of them."""
        return [*self.of_passers_by(), *self.of_players(), *self.of_a_game()]

    def of_passers_by(self) -> list[Shown]:
        """What anybody sees, where a mail leads, and what is shown when something goes wrong."""
        return [*self._open_to_all(), *self._by_mail(), *self._wrong()]

    def _open_to_all(self) -> list[Shown]:
        over = self._over
        return [
            Shown("home", "/"),
            Shown("rules", "/rules"),
            Shown("judge", "/judge?mine=R7+R8+R9&theirs=G4+G5"),
            *(Shown(f"lesson-{number}", f"/learn/{number}") for number in range(1, 6)),
            Shown("lesson-chosen", "/learn/1?chosen=R9"),
            Shown("lesson-not-yet", "/learn/4?turn=O1@1"),
            Shown("lesson-claim", "/learn/4?turn=G7@1"),
            Shown("lesson-done", "/learn/4?turn=G7@1&turn=!3"),
            Shown("puzzle", "/puzzles"),
            Shown("puzzle-proven", "/puzzles/1?answer=no"),
            Shown("puzzle-beaten", "/puzzles/2?answer=no"),
            Shown("record", "/replay"),
            Shown("sign-in", "/sign-in"),
            Shown("lobby", self._lobby()),
            Shown("welcome", f"/welcome/{self._known.admission.make_invitation()}"),
            Shown("new-game-by-a-stranger", "/games/new"),
            Shown("player", f"/players/{self.isla}"),
            Shown("game-watched", f"/games/{self.played}"),
            Shown("game-finished", f"/games/{over}"),
            Shown("game-in-a-link", f"/games/{over}/link"),
            Shown("game-step", f"/games/{over}?at=4"),
            Shown("game-to-weigh", f"/games/{over}", self.isla),
            Shown("game-weighed", f"/games/{self._weighed}", self.isla),
            *self._open(),
            Shown("docs", "/docs/quick-start"),
            Shown("problems", "/docs/problems"),
            Shown("help", "/help/mail"),
        ]

    def of_players(self) -> list[Shown]:
        """What players see besides their games."""
        return [
            Shown("home-signed-in", self._asked(), self.isla),
            Shown("home-empty", "/", self._site.player("Morag")),
            Shown("lobby-mine", "/lobby", self.isla),
            Shown("finished-games", "/games/finished", self.isla),
            Shown("new-game", f"/games/new?player={self.fergus}", self.isla),
            Shown("challenge-received", self._challenge(), self.isla),
            Shown("challenge-sent", self._challenge(), self.fergus),
            Shown("player-known", f"/players/{self.fergus}", self.isla),
            *self._seasons(),
            Shown("account", "/account", self.isla),
            Shown("account-mail", "/account/mail", self.isla),
            Shown("time-off", self._time_off(), self.isla),
            Shown("devices", "/account/devices", self.isla),
            Shown("tokens", "/account/tokens", self.isla),
            *self._channels(),
            Shown("delete-account", "/account/delete", self.isla),
            Shown("open-asks", self._code(), self.fergus),
        ]

    def of_a_game(self) -> list[Shown]:
        """What the players of a game see of it."""
        return [
            *self._turn(f"/games/{self.played}", self.to_move()),
            Shown("game-waiting", f"/games/{self.played}", self._other(self.to_move())),
            self._first(),
            *self._practice(),
            *self._daily(),
            *self._clocks(),
            *self._talk(f"/games/{self.played}"),
            *self._plan(f"/games/{self.played}/orders", self._other(self.to_move())),
        ]

    def _first(self) -> Shown:
        """A newcomer's first turn, with hints."""
        newcomer = self._site.player("Rhona")
        return Shown("game-first", f"/games/{self._site.game(newcomer, self.isla)}", newcomer)

    def _practice(self) -> list[Shown]:
        """The deal of a finished game, played again and given up."""
        game, wanted = self._over, Wanted(9, bot="random")
        begun, over = (
            self._known.games.practice.begin(game, self.isla, wanted, ChangeContext()).id
            for _ in range(2)
        )
        self._known.games.resign(over, self.isla)
        return [
            Shown("practice", f"/games/{begun}", self.isla),
            Shown("practice-finished", f"/games/{over}", self.isla),
        ]

    def _daily(self) -> list[Shown]:
        """The deal of the day before and during a try, when it is over, and the day after."""
        known, (ailsa, una) = self._known, (self._site.player(name) for name in ("Ailsa", "Una"))
        yesterday = Container(known.settings, known.redis, lambda: known.now() - DAY)
        for player in (self.isla, self.fergus, ailsa):
            late = yesterday.games.daily.begin(player)
            if player != ailsa:
                yesterday.games.resign(late.id, player)
        begun, over = (known.games.daily.begin(player).id for player in (self.isla, self.fergus))
        known.games.resign(over, self.fergus)
        return [
            Shown("daily", "/daily", una),
            Shown("daily-begun", "/daily", self.isla),
            Shown("daily-game", f"/games/{begun}", self.isla),
            Shown("daily-game-finished", f"/games/{over}", self.fergus),
            Shown("daily-finished", "/daily", self.fergus),
            Shown("daily-yesterday", f"/daily/{yesterday.games.daily.today().date}", self.isla),
            Shown("daily-game-late", f"/games/{late.id}", ailsa),
        ]

    def _seasons(self) -> list[Shown]:
        """A season that waits for players, and one of two divisions that is being played."""
        known, others = self._known, [self._site.player(name) for name in ("Ailsa", "Una") * 3]
        rules = NewSeason("Autumn", players=8, division=4, bots=["steward"])
        waiting, begun = (known.seasons.announce(rules, None, "operator") for _ in range(2))
        for player in (self.isla, self.fergus, *others):
            known.seasons.enter(begun.id, player, None, "web")
        known.seasons.enter(waiting.id, self.isla, None, "web")
        known.season_clock.run(begun.id)
        begun = known.seasons.get(begun.id)
        over = [game for game in begun.games if self.isla in begun.games[game].values()][:3]
        for game in over:
            known.games.resign(game, self.isla)
        known.season_clock.run(begun.id, over)
        return [
            Shown("seasons", "/seasons", self.isla),
            Shown("season-entered", f"/seasons/{waiting.id}", self.isla),
            Shown("season-open", f"/seasons/{waiting.id}", self.fergus),
            Shown("season", f"/seasons/{begun.id}", self.isla),
            *self._ladder(),
        ]

    def _ladder(self) -> list[Shown]:
        """A ladder with challenges, as somebody in the middle sees it, and who is not on it."""
        known, site = self._known, self._site
        moor = known.seasons.announce(NewSeason("The moor", format="ladder"), self.isla, "web")
        names = ("Ailsa", "Una", "Hamish", "Fiona", "Gregor")
        people = [
            *(site.player(name) for name in names),
            self.isla,
            self.fergus,
            site.player("Rory"),
        ]
        for player in people:
            known.seasons.enter(moor.id, player, None, "web")
        over = known.seasons.challenge(moor.id, people[4], people[1], "web").id
        known.games.resign(over, people[1])
        known.season_clock.run(moor.id, [over])
        for one, other in ((self.fergus, people[3]), (people[7], self.isla)):
            known.seasons.challenge(moor.id, one, other, "web")
        return [
            Shown("ladder", f"/seasons/{moor.id}", self.isla),
            Shown("ladder-entered", f"/seasons/{moor.id}", people[2]),
            Shown("ladder-before", f"/seasons/{moor.id}", site.player("Blair")),
            Shown("ladder-by-a-stranger", f"/seasons/{moor.id}"),
        ]

    def _turn(self, game: str, player: str) -> list[Shown]:
        """A turn as it is put together."""
        view = self._known.games.view(self._known.games.load(self.played), player)
        plays = [text for text in view.legal if "@" in text and ":" not in text]
        return [
            Shown("game-my-turn", game, player),
            Shown("game-chosen", f"{game}?{self._query(chosen=plays[0].split('@')[0])}", player),
            Shown("game-unsent", f"{game}?{self._query(turn=plays[0])}", player),
            Shown("game-stale", f"{game}?turn={plays[0]}&version=2", player),
            Shown("game-nonsense", f"{game}?{urlencode(NONSENSE, doseq=True)}", player),
            Shown("game-resign", f"{game}/resign", player),
            Shown("game-abandon", f"{game}/abandon", player),
        ]

    def _time_off(self) -> str:
        """Sleeping hours, and two vacations to come."""
        now = int(self._known.now())
        away = [(now + start * DAY, now + (start + 7) * DAY) for start in (0, 60)]
        self._known.games.calendars.change(self.isla, "Europe/Berlin", ("23:00", "07:00"), away)
        return "/account/time-off"

    def _clocks(self) -> list[Shown]:
        """A bank of time in an agreed pause, and a pause that is offered."""
        bank = {"bank_days": 14, "increment_hours": 12, "cap_days": 14, "weekends_off": True}
        games, origin, ailsa = self._known.games, ChangeContext("web"), self._site.player("Ailsa")
        paused, offered = (self._site.game(self.isla, ailsa, clock=bank) for _ in range(2))
        for player in (self.isla, ailsa):
            games.pauses.agree(paused, player, None, origin)
        games.pauses.agree(offered, ailsa, None, origin)
        return [
            Shown("clock-paused", f"/games/{paused}", ailsa),
            Shown("give-time", f"/games/{paused}/time?days=1", ailsa),
            Shown("clock-pause-offered", f"/games/{offered}", self.isla),
        ]

    def _talk(self, game: str) -> list[Shown]:
        """The two write to each other; one has not read all of it, and keeps a note."""
        talk = self._known.games.conversations
        for player, text in (
            (self.isla, "Good evening! I am away until Thursday.\n\nHave a good week."),
            (self.fergus, f"No hurry. {HOSTILE[0]} {'W' * 70}"),
            (self.fergus, "Well played, by the way."),
        ):
            talk.write(self.played, player, text, "web", IdempotencyKey(text, text))
        self._known.games.private_notes.write(self.isla, self.played, "He keeps the blue nine.")
        callum = self._site.player("Callum")
        off = self._site.game(self.isla, callum)
        talk.set_off(off, callum, off=True)
        return [
            Shown("game-messages", game, self.isla),
            Shown("game-messages-off", f"/games/{off}", self.isla),
            Shown("messages", f"{game}/messages", self.fergus),
            Shown("message-report", f"{game}/messages/2/report", self.isla),
        ]

    def _plan(self, page: str, player: str) -> list[Shown]:
        """A turn as it is planned while the other player moves."""
        view = self._known.games.view(self._known.games.load(self.played), player)
        clan = next(card for card in view.own_cards if card in BIT)
        known = Orders(turn=TurnOrder((f"{clan}@9",), ("G4@8",)))
        self._known.games.orders.give(self.played, player, known)
        planned = urlencode({"turn": [f"{clan}@9", "+C"]}, doseq=True)
        return [Shown("plan", page, player), Shown("plan-to-add", f"{page}?{planned}", player)]

    def _channels(self) -> list[Shown]:
        """One that works and one that does not, with what was sent."""
        known, player = self._known, self.isla
        page = "/account/channels"
        empty = Shown("channels-empty", page, self._site.player("Una"))
        target = {"url": "https://hooks.example.org/" + "w" * 60}
        works = working_channel(known, player, "webhook", target, name=HOSTILE[0][:40])
        fails = working_channel(known, player, "ntfy", {**target, "topic": "stones"}, fallback=True)
        known.channels.turn_off(player, fails.id, "it answered 500")
        new = known.channels.add(
            player, "gotify", {"url": "https://gotify.example.org", "token": "A" * 9}
        )
        known.private_links.renew(player)
        now = int(known.now())
        for number, state in enumerate(("delivered", "failed", "waiting")):
            notice = f"{self.played}.{number + 3}.{player}.webhook-{works.id}.turn"
            why = "" if state == "delivered" else "it did not answer in time"
            sent = ChannelDelivery(
                notice, "turn", self.played, now, now, state, number + 1, words=why, message={}
            )
            known.delivery_log.record(player, works.id, sent)
        return [
            empty,
            Shown("channels", page, player),
            Shown("channel", f"{page}/{works.id}?asked=1", player),
            Shown("channel-off", f"{page}/{fails.id}", player),
            Shown("channel-new", f"{page}/{new.id}?asked=1", player),
        ]

    def _query(self, **parts: str) -> str:
        return urlencode({**parts, "version": self._known.games.load(self.played).version})

    def _by_mail(self) -> list[Shown]:
        known = self._known
        mail = self._mail()
        link = known.addresses.links.url(self.isla, "isla@example.org", 0)
        unsubscribe = known.mail_preferences.url(Subscription(self.isla, "turn"))
        further = known.answer_addresses.add(self.isla, f"{'w' * 60}@example.org").email
        asks = known.answer_addresses.links.url(self.isla, further, int(known.now()))
        return [
            Shown("verify-answers", asks.removeprefix(self._site.url)),
            Shown("mailbox", "/mailbox"),
            Shown("mail", f"/mailbox/{mail}"),
            Shown("unsubscribe", unsubscribe.removeprefix(self._site.url)),
            Shown("verify-late", link.removeprefix(self._site.url), status=410),
        ]

    def _wrong(self) -> list[Shown]:
        return [
            Shown("operator-closed", "/operator", status=401),
            Shown("operator-link", self.operator_link()),
            Shown("missing", "/games/nowhere", status=404),
            Shown("open", "/open"),
            Shown("open-late", "/open/aaaa-aaaa-aaaa", status=410),
            Shown("gone", f"/sign-in/{'x' * 20}", status=410),
        ]

    def of_the_operator(self) -> list[Shown]:
        """What whoever has opened `operator_link` sees."""
        return [
            Shown("operator", "/operator"),
            Shown("operator-players", "/operator/players"),
            Shown("operator-player", f"/operator/players/{self.isla}"),
            Shown("operator-log", "/operator/log"),
            Shown("operator-game", f"/operator/games/{self.played}"),
        ]

    def operator_link(self) -> str:
        """A fresh link to the operator's pages."""
        return f"/operator/open/{self._known.operator_access.make_link()}"

    def _played(self) -> str:
        """A game with Tactic cards in which both have played some."""
        game = self._site.game(self.isla, self.fergus, tactics=True)
        play_on(self._known, game, 24)
        return game

    def _finished(self) -> str:
        game = self._site.game(self.isla, self.fergus)
        play_on(self._known, game)
        return game

    def to_move(self, game: str | None = None) -> str:
        """Whose turn it is."""
        turn = self._known.games.load(game or self.played).game.turn
        return self.isla if turn == "north" else self.fergus

    def _other(self, player: str) -> str:
        return self.fergus if player == self.isla else self.isla

    def _open(self) -> list[Shown]:
        """A game with a free seat, for its maker and for whoever has the invite."""
        made = self._known.games.create(self.isla, NewGame())
        game, invite = f"/games/{made.id}", self._known.games.invitations.token(made.id)
        return [
            Shown("game-invite", f"{game}?invite={invite}"),
            Shown("game-open", game, self.isla),
            Shown("game-call-off", f"{game}/call-off", self.isla),
        ]

    def _code(self) -> str:
        return f"/open/{self._known.device_links.make(self.isla)}"

    def _lobby(self) -> str:
        """The lobby with something in it."""
        for player, wanted in (
            (self.isla, NewGame(listed=True, tactics=True, clock={"days_per_move": 3})),
            (self.fergus, NewGame(listed=True, edition="scottentots", rounds=3)),
        ):
            self._known.games.create(player, wanted)
        return "/lobby"

    def _asked(self) -> str:
        """The front page with something to answer."""
        morag = self._site.player("Morag")
        self._known.games.create(morag, NewGame(opponent=self.isla, clock={"days_per_move": 7}))
        return "/"

    def _challenge(self) -> str:
        wanted = NewGame(edition="community", tactics=True, first_player="creator")
        key = IdempotencyKey(f"gallery {self.isla}", "gallery")
        made = self._known.games.challenges.make(self.fergus, self.isla, wanted, key)
        return f"/challenges/{made.id}"

    def _mail(self) -> str:
        message = EmailMessage()
        message["Message-ID"] = f"<{self.played}.gallery@scottenbury.test>"
        message["From"] = "Scottenbury <scottenbury@localhost>"
        message["To"] = "Isla <isla@mailbox.invalid>"
        message["Subject"] = "Scottenbury: Isla MacRae v Fergus"
        message.set_content(f"It is your turn.\n\n{self._site.url}/games/{self.played}\n")
        self._known.mailbox.add(message["Message-ID"], message.as_string())
        return str(message["Message-ID"]).strip("<>")
