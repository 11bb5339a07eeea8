"""Finds what a letter that is not read as a whole says in one of its sentences: enough to ask the
writer whether it is meant."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from letters.acceptances import acceptance_among, unsettles
from letters.commands import commands_among, read_commands
from letters.guesses import DOUBTS
from letters.mail.lines import Line
from letters.mail.phrases import OF_WRITER, is_courtesy, is_polite, straight, takes_back
from letters.offers import offer_asked, with_day_beside, with_plain_days
from letters.small_talk import SENTENCE_ENDS
from letters.taught import in_english
from letters.wishes import AskedWord, ChooseLanguage, OfferPause, Wish
from letters.words import keyed, words

Among = AskedWord | ChooseLanguage | OfferPause
"""What one of several sentences may ask for."""

_RESIGNS: Final = re.compile(words("phrases", "resigning"))
_CONCEDES: Final = re.compile(words("phrases", "conceding").replace("\n", "|"))
"""Matches what says no more than that the writer has lost."""
_SENTENCES: Final = re.compile(r"[.!] ?")
_PARTS: Final = re.compile(r"(?<=[.!?])\s+|,\s+| [-–—] ")
_MOST_PARTS: Final = 40
_LONGEST_LINE: Final = 4000
_MAY_ACCEPT: Final = {
    sentence: code for code, sentence in keyed(words("phrases", "may_accept")).items()
}
"""The languages of sentences that accept something, or only suppose it."""
_ACCEPT: Final = AskedWord("accept")
_RESIGN: Final = AskedWord("resign")
_SHOW: Final = AskedWord("show")


def word_among(lines: Sequence[Line], names: Collection[str]) -> Among | None:
    """Return the only such word that is a sentence, or a clause, of these lines."""
    found = {_word(part, names) for part in _parts(lines)[:_MOST_PARTS]} - {None}
    found = (found - {_SHOW}) or found
    if any(isinstance(word, AskedWord) and word.word == "resign" for word in found):
        found = {word for word in found if not _is_rematch(word)}  # which follows
    named = {word for word in found if isinstance(word, AskedWord) and word.name is not None}
    if named and found == named | {_ACCEPT}:  # "I'm in! Accept as Ada"
        found.discard(_ACCEPT)
    if not found:
        return acceptance_among(lines, names)
    word = found.pop() if len(found) == 1 else None
    return with_day_beside(word, lines) if isinstance(word, OfferPause) else word


def _word(text: str, names: Collection[str]) -> Among | None:
    """Return what a part of a letter accepts, declines, offers, begins, ends or chooses; None for
    anything else."""
    if (language := _MAY_ACCEPT.get(text.casefold().strip(" ,.!"))) is not None:
        return replace(_ACCEPT, language=language)
    match read_commands([Line(1, text)], names):
        case AskedWord("accept" | "decline" | "rematch") | ChooseLanguage() | OfferPause() as word:
            return word
        case AskedWord("resign") as word if OF_WRITER.search(text):
            return word
        case AskedWord("show") as word if "?" in text:
            return word
    if _RESIGNS.fullmatch(straight(text.lower()).rstrip(" .!")):
        return _RESIGN
    return offer_asked(text)


def is_unhindered(lines: Sequence[Line], word: AskedWord | Wish) -> bool:
    """Whether nothing beside the word in these lines may make a condition, ask, report, put off
    or refuse."""
    parts = _parts(lines)
    others = [part for part in parts[:_MOST_PARTS] if _word(part, ()) != word]
    return len(parts) <= _MOST_PARTS and not any("?" in each or unsettles(each) for each in others)


def is_doubted(lines: Sequence[Line], names: Collection[str]) -> bool:
    """Whether these lines doubt, ask or take back anything, apart from regrets, a rematch that they
    propose, and the words that resign."""
    parts = (part.strip(" ,") for part in _parts(lines))
    others = [part for part in parts if not _is_about(part, _word(part, names), _RESIGN, names)]
    said = " ".join(others).lower()
    return DOUBTS.search(said) is not None or takes_back(said) or "?" in said


def _parts(lines: Sequence[Line]) -> list[str]:
    texts = (with_plain_days(line.text[:_LONGEST_LINE]) for line in lines)
    return [part for text in texts for part in _PARTS.split(text)]


def _is_rematch(word: Among | None) -> bool:
    return isinstance(word, AskedWord) and word.word == "rematch"


def beside(lines: Sequence[Line], word: Among, names: Collection[str]) -> tuple[Line, ...]:
    """Return the sentences of these lines that say something besides the word, without greetings,
    closings, and a rematch; of the sentence that says the word, the other parts."""
    sentences = (
        line._replace(text=text)
        for line in lines
        for text in SENTENCE_ENDS.split(with_plain_days(line.text))
    )
    kept = (_beside(each, word, names) for each in dict.fromkeys(sentences))
    return tuple(line for line in kept if line is not None)


def _beside(sentence: Line, word: Among, names: Collection[str]) -> Line | None:
    """Return the sentence, without the parts about the word if it says the word; None if it says
    nothing else."""
    parts = [(part, _word(part, names)) for part in _PARTS.split(sentence.text) if part]
    others = [part for part, said in parts if not _is_about(part, said, word, names)]
    if not others:
        return sentence if is_courtesy(sentence.text, names) else None
    says_word = any(_is_same(said, word) for _, said in parts)
    return sentence._replace(text=", ".join(others)) if says_word else sentence


def _is_about(part: str, said: Among | None, word: Among, names: Collection[str]) -> bool:
    """Whether a part of a letter, in which this is said, says the word or nothing of its own."""
    is_conceded = word == _RESIGN and _CONCEDES.fullmatch(part.lower().strip(" .!")) is not None
    return _is_same(said, word) or is_conceded or _is_rematch(said) or is_polite(part, names)


def _is_same(said: Among | None, word: Among) -> bool:
    """Whether this is the word, or the same pause without the day that stands elsewhere."""
    return said == word or (said == OfferPause() and isinstance(word, OfferPause))


def says_resigning(lines: Sequence[Line]) -> bool:
    """Whether a line or a sentence says that the writer resigns, and nothing takes it back."""
    text = " ".join(line.text for line in lines)
    if takes_back(text) or "?" in text or commands_among(lines):
        return False
    if any("resign" in (line.text.lower().rstrip(" .!"), in_english(line.text)) for line in lines):
        return True
    return any(
        _RESIGNS.fullmatch(sentence) for sentence in _SENTENCES.split(straight(text.lower()))
    )
