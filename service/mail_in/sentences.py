"""The sentences of our answers to mails. No line of them can be read as a command."""

import re
from collections.abc import Sequence
from datetime import UTC
from typing import Final

from engine import RuleBroken
from letters.inert import inert_name, marked
from service.bots import bot_named
from service.core.errors import RequestRejected, refusal_words
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.core.words import N_, Words
from service.games import NewGame, StoredGame
from service.games.rating import is_for_ratings
from service.mail_in.wording import teach
from service.text.game_terms import described
from service.text.moments import duration, end_moment

PLAYED_ALREADY: Final = N_("You have already played that turn: now it is %(name)s’s turn.")
BEGUN_ALREADY: Final = N_(
    "You have already played a part of this turn. Here is the position now, and what is left to do."
)
TURN_AGAIN: Final = N_(
    "You have already played that turn, and %(name)s has moved since. Here is the position now."
)
NOT_YOUR_TURN: Final = N_(
    "It is %(name)s’s turn. You can plan yours ahead on the game’s page, at the link below."
)
OTHER_MOVED: Final = N_("%(name)s has moved since that mail. Here is the position now.")
TIME_WAS_UP: Final = N_("The time for that turn was up. Here is the position now.")
CHANGED_SINCE: Final = N_("The game has changed since that mail. Here is the position now.")
ANOTHER_LOG: Final = N_(
    "Your mail answers a turn that this game does not have any more: the server was put back to an"
    " earlier state, and the game went on from there. Nothing of this mail was played."
)
STRANGER: Final = N_(
    "Somebody answered this game’s mail from an address that is not yours here. Nothing was done."
    " If it was you, answer from the address that your mails go to, or add the other one on your"
    " account page. If you passed the mail on to somebody, they cannot play for you from an address"
    " of their own."
)
FORGED: Final = N_(
    "A mail that says it is from you did not pass your mail system’s checks (SPF, DKIM, DMARC)."
    " Nothing was done. If you sent it, send it from your usual mail program, or use the page."
)
NO_COMMAND: Final = N_(
    "There was nothing above the quoted mail that can be read as a command. Write it on the first"
    " line, as plain text."
)
BELOW: Final = N_(
    "A copy of another mail, or your signature, stands above these lines, and what stands below it"
    " is not read:"
)
ABOVE: Final = N_(
    "If you wrote that, write it again, above the copy: each command on a line of its own, at the"
    " beginning of your mail."
)
ENCRYPTED: Final = N_(
    "Your mail is encrypted, and this server cannot read it. Send it as plain text."
)
UNREADABLE: Final = N_(
    "Your mail is malformed, or takes too long to read. Write a new one, as plain text, with"
    " nothing but your commands."
)
GIVEN_UP: Final = N_("This server failed twice over your mail, and gave it up.")
SEND_AGAIN: Final = (
    GIVEN_UP,
    N_("Please send it again: nothing that was done before is done twice."),
)
"""For a mail that was given up, if no log says whether it was carried out."""
GIVEN_UP_UNPLAYED: Final = N_("Nothing was played. Please send it again, as plain text.")
GIVEN_UP_PLAYED: Final = N_("But it was played before: do not send it again.")
IF_MESSAGE: Final = N_(
    "If it held a message to the other player, the game’s page shows whether that was passed on."
)
WRONG_ADDRESS: Final = N_(
    "You answered the address that mails come from, where nothing can be played. Answer this"
    " mail instead: its reply address is that of your turn."
)
SAY_YES: Final = N_(
    "Nothing was confirmed. If you asked for it, answer with the single word “%(yes)s”, or open the"
    " link in the mail that asked you; if not, do nothing."
)
ASKED_LONG_AGO: Final = N_(
    "Nothing was confirmed, for that mail is too old. Have another sent from your account page."
)
CONFIRMED: Final = {
    "confirm": N_("Thank you: mail about your games comes to this address from now on."),
    "answer": N_("Thank you: you can answer mails about your games from this address from now on."),
}
NO_ONE_TURN: Final = N_(
    "You wrote to the address that mails come from, where nothing can be played. Each game has"
    " its own address, listed below: send your turn there, or answer the latest mail about the"
    " game."
)
NEW_GAME_HERE: Final = N_("To begin a game with somebody, write “%(invite)s” to this address.")
YOUR_GAMES: Final = N_("These are the games that you are playing.")
DESK_HELP: Final = N_("You can write to this address; and each of your games has one of its own.")
NOT_ASKED_HERE: Final = N_(
    "You said yes, but this address asks nothing. Answer the mail that asked you, by the reply"
    " address of its own, or open the link in it."
)
WHICH_GAME: Final = N_(
    "Which game is this about? Write it to the address of the game: answer a mail about it, or ask"
    " for “%(games)s” to get the addresses of all."
)
WISH_FORGOTTEN: Final = N_(
    "Nothing was changed: the question is too old, or unknown. Write again for what you want."
)
WISH_ANSWERED: Final = N_("You have answered this before. Nothing more was changed.")
WISH_CHANGED: Final = N_(
    "Nothing was changed: since you were asked, things have changed on which this depends. Write"
    " again for what you want."
)
NOT_OVER: Final = N_("Only a game that was played, and is over, has a rematch.")
NOT_RUNNING: Final = N_("This game is not running.")
NO_CLOCK: Final = N_("This game has no clock that could be paused.")
DAYS_OVER: Final = N_("Those days are over.")
NO_VACATION: Final = N_("You are not on vacation now.")
AGREE_INSTEAD: Final = N_(
    "The other player offers you an end already: answer the mail that says so with “%(agree)s” or"
    " “%(decline)s”."
)
NO_ANSWER_TO_WISH: Final = N_("Nothing was changed: your mail does not answer the question.")
CALL_OFF_WHERE: Final = N_("To call something off, answer the mail that says that it was made.")
CALLED_OFF: Final = N_("It is cancelled.")
NOTHING_TO_CALL_OFF: Final = N_(
    "There is nothing to cancel any more: it was cancelled before, or has ended otherwise."
)
NO_INVITATION: Final = N_(
    "This invitation is no longer open: it was cancelled, or nobody accepted it in time. Nothing"
    " has changed."
)
NO_UNDO: Final = N_(
    "A turn that was sent stays played: you have seen the card that you drew for it. If you both"
    " want it otherwise, one of you writes “%(offer_end)s”, and then you begin a rematch."
)
RULES: Final = (
    N_("These are the rules in short."),
    N_(
        "Two players, nine Stones in a row. On your turn you put a card on your side of a Stone,"
        " where three cards make a formation, and draw another."
    ),
    N_(
        "The best is a colour run, then three of a strength, three of a colour, a run, and any"
        " other; of equal kinds the higher sum wins, then the side that was complete first."
    ),
    N_(
        "Claim a Stone where your formation cannot be beaten by any card that is still out. Five"
        " Stones win, or three side by side."
    ),
)
RULES_OF_TACTICS: Final = N_(
    "This game has Tactic cards: the mail of your turn says what each one in your hand does, and"
    " the page with the rules, at the link below, what all of them do."
)
ASKED: Final = N_(
    "If that is a question: “%(rules)s” gets you the rules in short, and “%(help)s” the commands."
)
MAILS_ON_AGAIN: Final = N_("To get them again, write “%(mail_on)s”.")
CHOOSE_MAILS: Final = N_(
    "To change one, write a line such as “%(mail_off)s”, with one of these words."
)
FOR_PLAYERS: Final = N_(
    "This is the address of a server where two people play Schotten Totten by mail, over days."
    " What it can do by mail, it does for players who write from the address that they have"
    " confirmed here. If you play here, write from that address, or sign in on the page. If a mail"
    " asked you to confirm an address or invited you to a game, answer that mail, or open the link"
    " in it."
)
GAME_OVER: Final = N_(
    "This game is over, so nothing can be played any more. Its page, at the link below, has the"
    " whole of it."
)
NO_QUESTION: Final = N_(
    "No question to you is open: it was another one, or is too old. Write the turn itself."
)
LEFT_ALONE: Final = N_("Everything stays as it is.")
CONTRADICTION: Final = N_(
    "Your mail comes in two forms, as plain text and as HTML, and they do not say the same. So that"
    " nothing is played by mistake, nothing was played at all. Write it again, as plain text."
)
TAKEN_BACK: Final = N_(
    "You took the turn back, or put it off, in the same mail, so nothing was played. These are the"
    " words:"
)
MEANT_AFTER_ALL: Final = N_("If you want the turn to be played, send it again without these words.")
NOT_A_TURN: Final = N_("Accept or decline the invitation first.")
IN_ALREADY: Final = N_(
    "You are in this game already: there is nothing to accept or decline any more. A turn is"
    " written as an answer to this mail."
)
NOT_AN_INVITATION: Final = N_(
    "There is nothing to accept or decline here: your mail answers one about a turn."
)
OVER: Final = N_("The game is over: there is nothing to give up any more.")
CONFIRM: Final = N_("You want to resign. Nothing is changed until you confirm it.")
CONFIRM_WIN: Final = N_(
    "The other player’s time is out, and you want to claim the win. Nothing is changed until you"
    " confirm it, and they can still move."
)
CONFIRM_ABANDONMENT: Final = N_(
    "You want to end this game, as the other player offers: it does not count for ratings then."
    " Nothing is changed until you confirm it."
)
PAUSE_OFFERED: Final = N_(
    "The mail that you answered does not tell of the pause that is offered to you, or not for"
    " certain; this one does. Nothing was changed."
)
PAUSED: Final = N_(
    "The clock is paused. Either of you can end the pause, on the game’s page or by a mail with the"
    " word “%(resume)s”."
)
RESUMED: Final = N_("The pause is over: the clock runs again.")
NOT_PAUSED: Final = N_("The clock of this game is not paused.")
ABANDONED: Final = N_("You agreed to end the game: it is over.")
NO_OFFER: Final = N_(
    "There is nothing to accept or decline here: the other player offers you nothing just now."
)
WHICH_OFFER: Final = N_(
    "The other player offers you two things, to pause the clock and to end the game. Say which"
    " of them you mean: below you see how."
)
TOO_MUCH_GIVEN: Final = N_("You can give from one hour to 90 days.")
TO_THE_OTHER: Final = N_(
    "If these words are for the other player, write them below the turn, with “%(say)s” before each"
    " line."
)
TO_THE_OTHER_ALONE: Final = N_(
    "If these words are for the other player, write “%(say)s” before each line."
)
TO_THE_OTHER_THERE: Final = N_(
    "If these words are for the other player, answer an earlier mail about the game, with “%(say)s”"
    " before each line."
)
UNSEEN: Final = N_(
    "It may be that nobody sees that in your mail: it is struck out, or its colour, size or place"
    " can hide it. Write your answer as plain text, or in the usual letters of your program."
)
LAST_ANSWER: Final = N_(
    "This is the last answer for %(time)s to mails that play or change nothing, for there were"
    " many. Turns are still played and answered. So is what else you write clearly: an answer to an"
    " offer or an invitation, a message, giving time or giving up; of these too only so many are"
    " answered, and the last answer says so."
)
LAST_QUESTION: Final = N_(
    "This is the last answer for %(time)s to messages, refusals and what has to be confirmed, for"
    " there were many. Messages and refusals still count, but get no answer; to give up, use the"
    " game’s page. Turns are still played and answered."
)
LAST_AT_DESK: Final = N_(
    "This is the last answer to mails to this address for %(time)s, for there were many. The"
    " addresses of your games go on answering."
)
PASSED_ON: Final = N_("Your message was passed on to the other player.")
PASS_ON: Final = N_(
    "Shall I pass this on to %(name)s? If so, answer this mail with “%(yes)s”. So far nobody has"
    " been told:"
)
NOBODY_TO_TELL: Final = N_(
    "Your message was not passed on: answer a mail about a game to write to its other player."
)
NOT_PASSED_ON: Final = N_("Your turn was played, but your message was not passed on.")
NOTHING_CLAIMED: Final = N_("No Stone could be claimed with this turn.")
UNSENT: Final = N_("Your message to the other player was not passed on:")
SAY_AGAIN: Final = N_("Send it again with a turn that can be played, or alone.")
NO_NAME: Final = N_("Under which name do you want to play?")
NOT_PLAYED: Final = N_("I could not read all of your mail as a turn. This is where I was stuck:")
NOT_ACCEPTED: Final = N_(
    "I could not read all of your mail as an answer, so to be safe nothing was accepted. This is"
    " where I was stuck:"
)

