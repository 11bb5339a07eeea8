"""Reads what one line asks for besides a turn: a single word, or a phrase that means one, which is
alone in its mail; or a game, a pause, days off, a time zone, a language, or mails.

Like the rest of the grammar it is closed: a whole line is such a command, or it is none. Only the
name of the opponent may hold any words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal
from zoneinfo import available_timezones

from engine.clock_events import MOST_DAYS_PER_MOVE
from letters.days import AnyDay, day_of
from letters.languages import any_of
from letters.words import words

Offered = Literal["pause", "abandonment"]
"""What players offer each other in a game."""
Word = Literal[
    "show",
    "help",
    "resign",
    "claim the win",
    "agree",
    "accept",
    "decline",
    "yes",
    "no",
    "games",
    "rematch",
    "offer an end",
    "back",
    "resume",
    "rules",
    "mails",
    "undo",
    "call it off",
]


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A single-word command, in whichever form it was written. `name` is that in `accept as NAME`.
    `about` is the offer that the command is about, None if the writer does not say it. `language`
    is that in which the word is written, None if it is a word of several."""

    word: Word
    name: str | None = None
    about: Offered | None = None
    language: str | None = field(default=None, compare=False)

    @property
    def accepts(self) -> bool:
        """Whether this takes what a mail invites to, rather than an offer in a game."""
        return self.about is None and self.word in ("accept", "yes", "agree")

    @property
    def declines(self) -> bool:
        """Whether this refuses what a mail invites to, rather than an offer in a game."""
        return self.about is None and self.word in ("decline", "no")


