"""The sentences of our answers to mails. No line of them can be read as a command."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC
from itertools import islice
from typing import Final

from engine import RuleBroken
from letters.commands import Unread
from letters.guesses import SeveralPlays, words_of
from letters.inert import inert_name
from letters.inert_prose import inert_prose
from letters.letter import OpenQuestion
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from service.core.errors import RequestRejected
from service.core.words import ENGLISH
from service.text.moments import end_moment

_MOST_SHOWN: Final = 3
_LONGEST: Final = 40

LATE: Final = (
    "Your mail answers an earlier turn, and the game has gone on since: that turn was played, or"
    " its time was up. Nothing of this mail was played."
)
ANOTHER_LOG: Final = (
    "Your mail answers a turn that this game does not have any more: the server was put back to an"
    " earlier state, and the game went on from there. Nothing of this mail was played."
)
STRANGER: Final = (
    "Somebody answered this game’s mail from an address that is not yours here. Nothing was done."
    " If it was you, answer from the address that your mails go to, or add the other one on your"
    " account page. If you passed the mail on to somebody, they cannot play for you from an address"
    " of their own."
)
FORGED: Final = (
    "A mail that says it is from you did not pass your mail system’s checks (SPF, DKIM, DMARC)."
    " Nothing was done. If you sent it, send it from your usual mail program, or use the page."
)
NO_COMMAND: Final = (
    "There was nothing above the quoted mail that can be read as a command. Write it on the first"
    " line, as plain text."
)
BELOW: Final = (
    "A copy of another mail, or your signature, stands above these lines, and what stands below it"
    " is not read:"
)
ABOVE: Final = (
    "If you wrote that, write it again, above the copy: each command on a line of its own, at the"
    " beginning of your mail."
)
ENCRYPTED: Final = "Your mail is encrypted, and this server cannot read it. Send it as plain text."
UNREADABLE: Final = (
    "Your mail is malformed, or takes too long to read. Write a new one, as plain text, with"
    " nothing but your commands."
)
GIVEN_UP: Final = "This server failed twice over your mail, and gave it up."
SEND_AGAIN: Final = (
    GIVEN_UP,
    "Please send it again: nothing that was done before is done twice.",
)
"""For a mail that was given up, if no log says whether it was carried out."""
GIVEN_UP_UNPLAYED: Final = "Nothing was played. Please send it again, as plain text."
GIVEN_UP_PLAYED: Final = "But it was played before: do not send it again."
IF_MESSAGE: Final = (
    "If it held a message to the other player, the game’s page shows whether that was passed on."
)
WRONG_ADDRESS: Final = (
    "You answered the address that mails come from, where nothing can be played. Answer this"
    " mail instead: its reply address is that of your turn."
)
SAY_YES: Final = (
    "Nothing was confirmed. If you asked for it, answer the mail that asked you with the single"
    " word “yes”, or open the link in it; if not, do nothing."
)
ASKED_LONG_AGO: Final = (
    "Nothing was confirmed, for that mail is too old. Have another sent from your account page."
)
CONFIRMED: Final = {
    "confirm": "Thank you: mail about your games comes to this address from now on.",
    "answer": "Thank you: you can answer mails about your games from this address from now on.",
}
NO_ONE_TURN: Final = (
    "You wrote to the address that mails come from, where nothing can be played. Each game has"
    " its own address, listed below: send your turn there, or answer the latest mail about the"
    " game."
)
YOUR_GAMES: Final = "These are the games that you are playing."
DESK_HELP: Final = "You can write to this address; and each of your games has one of its own."
NOT_ASKED_HERE: Final = (
    "You said yes, but this address asks nothing. Answer the mail that asked you, by the reply"
    " address of its own, or open the link in it."
)
WHICH_GAME: Final = (
    "Which game is this about? Write it to the address of the game: answer a mail about it, or ask"
    " for “games” to get the addresses of all."
)
WISH_FORGOTTEN: Final = (
    "Nothing was changed: the question is too old, or unknown. Write again for what you want."
)
WISH_ANSWERED: Final = "You have answered this before. Nothing more was changed."
WISH_CHANGED: Final = (
    "Nothing was changed: since you were asked, things have changed on which this depends. Write"
    " again for what you want."
)
NOT_OVER: Final = "Only a game that was played, and is over, has a rematch."
NOT_RUNNING: Final = "This game is not running."
NO_CLOCK: Final = "This game has no clock that could be paused."
DAYS_OVER: Final = "Those days are over."
NO_VACATION: Final = "You are not on vacation now."
AGREE_INSTEAD: Final = (
    "The other player offers you an end already: answer the mail that says so with “agree” or"
    " “decline”."
)
NO_ANSWER_TO_WISH: Final = "Nothing was changed: your mail does not answer the question."
CALL_OFF_WHERE: Final = "To call something off, answer the mail that says that it was made."
CALLED_OFF: Final = "It is called off."
NOTHING_TO_CALL_OFF: Final = (
    "There is nothing to call off any more: it was called off before, or has ended otherwise."
)
NO_INVITATION: Final = (
    "This invitation is no longer open: it was called off, or nobody accepted it in time. Nothing"
    " has changed."
)
NO_UNDO: Final = (
    "A turn that was sent stays played: you have seen the card that you drew for it. If you both"
    " want it otherwise, one of you writes “offer an end”, and then you begin a rematch."
)
RULES: Final = (
    "These are the rules in short.",
    "Two players, nine Stones in a row. On your turn you put a card on your side of a Stone, where"
    " three cards make a formation, and draw another.",
    "The best is a colour run, then three of a strength, three of a colour, a run, and any other;"
    " of equal kinds the higher sum wins, then the side that was complete first.",
    "Claim a Stone where your formation cannot be beaten by any card that is still out. Five Stones"
    " win, or three side by side.",
)
CHOOSE_MAILS: Final = (
    "To change one, write a line such as “mail about reminders off”, with one of these words."
)
FOR_PLAYERS: Final = (
    "This is the address of a server where two people play Schotten Totten by mail, over days."
    " What it can do by mail, it does for players who write from the address that they have"
    " confirmed here. If you play here, write from that address, or sign in on the page. If a mail"
    " asked you to confirm an address or invited you to a game, answer that mail, or open the link"
    " in it."
)
GAME_OVER: Final = (
    "This game is over, so nothing can be played any more. Its page, at the link below, has the"
    " whole of it, and a button for a rematch. By mail, the word “rematch” asks for one."
)
NO_QUESTION: Final = (
    "No question to you is open: it was another one, or is too old. Write the turn itself."
)
LEFT_ALONE: Final = "Everything stays as it is."
CONTRADICTION: Final = (
    "Your mail comes in two forms, as plain text and as HTML, and they do not say the same. So that"
    " nothing is played by mistake, nothing was played at all. Write it again, as plain text."
)
TAKEN_BACK: Final = (
    "You took the turn back, or put it off, in the same mail, so nothing was played. These are the"
    " words:"
)
MEANT_AFTER_ALL: Final = "If you want the turn to be played, send it again without these words."
NOT_A_TURN: Final = "Accept or decline the invitation first."
NOT_AN_INVITATION: Final = (
    "There is nothing to accept or decline here: your mail answers one about a turn."
)
OVER: Final = "The game is over: there is nothing to give up any more."
CONFIRM: Final = "You want to resign. Nothing is changed until you confirm it."
CONFIRM_WIN: Final = (
    "The other player’s time is out, and you want to claim the win. Nothing is changed until you"
    " confirm it, and they can still move."
)
CONFIRM_ABANDONMENT: Final = (
    "You want to abandon this game, as the other player offers: nobody wins this round, and the"
    " game does not count for ratings. Nothing is changed until you confirm it."
)
PAUSE_OFFERED: Final = (
    "The mail that you answered does not tell of the pause that is offered to you, or not for"
    " certain; this one does. Nothing was changed."
)
PAUSED: Final = (
    "The clock is paused. Either of you can end the pause, on the game’s page or by a mail with the"
    " word “resume”."
)
RESUMED: Final = "The pause is over: the clock runs again."
NOT_PAUSED: Final = "The clock of this game is not paused."
ABANDONED: Final = "You agreed to abandon the game: it is over, and nobody wins this round."
NO_OFFER: Final = (
    "There is nothing to accept or decline here: the other player offers you nothing just now."
)
WHICH_OFFER: Final = (
    "The other player offers you two things, to pause the clock and to abandon the game. Say which"
    " of them you mean: below you see how."
)
TOO_MUCH_GIVEN: Final = "You can give from one hour to 90 days."
TO_THE_OTHER: Final = (
    "If these words are for the other player, write them below the turn, with “say:” before each"
    " line."
)
UNSEEN: Final = (
    "It may be that nobody sees that in your mail: it is struck out, or its colour, size or place"
    " can hide it. Write your answer as plain text, or in the usual letters of your program."
)
LAST_ANSWER: Final = (
    "This is the last answer for a while, for many mails of yours have played nothing. A turn that"
    " can be played still is, and is answered; other mails are not."
)
PASSED_ON: Final = "Your message was passed on to the other player."
NOT_PASSED_ON: Final = "Your turn was played, but your message was not passed on."
NO_NAME: Final = "Under which name do you want to play? Answer “accept as”, then the name."


def of_name(name: str) -> str:
    """Say under which name somebody would play, and that everybody sees it."""
    return f"You would play as {inert_name(name)}, a name that everybody here sees."


def of_pause(until: str | None) -> str:
    """Say until when a pause lasts (RFC 3339; None: without an end), for use after the word
    "pause"."""
    return "without an end" if until is None else f"until {end_moment(ENGLISH, until, UTC)}"


def of_wish(said: str) -> str:
    """Say what a player wants, and that they have to confirm it."""
    return f"You want {said}. Nothing is changed until you say so."


def of_refusal(refusal: RequestRejected | RuleBroken) -> str:
    """Return the sentence that says why a turn was refused, with the number of its ruling."""
    ruling = refusal.ruling if isinstance(refusal, RuleBroken) else None
    return harmless(refusal.detail) + (f" (ruling {ruling})" if ruling else "")


def of_unread(
    unread: Unread, question: OpenQuestion | SeveralPlays | None = None
) -> tuple[str, ...]:
    """Name the lines that were not understood, ask about them, and say where words to the other
    player belong."""
    if any(HIDDEN in line.text for line in unread.lines):
        return (*_not_done(unread, "played"), UNSEEN)
    match question:
        case None:
            asked = _hint(unread)
        case SeveralPlays(turns):
            read = " or ".join(_quoted(words_of(turn)) for turn in turns)
            asked = (
                f"Your mail holds more than one play, and a turn has one: {read}. Answer with the"
                " one that you mean, and with nothing else.",
            )
        case OpenQuestion():
            asked = (of_question(question),)
    return (*_not_done(unread, "played"), *asked, TO_THE_OTHER)


_FORMS: Final = (
    (r"claim\w*", "A claim is written so: “claim 3”, or “claim all”."),
    (r"dr[ae]w\w*|deck", "The deck is chosen so: “draw clan”, or “draw tactic”."),
    (r"resign\w*|give up|surrender\w*|concede\w*", "You give up with the one word “resign”."),
    (r"pause\w*|resum\w*", "A pause is offered with “offer a pause”, and ended with “resume”."),
    (r"board|cards i have|my hand", "The board is sent for the one word “show”."),
    (r"play\w*|put\w*|lay|place|cards?|stone\w*|[roygbp][1-9]", "A turn: “play R7 at 3”."),
)
"""For words that show what a line is about, the sentence that says how to write that."""


def _hint(unread: Unread) -> tuple[str, ...]:
    """Say how to write the command that the first unread line seems to mean; empty if that is
    unclear."""
    text = unread.lines[0].text.casefold()
    said = (form for words, form in _FORMS if re.search(rf"(?<!\w)(?:{words})(?!\w)", text))
    return tuple(islice(said, 1))


def of_question(question: OpenQuestion) -> str:
    """Return the question whether a turn is meant, and the remaining lines mean nothing."""
    turn = _quoted(words_of(question.turn))
    if question.signature:
        return (
            f"Did you mean {turn}, and are these lines your signature, or not about the game? If"
            " so, answer this mail with “yes”: it is played, and they are passed over from now on."
        )
    return (
        f"Did you mean {turn}, and nothing else? If you did, answer this mail with “yes”, and it is"
        " played."
    )


def of_unplayable(question: OpenQuestion, why: str) -> tuple[str, ...]:
    """Name the turn that was read in an unclear mail, and say why it could not be played."""
    return (f"Your mail was read as {_quoted(words_of(question.turn))}, but: {why}",)


def _quoted(commands: Iterable[str]) -> str:
    return ", ".join(f"“{words}”" for words in commands)


def of_taken_back(lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the words that take a turn back."""
    return (TAKEN_BACK, *_all_shown(lines), MEANT_AFTER_ALL)


