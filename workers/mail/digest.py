"""The daily digest: one mail about all of a player's games, as they stand when it is sent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, cast

from engine import OTHER, Seat
from letters.inert import inert_name
from service.accounts.mail_preferences import MailChoice, Subscription
from service.accounts.names import NOBODY, displayable, shown_name
from service.core.redis.batch import execute_all
from service.core.words import Words
from service.eventlog import notice_id
from service.games.notices import SHARES
from service.games.projections.player_games import GameFilter
from service.games.shapes import GameSummaryShape
from service.text.game_terms import ENDLESS, left_paused
from service.text.moments import by
from workers.context import WorkerContext
from workers.due import About, DueNotice, read_due
from workers.mail.game import GameMail

MOST_GAMES: Final = 100


class DigestEntry(NamedTuple):
    """A line of the digest, and the page it is about.

    `version` is that of its notice, or 0 for a turn that an earlier notice reported; `by_mail` says
    whether the player wants such mail.
    """

    text: str
    link: str
    kind: str
    game: str
    version: int
    by_mail: bool


@dataclass(frozen=True)
class Digest:
    """The content of the digest, for the templates and for channels.

    `all_turns` are all games that wait for the player, by time left; `all_news` is everything else
    that the waiting notices report; `words` are the player's.
    """

    words: Words
    all_turns: Sequence[DigestEntry]
    all_news: Sequence[DigestEntry]
    home: str

    @property
    def turns(self) -> list[DigestEntry]:
        """The games that wait for the player, as far as the mail lists them."""
        return [entry for entry in self.all_turns if entry.by_mail]

    @property
    def news(self) -> list[DigestEntry]:
        """Everything else that the mail reports."""
        return [entry for entry in self.all_news if entry.by_mail]

    @property
    def opening(self) -> str:
        """The opening words of the mail."""
        return opening(self.words, len(self.turns))

    @property
    def headline(self) -> str:
        """The opening words as a title."""
        if not (turns := len(self.turns)):
            return self.words.say("There is news of your games")
        return self.words.plural(
            "It is your turn in one game", "It is your turn in %(number)s games", turns
        )

    @property
    def variables(self) -> dict[str, object]:
        return {"digest": self}

    @property
    def by_mail(self) -> bool:
        """Whether the mail has any content."""
        return bool(self.turns or self.news)

    def entries(self) -> list[dict[str, object]]:
        """Return all entries as plain data, those not in the mail too."""
        return [entry._asdict() for entry in (*self.all_turns, *self.all_news)]


class WaitingNotices(NamedTuple):
    """The notices that wait for a digest. It reports the `current` ones; the `obsolete` ones are no
    longer true. The `others` are by now to be mailed separately."""

    current: list[tuple[DueNotice, About]]
    obsolete: list[DueNotice]
    others: list[DueNotice]


def waiting_notices(context: WorkerContext, player: str) -> WaitingNotices:
    """Return the notices that wait for this player's digest, sorted by their present state."""
    waiting = WaitingNotices([], [], [])
    container = context.container
    kept = container.deferred_notices.waiting(player)
    queries = [container.log.outbox.pending_query(notice) for notice in kept]
    pending = dict(zip(kept, execute_all(container.redis, queries), strict=True))
    # A worker that had claimed a notice may have added it again after an earlier digest.
    if finished := [notice for notice in kept if not pending[notice]]:
        container.deferred_notices.drop(player, finished)
    ids = [notice for notice in kept if pending[notice]]
    for due in read_due(context, ids).values() if ids else ():
        if isinstance(due, Exception):  # a damaged log; its notice says so when it falls due
            continue
        is_wanted = due.wanted or bool(due.wanting())
        if not is_wanted or due.choice.delivery_of(due.notice.subject) != "digest":
            waiting.others.append(due)
        elif (subject := due.current(context)) is None:
            waiting.obsolete.append(due)
        else:
            waiting.current.append((due, subject))
    return waiting