BOUNDARY: Final = re.compile(r"(?=[\s,;.!)。、]|$)")
"""Matches the position behind a command: before the end of the line, a space or a mark."""
_OFFERED: Final[Mapping[Offered, str]] = {
    "pause": "pause(?: the clock)?|pausing(?: the clock)?",
    "abandonment": "(?:abandon(?:ing|ment)?|end(?:ing)?)(?: it| (?:the|this|our) game)?",
}
_ABOUT: Final = "|".join(f"(?P<{about}>{form})" for about, form in _OFFERED.items())
GLADLY: Final = "(?:(?:(?:oh )?yes|ok|okay|sure|gladly|of course),? )?"
"""Matches what people may say before they accept something."""
_PROPOSED: Final = re.compile(
    r"(?:(?:how about |fancy |shall we (?:play|have) |do you (?:want|fancy) |want )"
    r"(?:(?:a )?rematch|(?:one more|another|a new)(?: (?:game|round|one))?)"
    r"|(?:(?:can|could|may|might|shall) (?:we|i)(?: please)? (?:have|play|get|do) )?"
    r"(?:(?:a |my )?rematch|one more (?:game|round)|another (?:game|round|one))"
    r"|(?:(?:can|could|may|shall) we )?play again|(?:can|could|shall) we go again)"
    r"(?:,? please)? ?\?[?!]*"
)
_CALLS_FOR_HELP: Final = words("phrases", "calls_for_help").replace("\n", "|")
_ASKS_FOR_TIME: Final = words("phrases", "asks_for_time").replace("\n", "|")
THAT_IS_ME: Final = re.compile(words("phrases", "that_is_me").replace("\n", "|"))
"""Matches what says, to the question whose address it is, that it is the writer's."""
_QUESTIONS: Final[Mapping[Word, re.Pattern[str]]] = {
    "help": re.compile(rf"(?:{_CALLS_FOR_HELP})(?: here| now)? ?\?+"),
    "show": re.compile(rf"(?:{_ASKS_FOR_TIME}) ?\?+"),
    "rematch": _PROPOSED,
}
_AGREEING: Final = (
    "(?:please )?confirm|please|it is"
    "|(?:that|this|it)(?: is|'?s) (?:me|mine|my (?:e-?mail )?add?ress)"
    "|i do|i am|i'm sure|i am sure|i confirm|i mean it"
    "|i would(?: love to)?|i'd love to|really|absolutely|definitely|correct|precisely|quite right"
    "|(?:that(?:'?s| is) )?(?:right|correct|it|fine(?: with me)?|ok|okay|perfect|great|the one"
    "|what i meant?)|i did|i meant that(?: one)?"
    "|sorry (?:about that|(?:about|for) the (?:typos?|confusion|muddle|mix-?up|spelling))"
    "|(?:exactly )?that one|exactly(?: (?:so|that))?|just that|of course|gladly|sure"
    "|(?:please )?(?:do(?: (?:it|that|so))?|play (?:it|that)|go ahead|go for it)"
)
"""Matches what people add to a yes."""
_AGREEING_ALONE: Final = (
    "(?:exactly )?that one,? please|that(?:'?s| is) (?:right|correct|the one|what i meant?)"
    "|(?:please )?go ahead|please do(?: (?:it|that|so))?|exactly (?:so|that one)"
    "|(?:sure|of course|certainly),? (?:that|this|it)(?: is|'?s) (?:me|my (?:e-?mail )?add?ress)"
)
"""Matches words that mean yes without it. They answer a question; without one they do nothing."""
_FORMS: Final[Mapping[Word, str]] = {
    "show": "show(?: me)?(?: the (?:board|game|position|table))?",
    "help": "help|commands",
    "resign": "(?:yes,? )?(?:(?:(?:i'm|i am) afraid (?:that )?)?i (?:(?:want|have) to )?"
    "(?:resign|give up)|resign)",
    "claim the win": "(?:i )?claim (?:(?:the|a|my) )?(?:win|victory|game|round)(?: on time)?"
    "|claim (?:on )?time|win on time",
    "agree": f"(?:i )?(?:agree (?:to|with)|accept)(?: (?:the|a))? (?:{_ABOUT})"
    f"|{GLADLY}(?:i )?agreed?",
    "accept": f"{GLADLY}(?:i(?: will|'ll|(?: would|'d) (?:like|love) to)? )?"
    "(?:(?:gladly|happily) )?accept"
    "(?: (?:the|your|this|his|her) (?:invitation|invite|challenge|rematch))?"
    f"|{GLADLY}(?:(?:i'm|i am|count me) in)",
    "decline": f"(?:decline|refuse)(?: (?:the|a|to))? (?:{_ABOUT})"
    "|(?:i(?: will|'ll| must|(?: would|'d) like to)? )?(?:(?:politely|sadly) )?decline"
    "(?: (?:the|your|this|his|her) (?:invitation|invite|challenge|rematch))?",
    "rematch": f"{GLADLY}(?:(?:i(?:'d| would) (?:like|love)|i want|how about) )?(?:a )?rematch"
    "|let's (?:have|play) (?:another (?:one|round)|one more(?: round)?)",
    "yes": rf"(?:(?:oh|(?:oops|whoops)[,.!]?) )?(?:yes|yep|yup)(?:[,.!]? (?:{_AGREEING})){{0,3}}"
    f"|(?:i )?confirm|{_AGREEING_ALONE}",
    "no": "no",
    "games": "(?:list )?(?:my )?games",
    "offer an end": "(?:i )?offer (?:an end|to end (?:it|the game)|to abandon(?: it| the game)?)",
    "back": "back|(?:i'm|i am) back|end (?:my |the )?vacation",
    "resume": "resume(?: the (?:clock|game))?|(?:i )?end (?:the |our |this )?pause",
    "rules": "rules",
    "mails": "(?:my )?mails",
    "undo": "undo(?: (?:it|my turn|the turn|that))?",
    "call it off": "call (?:it|the game) off",
}
_WORDS: Final = {word: re.compile(form) for word, form in _FORMS.items()}
ANY_WORD: Final = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", form) for form in _FORMS.values()))
WORDS: Final = tuple(_FORMS)
"""All these commands; each is alone in its mail."""


def word_of_question(text: str) -> AskedWord | None:
    """Return what a question, in lower case, is answered with: what can be written, the game with
    the time left, or a rematch, the one thing that a question asks for by naming it."""
    asked = (word for word, form in _QUESTIONS.items() if form.fullmatch(text))
    return next(map(AskedWord, asked), None)


