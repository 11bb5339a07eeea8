"""Writes our answers to incoming mails: the moves played, or the reason why none was, and the
position; or, about no single game, the reader's games and the possible commands."""

import re
from typing import Final, NamedTuple

from service.accounts.email_addresses import ADDRESS
from service.accounts.mail_preferences import MailChoice
from service.accounts.names import displayable
from service.accounts.player import Player
from service.core.redis.batch import execute
from service.core.words import N_, Words
from service.eventlog import NoticeParts
from service.games.projections.player_games import GameFilter
from service.games.shapes import GameSummaryShape
from service.mail_in.addresses import ReplyTo
from service.mail_in.outcome import BOARD, DESK, KINDS, NOTE, PLAYED, REFUSED, Outcome
from service.mail_in.wording import guide
from service.text.game_terms import time_of_turn
from workers.context import WorkerContext
from workers.mail.answers import of_outcome, opening
from workers.mail.compose import compose_reply
from workers.mail.digest import other_name
from workers.mail.game import GameMail, game_mail
from workers.mail.mailer import Address, Message
from workers.outcomes import CoveredTurn, covered_by_answer

REPLIES: Final = KINDS
"""The kinds of mail that answer an incoming mail."""
_SENTENCE: Final = re.compile(r".+?[.?!](?<! \d\.)(?<! \d\d\.)(?= \D|$)")
"""Up to the first end that no date has: "20. Dez. 2026" in German."""


class Reply(NamedTuple):
    """An answer to an incoming mail. `shows` is the turn, or the end of the game, that the answer
    shows: no other mail needs to report it. It is None if the answer shows neither."""

    message: Message
    shows: CoveredTurn | None
    only_confirms: bool
    """Whether the answer only confirms the player's turn, which the next mail would show too."""


def write(context: WorkerContext, notice: NoticeParts, player: Player | None) -> Reply | None:
    """Write the answer to the mail that this notice names; return None if there is nobody to
    answer."""
    outcome = context.container.incoming_mail.outcome(notice.subject)
    if outcome is None:
        return None
    to = _recipient(context, notice, outcome, player)
    if to is None:
        return None
    container = context.container
    if outcome.player:
        choice = container.mail_preferences.choice(outcome.player)
    else:  # perhaps an address that was invited
        choice = execute(container.redis, container.games.invitations.choice_query(outcome.about))
    words = container.languages.words(choice.language or outcome.language)
    game = _game(words, context, outcome, choice)
    title, sentences = _headed(words, outcome, game)
    is_bare = notice.kind == PLAYED and outcome.label == "played" and not outcome.sentences
    if game and notice.kind == PLAYED and outcome.label == "played":
        # In whatever words it was written; the result says who has resigned.
        sentences = sentences if game.has_resigned else [*filter(None, [game.own_turn]), *sentences]
    invitation, offer_link = context.container.games.invitations.url, None
    if outcome.offer == "invitation":
        offer_link = invitation(outcome.about)
    elif outcome.offer == "challenge":
        offer_link = f"{context.container.settings.base_url}/challenges/{outcome.about}"
    variables: dict[str, object] = {
        "title": title,
        "sentences": sentences,
        # Not if the answer reports the mail's own effect, or asks a question.
        "turn_is_said": notice.kind == PLAYED,
        "shows_hash": game is not None and (notice.kind == PLAYED or game.is_over),
        "joined": game is not None and outcome.label == "joined",
        "has_begun": notice.kind == PLAYED and outcome.label in ("joined", "done"),
        "shows_board": _shows_board(outcome, game),
        "shows_story": not outcome.sentences or outcome.kind == REFUSED or outcome.label == "late",
        "game": game,
        "offer": outcome.offer,
        "confirms": outcome.confirms,
        "offer_link": offer_link,
        "guide": guide(words, has_tactics=game is None or game.view.tactics),
        "page": outcome.page,
        "passed_on": invitation(outcome.made) if outcome.has_link else None,
    }
    if outcome.kind == DESK:
        variables |= _desk(words, context, outcome.player, choice)
    answered = of_outcome(outcome, game)
    about, asking = outcome.about, outcome.address
    message = compose_reply(words, context, notice, about, to, variables, answered, asking)
    if answered is not None and answered.seat is not None:
        sent = context.container.incoming_mail.sent_words
        sent.store(answered.game, answered.seat, message.text)
    shows = None if game is None else covered_by_answer(game.stored, game.player)
    only_confirms = (
        is_bare and game and (not game.is_to_move or not game.acted_after(game.stored.turn_version))
    )
    return Reply(message, shows, bool(only_confirms))


def _shows_board(outcome: Outcome, game: GameMail | None) -> bool:
    """Whether the answer shows the board. That of a game that is over is sent once more only if it
    is asked for, and below a message only to who is to move."""
    if game is None or outcome.kind == NOTE or (outcome.label == "said" and not game.is_to_move):
        return False
    return not game.is_over or outcome.kind == PLAYED or outcome.label == "show"


