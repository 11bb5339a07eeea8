"""Reads a whole letter: compares its two forms, and looks for words that take it back.

A mail may come both as plain text and as HTML, and programs show one of them. A turn is played only
if both forms ask for it, and nothing in either takes it back.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from letters.acceptances import acceptance
from letters.among import Among, beside, is_doubted, says_resigning, word_among
from letters.commands import (
    Answer,
    Contradiction,
    Empty,
    TakenBack,
    Unread,
    WholeTurn,
    beginning_of_message,
    commands_among,
    message_below,
    messages_in,
    read_commands,
)
from letters.continuations import with_whole_messages
from letters.grammar import Gift, may_hold
from letters.guesses import SeveralPlays, guessed, respelled
from letters.introductions import NO_NAMES, SaidNames, said_names, signed_off
from letters.languages import NUMBERS, any_of
from letters.mail.body import ReadBody, Text
from letters.mail.lines import Line, OwnText, WriterFacts, plain_form, read_lines, rejoined
from letters.mail.phrases import (
    is_leave,
    is_polite,
    is_writers_name,
    straight,
    surely_takes_back,
    takes_back,
)
from letters.small_talk import wishes_well, without_small_talk
from letters.taught import MESSAGE
from letters.wishes import AskedWord, ChooseLanguage, Wish, Word
from letters.words import words

_ENDS_SUBJECT: Final = re.compile(r"->|[:|]| - ")
_CORRECTING: Final = words("taking_back", "correcting").replace("\n", "|")
_CORRECTS: Final = re.compile(rf"(?:{_CORRECTING})[:,]? ", re.IGNORECASE)
_REPLIES: Final = re.compile(
    r"\s*(?:re|aw|sv|vs|antw|rif|r|odp|ynt|fwd?|wg|tr|doorst)\s*:", re.IGNORECASE
)
_FIRST_NUMBER: Final = re.compile(rf"\d|(?<!\w)(?:{any_of(NUMBERS)})(?!\w)")
_THEN: Final = re.compile(
    r"(?<!\w)(?:then|next|dann|danach|puis|ensuite|poi|luego|dan|então)(?!\w)"
)
_SO_THEN: Final = re.compile(words("small_talk", "so_then").replace("\n", "|"))
_THEN_AT_END: Final = re.compile(words("small_talk", "then_at_end"))
_MOST_SIGNED: Final = 20
_LONGEST_SIGNATURE: Final = 4000
CONFIRMS: Final[tuple[Word, ...]] = ("accept", "agree", "decline", "yes", "no", "rematch")
"""The words that are read next to small talk."""
_ACCEPT: Final = AskedWord("accept")
_RESIGN: Final = AskedWord("resign")
_SHORT: Final = 70
"""Characters below which a line counts as the writer's own sentence, not as a disclaimer."""


class OpenQuestion(NamedTuple):
    """A question to the writer: is this `turn` meant, and are the lines of the `signature` no part
    of it?"""

    turn: WholeTurn
    signature: tuple[str, ...] = ()


class Letter(NamedTuple):
    """What a mail asks for.

    - `answer`: its commands; what is no turn is read apart from the `message` below it
    - `question`: what to ask if it is unclear: an open question, or several plays of which one is
      meant
    - `passed_over`: names and signatures, which were not read
    - `missed`: lines that were not read, and would be commands elsewhere in the mail
    """

    answer: Answer
    question: OpenQuestion | SeveralPlays | None = None
    passed_over: tuple[Line, ...] = ()
    missed: tuple[Line, ...] = ()
    small_talk: tuple[Line, ...] = ()
    """Sentences next to the commands, which were not read."""
    resigns: bool = False
    """Whether one of several sentences says that the writer resigns: enough to ask for
    confirmation."""
    among: Among | None = None
    """The one word or wish among the sentences of an unread letter: enough to ask whether it is
    meant."""
    beside: tuple[Line, ...] = ()
    """The sentences of an unread letter beside that word, or beside words that resign."""
    accepted: AskedWord | None = None
    """The word that accepts an invitation, where the letter does so in its writer's own words."""
    called: SaidNames = NO_NAMES
    """The names that the writer says are theirs."""
    message: str = ""
    """The message to the other player below what is no turn; a turn has its own."""
    said: tuple[str, ...] = ()
    """All that it says to the other player, whether or not it can be passed on, by lines."""

    @property
    def answer_to_invitation(self) -> Answer:
        """What the letter asks for as an answer to an invitation, under the name with which its
        writer introduces themselves."""
        answer = self.accepted or self.answer
        if isinstance(answer, AskedWord) and answer.accepts and answer.name is None:
            return replace(answer, name=self.called.introduced)
        return answer


