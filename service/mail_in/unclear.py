"""Says what is unclear in a mail: the lines that were not understood, and what is asked about them.

No line of it can be read as a command.
"""

import re
from collections.abc import Sequence
from functools import reduce
from itertools import islice
from math import inf
from typing import Final

from letters import taught
from letters.acceptances import only_agrees
from letters.among import Among
from letters.commands import (
    Answer,
    Contradiction,
    Empty,
    TakenBack,
    Unread,
    WholeTurn,
    read_commands,
)
from letters.guesses import SeveralPlays, names_card, words_of
from letters.inert import marked
from letters.inert_prose import inert_prose
from letters.letter import CONFIRMS, Letter, OpenQuestion
from letters.mail.given_names import is_given_name
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from letters.mail.phrases import PRAISE, SMILEYS, is_polite
from letters.mail.sign_offs import is_signed_closing
from letters.small_talk import SENTENCE_ENDS, is_small_talk, is_thanks
from letters.wishes import AskedWord
from service.core.words import N_, Words
from service.games.conversations import NOTICE
from service.mail_in import sentences
from service.mail_in.message import IncomingMessage
from service.mail_in.wording import quoted

_MOST_SHOWN: Final = 3
_LONGEST: Final = 160
_LEFT_OUT: Final = "…"
"""Stands for sentences of a line that were no trouble."""
_PROBLEMS: Final = {"encrypted": sentences.ENCRYPTED, "unreadable": sentences.UNREADABLE}


def of_unclear(
    words: Words,
    letter: Letter,
    message: IncomingMessage,
    *,
    is_over: bool = False,
    is_to_move: bool = True,
) -> tuple[str, ...]:
    """Return sentences that say what is wrong with a mail that asks for nothing clear. `is_over`
    says whether it is about a game that is over, `is_to_move` whether its writer is to move."""
    match letter.answer:
        case Unread() as unread if is_over:
            return of_unread_at_the_end(words, unread)
        case Unread() as unread:
            return of_unread(words, unread, letter.question, is_to_move=is_to_move)
        case TakenBack(lines):
            return of_taken_back(words, lines)
        case Contradiction():
            return (sentences.say(words, sentences.CONTRADICTION),)
    if message.is_given_up:
        return tuple(sentences.say(words, each) for each in sentences.SEND_AGAIN)
    is_courteous = message.answers_notice(NOTICE)  # "Thanks, Ann!" is no command
    nothing = sentences.TO_THE_OTHER_ALONE if is_courteous else sentences.NO_COMMAND
    problem = _PROBLEMS.get(message.body.problem or "", nothing)
    said = sentences.say(words, problem)
    if isinstance(letter.question, OpenQuestion):
        return (said, of_question(words, letter.question))
    return (said,)


def of_offer(words: Words, letter: Letter, message: IncomingMessage) -> tuple[str, ...]:
    """Return sentences that say what is wrong with an answer to an invitation or a challenge."""
    missed = of_missed(words, letter.missed)
    match letter.answer:
        case Unread() as unread:
            asked = _of_word(words, letter.among)
            return (*of_unread_about_offer(words, unread), *asked, *missed)
        case Empty() | TakenBack() | Contradiction():
            return (*of_unclear(words, letter, message), *missed)
    return (sentences.say(words, sentences.NOT_A_TURN),)


def _of_word(words: Words, among: Among | None) -> tuple[str, ...]:
    """Ask whether an invitation is accepted, as a sentence of the mail says, or say that a word
    counts alone."""
    if isinstance(among, AskedWord) and among.accepts:
        return (sentences.say(words, sentences.ACCEPT_MEANT),)
    return (sentences.say(words, sentences.ALONE),)


