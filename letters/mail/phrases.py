"""Greetings, closings and courtesies, in full: none is a command. Also words that take a turn back.

The lists are closed, and no phrase has a gap for any word: a pattern that takes any word takes
"stop" as well. A line that is not listed here counts as not understood, and the server asks about
it.

Words that take a turn back, or put it off, need no grammar: if the writer's own text holds one of
them, nothing is played, and the answer asks. A false alarm costs a mail, an unintended turn costs
the game.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from letters.languages import any_of
from letters.words import words


def _listed(text: str) -> frozenset[str]:
    return frozenset(phrase.strip().casefold() for phrase in re.split(r"[|\n]", text) if phrase)


GREETINGS: Final = _listed(words("phrases", "greetings"))

CLOSINGS: Final = _listed(words("phrases", "closings"))
"""A name may follow a closing; on the same line below a command, only a listed name or the
writer's."""

COURTESIES: Final = _listed(words("phrases", "courtesies"))
"""Phrases that may be written next to a command, or alone."""

HERALDS: Final = _listed(words("phrases", "heralds"))
"""Courtesies that announce a turn: after one, they announce another that is missing."""
PRAISE: Final = _listed(words("phrases", "praise"))
"""Courtesies that may be said of the turn that stands next to them."""
_CALLS: Final = _listed(
    "your turn|your move|your go|over to you|you're up|you're next|happy birthday"
)
_CALLED: Final = GREETINGS | _CALLS
"""Phrases that speak to the person whose name follows."""
_SIGNED_WITH: Final = re.compile(
    r"regard|wish|yours|sincer|love|gr[uü](?:ß|ss)|herzlich|hilsen|hälsning|saludo|abra[zç]|beso|salut"
    r"|cordial|groet|bises|bisous|amiti|atentam|kram|knus|klem|warm|respect|pozdr|üdv|liefs|fondly"
    r"|^(?:lg|vg|mfg|mvg|gr|br|kr|bg|rgds|brgds|att|atte|cdlt|kh|vh|mvh)$"
)
"""Matches closings behind which people put their own names only."""
_JOINS: Final = frozenset(["und", "and", "et", "y", "e", "och", "og"])
"""Courtesies only together with others: alone they announce words that are missing."""

_ADDRESSED: Final = _listed(words("phrases", "addressed"))
"""Forms of address for the other player, or this server, after a greeting or thanks."""

RELATIVES: Final = _listed(words("phrases", "relatives"))
_AROUND_NAMES: Final = ("様", "さん", "님", "씨", "先生", "小姐", "さま", "-san")
"""Titles that some languages put after a name."""
OTHER: Final = "@"
"""Prefix of another player's name. Players choose any name, so it is certainly a name only after a
greeting: "Redo" alone may be a command."""
EVERYBODY: Final = ("all", "there", "everyone", "everybody", "team", "friend")
_LONGEST: Final = 7
"""Most words of a phrase."""
_BETWEEN: Final = re.compile(r"(?:[\s,、،~]|(?<!\S)-+(?!\S))+")
_PARTS: Final = re.compile(r"[;.!:。؛·…()/]+")
SMILEYS: Final = re.compile(
    r"[:;=]['-]?[)DPp3*]+(?!\w)|\^\^|<3(?!\w)"
    "|[😀-😅😇-😎😏🙂🤗😘😺👍👌👋👏🙌🙏💪🤝🤞✌✊🎉🎊🍀🌞🌻🌹🎲🃏❤💚💙💛🧡💜☺☀☕✅✔🥳🥰🤓😋😻🙈🙉🙊🤭🥱🤩😚😙🤠🫶🙋💕-💞"
    "🖤🤍♥💐🌷🌸🌺🌼🌱🌿🌲🌳🍁🍂🌈🌧🌦⛅☁❄⛄☃☔🌊🏖🌟⭐✨🔥💥🎄🎅🎁🎂🍰🧁🍪🍫🍵🫖🍷🍺🍻🥂🏆🥇🎯🎵🎶🐶🐱🐕🐈🐰🐝🦋🐣🐧🦊🐻"
    "🚂🚆🚌🚗🚲✈⛵🏠🏡📬💌][🏻-🏿]?"
)
"""Friendly ones only: a thumb may point down, and a sign may say no."""
SENTENCE_END: Final = rf"(?:[.!?…。！？]|{SMILEYS.pattern})"
"""Matches the end of a sentence: a mark or a smiley."""


def is_polite(line: str, names: Collection[str]) -> bool:
    """Whether the line holds nothing but such phrases and these names (in lower case)."""
    phrases = [*_phrases(line, names)]
    return None not in phrases and (not phrases or not _JOINS.issuperset(phrases))


def is_courtesy(line: str, names: Collection[str]) -> bool:
    """Whether the line holds nothing but such phrases and these names, and at least one that
    nobody signs with: "Good luck, Ada!"."""
    phrases = [*_phrases(line, names)]
    if None in phrases:
        return False
    bare = COURTESIES - CLOSINGS
    return any(each in bare or (each or "").rpartition(" ")[0] in bare for each in phrases)


