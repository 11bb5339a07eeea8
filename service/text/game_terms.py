"""The kind of a game in a player's words, for pages and mails alike; and the server's own bots: how
hard each is to beat, and how it plays.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import tzinfo
from functools import partial
from typing import Any, Final, NamedTuple

from engine import OTHER, Seat
from engine.clock_events import AgreedClock
from service.core.times import timestamp
from service.core.words import N_, Words
from service.text.moments import by, moment, short_span, time_until


def counted(number: int, what: str) -> str:
    """A number of things, in singular or plural: `1 game`, `2 games`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


class EditionWords(NamedTuple):
    """An edition for people: its title, and its differences; both messages."""

    title: str
    about: str


EDITION_WORDS: Final = {
    "iello": EditionWords(
        N_("Modern rules"),
        N_("The box of 2016, and the usual choice: play a card, claim what you can prove, draw."),
    ),
    "bga": EditionWords(
        N_("Rules of Board Game Arena"),
        N_(
            "Only Tactic cards differ: you may play the second Joker once the first has left the"
            " table, and a Traitor always moves a card to another Stone."
        ),
    ),
    "reference-card": EditionWords(
        N_("Rules of the reference card"),
        N_("Plays exactly like the modern rules; only the wording is shorter."),
    ),
    "scottentots": EditionWords(
        N_("First edition, 1999"),
        N_("Claim before you play, so the other player has a turn to answer. No Tactic cards."),
    ),
    "community": EditionWords(
        N_("Claim at any time"),
        N_(
            "Claim before or after you play, until you draw. You may play the second Joker once the"
            " first has left the table."
        ),
    ),
}
"""Each edition by its name in the rules."""
CLOCKS: Final = {1: N_("1 day"), 3: N_("3 days"), 7: N_("a week"), 14: N_("two weeks")}
"""The days per turn that a page offers, with their labels."""


ENDLESS: Final = N_("no time limit")
_UNCOUNTED: Final = {
    "weekends_off": N_("at weekends"),
    "sleeping_hours": N_("at night"),
    "vacations": N_("on vacation"),
}
_TO_SET: Final = {"sleeping_hours": N_("nights"), "vacations": N_("vacations")}
"""The options of `_UNCOUNTED` whose times each player sets."""
_RATED: Final = {True: N_("rated"), False: N_("unrated")}
_USUAL_CLOCK: Final[AgreedClock] = {"sleeping_hours": True, "vacations": True}
BOT_DECLINES: Final = N_("This game counts, so the bot agrees to nothing: play on, or resign.")
"""Why a bot of the server neither abandons a game nor pauses its clock."""


def edition_title(words: Words, edition: str) -> str:
    """The title of an edition; for an unknown one, its name in the rules."""
    known = EDITION_WORDS.get(edition)
    return words.say(known.title) if known else edition


def pace(
    words: Words,
    clock: AgreedClock | None,
    when: Callable[[str], str] | None = None,
    *,
    is_running: bool = False,
) -> str:
    """Describe the time for a turn: `3 days for each turn`. `when` formats a fixed end.

    A running clock "stops at night". The clock of an offer "stops for nights, if you set any": each
    player sets their own.
    """
    return words.parts(_pace_terms(words, clock, when, is_running))


def _pace_terms(
    words: Words,
    clock: AgreedClock | None,
    when: Callable[[str], str] | None,
    is_running: bool = False,
) -> list[str]:
    if clock is None:
        return [words.say(ENDLESS)]
    time = _time(words, clock, when or (lambda text: moment(words, text)))
    return [time, *_conditions(words, clock, is_running)]


def left_paused(
    words: Words, paused: tuple[int, int | None] | None, when: Callable[[str], str]
) -> str:
    """The seconds left of a turn whose clock is paused, and the end of the pause if it has one:
    `2 d 19 h left · paused until Thu 3 Dec 17:00`; empty while the clock runs."""
    if paused is None:
        return ""
    span, end = short_span(words, paused[0]), paused[1]
    if end is None:
        return words.say("%(span)s left · paused", span=span)
    until = when(timestamp(end))
    return words.say("%(span)s left · paused until %(moment)s", span=span, moment=until)