def of_passed_over(lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the lines that were taken for a signature."""
    return ("Passed over as your signature:", *_all_shown(lines)) if lines else ()


def of_small_talk(lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the sentences next to the commands, which were not read."""
    return ("Not read, as it is no command:", *_all_shown(lines)) if lines else ()


def of_claims_left(stones: Sequence[str]) -> tuple[str, ...]:
    """Name the Stones that could still be claimed."""
    if not stones:
        return ()
    named = " and ".join(stones)
    return (f"You could also claim: {'Stone' if len(stones) == 1 else 'Stones'} {named}.",)


def of_unread_about_offer(unread: Unread) -> tuple[str, ...]:
    """Name the lines of an answer to an invitation or a challenge that were not understood."""
    return _not_done(unread, "accepted")


def _not_done(unread: Unread, done: str) -> tuple[str, ...]:
    return (
        "A line of your mail is not a command, or is out of place. To be safe, nothing was"
        f" {done}.",
        *_all_shown(unread.lines),
    )


def of_missed(lines: Sequence[Line]) -> tuple[str, ...]:
    """Name the lines that would be commands elsewhere in the mail."""
    return (BELOW, *_all_shown(lines), ABOVE) if lines else ()


def _all_shown(lines: Sequence[Line]) -> list[str]:
    shown = [_shown(line) for line in lines[:_MOST_SHOWN]]
    more = len(lines) - len(shown)
    return [*shown, *([f"And {more} more."] if more > 0 else [])]


def _shown(line: Line) -> str:
    text = line.text if len(line.text) <= _LONGEST else f"{line.text[:_LONGEST]}…"
    printable = "".join(c for c in text if c.isprintable())
    place = f"Line {line.number}" if line.number else "Beside the text"
    shown = inert_prose(printable)
    return f"{place}: {shown}" if "‹" in shown else f"{place}: ‹{shown}›"


def harmless(text: str) -> str:
    """Return the sentence with marks (‹ ›) around each word that could be read as an action."""
    words = text.split(" ")
    for place, word in enumerate(words):
        core = word.strip(".,;:()`'\"")
        if core and (any(c in core for c in "@!+>:") or re.fullmatch(r"-\S+", core)):
            words[place] = word.replace(core, f"‹{core}›", 1)
    return " ".join(words)