def calls(text: str) -> bool:
    """Whether the text greets somebody, or says that it is their turn."""
    return text.casefold().strip(" ,.!") in _CALLED


def without_address(line: str, names: Collection[str]) -> str:
    """Return the line without courtesies at its beginning and the writer's name at its end: what
    remains of "Hi Ben, accept. Ada" is "accept". The other player's name may end an answer to them,
    as in "Yes, Ben", but no command: "accept, Ben" is what Ben is told."""
    for mark in [*_ENDS.finditer(line[:_LONGEST_ADDRESS])][::-1]:
        phrases = [*_phrases(line[: mark.start()], names)]
        if not any(each is None or each in names or each in EVERYBODY for each in phrases):
            line = line[mark.end() :]
            break
    for count in (3, 2, 1):
        before, *last = line.rstrip(" .!").rsplit(" ", count)
        name = " ".join(last).casefold()
        is_theirs = is_named(name, names) and _ANSWERS.match(before) is not None
        if len(last) == count and (is_writers_name(name, names) or is_theirs):
            return before.rstrip(" ,.!-")
    return line


_YES_OR_NO: Final = any_of(words("phrases", "yes_or_no"))
_WRITER: Final = any_of(words("phrases", "of_writer"))
OF_WRITER: Final = re.compile(rf"(?<!\w)(?:{_WRITER})(?!\w)", re.IGNORECASE)
"""Matches a word with which the writer speaks of themselves."""
_ANSWERS: Final = re.compile(rf"(?:{_YES_OR_NO}|{_WRITER})(?!\w)", re.IGNORECASE)
_LONGEST_ADDRESS: Final = 80
_ENDS: Final = re.compile(r" ?[,.!]+ (?=\S)")


def is_signed_with(text: str) -> bool:
    """Whether the text is a closing behind which people put their own names only."""
    closing = text.casefold().strip(" ,.!")
    return closing in CLOSINGS and _SIGNED_WITH.search(closing) is not None


def announces(line: str, names: Collection[str]) -> bool:
    """Whether a polite line announces a turn: "Here's mine:"."""
    return not HERALDS.isdisjoint(phrase or "" for phrase in _phrases(line, names))


def is_leave(line: str, names: Collection[str]) -> bool:
    """Whether a polite line takes leave or is the writer's name, so that a signature may follow:
    "Thanks Ben", not "Sorry"."""
    ends = CLOSINGS.union(names)
    phrases = [phrase or "" for phrase in _phrases(line, names)]
    return any(phrase in ends or phrase.rpartition(" ")[0] in CLOSINGS for phrase in phrases)


_APOLOGY: Final = re.compile(
    r"(?:(?:i'm |i am )?(?:so |very |really )?sorry|apologies)"
    r" (?:(?:that )?(?:this|it) (?:took|has taken) (?:me )?(?:so long|a while|(?:a|two|three|a few) days?"
    r"|longer)|for (?:being|answering|replying) (?:so )?late|for (?:the|my) (?:delay|silence|wait|(?:late|slow) (?:reply|answer)))"
    r"(?:(?:, | - |: )(?:we had (?:visitors|guests|family over|friends over)"
    r"|(?:i was|i've been) (?:away|ill|sick|busy|travelling|traveling|on holiday)"
    r"|(?:the|my) (?:cat|dog|kids|children|baby|family) (?:was|were) (?:ill|sick|poorly|at home)"
    r"|(?:it was )?(?:a )?(?:long|busy|crazy|hectic) (?:day|week|month)|(?:work|life) got in the way))?",
    re.IGNORECASE,
)
"""Matches an apology for a late answer, with the common reasons."""


def without_apology(line: str) -> str:
    """Return the line without an apology for a late answer at its beginning."""
    match = _APOLOGY.match(straight(line))
    if match is None or line[match.end() : match.end() + 1] not in ("", ".", "!"):
        return line
    return line[match.end() :].lstrip(".! ")


def begins_phrase(word: str) -> bool:
    """Whether a polite phrase may begin with this word. Phrases that begin with a player's name
    are left out."""
    return word in _FIRST_WORDS


def phrase_at(words: list[str], place: int, names: Collection[str]) -> int:
    """Return the number of words from index `place` on that form one phrase or name; 0 if none
    do."""
    if not names and place < len(words) and not begins_phrase(words[place]):
        return 0
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        phrase = " ".join(words[place : place + length])
        if phrase in names or phrase in EVERYBODY:
            return length
        if phrase in _PHRASES:
            is_called = phrase in _CALLED
            if is_called and _own_name_at(words, place + length, names):
                return 0  # somebody else speaks to the writer
            is_addressed = phrase in _TO_SOMEBODY
            return length + (_other_at(words, place + length, names) if is_addressed else 0)
        if length == 2 and _introduces(words[place : place + 2], names):
            return length
        if length == 1 and any(
            phrase.endswith(after) and is_named(phrase.removesuffix(after), names)
            for after in _AROUND_NAMES
        ):
            return 1
    greeted = place + _other_at(words, place, names)  # "Ben 你好"
    is_greeted = place < greeted < len(words) and words[greeted] in GREETINGS
    return greeted + 1 - place if is_greeted else 0