def digest(context: WorkerContext, player: str, waiting: WaitingNotices) -> Digest:
    """Return the digest that reports these notices."""
    choice = context.container.mail_preferences.choice(player)
    words = context.words_of(choice)
    notices = [due.notice for due, _ in waiting.current]
    versions = {notice.subject: notice.version for notice in notices if notice.kind == "turn"}
    return Digest(
        words=words,
        all_turns=list(_turns(words, context, player, choice, versions)),
        all_news=list(_news(words, waiting)),
        home=context.container.settings.base_url,
    )


def opening(words: Words, turns: int) -> str:
    """Return the opening words of a digest when the player is to move in this many games."""
    if not turns:
        return words.say("There is news of your games.")
    return words.plural(
        "It is your turn in one game.", "It is your turn in %(number)s games.", turns
    )


def finish(context: WorkerContext, player: str, waiting: WaitingNotices) -> None:
    """Finish the notices that the digest has reported, and let the others fall due."""
    container = context.container
    done = [*(due for due, _ in waiting.current), *waiting.obsolete]
    for due in done:
        container.log.outbox.finish(notice_id(*due.notice))
        if due.notice.kind == "over" and due.notice.subject in due.choice.games:
            container.mail_preferences.set_game(player, due.notice.subject, None)
    for due in waiting.others:
        container.log.outbox.postpone(notice_id(*due.notice), container.now())
    if gone := [notice_id(*due.notice) for due in (*done, *waiting.others)]:
        container.deferred_notices.drop(player, gone)


def _turns(
    words: Words,
    context: WorkerContext,
    player: str,
    choice: MailChoice,
    versions: Mapping[str, int],
) -> Iterator[DigestEntry]:
    """Yield an entry for each game that waits for the player and belongs in the digest; `versions`
    are those of their notices, by game."""
    container = context.container
    by_mail = container.mail_preferences.wanted(Subscription(player, "turn"))
    now = container.now()
    entries = _waiting(context, player)
    for summary in sorted(entries, key=lambda one: (one["deadline"] or "9999", one["created_at"])):
        if choice.delivery_of(summary["id"]) != "digest":
            continue
        name = other_name(words, summary)
        deadline, game_id = summary["deadline"], summary["id"]
        clock = container.games.cached(game_id).clock
        at = partial(by, words, zone=choice.zone, now=now)
        paused = left_paused(words, clock.left_paused(now) if clock else None, at)
        if deadline and not paused:
            line = words.say("Against %(name)s: until %(moment)s.", name=name, moment=at(deadline))
        else:
            # Note: %(reason)s is "no time limit" or "2 d 23 h left · paused"
            reason = paused or words.say(ENDLESS)
            line = words.say("Against %(name)s: %(reason)s.", name=name, reason=reason)
        version = versions.get(game_id, 0)
        link = f"{context.container.settings.base_url}/games/{game_id}"
        yield DigestEntry(line, link, "turn", game_id, version, by_mail)


def other_name(words: Words, summary: GameSummaryShape) -> str:
    """Return the name of the other player in a summary of a game, as a mail may show it."""
    other = summary["players"][OTHER[cast(Seat, summary["seat"])]]
    return inert_name(shown_name(words, displayable((other and other["name"]) or NOBODY)))


def _waiting(context: WorkerContext, player: str) -> list[GameSummaryShape]:
    entries: list[GameSummaryShape] = []
    after: str | None = None
    while True:
        page, after = context.container.games.lists.of_player(
            player, GameFilter("active"), my_turn=True, after=after, limit=MOST_GAMES
        )
        entries += (summary for summary in page if "practice" not in summary)
        if after is None or len(entries) >= MOST_GAMES:
            return entries


def _news(words: Words, waiting: WaitingNotices) -> Iterator[DigestEntry]:
    for due, subject in waiting.current:
        kind, about, version = due.notice.kind, due.notice.subject, due.notice.version
        if kind == "turn" or kind in SHARES:
            continue
        link = subject.link
        if isinstance(subject, GameMail) and kind == "invitation":
            link = subject.invite
        line = due.kind.line_about(words, subject)
        yield DigestEntry(line, link, kind, about, version, due.wanted)