# Note: in every language this names the language itself: it was just chosen
IN_LANGUAGE: Final = N_("You get mails in English from now on.")
NAME_MEANT: Final = N_(
    "Did you mean to accept the invitation? If you did, answer this mail with “%(yes)s”. To be"
    " safe, nothing is accepted before, because of what stands beside it:"
)
PASSED_ON_THEN: Final = N_("Your message is passed on to the other player then.")
ACCEPT_MEANT: Final = N_("Did you mean “%(accept)s”? If you did, answer this mail with “%(yes)s”.")
ALONE: Final = N_(
    "Write “%(accept)s”, “%(decline)s” or “%(language)s Deutsch” alone in your mail: a greeting"
    " and your name may stand beside it."
)


def say(words: Words, message: str, /, **places: object) -> str:
    """Say one of these messages, with the commands that it teaches."""
    return teach(words, message, **places)


def of_name(words: Words, name: str) -> str:
    """Say under which name somebody would play, and that everybody sees it."""
    return words.say(
        "You would play as %(name)s, a name that everybody here sees.", name=inert_name(name)
    )


def of_taken_name(words: Words, name: str) -> str:
    """Say that somebody else has the name that somebody wants to play under."""
    return words.say("The name %(name)s is taken.", name=inert_name(name))


def end_of_pause(words: Words, until: str) -> str:
    """Return the moment (RFC 3339) at which a pause ends."""
    return end_moment(words, until, UTC)


