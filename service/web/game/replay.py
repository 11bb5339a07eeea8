"""Going through a game step by step: where one is, through whose eyes, and what the step tells."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from flask import Response, abort, request

from engine import SEATS
from service.container import get_container
from service.games import StoredGame
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import GameShown
from service.text.history import Sentence
from service.web import session
from service.web.blueprint import blueprint

BOTH: Final = "both"
"""The eyes that see both hands."""


class Replay(NamedTuple):
    """A step of a game, and the ways on from it.

    `eyes` is whose hand is shown: a seat, both, or None for what the reader may see by right.
    `choices` are the eyes to choose from, none while the game goes on. `since` is the step at which
    the reader's last own turn ended; None where nothing happened after it.
    """

    at: int
    last: int
    eyes: str | None
    choices: Sequence[str]
    since: int | None
    told: str

    @property
    def back(self) -> int | None:
        """The step before this one."""
        return self.at - 1 if self.at > 1 else None

    @property
    def forward(self) -> int | None:
        """The step after this one."""
        return self.at + 1 if self.at < self.last else None


def replay(snapshot: GameSnapshot, story: Sequence[Sentence]) -> Replay:
    """Where the step that is shown is. `story`: the sentences of its round."""
    latest, at, seen = snapshot.latest, snapshot.shown.version, snapshot.last_turn
    over = latest.game.over
    return Replay(
        at,
        latest.version,
        _eyes(latest),
        (*SEATS, BOTH) if over and latest.started else (),
        None if over or seen == latest.version else seen,
        next((told.text for told in story if told.seq >= at), ""),
    )


def view_at(snapshot: GameSnapshot) -> GameShown:
    """The view of the game at a step, through the eyes that the address names.

    Once the game is over everybody may look through either player's eyes, or both.
    """
    shown, reader, eyes = snapshot.shown, snapshot.reader, _eyes(snapshot.latest)
    if eyes is None:
        return snapshot.view(shown, reader)
    players = shown.game.players
    if eyes != BOTH:
        return snapshot.view(shown, players[eyes])  # type: ignore[index]
    hands = {seat: snapshot.view(shown, players[seat]).hands[seat] for seat in SEATS}
    # As the reader sits: a player finds the own side where it was in the game.
    return replace(snapshot.view(shown, reader), hands=hands)


@blueprint.get("/games/<game_id>/record")
def record(game_id: str) -> Response:
    """The game's record, as the reader may see it now, in JSON Lines."""
    games, reader = get_container().games, session.player_id()
    stored = games.read(game_id, reader, invite=request.args.get("invite"))
    answer = Response(games.history.record(stored, reader), mimetype="application/x-ndjson")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game_id}.jsonl"'
    return answer


def _eyes(latest: StoredGame) -> str | None:
    """Whose eyes the address names."""
    eyes = request.args.get("eyes")
    if eyes is None:
        return BOTH if "at" in request.args and latest.game.over and latest.started else None
    if eyes not in (*SEATS, BOTH) or not latest.game.over or not latest.started:
        abort(404)
    return eyes