class _ReadForm(NamedTuple):
    """One form of a letter, plain or HTML, and what it asks for."""

    own: OwnText
    answer: Answer
    guess: WholeTurn | SeveralPlays | None
    misplaced: tuple[Line, ...]
    """Commands and messages below two dashes."""
    small_talk: tuple[Line, ...]
    accepted: AskedWord | None
    called: SaidNames
    wanted: Sequence[Line]
    """The writer's lines without the message."""
    message: str | None
    """The message at the end, empty for none; None if it is unclear, or takes anything back."""


def read_letter(body: ReadBody, subject: str, facts: WriterFacts) -> Letter:
    """Read a letter; `facts` are about its writer."""
    forms = [_form(text, facts) for text in (body.text, body.page) if text is not None]
    shown = forms[-1]
    answer = _agreed(forms)
    doubts = [line for form in forms for line in form.own.doubts]
    if surely_takes_back(subject) or (_is_writers(subject, facts) and takes_back(subject)):
        doubts.append(Line(0, plain_form(subject)))
    if isinstance(answer, WholeTurn) and surely_takes_back(answer.message):
        doubts += [line for line in shown.own.lines if surely_takes_back(line.text)]
    if doubts and not isinstance(answer, Unread | Empty):
        answer = TakenBack(tuple(dict.fromkeys(doubts)))
    question = None if doubts else _question(forms, answer)
    passed_over = {line.text: line for form in forms for line in form.own.passed_over}.values()
    missed = (*forms[0].misplaced, *commands_among(forms[0].own.below))
    if isinstance(answer, Empty) and not doubts:
        question = _of_subject(subject)
    small_talk = tuple(dict.fromkeys(line for form in forms for line in form.small_talk))
    messages = {form.message for form in forms if form.own.letters != shown.own.letters}
    messages.add(shown.message)
    message = messages.pop() if len(messages) == 1 else None
    if isinstance(answer, AskedWord | Gift | Wish) and messages:
        answer = Contradiction()
    is_clear = isinstance(answer, Unread) and not doubts and message is not None
    lines = [line for form in forms for line in form.wanted[:_MOST_SIGNED]]
    among = word_among(lines, _names(facts)) if is_clear else None
    resigns = is_clear and all(says_resigning(form.wanted) for form in forms)
    if among == _RESIGN and question is None:
        resigns = resigns or not is_doubted(lines, _names(facts))
    accepted = None if doubts or len({form.accepted for form in forms}) > 1 else forms[0].accepted
    called = forms[0].called if len({form.called for form in forms}) == 1 else NO_NAMES
    others = beside(lines, among or _RESIGN, _names(facts)) if is_clear else ()
    is_beside = is_clear or isinstance(answer, AskedWord | Gift | Wish)
    told = next(filter(None, (messages_in(form.own.lines) for form in reversed(forms))), ())
    words = (resigns, among, others, accepted, called, (is_beside and message) or "", told)
    return Letter(answer, question, tuple(passed_over), missed, small_talk, *words)


def _names(facts: WriterFacts) -> frozenset[str]:
    return frozenset(plain_form(name).casefold() for name in facts.names)


def _of_subject(subject: str) -> OpenQuestion | None:
    """Return the question about a turn at the end of the subject, for a mail without text; None if
    there is no such turn. It is never played unasked, since a subject stays from mail to mail."""
    text = plain_form(subject)
    last = _ENDS_SUBJECT.split(text)[-1].strip()
    turn = read_commands([Line(0, last)])
    if takes_back(text) or not isinstance(turn, WholeTurn) or not turn.is_move:
        return None
    return OpenQuestion(turn)


def _is_writers(subject: str, facts: WriterFacts) -> bool:
    """Whether the writer has chosen the subject: it neither answers one nor names us."""
    return _REPLIES.match(subject) is None and not facts.ours.has_name(subject)


def _plays(line: Line) -> bool:
    answer = read_commands([line])
    return isinstance(answer, WholeTurn) and any("@" in each for each in answer.actions)


def _is_for_later(own: OwnText, names: Collection[str]) -> bool:
    """Whether the first play comes after something else: "Talk tomorrow. Then R7 at 3"."""
    line = next((line.text.casefold() for line in own.lines if may_hold(line.text)), "")
    head, _, tail = _FIRST_NUMBER.sub("\n", line, count=1).partition("\n")
    is_first = own.letters.startswith(re.sub(r"[\W_]+", "", line))
    head = _SO_THEN.sub("", head)
    then = next((match for match in _THEN.finditer(head) if match[0] not in names), None)
    if then is not None:
        return not is_first or bool(re.search(r"\w", head[: then.start()]))
    said = re.split(r"(?<=[.!]) ", head)[:-1]
    is_first &= all(is_polite(each, names) and not is_leave(each, names) for each in said)
    return not is_first and _THEN_AT_END.fullmatch(tail) is not None