def of_wish(words: Words, said: str, follows: str) -> str:
    """Say what a player wants, what follows from it if that has to be said, and that they have to
    confirm it."""
    # Note: %(wish)s is such as "a rematch with Bob: …" or "to end your vacation now"
    message = N_("You want %(wish)s. Nothing is changed until you say so.")
    if not follows:
        return words.say(message, wish=said)
    # Note: %(follows)s is a whole sentence
    message = N_("You want %(wish)s. %(follows)s Nothing is changed until you say so.")
    return words.say(message, wish=said, follows=follows)


def of_refusal(words: Words, refusal: RequestRejected | RuleBroken) -> str:
    """Return the sentence that says why a turn was refused. The number of its ruling says nothing
    to somebody without the book of rules."""
    return harmless(refusal_words(words, refusal))


def of_claims_left(words: Words, stones: Sequence[str]) -> tuple[str, ...]:
    """Name the Stones that could still be claimed."""
    if not stones:
        return ()
    return (
        words.plural(
            "You could also claim: Stone %(stones)s.",
            "You could also claim: Stones %(stones)s.",
            len(stones),
            stones=words.joined(stones),
        ),
    )


def harmless(text: str) -> str:
    """Return the sentence with unseen marks around each word that could be read as an action."""
    words = text.split(" ")
    for place, word in enumerate(words):
        core = word.strip(".,;:()`'\"")
        if core and (any(c in core for c in "@!+>:") or re.fullmatch(r"-\S+", core)):
            words[place] = word.replace(core, marked(core), 1)
    return " ".join(words)


