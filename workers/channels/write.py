"""What a channel tells of a notice: no cards, no addresses, and no more than its player may see."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.accounts.channels import Channel, channel_group
from service.accounts.channels.store import TEST
from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.core.timestamps import timestamp
from service.games.notices.reminders import CLOCK_RUNS
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext
from workers.mail import challenge, digest, game, vacation
from workers.mail.timing import DIGEST
from workers.prefetch import Prefetched

_MOST_LINES: Final = 8
"""Lines of a digest."""


def write(context: WorkerContext, found: Prefetched, channel: Channel) -> ChannelMessage | None:
    """The message of this notice; None where there is nothing to tell any more."""
    if found.notice.kind == TEST:
        return _test(context, found, channel)
    if found.notice.kind == DIGEST:
        return _digest(context, found, channel)
    if found.notice.kind in challenge.KINDS:
        return _of_challenge(context, found)
    if found.notice.kind in vacation.KINDS:
        return _of_vacation(context, found)
    return _of_game(context, found)


def _message(found: Prefetched, at: str, data: Mapping[str, Any]) -> ChannelMessage:
    notice = found.notice
    named = ".".join(map(str, notice))
    return ChannelMessage(named, f"{_prefix(notice.kind)}.{notice.kind}", at, data)


def _prefix(kind: str) -> str:
    if kind in challenge.KINDS:
        return "challenge"
    if kind in vacation.KINDS:
        return "calendar"
    return "game" if channel_group(kind) is not None else "channel"


def _of_game(context: WorkerContext, found: Prefetched) -> ChannelMessage | None:
    variables = game.variables(context, found)
    if variables is None:
        return None
    mail: game.GameMail = variables["game"]
    stored, seat = mail.stored, mail.seat
    other = next((player for player in stored.players if player != mail.player), None)
    title, text = _SENTENCES.get(found.notice.kind, _turn)(mail)
    data = {
        "game": stored.id,
        "version": stored.version,
        "head": stored.head,
        "seat": seat,
        "opponent": other and {"id": other, "name": _name(mail, other)},
        "deadline": mail.view["deadline"],
        "title": title,
        "text": text,
        "url": mail.link,
    }
    return _message(found, mail.happened_at, data)


def _name(mail: game.GameMail, player: str) -> str:
    seat = mail.stored.seat_of(player)
    assert seat is not None, "whoever plays has a seat"
    return mail.names[seat]


def _of_challenge(context: WorkerContext, found: Prefetched) -> ChannelMessage | None:
    variables = challenge.variables(context, found)
    if variables is None:
        return None
    made, kind = variables["challenge"], found.notice.kind
    text = digest.challenge_line(kind, variables)
    title = "You are challenged" if kind == "challenge" else "Your challenge was declined"
    data = {"challenge": made.id, "title": title, "text": text, "url": variables["link"]}
    return _message(found, timestamp(made.created), data)


def _of_vacation(context: WorkerContext, found: Prefetched) -> ChannelMessage | None:
    told = vacation.variables(context, found)
    if told is None:
        return None
    data = {"title": "Your vacation ends", "text": told["sentence"], "url": told["link"]}
    return _message(found, timestamp(context.container.now()), data)


def _digest(context: WorkerContext, found: Prefetched, channel: Channel) -> ChannelMessage | None:
    container = context.container
    entries = [
        entry
        for entry in container.deferred_notices.digest(found.notice.recipient, found.notice.version)
        if channel.would_tell(entry["kind"], entry["game"])
    ]
    if not entries:
        return None
    turns = sum(entry["kind"] == "turn" for entry in entries)
    lines = [entry["text"] for entry in entries[:_MOST_LINES]]
    if len(entries) > _MOST_LINES:
        lines.append(f"And {len(entries) - _MOST_LINES} more.")
    data = {
        "turns": turns,
        "title": digest.opening(turns),
        "text": "\n".join(lines),
        "url": container.settings.base_url,
    }
    return _message(found, timestamp(found.notice.version * 60), data)


def _test(context: WorkerContext, found: Prefetched, channel: Channel) -> ChannelMessage:
    url = f"{context.container.settings.base_url}/account/channels"
    data = {
        "title": "A test from Scottenbury",
        "text": f"If you read this, the channel “{channel.name}” works.",
        "url": url,
    }
    return _message(found, timestamp(context.container.now()), data)


def _turn(mail: game.GameMail) -> tuple[str, str]:
    until = f"You have until {mail.deadline}." if mail.deadline else ""
    return f"Your turn: {mail.title}", " ".join(filter(None, [mail.news, until]))


def _reminder(mail: game.GameMail) -> tuple[str, str]:
    return f"Still your turn: {mail.title}", f"You have until {mail.deadline}."


_SENTENCES: Final[Mapping[str, Callable[[game.GameMail], tuple[str, str]]]] = {
    "turn": _turn,
    REMINDER: _reminder,
    LAST_REMINDER: _reminder,
    "over": lambda mail: (f"Over: {mail.title}", " ".join(mail.result)),
    "started": lambda mail: (f"Begun: {mail.title}", digest.game_line("started", mail)),
    "invitation": lambda mail: ("An invitation", digest.game_line("invitation", mail)),
    "orders": lambda mail: (f"Your turn: {mail.title}", digest.game_line("orders", mail)),
    "message": lambda mail: (f"A message: {mail.title}", digest.game_line("message", mail)),
    "abandonment": lambda mail: (
        f"A proposal: {mail.title}",
        digest.game_line("abandonment", mail),
    ),
    "pause": lambda mail: (f"A proposal: {mail.title}", digest.game_line("pause", mail)),
    CLOCK_RUNS: lambda mail: (
        f"Your time runs again: {mail.title}",
        digest.game_line(CLOCK_RUNS, mail),
    ),
    "time-out": lambda mail: (f"Time is out: {mail.title}", digest.game_line("time-out", mail)),
}
"""The title and the text of each kind of notice about a game."""
