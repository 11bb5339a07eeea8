"""Commands of a single word, or a phrase that means one; each is alone in its mail."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

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
    `about` is the offer that the command is about, None if the writer does not say it."""

    word: Word
    name: str | None = None
    about: Offered | None = None


BOUNDARY: Final = re.compile(r"(?=[\s,;.!)。、]|$)")
"""Matches the position behind a command: before the end of the line, a space or a mark."""
_OFFERED: Final[Mapping[Offered, str]] = {
    "pause": "pause(?: the clock)?|pausing(?: the clock)?",
    "abandonment": "abandon(?:ing|ment)?(?: it| (?:the|this|our) game)?",
}
_ABOUT: Final = "|".join(f"(?P<{about}>{form})" for about, form in _OFFERED.items())
_FORMS: Final[Mapping[Word, str]] = {
    "show": "show",
    "help": "help|commands",
    "resign": "(?:i )?resign",
    "claim the win": "(?:i )?claim (?:(?:the|a|my) )?(?:win|victory|game|round)(?: on time)?"
    "|claim (?:on )?time|win on time",
    "agree": f"(?:i )?(?:agree (?:to|with)|accept)(?: (?:the|a))? (?:{_ABOUT})|(?:i )?agree",
    "accept": "accept",
    "decline": f"(?:decline|refuse)(?: (?:the|a|to))? (?:{_ABOUT})|decline",
    "yes": "yes(?:,? (?:please|it is|that is me|that's me|i do))?|(?:i )?confirm",
    "no": "no",
    "games": "(?:list )?(?:my )?games",
    "rematch": "(?:a )?rematch",
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
