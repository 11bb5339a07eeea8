"""Going through a game step by step: the present step, the steps before and after it, and the
choice of hands."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from flask import Response, abort, request

from engine import SEATS
from engine.chain import StoredEvent
from engine.events import RoundStarted
from service.container import get_container
from service.core.words import Words
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import GameShown
from service.text.history import Sentence
from service.web import session
from service.web.blueprint import blueprint
from service.web.game.sentences import step_words

BOTH: Final = "both"
"""The value of `eyes` for which both hands are shown."""


class Replay(NamedTuple):
    """A step of a game, and the links from it.

    `first` is the deal, before which there is no board. `back` and `forward` skip a whole sentence
    of the story, mostly a turn; None at the first or last step. `eyes` selects the hand that is
    shown: a seat's, both, or None for the reader's usual view. `choices` are the possible `eyes`,
    empty while the game goes on. `since` is the step at which the reader's last own turn ended;
    None if nothing happened after it. `here` is the sentence of the story that tells of the step;
    None at the deal. `stands` says after which turn.
    """

    at: int
    first: int
    last: int
    back: int | None
    forward: int | None
    eyes: str | None
    choices: Sequence[str]
    since: int | None
    here: Sentence | None
    stands: str


def around(
    at: int, first: int, last: int, story: Sequence[Sentence]
) -> tuple[int | None, int | None]:
    """Return the targets of "back" and "forward": where the sentences of `story` before and after
    `at` end.

    `story` covers one round; beyond its first and last sentence the targets are `at - 1` and `at +
    1`. A target is None if it lies before `first` or after `last`.
    """
    ends = [each.seq for each in story]
    back = max((end for end in ends if end < at), default=at - 1)
    forward = min((end for end in ends if end > at), default=at + 1)
    return back if back >= first else None, forward if forward <= last else None


def sentence_at(story: Sequence[Sentence], at: int) -> Sentence | None:
    """Return the sentence of `story` that tells of event `at`."""
    return next((each for each in story if each.seq >= at), None)


def replay(words: Words, snapshot: GameSnapshot, story: Sequence[Sentence]) -> Replay:
    """Return the shown step and its links. `story` contains the sentences of its round."""
    latest, at, seen = snapshot.latest, snapshot.shown.version, snapshot.last_turn
    over = latest.game.over
    first = deal(snapshot.lines) if snapshot.lines[0]["seq"] == 1 else 1
    return Replay(
        at,
        first,
        latest.version,
        *around(at, first, latest.version, story),
        _eyes(snapshot),
        (*sorted(SEATS, key=lambda seat: seat != snapshot.seat), BOTH) if latest.was_played else (),
        None if over or seen == latest.version else seen,
        sentence_at(story, at),
        step_words(words, snapshot.lines, at),
    )


def deal(lines: Sequence[StoredEvent]) -> int:
    """Return the step of the first deal in these lines; 1 without one."""
    return next((line["seq"] for line in lines if line["type"] == RoundStarted.TYPE), 1)


def view_at(snapshot: GameSnapshot) -> GameShown:
    """Return the view of the game at a step, with the hands that the URL asks for (`?eyes=`).

    Once the game is over, everybody may see either player's hand, or both.
    """
    shown, reader, eyes = snapshot.shown, snapshot.reader, _eyes(snapshot)
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
    """Download the game's record, as the reader may see it now, in JSON Lines."""
    games, reader = get_container().games, session.player_id()
    stored = games.read(game_id, reader, invite=request.args.get("invite"))
    answer = Response(games.history.record(stored, reader), mimetype="application/x-ndjson")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game_id}.jsonl"'
    return answer


def _eyes(snapshot: GameSnapshot) -> str | None:
    """Return the `eyes` in the URL; without it, a player's own seat, and both for a spectator.

    None for the reader's usual view: without a step, or while the game goes on.
    """
    latest, eyes = snapshot.latest, request.args.get("eyes")
    if eyes is None:
        return (snapshot.seat or BOTH) if "at" in request.args and latest.was_played else None
    if eyes not in (*SEATS, BOTH) or not latest.was_played:
        abort(404)
    return eyes