_FIRST: Final = {"creator": N_("you play first"), "opponent": N_("you play second")}


def of_terms(words: Words, wanted: NewGame, player: str) -> str:
    """Return the terms of a game that this player asks for, in the words of its page."""
    shown = {name: getattr(wanted, name) for name in ("edition", "rounds", "tactics", "expert")}
    bot = bot_named(wanted.bot)
    players = (player, wanted.opponent, bot.player if bot else None)
    rated = is_for_ratings(wanted.rated, wanted.private, wanted.clock, players)
    game = {**shown, "clock": wanted.clock, "rated": rated}
    first = _FIRST.get(wanted.first_player)
    parts = [described(words, game), words.say(first) if first else ""]
    if wanted.private:
        parts.append(words.say("private, seen with its invitation alone"))
    return words.parts(parts)


def of_agreed_pause(words: Words, stored: StoredGame) -> str:
    """Describe the agreed pause from the log, so that it reads the same however often the mail is
    carried out."""
    pause = stored.clock.paused() if stored.clock else None
    assert pause is not None, "the clock has just been paused"
    paused = say(words, PAUSED)
    if pause.end is None:
        agreed = words.say("You agreed to a pause without an end.")
        return f"{agreed} {paused}"
    unit = MINUTE if pause.end - pause.start < DAY else HOUR
    agreed = words.say(
        "You agreed to a pause of %(span)s, until %(moment)s.",
        span=duration(words, round((pause.end - pause.start) / unit) * unit),
        moment=end_of_pause(words, timestamp(pause.end)),
    )
    return f"{agreed} {paused}"
