"""Writes our answers to incoming mails: the moves played, or the reason why none was, and the
position; or, about no single game, the reader's games and the possible commands."""

import re
from collections.abc import Sequence
from datetime import UTC
from typing import Any, Final, NamedTuple

from service.accounts.email_addresses import ADDRESS
from service.accounts.name_rules import NOBODY, displayable
from service.accounts.player import Player
from service.core.redis.batch import execute
from service.eventlog import NoticeParts
from service.games.projections.player_games import GameFilter
from service.mail_in.addresses.reply_addresses import ReplyTo
from service.mail_in.outcome import DESK, KINDS, NOTE, PLAYED, REFUSED, Outcome
from service.mail_in.words.help import HELP
from service.text.game_terms import without_deadline
from service.text.inert import inert_name
from service.text.moments import time_until
from workers.context import WorkerContext
from workers.current import is_turn_unplayed
from workers.mail.answers import of_outcome, opening
from workers.mail.compose import compose_reply
from workers.mail.game import GameMail, game_mail
from workers.mail.message import Address, Message
from workers.mail.shown import CoveredTurn, of_answer

REPLIES: Final = KINDS
"""The kinds of mail that answer an incoming mail."""
_ABOUT: Final = "This is about the mail you sent."
_SENTENCE: Final = re.compile(r".{1,120}?[.?!](?= |$)")


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
    game = _game(context, outcome)
    title, sentences = _headed(outcome)
    variables: dict[str, object] = {
        "title": title,
        "sentences": sentences,
        "shows_story": _shows_story(outcome),
        "game": game,
        "offer": outcome.offer,
        "confirms": outcome.confirms,
        "offer_link": _offer_link(context, outcome),
        "words": HELP,
        "page": outcome.page,
        "passed_on": _passed_on(context, outcome),
    }
    if outcome.kind == DESK:
        variables |= _desk(context, outcome.player)
    answered = of_outcome(outcome, game)
    message = compose_reply(context, notice, outcome.about, to, variables, answered)
    if answered is not None and answered.seat is not None:
        words = context.container.incoming_mail.sent_words
        words.store(answered.game, answered.seat, message.text)
    shows = None if game is None else of_answer(game.stored, game.player)
    return Reply(message, shows, _only_confirms(notice, outcome, game))


def _headed(outcome: Outcome) -> tuple[str, Sequence[str]]:
    """Return the heading of an answer without a game, and the sentences below it. A short first
    sentence becomes the heading."""
    first, *others = outcome.sentences or ("",)
    match = _SENTENCE.match(first) if outcome.kind == NOTE else None
    if match is None:
        return _ABOUT, outcome.sentences
    return match[0], [*filter(None, [first[match.end() :].lstrip()]), *others]


def _shows_story(outcome: Outcome) -> bool:
    """Whether the answer retells the events of the game. It does not if it reports the mail's own
    effect, or asks a question."""
    return not outcome.sentences or outcome.kind == REFUSED or outcome.label == "late"


def _only_confirms(notice: NoticeParts, outcome: Outcome, game: GameMail | None) -> bool:
    """Whether the answer would only confirm a turn: the player has nothing more to do or read."""
    if notice.kind != PLAYED or outcome.label != "played" or outcome.sentences or game is None:
        return False
    return not game.is_to_move or is_turn_unplayed(game)


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


def _offer_link(context: WorkerContext, outcome: Outcome) -> str | None:
    """Return the URL of the page where an open invitation or challenge can be answered; None if
    there is none."""
    match outcome.offer:
        case "invitation":
            return context.container.games.invitations.url(outcome.about)
        case "challenge":
            return f"{context.container.settings.base_url}/challenges/{outcome.about}"
        case None:
            return None


def _passed_on(context: WorkerContext, outcome: Outcome) -> str | None:
    """Return the link that the reader can give to their chosen opponent; None if there is none."""
    return context.container.games.invitations.url(outcome.made) if outcome.has_link else None


def _game(context: WorkerContext, outcome: Outcome) -> GameMail | None:
    """Return the game of the outcome in its present state; None if there is none."""
    container = context.container
    if outcome.game is None:
        return None
    recent = execute(container.redis, container.games.recent_query(outcome.game))
    if recent is None:
        return None
    zone = container.mail_preferences.choice(outcome.player).zone if outcome.player else UTC
    side_state = container.log.side_state.read(outcome.game)
    version = recent.stored.version
    return game_mail(context, recent, side_state, outcome.player, version, zone)


_MOST: Final = 12
"""Longest list of games in a mail."""
_EXAMINED: Final = 100
_NEVER: Final = "9999"


class ListedGame(NamedTuple):
    """One of the reader's games: a line about it, the URL of its page, the reply address of its
    turn, and a link that requests the board by mail; the last two are None if no mail is taken
    in."""

    text: str
    link: str
    address: str | None
    show: str | None


def _desk(context: WorkerContext, player: str | None) -> dict[str, object]:
    """Return the _desk of the template; a reader without an account gets the pages only."""
    site = context.container.settings.base_url
    games, more = _games(context, player) if player else ([], 0)
    return {
        "games": games,
        "more": f"And {more} more, on the page." if more else "",
        "is_player": player is not None,
        "new_game": f"{site}/games/new",
    }


def _games(context: WorkerContext, player: str) -> tuple[list[ListedGame], int]:
    """Return the running games, those that wait for the player first, by time left; and the number
    of games left out."""
    running, _ = context.container.games.lists.of_player(
        player, GameFilter("active"), limit=_EXAMINED
    )
    by_urgency = sorted(
        running, key=lambda one: (one["turn"] != one["seat"], one["deadline"] or _NEVER, one["id"])
    )
    listed = [_listed(context, player, summary) for summary in by_urgency[:_MOST]]
    return listed, len(running) - len(listed)


def _listed(context: WorkerContext, player: str, summary: dict[str, Any]) -> ListedGame:
    container, seat = context.container, summary["seat"]
    stored = container.games.cached(summary["id"])  # the player has just been read
    other = "south" if seat == "north" else "north"
    name = inert_name(displayable((summary["players"][other] or {}).get("name") or NOBODY))
    whose = "your turn" if summary["turn"] == seat else f"the turn of {name}"
    zone = container.mail_preferences.choice(player).zone
    deadline = summary["deadline"]
    clock = stored.terms.clock
    left = time_until(deadline, zone, container.now()) if deadline else without_deadline(clock)
    reply_to = ReplyTo("turn", stored.id, stored.version, seat, stored.head)
    address = container.incoming_mail.addresses.write(reply_to)
    return ListedGame(
        f"{'Against' if stored.practice is None else 'Practice against'} {name}: {whose}, {left}.",
        f"{container.settings.base_url}/games/{stored.id}",
        address,
        opening(address, stored.id, "show") if address else None,
    )
