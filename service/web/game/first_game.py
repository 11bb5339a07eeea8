"""A player's first game: hints on the first turn, and how to be told once it is sent.

What somebody has put away stays away: a cookie says so, for a guest has one browser.
"""

from typing import Final, NamedTuple

from flask import Response, abort, request
from marshmallow import ValidationError

from service.accounts.player import Player
from service.api.schemas.channels import ChannelInput
from service.api.schemas.fields import EmailAddress
from service.container import get_container
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.games.reading.snapshot import GameSnapshot
from service.web import cookies, session
from service.web.answers import signed_in_player
from service.web.blueprint import blueprint
from service.web.game.conversation import back
from service.web.game.page import GamePage

COACH: Final = "coach"
TELLING: Final = "telling"
HINTS: Final = (COACH, TELLING)
KEPT: Final = int(400 * DAY)
"""Seconds for which a browser keeps a cookie at most."""
SEPARATOR: Final = "."


class HowToTell(NamedTuple):
    """How a player who cannot be reached may be told: by push with this key, None where the server
    sends none, or by mail. `asked` is an address that is still to be confirmed."""

    push_key: str | None
    asked: str | None


class FirstGame(NamedTuple):
    """What the page of a first game has besides."""

    coach: bool
    telling: HowToTell | None


def waiting_maker(snapshot: GameSnapshot) -> FirstGame | None:
    """What the page of a free seat has besides, for a maker who has no other game and who could not
    be told that somebody joined; None to everybody else."""
    beside = snapshot.of_player
    if beside is None or not beside.is_only_game or TELLING in _put_away():
        return None
    return FirstGame(coach=False, telling=_telling())


def first_game(page: GamePage, last_turn: int | None) -> FirstGame | None:
    """What a game's page shows to a player who has no other game; None to everybody else.

    `last_turn` is the last event of the reader's own, None before their first turn.
    """
    beside = page.snapshot.of_player
    if beside is None or not beside.is_only_game or page.stored.game.status != "active":
        return None
    away = _put_away()
    coach = page.turn is not None and last_turn is None and COACH not in away
    telling = _telling() if last_turn is not None and TELLING not in away else None
    return FirstGame(coach, telling)


@blueprint.post("/games/<game_id>/hints")
def put_away(game_id: str) -> Response:
    """Show some hints no more."""
    hint = next((one for one in HINTS if one == request.form.get("hint")), None) or abort(422)
    return _without(back(game_id, "game"), hint)


@blueprint.post("/games/<game_id>/telling")
def choose_telling(game_id: str) -> Response:
    """Be told by push to this browser, or by mail to an address."""
    player = signed_in_player()
    try:
        if request.form.get("by") == "push":
            _add_push(player)
            return _without(back(game_id, "game"), TELLING)
        email = EmailAddress().deserialize(request.form.get("email", "").strip())
        with get_container().players.counting_address_mail(player, email):
            get_container().players.set_address(player, email)
    except ValidationError:
        return back(game_id, "telling", wrong="address")
    except RequestRejected as refusal:
        return back(game_id, "telling", wrong=refusal.code)
    return back(game_id, "telling")


def _telling() -> HowToTell | None:
    container, player = get_container(), session.player()
    if player is None or player.verified or container.sign_in.reaches_by_mail(player):
        return None
    if container.channels.all(player.id):
        return None
    return HowToTell(container.channels.push_key(), player.email)


def _add_push(player: Player) -> None:
    """Raises ValidationError and `RequestRejected`."""
    target = {name: request.form.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    loaded = ChannelInput().load({"push": target, "name": "This browser"})
    get_container().channels.add(player.id, "push", loaded["push"], name=loaded["name"])


def _put_away() -> list[str]:
    return cookies.given(cookies.HINTS).split(SEPARATOR)


def _without(answer: Response, hint: str) -> Response:
    away = SEPARATOR.join(sorted({*filter(None, _put_away()), hint} & set(HINTS)))
    answer.set_cookie(cookies.name_of(cookies.HINTS), away, max_age=KEPT, **cookies.rules())
    return answer