def _introduces(words: list[str], names: Collection[str]) -> bool:
    """Whether the writer introduces themselves: "Ada here", "Oma hier". "Carol here" may mean
    another person."""
    name, here = words
    return here in ("here", "hier") and (name in names or name in RELATIVES)


def _own_name_at(words: list[str], place: int, names: Collection[str]) -> bool:
    called = (" ".join(words[place : place + length]) for length in (1, 2, 3))
    return any(is_writers_name(name, names) for name in called)


def _other_at(words: list[str], place: int, names: Collection[str]) -> int:
    """Return the number of words from index `place` on that name or address another player; 0 if
    none do."""
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        called = " ".join(words[place : place + length])
        if OTHER + called in names or called in _ADDRESSED:
            return length
    return 0


def is_writers_name(name: str, names: Collection[str]) -> bool:
    """Whether this is a name of the writer, and nobody else's whom they may greet."""
    return name in names and OTHER + name not in names


def is_named(word: str, names: Collection[str]) -> bool:
    """Whether this is a name of the writer or of another player."""
    return word in names or OTHER + word in names


def _phrases(line: str, names: Collection[str]) -> Iterator[str | None]:
    """Yield the phrases of the line; yield None and stop at the first words that are not a
    phrase."""
    for part in _PARTS.split(SMILEYS.sub(" ", line).casefold()):
        words = [word for word in _BETWEEN.split(part) if word]
        place = 0
        while place < len(words):
            length = phrase_at(words, place, names)
            yield " ".join(words[place : place + length]) if length else None
            if not length:
                return
            place += length


_PHRASES: Final = GREETINGS | CLOSINGS | COURTESIES
_TO_SOMEBODY: Final = (
    GREETINGS
    | {closing for closing in CLOSINGS - {"best", "all best"} if not _SIGNED_WITH.search(closing)}
    | {"good luck", "over to you", "your turn", "your move", "your go", "nice move", "good move"}
    | {"sorry"}
)
_FIRST_WORDS: Final = frozenset(phrase.split(" ")[0] for phrase in (*_PHRASES, *EVERYBODY))


_WORDS: Final = words("taking_back", "words")
_STEMS: Final = words("taking_back", "stems")
"""Beginnings of words."""
_TAKING_BACK: Final = words("taking_back", "parts")


def _pattern() -> re.Pattern[str]:
    words = {word.strip() for line in _WORDS.split("\n") for word in line.split("|")} - {""}
    parts = {part for line in _TAKING_BACK.split("\n") for part in line.split("|") if part.strip()}
    stems = {stem for line in _STEMS.split("\n") for stem in line.split("|") if stem}
    first = "".join({re.escape(word[0]) for word in words | stems})
    inside = "|".join(part.replace(" ", r"\s") for part in sorted(parts, key=len, reverse=True))
    # "No. 1" is a number, "no virus" what scanners say, "Greenwich Mean Time" a clock's, and
    # "7. Mai 2024" a date.
    # No part begins with a letter of ASCII, of which most texts are.
    return re.compile(
        rf"(?<!\w)(?=[{first}])(?!no(?:\. ?\d| virus)|mean time|(?:(?<=\d )|(?<=\d\. )|(?<=\d de ))mai\.?(?: de)? 20\d\d)(?:{_any_of(words)}(?!\w)|{_any_of(stems)})"
        rf"|n['’´]t(?!\w)|(?![\x00-\x7f])(?:{inside})",
        re.IGNORECASE,
    )


def _any_of(words: Collection[str]) -> str:
    """Return a pattern of these words, grouped by their first letter: a plain list of so many would
    be tried from its beginning to its end at each word of a text."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    forms = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?:{'|'.join(forms)})"


_TAKES_BACK: Final = _pattern()
_SURELY: Final = _any_of(words("taking_back", "surely").replace("\n", "|").split("|"))
_STRONG: Final = re.compile(
    r"(?<!\w)(?:(?:do not|don'?t|never) (?:play|do|claim)|ignore (?:this|that|it|my|the)|please ignore|changed my"
    r" mind|take (?:this|that|it)(?: all)? back|cancel (?:this|that|it|my)|scratch that|undo"
    r"|i meant|typo|(?:not|n't)(?: yet)? decided|(?:only|just) (?:joking|kidding)|not th(?:is|at) one|never ?mind"
    rf"|{_SURELY})(?!\w)",
    re.IGNORECASE,
)


def takes_back(line: str) -> bool:
    """Whether the line holds a word that takes something back, or puts it off."""
    return _TAKES_BACK.search(straight(line)) is not None


def surely_takes_back(text: str) -> bool:
    """Whether the text certainly takes something back. This is for a message to the other player, a
    subject, or the head of another mail, which may hold "no" in many languages."""
    return _STRONG.search(straight(text)) is not None


def straight(text: str) -> str:
    """Return the text with straight apostrophes, as in the lists of words."""
    return text.replace("’", "'")