def time_of_turn(
    words: Words,
    paused: tuple[int, int | None] | None,
    deadline: str | None,
    zone: tzinfo,
    now: float,
) -> str:
    """The time left for a turn and its end, or what is left of it while it is `paused`; `no time
    limit` without a clock."""
    if said := left_paused(words, paused, partial(by, words, zone=zone, now=now)):
        return said
    return words.say(ENDLESS) if deadline is None else time_until(words, deadline, zone, now)


def at_zero(turn: Seat, *, is_claimed: bool, rounds: int) -> tuple[Seat, str, str]:
    """What follows if the time of the player to move runs out: the seat that a message speaks to,
    that message, and what others read of the player there, whose `name` it has."""
    if is_claimed:
        you = N_("At zero you may claim the win.")
        return OTHER[turn], you, N_("At zero %(name)s may claim the win.")
    if rounds > 1:
        return turn, N_("At zero you lose the round."), N_("At zero %(name)s loses the round.")
    return turn, N_("At zero you lose the game."), N_("At zero %(name)s loses the game.")


def _time(words: Words, clock: AgreedClock, when: Callable[[str], str]) -> str:
    if "until" in clock:
        return words.say("the game ends on %(moment)s", moment=when(clock["until"]))
    if "bank_days" in clock:
        return _bank(words, clock)
    days = clock["days_per_move"]
    span = words.say(CLOCKS[days]) if days in CLOCKS else days_words(words, days)
    return words.say("%(span)s for each turn", span=span)


def _bank(words: Words, clock: AgreedClock) -> str:
    bank = days_words(words, clock["bank_days"])
    hours = clock.get("increment_hours")
    if not hours:
        return words.say("%(span)s for all turns of a player", span=bank)
    more = words.plural("%(number)s hour", "%(number)s hours", hours)
    if not (cap := clock.get("cap_days")):
        return words.say(
            "%(span)s for all turns of a player, and %(more)s more with each", span=bank, more=more
        )
    return words.say(
        "%(span)s for all turns of a player, and %(more)s more with each, up to %(most)s",
        span=bank,
        more=more,
        most=days_words(words, cap),
    )


def days_words(words: Words, days: int) -> str:
    """A number of days: `1 day`, `3 days`."""
    return words.plural("%(number)s day", "%(number)s days", days)


def _conditions(words: Words, clock: AgreedClock, is_running: bool) -> Iterator[str]:
    agreed = [option for option in _UNCOUNTED if clock.get(option)]
    to_set = [] if is_running else [option for option in agreed if option in _TO_SET]
    stops = [words.say(_UNCOUNTED[option]) for option in agreed if option not in to_set]
    if to_set:
        what = words.joined(words.say(_TO_SET[option]) for option in to_set)
        # Note: %(what)s is "nights", "vacations", or both; it follows "the clock stops"
        stops.append(words.say("for %(what)s, if you set any", what=what))
    if stops:
        # Note: %(when)s is "at night", "at weekends and on vacation", "for nights, if you set any"
        yield words.say("the clock stops %(when)s", when=words.joined(stops))
    if clock.get("time_out") != "claim":
        if "until" in clock:
            yield words.say("whoever is to move then loses")
    else:
        yield words.say("a win on time has to be claimed")


def terms(
    words: Words,
    game: Mapping[str, Any],
    when: Callable[[str], str] | None = None,
    *,
    but_usual: bool = False,
) -> list[str]:
    """The kind of game in a summary, an offer or a challenge, term by term; with `but_usual`,
    without those of a game for which nothing else was chosen. The last is what it costs to run out
    of time."""
    clock = _clock_terms(words, game, when, but_usual)
    return [*_kind(words, game, but_usual), *clock, *_cost_of_time(words, game.get("clock"))]