def asked_word_at(text: str, place: int) -> tuple[AskedWord, int] | None:
    """Return the single-word command at this index of a line in lower case, and its end; None if
    there is none."""
    if ANY_WORD.match(text, place) is None:
        return None
    for word, form in _WORDS.items():
        if (match := form.match(text, place)) is not None and BOUNDARY.match(text, match.end()):
            named = match.groupdict()
            about = next((each for each in _OFFERED if named.get(each)), None)
            return AskedWord(word, about=about), match.end()
    return None


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Begin a new game with `whom`, a name or an e-mail address; None: with whoever gets the link.

    `options` are fields of a `NewGame`; `days` are those for each turn, 0 for no clock, None for
    the usual clock.
    """

    whom: str | None = None
    days: int | None = None
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class OfferPause:
    """Offer to pause the clock until the end of this day; None: until one of the two ends the
    pause."""

    until: AnyDay | None = None


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """Take days off, the first and the last included; if `first` is None, from today."""

    first: AnyDay | None
    last: AnyDay


@dataclass(frozen=True, slots=True)
class ChooseZone:
    """Choose the player's time zone, by its name."""

    zone: str


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """Choose the language in which the player reads, by its code."""

    language: str


@dataclass(frozen=True, slots=True)
class ChooseMails:
    """Turn a group of mails (`GROUPS`) on or off."""

    group: str
    wanted: bool


Planned = BeginGame | OfferPause | TakeVacation | ChooseZone | ChooseMails
"""The wishes that `Plans` carries out."""
Wish = Planned | ChooseLanguage

ADDRESS: Final = re.compile(
    r"[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}"
)
"""Matches the e-mail addresses that a line may name; the web page takes others too."""
_COUNTS: Final = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7}
_PACE: Final = re.compile(
    rf"(?P<count>\d{{1,2}}|{'|'.join(_COUNTS)}) (?P<unit>day|week)s?"
    r"(?: (?:a|per|each|for (?:each|a|every)) (?:turn|move))?"
)
_ROUNDS: Final = re.compile(r"(?:a match of )?(?P<count>[1-9]) rounds?")
_OPTIONS: Final[Mapping[str, tuple[str, object]]] = {
    "(?:with )?tactics|(?:with )?tactic cards?": ("tactics", True),
    "without tactics|without tactic cards?|no tactic cards?": ("tactics", False),
    r"expert(?: \(claims before playing\))?": ("expert", True),
    "modern(?: rules)?|iello": ("edition", "iello"),
    "(?:rules of )?board game arena|bga": ("edition", "bga"),
    "(?:rules of the )?reference[ -]card": ("edition", "reference-card"),
    "first edition|scottentots": ("edition", "scottentots"),
    "claim at any time|community": ("edition", "community"),
    "private": ("private", True),
    "(?:in the )?lobby": ("listed", True),
    "rated": ("rated", True),
    "unrated|not rated": ("rated", False),
    "i (?:play|go) first|i begin": ("first_player", "creator"),
    "i (?:play|go) second|you begin": ("first_player", "opponent"),
}
_CHOICES: Final = tuple((re.compile(form), chosen) for form, chosen in _OPTIONS.items())
_BOT: Final = re.compile("(?:the )?(?:bot|steward)")
_GAME: Final = re.compile(
    r"(?:a )?new game(?: (?:with|against) (?P<whom>[^,]{1,254}))?(?P<rest>,.*)?"
)
_PAUSE: Final = re.compile(
    r"(?:i )?offer (?:a |to )?pause(?: the clock)?(?: (?:until|up to) (?P<until>.{4,24}))?"
)
_VACATION: Final = re.compile(
    r"(?:on )?vacation(?: from (?P<first>.{4,24}))? (?:to|until|till|through) (?P<last>.{4,24})"
)
_ZONE: Final = re.compile(r"(?:my )?time ?zone(?: is|:)? (?P<zone>[a-z0-9_+/-]{2,40})")
_LANGUAGE: Final = re.compile(r"(?:my )?language(?: is|:)? (?P<language>[^\W\d_]{2,12})")
_OF_CODE: Final = 2
"""Letters of a language's code."""
_LANGUAGES: Final = {
    name: names[0]
    for names in map(str.split, words("languages", "languages").split("\n"))
    for name in names
}
"""The codes of languages by their names, and by themselves."""
LANGUAGE_NAMES: Final = any_of("|".join(name for name in _LANGUAGES if len(name) > _OF_CODE))
_ASKED_IN: Final = words("languages", "in_language").replace("\n", "|")
_IN_LANGUAGE: Final = re.compile(
    rf"(?:{_ASKED_IN}) ?(?P<language>{LANGUAGE_NAMES})"
    r"(?:,? please)?[ .!?]*"
)
"""Matches a wish to be written to in a language, as a sentence."""
GROUP_CALLED: Final = {
    "turn": "turns",
    "reminder": "reminders",
    "invitation": "invitations",
    "over": "ends",
    "message": "messages",
    "vacation": "vacations",
    "confirmation": "confirmations",
}
"""The name of each group of mails (`GROUPS`) in a line."""
_MAILS: Final = re.compile(
    "mails? (?:about )?(?:"
    + "|".join(f"(?P<{group}>(?:my )?{called}?)" for group, called in GROUP_CALLED.items())
    + "):? (?P<state>on|off)"
)

