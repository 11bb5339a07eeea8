"""Recognises that a mail accepts an invitation in its writer's own words: "Yes, I'd love to play!".

A sentence that accepts is made of a language's words of agreement and nothing else, so one with a
condition, a doubt or another day in it is none. Beside such a sentence only small talk may stand;
beside a bare yes, which may answer anything, only courtesies. Beside "accept as NAME" on a line of
its own, which nobody writes by chance, any statement may stand that asks, denies, doubts, reports
or puts off nothing.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from letters.commands import Unread, read_commands
from letters.guesses import DOUBTS
from letters.introductions import Introduced, introduced, own_names, said_as, signed_off
from letters.languages import any_of
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from letters.mail.phrases import (
    OTHER,
    PRAISE,
    SENTENCE_END,
    SMILEYS,
    is_polite,
    is_writers_name,
    straight,
    takes_back,
)
from letters.small_talk import (
    MARKS,
    SENTENCE_ENDS,
    STRETCHED,
    TOO_MUCH,
    is_small_talk,
    share_of_words,
)
from letters.wishes import AskedWord
from letters.words import keyed, words

_CLAUSES: Final = re.compile(r",\s*| [-–—] ")
_WORD: Final = re.compile(r"\w+")
_MOST_LINES: Final = 20
_LONGEST: Final = 160
_AROUND: Final = " ,.!…"
_ACCEPT: Final = AskedWord("accept")
_AGREEING: Final = {"yes", "gladly", "deed"}
_PLAIN: Final = {"gladly", "deed", "what"}
"""The kinds of words that say what is agreed to, or how gladly."""


class _Said(NamedTuple):
    """Languages in which a sentence agrees, whether it says what to, or how gladly, and the `name`
    under which."""

    languages: frozenset[str]
    is_plain: bool
    name: str | None = None


_KINDS: Final = {
    "aside": keyed(words("acceptances", "aside")),
    "yes": keyed(words("acceptances", "yes")),
    "gladly": keyed(words("acceptances", "gladly")),
    "deed": keyed(words("acceptances", "deed")),
    "what": keyed(words("acceptances", "what")),
}
"""Patterns of words that agree, by their kinds and languages. An `aside` needs another word beside
it, and `what` a yes."""
_REMARKS: Final = "|".join(keyed(words("acceptances", "remarking")).values())
_REMARK: Final = re.compile(rf"(?<!\w)(?:{_REMARKS})(?!\w)")
"""Matches what people say of an invitation that pleases them: "I haven't played in ages"."""
_STATING: Final = re.compile("|".join(keyed(words("acceptances", "stating")).values()))
"""Matches what people tell of themselves and the weather, as a clause of a sentence of its own."""
_PERHAPS: Final = re.compile("|".join(keyed(words("acceptances", "perhaps")).values()))
"""Matches what people say who agree, or only take note."""
_REGRET: Final = re.compile(
    "|".join(map(any_of, keyed(words("acceptances", "regretting")).values()))
)
_UNSETTLING: Final = keyed(words("acceptances", "unsettling"))
_MAY_UNSETTLE: Final = re.compile(rf"(?<!\w)(?:{'|'.join(_UNSETTLING.values())})(?!\w)")
"""Matches words with which a statement may make a condition, report, put off or refuse."""
_KNOWN: Final = 0.4
"""The part of a statement's words that must be everyday words of one language, so that its
conditions would be noticed."""
_ENDS_LINE: Final = re.compile(rf"(?:{SENTENCE_END}|[,)])$")


@lru_cache(1)
def _languages() -> Mapping[str, re.Pattern[str]]:
    return {language: _agreeing_in(language) for language in _KINDS["yes"]}


def _agreeing_in(language: str) -> re.Pattern[str]:
    any_word = "|".join(f"(?P<{kind}>{forms[language]})" for kind, forms in _KINDS.items())
    return re.compile(f"(?:(?:{any_word})(?: |$))+")


def acceptance(lines: Sequence[Line], names: Collection[str]) -> AskedWord | None:
    """Return the word that these lines say, if they accept and hold nothing but small talk beside;
    None for anything else. `names` are those of the writer and of the other player, in lower
    case. An introduction of the writer is passed over, unless it names two."""
    said_by_all = _said_by_all(lines, names)
    texts = [each.text for each in said_by_all]
    if len(texts) > _MOST_LINES or any(map(_refuses, texts)):
        return None
    sentences = _sentences(texts)
    said = {each: _said(each, names) for each in sentences}
    named = {each: word for each in {*texts} if (word := _named(each, names)) is not None}
    said |= {
        each: _Said(frozenset({word.language or ""}), True, word.name)
        for each, word in named.items()
    }
    agreeing = [each for each in said.values() if each is not None]
    chosen = {each.name for each in agreeing} - {None}
    if not agreeing or len(chosen or own_names(said_by_all)) > 1:
        return None
    if _is_told(sentences, said, names):
        return None
    is_plain = any(each.is_plain for each in agreeing)
    if not is_plain and any(_praises(each) for each in sentences):
        return None  # "Nice move, yes"
    is_apart = bool(named) and _stands_apart(lines, [each in named for each in texts])
    for each in (each for each in sentences if said[each] is None):
        is_talk = is_plain and (is_small_talk(each, names) or _tells(each, names))
        is_other = is_talk or (is_apart and _only_states(each))
        if not (is_other or is_polite(each, names) or _kinds_of(each, names)):
            return None
    if named:
        return next(iter(named.values()))
    languages = frozenset.intersection(*(each.languages for each in agreeing))
    return _accepting(next(iter(chosen), None), languages)


def acceptance_among(lines: Sequence[Line], names: Collection[str]) -> AskedWord | None:
    """Return the word that one of the sentences of these lines says, if it agrees, whatever the
    others say: enough to ask whether the invitation is accepted. Nobody is asked who denies or
    puts off."""
    texts = [each.text for each in _said_by_all(lines[:_MOST_LINES], names)]
    sentences = _sentences(texts)
    if any(map(_refuses, texts)):
        return None
    first = (_CLAUSES.split(each)[0] for each in sentences if "?" not in each)
    said = next(filter(None, (_said(each, names) for each in (*sentences, *first))), None)
    if said is not None:
        return _accepting(said.name, said.languages)
    parts = (each.strip(_AROUND).lower() for text in sentences for each in _CLAUSES.split(text))
    is_perhaps = any(map(_PERHAPS.fullmatch, parts))
    return AskedWord("accept") if is_perhaps and not any("?" in each for each in texts) else None


def only_agrees(text: str) -> bool:
    """Whether a text holds nothing but words of agreement or cheer, and the introduction of its
    writer."""
    said = straight(SMILEYS.sub(" ", text)).replace("\N{VARIATION SELECTOR-16}", "")
    parts = _CLAUSES.split(introduced(said).text)
    clauses = [each for each in parts if said_as(each).text.strip(_AROUND)]
    return all(_said(each, ()) or any(_kinds_of(each, ()).values()) for each in clauses)


def _accepting(name: str | None, languages: frozenset[str]) -> AskedWord:
    """Return the word that accepts under this name, in the language that it can only be."""
    return AskedWord("accept", name, language=min(languages) if len(languages) == 1 else None)


def _said_by_all(lines: Sequence[Line], names: Collection[str]) -> list[Introduced]:
    """Return the lines without what only names their writer."""
    texts = [straight(line.text) for line in lines]
    for at in range(len(texts) - 1, -1, -1):
        signed = signed_off(texts[at], names)
        texts[at] = signed.text
        if signed.name is None or signed.text:
            break
    return [introduced(each) for each in texts]


def _sentences(texts: Sequence[str]) -> list[str]:
    return [each for text in texts for each in SENTENCE_ENDS.split(text) if each.strip()]


def _named(text: str, names: Collection[str]) -> AskedWord | None:
    """Return the command of a line that accepts under a name, and holds nothing else."""
    answer = read_commands([Line(1, text)], names)
    if isinstance(answer, AskedWord) and answer.accepts and answer.name is not None:
        return answer
    return None


def _stands_apart(lines: Sequence[Line], are_named: Sequence[bool]) -> bool:
    """Whether the lines that accept under a name are no part of the sentences around them."""
    return not any(
        line.number == above.number + 1
        and (
            (is_named and not _ENDS_LINE.search(above.text))
            or (is_above_named and line.text[0].islower())
        )
        for (above, is_above_named), (line, is_named) in pairwise(
            zip(lines, are_named, strict=True)
        )
    )


def _tells(sentence: str, names: Collection[str]) -> bool:
    """Whether a sentence tells only what people tell of themselves and the weather."""
    clauses = (each.strip(_AROUND).lower() for each in _CLAUSES.split(sentence))
    return all(_STATING.fullmatch(each) or is_polite(each, names) for each in clauses)


def _only_states(sentence: str) -> bool:
    """Whether a sentence states something that cannot change what is accepted."""
    lower = sentence.lower()
    if "?" in sentence or HIDDEN in sentence or MARKS.search(sentence):
        return False
    if DOUBTS.search(lower) or _MAY_UNSETTLE.search(lower):
        return False
    is_command = not isinstance(read_commands([Line(1, sentence)]), Unread)
    is_known = any(share_of_words(sentence, each) >= _KNOWN for each in _UNSETTLING)
    return is_known and not is_command


def unsettles(text: str) -> bool:
    """Whether words may make a condition, report, put off or refuse."""
    lower = straight(text.lower())
    return _MAY_UNSETTLE.search(lower) is not None or _refuses(lower)


def _refuses(text: str) -> bool:
    """Whether a line denies, doubts or puts off, or begins to say why not."""
    lower = _REMARK.sub("", text.lower())
    if takes_back(lower) or TOO_MUCH.search(lower):
        return True
    return any(_REGRET.fullmatch(word) for word in _WORD.findall(lower))


def _praises(sentence: str) -> bool:
    return any(each.strip(_AROUND).lower() in PRAISE for each in _CLAUSES.split(sentence))


def _said(sentence: str, names: Collection[str]) -> _Said | None:
    """Return how a sentence agrees; None if it does not, or holds anything else."""
    kinds = _kinds_of(sentence, names)
    agreeing = {each: found for each, found in kinds.items() if found & _AGREEING}
    is_plain = any(found & _PLAIN for found in agreeing.values())
    if not agreeing and (named := said_as(sentence)).name is not None:
        said = _said(named.text, names)
        return said and said._replace(is_plain=True, name=named.name)
    return _Said(frozenset(agreeing), is_plain) if agreeing else None


def _kinds_of(sentence: str, names: Collection[str]) -> Mapping[str, set[str]]:
    """Return the kinds of words of which a sentence is made, by the languages that have them all;
    none if it holds others."""
    if len(sentence) > _LONGEST:
        return {}
    sentence = STRETCHED.sub(r"\1", sentence)
    said = _REMARK.sub("", sentence.lower()) if _REMARK.search(sentence.lower()) else sentence
    kinds: dict[str, set[str]] = {language: set() for language in _languages()}
    clauses = [*filter(None, (each.strip(_AROUND) for each in _CLAUSES.split(said)))]
    if said != sentence and clauses and OTHER + clauses[0] in names:
        del clauses[0]  # "Great idea, Ben"
    for clause in clauses:
        for language, agrees in _languages().items():
            if language in kinds and (found := _kinds(clause, agrees, names)) is not None:
                kinds[language] |= found
            else:
                kinds.pop(language, None)
    return kinds


def _kinds(clause: str, language: re.Pattern[str], names: Collection[str]) -> set[str] | None:
    """Return the kinds of words of which a clause is made; None if it holds others."""
    lower = clause.lower()
    before, _, last = lower.rpartition(" ")
    lower = before.rstrip(_AROUND) if OTHER + last in names and before else lower
    if (match := language.fullmatch(lower)) is not None:
        return {kind for kind, text in match.groupdict().items() if text is not None}
    if read_commands([Line(1, clause)], names) == _ACCEPT:
        return {"deed"}
    return set() if is_polite(clause, names) else None


def _is_told(
    sentences: Sequence[str], said: Mapping[str, _Said | None], names: Collection[str]
) -> bool:
    """Whether the writer's own name comes first: "Ada, let's play" is what somebody says to Ada."""
    first = next(each for each in sentences if said[each] is not None)
    before = [*sentences[: sentences.index(first)], *_CLAUSES.split(first)[:-1]]
    return any(is_writers_name(each.strip(_AROUND).lower(), names) for each in before)