def _cost_of_time(words: Words, clock: AgreedClock | None) -> Iterator[str]:
    """What running out of time costs, where `_conditions` do not say it."""
    if clock is not None and "until" not in clock and clock.get("time_out") != "claim":
        yield words.say("whoever runs out of time loses")


def described(
    words: Words,
    game: Mapping[str, Any],
    when: Callable[[str], str] | None = None,
    *,
    but_usual: bool = False,
) -> str:
    """The terms of a game in one line."""
    clock = words.parts(_clock_terms(words, game, when, but_usual))
    return ", ".join([*_kind(words, game, but_usual), *filter(None, [clock])])


def variants(words: Words, game: Mapping[str, Any], *, but_usual: bool) -> list[str]:
    """The edition of a game, and what was chosen of it; with `but_usual`, no usual edition."""
    edition = game["edition"]
    parts = [
        "" if but_usual and edition == "iello" else edition_title(words, edition),
        words.say("with Tactic cards") if game["tactics"] else "",
        words.say("Expert (claims before playing)") if game["expert"] else "",
    ]
    return [part for part in parts if part]


def _kind(words: Words, game: Mapping[str, Any], but_usual: bool) -> list[str]:
    rounds = game["rounds"]
    parts = [
        *variants(words, game, but_usual=but_usual),
        words.say("a match of %(rounds)s rounds", rounds=rounds) if rounds > 1 else "",
        words.say(_RATED[game["rated"]]) if "rated" in game else "",
    ]
    return [part for part in parts if part]


def _clock_terms(
    words: Words, game: Mapping[str, Any], when: Callable[[str], str] | None, but_usual: bool
) -> list[str]:
    if "clock" not in game:
        return []
    clock: AgreedClock | None = game["clock"]
    usual = {*_conditions(words, _USUAL_CLOCK, is_running=False)} if but_usual else set()
    return [term for term in _pace_terms(words, clock, when) if term not in usual]


def end_offered(words: Words, *, to_bot: bool, rounds: int) -> str:
    """What follows an offer to end the game; a bot gets one in unrated games only."""
    if rounds == 1:
        if to_bot:
            return words.say("The bot agrees at once: the game ends and nobody wins.")
        return words.say(
            "If the other player agrees, the game ends, nobody wins, and the game does not count"
            " for ratings."
        )
    if to_bot:
        return words.say("The bot agrees at once: the game ends and nobody wins this round.")
    return words.say(
        "If the other player agrees, the game ends, nobody wins this round, and the game does not"
        " count for ratings."
    )


def first_player(words: Words, first: str, maker: str) -> str:
    """Say who begins: `Ann plays first`. Empty if `first` is `random`.

    `maker` is the name of the player who made the offer.
    """
    match first:
        case "creator":
            return words.say("%(name)s plays first", name=maker)
        case "opponent":
            return words.say("%(name)s plays second", name=maker)
        case "scotland":
            return words.say("whoever was near Scotland last plays first")
    return ""


def join_words(items: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, end = [*items] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


LEVELS: Final = {
    # Note: how hard a bot is to beat, as in "Steward (hard)"; as the next four
    "easiest": N_("easiest"),
    "easy": N_("easy"),
    "medium": N_("medium"),
    "hard": N_("hard"),
    "hardest": N_("hardest"),
}
CHARACTERS: Final = {
    "random": N_("Plays any card anywhere. A child beats it."),
    "shepherd": N_("Dreams one turn in five, and claims what it can."),
    "piper": N_("Loves strong formations, and cares little for yours."),
    "steward": N_("Keeps order: weighs every Stone before it plays."),
    "strategist": N_("Tries each turn three hundred times in its head."),
}
"""How each bot plays, by its name."""


def bot_label(words: Words, name: str, level: str) -> str:
    """The words by which a page offers a bot: `Steward (hard)`."""
    # Note: a bot, and how hard it is to beat: "Steward (hard)"
    return words.say("%(bot)s (%(level)s)", bot=name.title(), level=words.say(LEVELS[level]))