def of_unread(
    words: Words,
    unread: Unread,
    question: OpenQuestion | SeveralPlays | None = None,
    *,
    is_to_move: bool = True,
) -> tuple[str, ...]:
    """Name the lines that were not understood, ask about them, and say where words to the other
    player belong."""
    not_done = _not_done(words, unread, sentences.NOT_PLAYED)
    if any(HIDDEN in line.text for line in unread.lines):
        return (*not_done, sentences.say(words, sentences.UNSEEN))
    match question:
        case None:
            asked = (*_hint(words, unread), *_of_rules(words, unread))
        case SeveralPlays():
            asked = (_of_several(words, question),)
        case OpenQuestion():
            asked = (of_question(words, question),)
    how = sentences.TO_THE_OTHER if is_to_move else sentences.TO_THE_OTHER_ALONE
    return (*not_done, *asked, sentences.say(words, how))


def _of_several(words: Words, question: SeveralPlays) -> str:
    """Ask which of several plays is meant."""
    said = (_commands(words, turn) for turn in question.turns)
    turns = reduce(lambda one, other: words.either([one, other]), said)
    message = N_(
        "Your mail holds more than one play, and a turn has one: %(turns)s. Answer with the one"
        " that you mean, and with nothing else."
    )
    if question.is_of_strength:
        message = N_(
            "Which card do you mean: %(turns)s? Answer with the one that you mean, and with"
            " nothing else."
        )
    return words.say(message, turns=turns)


def of_unread_at_the_end(words: Words, unread: Unread) -> tuple[str, ...]:
    """Name the lines that were not understood in a mail about a game that is over, in which nothing
    is played."""
    to_the_other = sentences.say(words, sentences.TO_THE_OTHER_ALONE)
    return (*_not_done(words, unread, sentences.NOT_PLAYED), to_the_other)


_FORMS: Final = {
    "give": N_(
        "Only the other player can give you time, and you them: with “%(give)s”, alone in an answer"
        " to a mail about the game. Or offer a pause: “%(offer_pause_until)s”."
    ),
    "claim": N_("A claim is written so: “%(claim)s”, or “%(claim_all)s”."),
    "draw_clan": N_("The deck is chosen so: “%(draw_clan)s”, or “%(draw_tactic)s”."),
    "resign": N_("You give up with the one word “%(resign)s”."),
    "offer_pause": N_("A pause is offered with “%(offer_pause)s”, and ended with “%(resume)s”."),
    "show": N_("The board is sent for the one word “%(show)s”."),
    "vacation": N_("Days off are taken with “%(vacation_until)s”, for all your games."),
    "mails": N_("“%(mails)s” shows which mails you get, and how to turn them off."),
}
"""The sentences that say how to write a command, the first of which a line seems to be about."""


_MORE_THAN_A_TURN: Final = ("resign", "offer_pause")


def is_about_more_than_a_turn(answer: Answer) -> bool:
    """Whether unread lines seem to ask for a command that ends or delays the game."""
    texts = [line.text.casefold() for line in answer.lines] if isinstance(answer, Unread) else []
    return any(re.search(taught.hints(each), text) for each in _MORE_THAN_A_TURN for text in texts)


def _hint(words: Words, unread: Unread) -> tuple[str, ...]:
    """Say how to write the command that the first unread line seems to mean; empty if that is
    unclear."""
    text = unread.lines[0].text.casefold()
    said = (form for command, form in _FORMS.items() if re.search(taught.hints(command), text))
    return tuple(sentences.say(words, form) for form in islice(said, 1))


def _of_rules(words: Words, unread: Unread) -> tuple[str, ...]:
    """Say where answers are if a line is a question; empty if none is."""
    is_question = any(line.text.rstrip().endswith("?") for line in unread.lines)
    return (sentences.say(words, sentences.ASKED),) if is_question else ()


