"""Plans what a player's wish would do now, by the use cases of the web pages."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final, NamedTuple

from engine import OTHER
from engine.options import options_for
from letters.days import AnyDay
from letters.inert import inert_name
from letters.wishes import (
    ADDRESS,
    AskedWord,
    BeginGame,
    ChooseMails,
    ChooseZone,
    OfferPause,
    Planned,
    TakeVacation,
)
from service.accounts.mail_preferences import MailPreferences, moment_of, zone
from service.accounts.names import NOBODY, displayable, shown_name
from service.accounts.notice_kinds import GROUP_WORDS
from service.accounts.players import Players
from service.bots import bot_named
from service.core.errors import RequestRejected
from service.core.times import timestamp
from service.core.words import ENGLISH, N_, Words
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, Games, NewGame, StoredGame
from service.games.calendar_store import with_vacations
from service.games.clock.state import AgreedPause
from service.games.permissions import own_seat
from service.games.rating import bot_declines
from service.games.terms import USUAL_CLOCK
from service.mail_in import sentences
from service.mail_in.outcome import VIA
from service.text.game_terms import BOT_DECLINES, bot_label, described, end_offered
from service.text.moments import day as day_of


class Done(NamedTuple):
    """What was done, as a sentence (`said`). `made` is the id of what can be cancelled, and
    `has_link` says whether its link is to be passed on. `game` is the id of a game that has begun,
    `page` the path of the page that shows the result."""

    said: str
    made: str = ""
    has_link: bool = False
    game: str | None = None
    page: str = ""


class Plan(NamedTuple):
    """What a wish would do now. `said` completes "You want …"; `follows` is a sentence after that
    about what follows, empty if that need not be said. `basis` describes the state that the
    plan depends on. `do` carries it out under a key. `hindrance` is a sentence that says what
    prevents it, empty if nothing does."""

    said: str
    basis: str
    do: Callable[[IdempotencyKey], Done]
    hindrance: str = ""
    follows: str = ""


class Deed(NamedTuple):
    """A wish as plain data, with nothing in it that depends on the day it is read."""

    kind: str
    given: dict[str, object]


@dataclass(frozen=True, slots=True)
class Plans:
    """Makes plans. `now` gives unix seconds."""

    games: Games
    players: Players
    preferences: MailPreferences
    now: Callable[[], float]

    # What is meant

    def deed(self, player: str, wanted: AskedWord | Planned, place: StoredGame | None) -> Deed:
        """Return what a wish means for this player now, in a form that can be stored. `place` is
        the game that the mail is about, if any. Raises `RequestRejected`."""
        match wanted:
            case BeginGame():
                return Deed("new game", asdict(self._wanted(player, wanted)))
            case TakeVacation(first, last):
                begin = self._day(player, first)
                after = self._day(player, last, begin) + timedelta(days=1)
                where = self._zone_of(player)
                days = {"begin": moment_of(begin, 0, where), "end": moment_of(after, 0, where)}
                return Deed("vacation", {name: int(at) for name, at in days.items()})
            case ChooseZone(name):
                return Deed("time zone", {"name": name})
            case ChooseMails(group, is_wanted):
                return Deed("mails", {"group": group, "wanted": is_wanted})
            case AskedWord("back") if place is None or not self._ends_pause(player, place):
                return Deed("back", {})
        assert place is not None, "the rest is about a game"
        if isinstance(wanted, OfferPause):
            until = None
            if wanted.until:  # the end of that day in the player's time zone
                after = self._day(player, wanted.until) + timedelta(days=1)
                until = timestamp(moment_of(after, 0, self._zone_of(player)))
            return Deed("pause", {"game": place.id, "until": until})
        kind = {"rematch": "rematch", "offer an end": "end"}.get(wanted.word, "resumption")
        return Deed(kind, {"game": place.id})

    def _ends_pause(self, player: str, stored: StoredGame) -> bool:
        """Whether `back` means to end this game's pause: it is paused, and the player is not on
        vacation."""
        now = int(self.now())
        is_away = any(begin <= now for begin, _ in self.games.calendars.of(player).to_come(now))
        return not is_away and _pause_of(stored, now) is not None

    def _wanted(self, player: str, wish: BeginGame) -> NewGame:
        options, clock = dict(wish.options), USUAL_CLOCK.copy()
        if wish.days is not None:
            clock["days_per_move"] = wish.days
        if not self.games.ratings.has_rated(player):
            options.setdefault("rated", False)  # as on the page of a new game
        wanted = NewGame(**options, clock=None if wish.days == 0 else clock)
        if wish.whom is None:
            return wanted
        if ADDRESS.fullmatch(wish.whom):
            return replace(wanted, opponent_email=wish.whom)
        opponent = self.games.challenges.by_name(wish.whom)
        if opponent == player:
            raise RequestRejected("own-game", N_("Nobody plays against themselves."))
        return replace(wanted, opponent=opponent)

    def _day(self, player: str, wanted: AnyDay | None, since: date | None = None) -> date:
        """Return the first day that `wanted` can mean, from `since` or today on; today for None.
        Raises `RequestRejected` if there is no such day."""
        today = datetime.fromtimestamp(self.now(), self._zone_of(player)).date()
        try:
            return wanted.after(since or today) if wanted else today
        except ValueError:
            raise RequestRejected("bad-vacation", N_("There is no such day.")) from None

    def _zone_of(self, player: str) -> tzinfo:
        return zone(self.games.calendars.of(player).zone)

    # What it comes to

    def plan(self, words: Words, player: str, deed: Deed) -> Plan:
        """Return the plan of this deed. Raises `RequestRejected` and `RuleBroken` if it is
        impossible."""
        plans: Mapping[str, Callable[..., Plan]] = {
            "new game": self._new_game,
            "rematch": self._rematch,
            "pause": self._pause,
            "resumption": self._resumption,
            "end": self._end,
            "vacation": self._vacation,
            "back": self._back,
            "time zone": self._zone,
            "mails": self._choice,
        }
        return plans[deed.kind](words, player, **deed.given)

    def _new_game(self, words: Words, player: str, **given: Any) -> Plan:
        wanted = NewGame(**given)
        options_for(wanted.edition, wanted.tactics, wanted.expert)
        whom, games = self._whom(words, wanted), self.games
        terms = sentences.of_terms(words, wanted, player)
        # Note: follows "You want"; %(name)s may also be "whoever gets the link"
        said = words.say("a new game with %(name)s: %(terms)s", name=whom, terms=terms)

        def do(key: IdempotencyKey) -> Done:
            if wanted.opponent is not None:
                made = games.challenges.make(player, wanted.opponent, wanted, key)
                if made.status != "open":
                    raise RequestRejected("not-open", N_("This challenge has its answer by now."))
                sentence = words.say(
                    "%(name)s is asked for a new game: %(terms)s.", name=whom, terms=terms
                )
                return Done(sentence, made.id, page=f"/challenges/{made.id}")
            stored = games.create(player, wanted, ChangeContext(VIA, key=key))
            if stored.game.status == "active":
                said = words.say("Your new game has begun: %(terms)s.", terms=terms)
                return Done(said, game=stored.id)
            # Note: %(name)s may also be "whoever gets the link"
            message = N_("Your new game waits for %(name)s: %(terms)s.")
            sentence = words.say(message, name=whom, terms=terms)
            has_link = wanted.opponent_email is None and not wanted.listed
            return Done(sentence, stored.id, has_link, page=f"/games/{stored.id}")

        return Plan(said, self._whom(ENGLISH, wanted), do)

    def _whom(self, words: Words, wanted: NewGame) -> str:
        if wanted.opponent is not None:
            opponent = self.players.find(wanted.opponent)
            if opponent is None:
                raise RequestRejected("unknown-opponent", N_("This player is not here any more."))
            return inert_name(shown_name(words, displayable(opponent.name)))
        if wanted.opponent_email is not None:
            return sentences.harmless(wanted.opponent_email)
        if (bot := bot_named(wanted.bot)) is not None:
            # Note: %(bot)s is such as "Steward (hard)"; follows "a new game with"
            return words.say("the %(bot)s", bot=bot_label(words, bot.name, bot.level))
        if wanted.listed:
            # Note: follows "a new game with"
            return words.say(
                "whoever takes it in the lobby, where anybody can find it from then on"
            )
        # Note: follows "a new game with"
        return words.say("whoever gets the link")

    def _rematch(self, words: Words, player: str, game: str) -> Plan:
        old, rematches = self.games.current(game), self.games.rematches
        own_seat(old, player)
        if old.game.status != "finished":
            raise RequestRejected("game-not-over", sentences.NOT_OVER)
        other, rematch = self._other(words, old, player), rematches.current(old)
        view = self.games.view(old, player)

        def do(key: IdempotencyKey) -> Done:
            new = rematches.ask(game, player, via=VIA)
            if new.game.status == "active":
                self.games.announce_turn(new.id, player)
                return Done(words.say("The rematch has begun."), game=new.id)
            said = words.say("%(name)s is asked for a rematch.", name=other)
            return Done(said, new.id, page=f"/games/{new.id}")

        has_asked = rematch is not None and player in rematch.players
        state = "none" if rematch is None else f"{rematch.id} {rematch.version} {has_asked}"
        # Note: follows "You want"
        message = N_("a rematch with %(name)s: %(terms)s")
        said = words.say(message, name=other, terms=described(words, view.kind))
        return Plan(said, state, do)

    def _pause(self, words: Words, player: str, game: str, until: str | None) -> Plan:
        stored, pauses = self.games.current(game), self.games.pauses
        other = self._other(words, stored, player)
        end = until and sentences.end_of_pause(words, until)

        def do(key: IdempotencyKey) -> Done:
            origin = ChangeContext(VIA, [stored.version], key, is_of_table=True)
            made = pauses.agree(game, player, until, origin)
            message = N_(
                "You offer %(name)s a pause without an end. Until %(name)s agrees, the clock runs"
                " on."
            )
            said = words.say(message, name=other)
            if end:
                message = N_(
                    "You offer %(name)s a pause until %(moment)s. Until %(name)s agrees, the clock"
                    " runs on."
                )
                said = words.say(message, name=other, moment=end)
            said = said if made.offered else sentences.say(words, sentences.PAUSED)
            return Done(said, page=f"/games/{game}")

        # Note: follows "You want"
        said = words.say("to offer %(name)s a pause without an end", name=other)
        if end:
            # Note: follows "You want"
            message = N_("to offer %(name)s a pause until %(moment)s")
            said = words.say(message, name=other, moment=end)
        no_clock = "" if stored.clock else sentences.say(words, sentences.NO_CLOCK)
        return Plan(said, self._state(stored), do, _not_offered(words, stored) or no_clock)

    def _resumption(self, words: Words, player: str, game: str) -> Plan:
        stored, clocks = self.games.current(game), self.games.clocks
        own_seat(stored, player)
        pause = _pause_of(stored, int(self.now()))

        def do(key: IdempotencyKey) -> Done:
            clocks.resume(game, player, ChangeContext(VIA, key=key))
            return Done(sentences.say(words, sentences.RESUMED), game=game)

        not_paused = "" if pause else sentences.say(words, sentences.NOT_PAUSED)
        # Note: follows "You want"
        said = words.say("to end the pause, so that the clock runs again")
        return Plan(said, str(pause), do, _not_running(words, stored) or not_paused)

    def _end(self, words: Words, player: str, game: str) -> Plan:
        stored, abandonments = self.games.current(game), self.games.abandonments
        other, offer = self._other(words, stored, player), abandonments.offered(stored)
        follows = end_offered(words, to_bot=stored.has_bot, rounds=stored.game.rounds)

        def do(key: IdempotencyKey) -> Done:
            origin = ChangeContext(VIA, [stored.version], key, is_of_table=True)
            made = abandonments.agree(game, player, origin)
            offered = words.say("You offer %(name)s an end.", name=other)
            said = f"{offered} {follows}"
            if made.stored.game.over:
                said = sentences.say(words, sentences.ABANDONED)
            return Done(said, page=f"/games/{game}")

        is_theirs = offer is not None and offer.by != stored.seat_of(player)
        instead = sentences.say(words, sentences.AGREE_INSTEAD) if is_theirs else ""
        # Note: follows "You want"
        said = words.say("to offer %(name)s an end of the game", name=other)
        hindrance = _not_offered(words, stored) or instead
        return Plan(said, self._state(stored), do, hindrance, follows)

    def _state(self, stored: StoredGame) -> str:
        """Describe the game's version and open offers, as the basis of a plan."""
        pause = self.games.pauses.offered(stored)
        end = self.games.abandonments.offered(stored)
        numbers = [offer.number for offer in (pause, end) if offer]
        return f"{stored.version} {stored.head} {numbers}"

    def _other(self, words: Words, stored: StoredGame, player: str) -> str:
        other = stored.game.players[OTHER[own_seat(stored, player)]] or ""
        name = displayable(self.players.names([other]).get(other, NOBODY))
        return inert_name(shown_name(words, name))

    def _vacation(self, words: Words, player: str, begin: int, end: int) -> Plan:
        calendars, now = self.games.calendars, int(self.now())
        calendar, where = calendars.of(player), self._zone_of(player)
        to_come = calendar.to_come(now)
        is_taken = any(one >= begin and other == end for one, other in to_come)
        wanted = sorted({*to_come} | (set() if is_taken else {(begin, end)}))
        with_vacations(calendar, wanted, now, calendars.vacation_days)
        first, last = (day_of(words, timestamp(each), where) for each in (max(begin, now), end - 1))

        def do(key: IdempotencyKey) -> Done:
            calendars.change(player, calendar.zone, calendar.sleep, wanted)
            message = N_("You take a vacation from %(first)s up to and including %(last)s.")
            said = words.say(message, first=first, last=last)
            return Done(said, page="/account/time-off")

        # Note: follows "You want"
        message = N_("a vacation from %(first)s up to and including %(last)s")
        said = words.say(message, first=first, last=last)
        hindrance = sentences.say(words, sentences.DAYS_OVER) if end <= now else ""
        return Plan(said, f"{calendar.zone} {to_come}", do, hindrance)

    def _back(self, words: Words, player: str) -> Plan:
        calendars, now = self.games.calendars, int(self.now())
        calendar = calendars.of(player)
        to_come = calendar.to_come(now)
        upcoming = [vacation for vacation in to_come if vacation[0] > now]

        def do(key: IdempotencyKey) -> Done:
            calendars.change(player, calendar.zone, calendar.sleep, upcoming)
            said = words.say("Your vacation is over: your time counts.")
            return Done(said, page="/account/time-off")

        is_away = upcoming != list(to_come)
        hindrance = "" if is_away else sentences.say(words, sentences.NO_VACATION)
        # Note: follows "You want"
        return Plan(words.say("to end your vacation now"), str(to_come), do, hindrance)

    def _zone(self, words: Words, player: str, name: str) -> Plan:
        calendars = self.games.calendars

        def do(key: IdempotencyKey) -> Done:
            calendars.change_zone(player, name)
            said = words.say("Your time zone is %(zone)s.", zone=name)
            return Done(said, page="/account/time-off")

        # Note: follows "You want"
        said = words.say("%(zone)s as your time zone", zone=name)
        return Plan(said, calendars.of(player).zone, do)

    def _choice(self, words: Words, player: str, group: str, wanted: bool) -> Plan:
        said, done = _CHOICES[wanted]
        about = words.say(GROUP_WORDS[group])

        def do(key: IdempotencyKey) -> Done:
            self.preferences.choose_groups(player, {group: wanted})
            return Done(words.say(done, about=about), page="/account")

        return Plan(words.say(said, about=about), str(self.preferences.groups(player)[group]), do)


# Note: the first of both follows "You want"; %(about)s is such as "games that end"
_CHOICES: Final = {
    True: (N_("to turn on the mails “%(about)s”"), N_("Done: the mails “%(about)s” are on.")),
    False: (N_("to turn off the mails “%(about)s”"), N_("Done: the mails “%(about)s” are off.")),
}


def _pause_of(stored: StoredGame, now: int) -> AgreedPause | None:
    """Return the agreed pause that is running now, None if there is none."""
    pause = stored.clock.paused() if stored.clock else None
    return None if pause is None or (pause.end is not None and pause.end <= now) else pause


def _not_running(words: Words, stored: StoredGame) -> str:
    is_running = stored.game.status == "active"
    return "" if is_running else sentences.say(words, sentences.NOT_RUNNING)


def _not_offered(words: Words, stored: StoredGame) -> str:
    declines = words.say(BOT_DECLINES) if bot_declines(stored) else ""
    return _not_running(words, stored) or declines
