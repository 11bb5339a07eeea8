"""The daily digest: one mail about all games of a player, from the games as they stand then."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from service.accounts.mail_preferences import Subscription
from service.accounts.name_rules import NOBODY, displayable
from service.core.redis.batch import execute_all
from service.eventlog import notice_id
from service.games.notices.reminders import SHARES
from service.games.projections.player_games import GameFilter
from service.text.game_terms import without_deadline
from service.text.inert import inert_name
from service.text.moments import moment
from workers.context import WorkerContext
from workers.mail import challenge, game, vacation
from workers.prefetch import Prefetched, prefetch

MOST_GAMES: Final = 100
_NEVER: Final = "9999"
"""After every deadline."""


class DigestEntry(NamedTuple):
    """A line of the digest, and the page it is about.

    `version` is that of the notice that it tells, 0 for a turn of which an earlier one told;
    `by_mail` whether its player wants such mail.
    """

    text: str
    link: str
    kind: str
    game: str
    version: int
    by_mail: bool


@dataclass(frozen=True)
class Digest:
    """What the templates show, and the channels tell.

    Turns are all games that wait for the player, the least time left first; news is the rest of
    what the kept notices tell.
    """

    all_turns: Sequence[DigestEntry]
    all_news: Sequence[DigestEntry]
    home: str

    @property
    def turns(self) -> list[DigestEntry]:
        """The turns that the mail tells."""
        return [entry for entry in self.all_turns if entry.by_mail]

    @property
    def news(self) -> list[DigestEntry]:
        """The news that the mail tells."""
        return [entry for entry in self.all_news if entry.by_mail]

    @property
    def opening(self) -> str:
        """What the mail says first."""
        return opening(len(self.turns))

    @property
    def by_mail(self) -> bool:
        """Whether the mail tells anything."""
        return bool(self.turns or self.news)

    def entries(self) -> list[dict[str, Any]]:
        """All of it, as plain data."""
        return [entry._asdict() for entry in (*self.all_turns, *self.all_news)]


class Kept(NamedTuple):
    """The notices kept for a digest: `true` ones, which it tells, and the `untrue`.

    Of `others`, mail is to come in another way by now.
    """

    true: list[tuple[Prefetched, Mapping[str, Any]]]
    untrue: list[Prefetched]
    others: list[Prefetched]


def kept_notices(context: WorkerContext, player: str) -> Kept:
    """What was kept for this player, as it stands now."""
    kept = Kept([], [], [])
    ids = _pending(context, player)
    for found in prefetch(context, ids) if ids else []:
        if isinstance(found, Exception):  # a damaged log; its notice says so when it falls due
            continue
        is_wanted = found.wanted or bool(found.wanting())
        if not is_wanted or found.choice.delivery_of(found.notice.subject) != "digest":
            kept.others.append(found)
        elif (variables := _variables(context, found)) is None:
            kept.untrue.append(found)
        else:
            kept.true.append((found, variables))
    return kept


def digest(context: WorkerContext, player: str, kept: Kept) -> Digest:
    """The digest that tells these notices."""
    versions = {one.notice.subject: one.notice.version for one, _ in kept.true if _is_turn(one)}
    return Digest(
        all_turns=list(_turns(context, player, versions)),
        all_news=[_news(*one) for one in kept.true if one[0].notice.kind not in _OF_TURNS],
        home=context.container.settings.base_url,
    )


def opening(turns: int) -> str:
    """What a digest says first where the player is to move in so many games."""
    if not turns:
        return "There is news of your games."
    return f"It is your turn in {'one game' if turns == 1 else f'{turns} games'}."


def _is_turn(found: Prefetched) -> bool:
    return found.notice.kind == "turn"


def finish(context: WorkerContext, player: str, kept: Kept) -> None:
    """Strike off what the digest has told, and let the rest fall due."""
    container = context.container
    done = [*(found for found, _ in kept.true), *kept.untrue]
    for found in done:
        container.log.outbox.finish(notice_id(*found.notice))
        if found.notice.kind == "over" and found.notice.subject in found.choice.games:
            container.mail_preferences.set_game(player, found.notice.subject, None)
    for found in kept.others:
        container.log.outbox.postpone(notice_id(*found.notice), container.now())
    if gone := [notice_id(*found.notice) for found in (*done, *kept.others)]:
        container.deferred_notices.drop(player, gone)


def _pending(context: WorkerContext, player: str) -> list[str]:
    """What was kept and is not finished: of what an earlier digest told, a worker that had claimed
    it meanwhile may have kept it once more."""
    container = context.container
    kept = container.deferred_notices.kept(player)
    queries = [container.log.outbox.pending_query(notice) for notice in kept]
    pending = dict(zip(kept, execute_all(container.redis, queries), strict=True))
    if finished := [notice for notice in kept if not pending[notice]]:
        container.deferred_notices.drop(player, finished)
    return [notice for notice in kept if pending[notice]]


def _turns(
    context: WorkerContext, player: str, versions: Mapping[str, int]
) -> Iterator[DigestEntry]:
    """The games that wait for the player, and are told in the digest; `versions` are those of the
    notices of them, by game."""
    container = context.container
    by_mail = container.mail_preferences.wanted(Subscription(player, "turn"))
    choice = container.mail_preferences.choice(player)
    found = [
        summary
        for summary in _waiting(context, player)
        if choice.delivery_of(summary["id"]) == "digest"
    ]
    for summary in sorted(found, key=lambda one: (one["deadline"] or _NEVER, one["created"])):
        other = "south" if summary["seat"] == "north" else "north"
        name = inert_name(displayable((summary["players"][other] or {}).get("name") or NOBODY))
        deadline = summary["deadline"]
        game_id = summary["id"]
        clock = container.games.cached(game_id).game.terms.get("clock")
        until = f"until {moment(deadline, choice.zone)}" if deadline else without_deadline(clock)
        version = versions.get(game_id, 0)
        link = _page(context, game_id)
        yield DigestEntry(f"Against {name}: {until}.", link, "turn", game_id, version, by_mail)


def _waiting(context: WorkerContext, player: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        page, after = context.container.games.lists.of_player(
            player, GameFilter("active"), my_turn=True, after=after, limit=MOST_GAMES
        )
        found += page
        if after is None or len(found) >= MOST_GAMES:
            return found


def _variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    if found.notice.kind in challenge.KINDS:
        return challenge.variables(context, found)
    if found.notice.kind in vacation.KINDS:
        return vacation.variables(context, found)
    return game.variables(context, found)


def _news(found: Prefetched, variables: Mapping[str, Any]) -> DigestEntry:
    kind, about = found.notice.kind, (found.notice.subject, found.notice.version, found.wanted)
    if kind in challenge.KINDS:
        return DigestEntry(challenge_line(kind, variables), variables["link"], kind, *about)
    if kind in vacation.KINDS:
        return DigestEntry(variables["sentence"], variables["link"], kind, *about)
    mail: game.GameMail = variables["game"]
    link = mail.invite if kind == "invitation" else mail.link
    return DigestEntry(game_line(kind, mail), link, kind, *about)


def challenge_line(kind: str, variables: Mapping[str, Any]) -> str:
    """What is said in a line of a notice about a challenge."""
    return _OF_CHALLENGE[kind].format(**variables)


def game_line(kind: str, mail: game.GameMail) -> str:
    """What is said in a line of a notice about a game, turns aside."""
    return _OF_GAME[kind](mail)


def _page(context: WorkerContext, game_id: str) -> str:
    return f"{context.container.settings.base_url}/games/{game_id}"


_OF_CHALLENGE: Final = {
    "challenge": "{challenger} challenges you to a game.",
    "declined": "{challenged} declined your challenge.",
}
_OF_GAME: Final = {
    "over": lambda mail: f"Your game against {mail.opponent} is over. {mail.result[0]}",
    "started": lambda mail: f"Your game against {mail.opponent} has begun.",
    "invitation": lambda mail: f"{mail.host} invites you to a game.",
    "orders": lambda mail: f"Your order was cancelled in the game against {mail.opponent}.",
    "message": lambda mail: f"{mail.opponent} has written to you in your game.",
    "abandonment": lambda mail: f"{mail.opponent} would rather abandon your game.",
    "pause": lambda mail: f"{mail.opponent} offers to pause the clock {mail.offered_pause}.",
    "clock-runs": lambda mail: (
        f"The pause is over in your game against {mail.opponent}: you have until {mail.deadline}."
    ),
    "time-out": lambda mail: f"{mail.opponent}'s time is out: the win is yours to claim.",
}
"""What the digest says of each kind of notice but those of turns."""
_OF_TURNS: Final = ("turn", *SHARES)