def of_question(words: Words, question: OpenQuestion) -> str:
    """Return the question whether a turn is meant, and the remaining lines mean nothing."""
    turn = _commands(words, question.turn)
    if question.turn.message and not question.signature:
        message = N_(
            "Did you mean %(turn)s, with your message to the other player? If you did, answer this"
            " mail with “%(yes)s”: it is played, and your message is passed on."
        )
    elif question.signature:
        message = N_(
            "Did you mean %(turn)s, and are these lines your signature, or not about the game? If"
            " so, answer this mail with “%(yes)s”: it is played, and they are passed over from now"
            " on."
        )
    else:
        message = N_(
            "Did you mean %(turn)s, and nothing else? If you did, answer this mail with"
            " “%(yes)s”, and it is played."
        )
    return sentences.say(words, message, turn=turn)


def of_rest(words: Words, rest: WholeTurn) -> str:
    """Return the question whether to play what remains of a turn without its claims."""
    message = N_("To play %(turn)s without that claim, answer this mail with “%(yes)s”.")
    if rest.message:
        message = N_(
            "To play %(turn)s without that claim, answer this mail with “%(yes)s”: your message is"
            " passed on then too."
        )
    return sentences.say(words, message, turn=_commands(words, rest))


def of_unplayable(words: Words, question: OpenQuestion, why: str) -> tuple[str, ...]:
    """Name the turn that an unclear mail seems to mean, and say why it could not be played."""
    turn = _commands(words, question.turn)
    # Note: %(reason)s is a whole sentence
    return (words.say("Your mail seems to mean %(turn)s, but: %(reason)s", turn=turn, reason=why),)


def _commands(words: Words, turn: WholeTurn) -> str:
    return ", ".join(quoted(words, command) for command in words_of(turn, words.language))