def _form(text: Text, facts: WriterFacts) -> _ReadForm:
    own = read_lines(text, facts)
    names = _names(facts)
    own = own._replace(lines=with_whole_messages(own.lines, own.courteous, names))
    messages = [line for line in own.signed if MESSAGE.match(line.text)]
    misplaced = (*commands_among(own.signed), *messages)
    lines = (*own.lines, *(line for line in own.signed if line not in misplaced))
    answer, guess, small_talk = _understood(lines, names)
    if isinstance(answer, Unread) and answer.above is None and (whole := rejoined(lines)) != lines:
        understood = _understood(whole, names)
        if isinstance(understood[0], WholeTurn | Unread):
            answer, guess, small_talk = understood
    if isinstance(answer, AskedWord | Gift | Wish):
        if answer != _read(own.lines, names)[0]:
            answer, misplaced = Empty(), tuple(own.signed)
        elif any(line.number in own.broken_off for line in own.lines):
            answer = Unread(tuple(own.lines))
    if isinstance(answer, WholeTurn) and (
        any(facts.sent.has_told(line.text) for line in own.lines if may_hold(line.text))
        or (answer.actions and _is_for_later(own, names))
    ):
        guess = None if any(takes_back(line.text) for line in own.lines) else answer
        answer = Unread(lines, answer)
    others = tuple(filter(_plays, misplaced))
    if others and not isinstance(answer, Unread | Empty):
        answer = Unread(others)
    message, wanted = _apart(own.lines)
    if message and isinstance(answer, Unread) and not (own.signed or own.broken_off):
        answer = _above_message(wanted, names) or answer
    accepted, called = None, NO_NAMES
    if not (own.broken_off or any(signed_off(each.text, names).text for each in own.signed)):
        accepted, called = _accepted_and_called(own, wanted, answer, names)
    return _ReadForm(own, answer, guess, misplaced, small_talk, accepted, called, wanted, message)


def _accepted_and_called(
    own: OwnText, wanted: Sequence[Line], answer: Answer, names: Collection[str]
) -> tuple[AskedWord | None, SaidNames]:
    said = sorted({*wanted, *own.courteous})
    is_open = isinstance(answer, Unread | Empty)
    accepted = acceptance(rejoined(said), names) if is_open else None
    return accepted, said_names(said, [*own.passed_over, *own.signed], names)


def _apart(lines: Sequence[Line]) -> tuple[str | None, Sequence[Line]]:
    """Return the message at the end of these lines, and the lines above it; None and all lines if
    the message is unclear, or takes anything back."""
    message = message_below(lines)
    if message is None or surely_takes_back(message):
        return None, lines
    return message, lines[: beginning_of_message(lines)]


def _above_message(lines: Sequence[Line], names: Collection[str]) -> AskedWord | Gift | Wish | None:
    """Return what the lines above a message ask for; None for a turn, which is read together with
    its message."""
    wanted, _ = _read(lines, names)
    return wanted if isinstance(wanted, AskedWord | Gift | Wish) else None


@lru_cache(100)
def _understood(
    lines: tuple[Line, ...], names: frozenset[str]
) -> tuple[Answer, WholeTurn | SeveralPlays | None, tuple[Line, ...]]:
    """Return what these lines ask for, the guess at what they may ask for, and the small talk.
    Cached: most mails say the same in both of their forms."""
    answer, small_talk = _read(lines, names)
    is_taken_back = any(surely_takes_back(line.text) for line in lines)
    guess = _correction(lines, names) if is_taken_back else guessed(lines, names)
    return answer, guess, tuple(small_talk)


def _correction(lines: Sequence[Line], names: frozenset[str]) -> WholeTurn | None:
    """Return the turn of a letter that begins by saying that it was meant instead of another:
    "Oops, I meant O8 at 5"; None for anything else."""
    match = _CORRECTS.match(straight(lines[0].text))
    if match is None:
        return None
    rest = lines[0]._replace(text=lines[0].text[match.end() :])
    if any(takes_back(line.text) for line in (rest, *lines[1:])):
        return None
    read = _read([rest, *lines[1:]], names)[0]
    turn = guessed([rest, *lines[1:]], names) if isinstance(read, Unread) else read
    return turn if isinstance(turn, WholeTurn) and turn.is_move else None


