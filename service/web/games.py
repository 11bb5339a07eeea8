"""A game as a passer-by sees it, now or as it stood after any event."""

import re
from typing import Any, NamedTuple

from flask import abort, render_template, request

from service.container import get_container
from service.games import StoredGame
from service.text.board import board_text, names_in
from service.text.history import Told, outcome, tell
from service.web.blueprint import blueprint
from service.web.card_filters import unseen_rows


class Steps(NamedTuple):
    """Where a look at a game stands between its first event and its last; None: no such step."""

    at: int
    last: int

    @property
    def before(self) -> int | None:
        """The version before this one."""
        return self.at - 1 if self.at > 1 else None

    @property
    def after(self) -> int | None:
        """The version after this one."""
        return self.at + 1 if self.at < self.last else None


class Story(NamedTuple):
    """What happened in one round, and where the rounds around it are; None: no such round."""

    told: list[Told]
    before: int | None
    after: int | None


@blueprint.get("/games/<game_id>")
def game(game_id: str) -> str:
    """The board, with `?at=N` after event N; `?invite=` opens a private game."""
    games, invite = get_container().games, request.args.get("invite")
    latest = games.read(game_id, None, invite=invite)
    stored = games.read(game_id, None, at=_at(), invite=invite)
    view = games.view(stored, None)
    names = names_in(view)
    return render_template(
        "game.html",
        view=view,
        names=names,
        unseen_rows=unseen_rows(view),
        steps=Steps(stored.version, latest.version),
        story=_story(latest, stored.version),
        result=_result(view, names),
        text=board_text(view),
        invited=invite is not None and stored.game.status == "open",
    )


def _at() -> int | None:
    text = request.args.get("at")
    if text is None:
        return None
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        abort(404)
    return int(text)


def _story(latest: StoredGame, at: int) -> Story:
    """What happened in the round that event `at` is in."""
    games = get_container().games
    lines = games.events_of_round(latest, None, at)
    first, last = lines[0]["seq"], lines[-1]["seq"]
    return Story(
        told=tell(lines, names_in(games.view(latest, None))),
        before=first - 1 if first > 1 else None,
        after=last + 1 if last < latest.version else None,
    )


def _result(view: dict[str, Any], names: dict[str, str]) -> str | None:
    if view["status"] == "finished":
        return outcome(view["winner"], view["reason"], names)
    return "The game was called off." if view["status"] == "aborted" else None