BEGINNING_OF_WISH: Final = re.compile(
    "(?:a )?new game|(?:i )?offer |(?:on )?vacation |(?:my )?time ?zone|(?:my )?language|mails? "
)


def language_asked(text: str) -> ChooseLanguage | None:
    """Return the wish of a line in lower case that asks, with or without a question mark, to be
    written to in a language; None if it does not."""
    match = _IN_LANGUAGE.fullmatch(text)
    return ChooseLanguage(_LANGUAGES[match["language"]]) if match else None


def wish_of(line: str) -> Wish | None:
    """Return the wish in a line in plain form and lower case; None if the line is none."""
    text = line.rstrip(" .!")
    for polite in (", please", " please", ", thanks", " thanks"):
        text = text.removesuffix(polite)
    if (match := _GAME.fullmatch(text)) is not None:
        return _begin_game(match)
    if (match := _PAUSE.fullmatch(text)) is not None:
        until = day_of(match["until"])
        return OfferPause(until) if until or not match["until"] else None
    if (match := _VACATION.fullmatch(text)) is not None:
        first, last = day_of(match["first"]), day_of(match["last"])
        is_read = last is not None and (first is not None or not match["first"])
        return TakeVacation(first, last) if last is not None and is_read else None
    if (match := _ZONE.fullmatch(text)) is not None:
        name = _zones().get(match["zone"])
        return ChooseZone(name) if name else None
    if (match := _LANGUAGE.fullmatch(text)) is not None:
        code = _LANGUAGES.get(match["language"])
        return ChooseLanguage(code) if code else None
    if (match := _MAILS.fullmatch(text)) is not None:
        group = next(group for group in GROUP_CALLED if match[group])
        return ChooseMails(group, match["state"] == "on")
    return None


def _begin_game(match: re.Match[str]) -> BeginGame | None:
    whom, days = " ".join((match["whom"] or "").split()), None
    options: dict[str, object] = {}
    for part in filter(None, (each.strip() for each in (match["rest"] or "").split(","))):
        part = part.removeprefix("and ")
        if (pace := _PACE.fullmatch(part)) is not None:
            days = _COUNTS.get(pace["count"]) or int(pace["count"])
            days *= 7 if pace["unit"] == "week" else 1
            if not 1 <= days <= MOST_DAYS_PER_MOVE:
                return None
        elif part in ("no time limit", "no clock"):
            days = 0
        elif (rounds := _ROUNDS.fullmatch(part)) is not None:
            options["rounds"] = int(rounds["count"])
        else:
            chosen = next((chosen for form, chosen in _CHOICES if form.fullmatch(part)), None)
            if chosen is None:
                return None
            options[chosen[0]] = chosen[1]
    if _BOT.fullmatch(whom):
        whom, options["bot"] = "", "steward"
    return BeginGame(whom or None, days, tuple(sorted(options.items())))


@lru_cache(1)
def _zones() -> Mapping[str, str]:
    """Return the names of the time zones by their lower-case forms."""
    return {name.lower(): name for name in available_timezones()}