def _headed(words: Words, outcome: Outcome, game: GameMail | None) -> tuple[str, list[str]]:
    """Return the heading of an answer and the sentences below it: the news comes first."""
    sentences = [*outcome.sentences]
    if sentences and outcome.kind in (NOTE, DESK, BOARD) and not (game and outcome.confirms):
        first, *others = sentences
        match = _SENTENCE.match(first)
        end = match.end() if match else len(first)
        rest = first[end:].lstrip()
        return first[:end], [rest, *others] if rest else others
    if game is not None:
        title = N_("Your game against %(name)s.")
        if outcome.label == "show" and not game.is_over:  # perhaps it was asked whose turn it is
            yours, theirs = N_("It is your turn against %(name)s."), N_("It is %(name)s’s turn.")
            title = yours if game.is_to_move else theirs
        return words.say(title, name=game.opponent), sentences
    return words.say("Scottenbury: your answer"), sentences


def _recipient(
    context: WorkerContext, notice: NoticeParts, outcome: Outcome, player: Player | None
) -> Address | None:
    if notice.recipient == ADDRESS:
        return Address("", outcome.email) if outcome.email else None
    further = player and outcome.email
    if player and further and context.container.answer_addresses.is_confirmed(player.id, further):
        return Address(displayable(player.name), further)
    if player is None or (context.mailer.needs_address and not player.verified):
        return None
    return Address(displayable(player.name), player.email or f"{player.id}@mailbox.invalid")


def _game(
    words: Words, context: WorkerContext, outcome: Outcome, choice: MailChoice
) -> GameMail | None:
    """Return the game of the outcome in its present state; None if there is none."""
    container = context.container
    if outcome.game is None:
        return None
    recent = execute(container.redis, container.games.repository.recent_query(outcome.game))
    if recent is None:
        return None
    side_state = container.log.side_state.read(outcome.game)
    version = recent.stored.version
    return game_mail(words, context, recent, side_state, outcome.player, version, choice.zone)


_MOST: Final = 12
"""Longest list of games in a mail."""
_EXAMINED: Final = 100


class ListedGame(NamedTuple):
    """One of the reader's games: a line about it, the URL of its page, the reply address of its
    turn, and a link that requests the board by mail; the last two are None if no mail is taken
    in."""

    text: str
    link: str
    address: str | None
    show: str | None


def _desk(
    words: Words, context: WorkerContext, player: str | None, choice: MailChoice
) -> dict[str, object]:
    """Return the variables of an answer about no single game; a reader without an account
    gets the pages only."""
    container, running, lists = (
        context.container,
        list[GameSummaryShape](),
        context.container.games.lists,
    )
    if player:
        running, _ = lists.of_player(player, GameFilter("active"), limit=_EXAMINED)
    # Those that wait for the player come first, by time left.
    listed = sorted(
        running, key=lambda one: (one["turn"] != one["seat"], one["deadline"] or "9999", one["id"])
    )[:_MOST]
    more = len(running) - len(listed)
    return {
        "games": [_listed(words, context, choice, summary) for summary in listed],
        "more": words.plural(
            "And %(number)s more, on the page.", "And %(number)s more, on the page.", more
        )
        if more
        else "",
        "is_player": player is not None,
        "new_game": f"{container.settings.base_url}/games/new",
    }


# Note: %(left)s is "2 d 23 h left · until …", "2 d 23 h left · paused" or "no time limit"
_LINES: Final = {
    (False, True): N_("Against %(name)s: your turn, %(left)s."),
    (False, False): N_("Against %(name)s: it is %(name)s’s turn, %(left)s."),
    (True, True): N_("Practice against %(name)s: your turn, %(left)s."),
    (True, False): N_("Practice against %(name)s: it is %(name)s’s turn, %(left)s."),
}
"""A line about a game, by whether it is for practice, and the reader's turn."""


def _listed(
    words: Words, context: WorkerContext, choice: MailChoice, summary: GameSummaryShape
) -> ListedGame:
    container, seat = context.container, summary["seat"]
    stored = container.games.cached(summary["id"])  # the player has just been read
    name = other_name(words, summary)
    now, clock = container.now(), stored.clock
    paused = clock.left_paused(now) if clock else None
    left = time_of_turn(words, paused, summary["deadline"], choice.zone, now)
    reply_to = ReplyTo("turn", stored.id, stored.version, seat, stored.head)
    address = container.incoming_mail.addresses.write(reply_to)
    line = _LINES[stored.practice is not None, summary["turn"] == seat]
    return ListedGame(
        words.say(line, name=name, left=left),
        f"{container.settings.base_url}/games/{stored.id}",
        address,
        opening(address, stored.id, "show") if address else None,
    )
