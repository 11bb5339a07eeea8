"""Writes the variables of an answer about no single game: the reader's games, and the possible
commands."""

from typing import Any, Final, NamedTuple

from service.accounts.name_rules import NOBODY, displayable
from service.games.projections.player_games import GameFilter
from service.mail_in.addresses.reply_addresses import ReplyTo
from service.text.game_terms import without_deadline
from service.text.inert import inert_name
from service.text.moments import time_until
from workers.context import WorkerContext
from workers.mail.ready_answers import opening

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


def variables(context: WorkerContext, player: str | None) -> dict[str, object]:
    """Return the variables of the template; a reader without an account gets the pages only."""
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