def of_taken_back(words: Words, lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the words that take a turn back."""
    return (
        sentences.say(words, sentences.TAKEN_BACK),
        *_all_shown(words, lines),
        sentences.say(words, sentences.MEANT_AFTER_ALL),
    )


def of_passed_over(words: Words, lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the lines that were taken for a signature."""
    title = words.say("Passed over as your signature:")
    return (title, *_all_shown(words, lines)) if lines else ()


def of_small_talk(words: Words, lines: Sequence[Line], how: str) -> tuple[str, ...]:
    """Name the sentences next to the commands, which were not read, and say `how` they can be
    passed on. Thanks, courtesies, closings, words of agreement and introductions are left out, but
    no praise."""
    lines = [line for line in lines if not _goes_without_saying(line.text)]
    if not lines:
        return ()
    title = words.say("Not passed on, as it is no command:")
    return (title, *_all_shown(words, lines), sentences.say(words, how))


def _goes_without_saying(text: str) -> bool:
    is_courtesy = is_polite(SMILEYS.sub(" ", text), ()) and text.strip(" .!").lower() not in PRAISE
    return is_courtesy or is_thanks(text) or is_signed_closing(text, ()) or only_agrees(text)


def of_unsent(words: Words, said: Sequence[str]) -> tuple[str, ...]:
    """Say that a message to the other player, in these lines, was not passed on, and how it can be;
    empty if there was none."""
    if not said:
        return ()
    return (
        sentences.say(words, sentences.UNSENT),
        *(_shown_text(words, each) for each in said[:_MOST_SHOWN]),
        sentences.say(words, sentences.SAY_AGAIN),
    )


def message_in(letter: Letter, message: IncomingMessage) -> str:
    """Return all of an unread letter, if it seems to be for the other player: it answers a mail
    about their message, and neither names a card nor seems to ask for anything; else ""."""
    unread = letter.answer
    if not isinstance(unread, Unread) or not message.answers_notice(NOTICE):
        return ""
    is_more = letter.said or letter.missed or letter.among or letter.resigns or unread.above
    if is_more or is_about_more_than_a_turn(unread):
        return ""
    if any(HIDDEN in line.text or names_card(line.text) for line in unread.lines):
        return ""
    return "\n".join(line.text for line in unread.lines)


def of_words_to_pass_on(words: Words, name: str, said: Sequence[str]) -> tuple[str, ...]:
    """Ask whether these lines are a message to the other player, of this name."""
    shown = [_shown_text(words, each) for each in said[:_MOST_SHOWN]]
    if (more := len(said) - len(shown)) > 0:
        shown.append(words.plural("And %(number)s more.", "And %(number)s more.", more))
    return (sentences.say(words, sentences.PASS_ON, name=name), *shown)


def of_nobody_told(words: Words, letter: Letter) -> tuple[str, ...]:
    """Say that the message in a letter was not passed on, as nobody gets one from there; empty if
    there was none."""
    return (sentences.say(words, sentences.NOBODY_TO_TELL),) if letter.said else ()


def of_unread_about_offer(words: Words, unread: Unread) -> tuple[str, ...]:
    """Name the lines of an answer to an invitation or a challenge that were not understood."""
    return _not_done(words, unread, sentences.NOT_ACCEPTED)


def of_acceptance(words: Words, unread: Unread) -> tuple[str, ...]:
    """Ask somebody without an account whether they accept an invitation, as a line says, and name
    the other lines."""
    return _not_done(words, unread, sentences.NAME_MEANT)


def _not_done(words: Words, unread: Unread, message: str) -> tuple[str, ...]:
    lines = [_troubling(line) for line in unread.lines if not _is_harmless(line)]
    return (sentences.say(words, message), *_all_shown(words, lines or unread.lines))


def _is_harmless(line: Line) -> bool:
    """Whether a line would be read or passed over if the others were, so that it needs no
    mention."""
    read = read_commands([line])
    is_read = isinstance(read, AskedWord) and read.word in CONFIRMS
    return is_read or is_small_talk(line.text, ()) or is_given_name(line.text.strip(" .!"))


def _troubling(line: Line) -> Line:
    """Return the line without its turns, and without the sentences that would be passed over alone;
    the whole line if that leaves nothing."""
    if HIDDEN in line.text:
        return line
    kept: list[str] = []
    for sentence in SENTENCE_ENDS.split(line.text):
        if _is_harmless(line._replace(text=sentence)) or _is_turn(sentence):
            kept.append(_LEFT_OUT)
        else:
            clauses = [_LEFT_OUT if _is_turn(each) else each for each in sentence.split(", ")]
            kept.append(", ".join(clauses).replace(f"{_LEFT_OUT}, ", f"{_LEFT_OUT} "))
    if not any(_LEFT_OUT in each for each in kept):
        return line
    shown = re.sub(rf"{_LEFT_OUT}(?:,? {_LEFT_OUT})+", _LEFT_OUT, " ".join(kept))
    shown = shown.removeprefix(f"{_LEFT_OUT} ").removesuffix(f" {_LEFT_OUT}").rstrip(",")
    return line if shown in ("", _LEFT_OUT) else line._replace(text=shown)


def _is_turn(text: str) -> bool:
    read = read_commands([Line(1, text)])
    return isinstance(read, WholeTurn) and read.is_move


def of_missed(words: Words, lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the lines that would be commands elsewhere in the mail."""
    return (
        (
            sentences.say(words, sentences.BELOW),
            *_all_shown(words, lines),
            sentences.say(words, sentences.ABOVE),
        )
        if lines
        else ()
    )


def _all_shown(words: Words, lines: Sequence[Line]) -> list[str]:
    lines = sorted(lines, key=lambda line: line.number or inf)
    shown = [_shown(words, line) for line in lines[:_MOST_SHOWN]]
    if (more := len(lines) - len(shown)) > 0:
        shown.append(words.plural("And %(number)s more.", "And %(number)s more.", more))
    return shown


def _shown(words: Words, line: Line) -> str:
    shown = _shown_text(words, line.text)
    if line.number:
        return words.say("Line %(number)s: %(text)s", number=line.number, text=shown)
    return words.say("Beside the text: %(text)s", text=shown)


def _shown_text(words: Words, text: str) -> str:
    """Return the printable characters of a text in quotation marks, of a long one the beginning. No
    part of it is read as a command."""
    text = "".join(c for c in text if c.isprintable())
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return quoted(words, marked(inert_prose(shown)))