def _read(lines: Sequence[Line], names: Collection[str]) -> tuple[Answer, list[Line]]:
    """Return what the lines ask for, without small talk if necessary, and the small talk that was
    left out. Only a turn, or what confirms or begins something, is clear enough to be read next to
    other words."""
    answer = read_commands(lines, names)
    if not isinstance(answer, Unread):
        return answer, []
    rest, small_talk = without_small_talk(lines, names)
    if (accepted := _accepted_as(rest, names)) is not None:
        return accepted, small_talk
    read = read_commands(rest, names) if small_talk else answer
    if isinstance(read, AskedWord) and read.word in CONFIRMS:
        # "Ada, accept" is what somebody says to Ada.
        is_told = any(is_writers_name(talk.text.casefold(), names) for talk in small_talk)
        said = [each for each in small_talk if not is_polite(each.text, names)]
        said = [each for each in said if not wishes_well(each.text)]
        is_other = read.word in ("agree", "yes", "no") and _says_to_what(lines, rest[0], said)
        return (answer, []) if is_told or is_other else (read, small_talk)
    if isinstance(read, ChooseLanguage):
        return read, small_talk
    turn = _above(read)
    is_plain = turn is not None and turn.actions and not {"pass", "end"} & {*turn.actions}
    return (read, small_talk) if is_plain else (answer, [])


def _accepted_as(lines: Sequence[Line], names: Collection[str]) -> AskedWord | None:
    """Return what accepts under a name where each other line accepts or says yes as well; None for
    anything else."""
    said = {read_commands([line], names) for line in lines}
    named = said - {_ACCEPT, AskedWord("yes")}
    match [*named]:
        case [AskedWord("accept", str()) as word] if len(lines) > 1:
            return word
    return None


def _says_to_what(lines: Sequence[Line], word: Line, said: Sequence[Line]) -> bool:
    """Whether small talk may say what a yes or no answers: "Yes, we had a lovely weekend"."""
    line = next(line.text for line in lines if line.number == word.number)
    behind, last = line[line.find(word.text) :], len(lines) if line.endswith(",") else 1
    return any(
        talk.text in behind if talk.number == word.number else 0 < talk.number - word.number <= last
        for talk in said
    )


def _agreed(forms: list[_ReadForm]) -> Answer:
    """Return the answer that all forms give; `Unread` if one is unclear, `Contradiction` if they
    differ."""
    plain, page = forms[0], forms[-1]
    if plain.own.letters == page.own.letters:
        return page.answer  # a program may glue the lines of the plain text
    if plain.answer == page.answer or (
        isinstance(plain.answer, Unread) and isinstance(page.answer, Unread)
    ):
        return plain.answer
    for one, other in ((plain.answer, page.answer), (page.answer, plain.answer)):
        if isinstance(one, Unread):
            return one if one.above == other else replace(one, above=None)
    return Contradiction()


def _question(forms: list[_ReadForm], answer: Answer) -> OpenQuestion | SeveralPlays | None:
    """Return the question about lines that were not understood; None if there is none to ask."""
    if not isinstance(answer, Unread):
        return None
    asked = forms[-1:] if forms[0].own.letters == forms[-1].own.letters else forms
    above = {_above(form.answer) for form in asked}
    if len(above) == 1 and (turn := above.pop()) is not None:
        answers = [form.answer for form in forms if isinstance(form.answer, Unread)]
        unread = [line for each in answers if each.above == turn for line in each.lines]
        if _may_be_signature(unread):
            return OpenQuestion(turn, tuple(dict.fromkeys(line.text.casefold() for line in unread)))
    guesses = {form.guess if isinstance(form.answer, Unread) else form.answer for form in asked}
    guess = guesses.pop() if len(guesses) == 1 else None
    if isinstance(guess, WholeTurn):
        return OpenQuestion(guess)
    return guess if isinstance(guess, SeveralPlays) else None


def _above(answer: Answer) -> WholeTurn | None:
    if isinstance(answer, Unread):
        return answer.above
    return answer if isinstance(answer, WholeTurn) else None


def _may_be_signature(lines: list[Line]) -> bool:
    """Whether the writer can be asked if these lines are a signature: they are few, and none is a
    command or a question, or takes anything back. A long line may hold a word like "no"."""
    texts = [line.text for line in lines]
    if len(texts) > _MOST_SIGNED or sum(map(len, texts)) > _LONGEST_SIGNATURE:
        return False
    return not any(_says_something(text) for text in texts)


def _says_something(text: str) -> bool:
    if surely_takes_back(text) or commands_among([Line(1, respelled(text.lower()))]):
        return True
    return "?" in text or (len(text) < _SHORT and takes_back(text))
