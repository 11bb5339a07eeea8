"""The free seat of a game that waits for its second player: who may take it, and taking it."""

from typing import NamedTuple

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from marshmallow import ValidationError

from service.api.caller import caller_address
from service.api.schemas.fields import NewName
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, NewGame
from service.games.reading.snapshot import GameSnapshot
from service.text.drawing import moor
from service.text.game_terms import pace
from service.web import session
from service.web.account.guests import signed_in_or_guest
from service.web.answers import personal
from service.web.blueprint import blueprint
from service.web.form_keys import form_key
from service.web.game.salts import given_salt, given_seal
from service.web.games.showcase import still
from service.web.installing import png

STEWARD = "steward"
GUEST = "Guest"
"""The name of somebody who has given none."""


class FreeSeat(NamedTuple):
    """What the reader can do about the free seat.

    `may_take`: take it, with `invite` where that is needed. `url` is the link to send, for the
    maker of a game whose seat is for the holder of its invite. `invited` is the name of the player
    for whom the seat is kept, `""` for the holder of an address.
    """

    may_take: bool
    invite: str
    url: str | None
    invited: str | None
    is_mine: bool


def free_seat(snapshot: GameSnapshot, invite: str | None) -> FreeSeat | None:
    """The free seat as the reader finds it, who has come by this invite; None where both are taken,
    or the game was called off."""
    stored, reader = snapshot.latest, snapshot.reader
    if stored.game.status != "open":
        return None
    is_mine, holds = snapshot.seat is not None, snapshot.holds_invite
    may_take = not is_mine and (holds or stored.listed or (reader or "") == stored.invited)
    url = snapshot.invite_url if stored.invited is None else None
    invited = "" if stored.game.terms.get("invited_by_mail") else None
    if stored.invited is not None:
        invited = snapshot.names.get(stored.invited, "somebody")
    return FreeSeat(may_take, invite or "" if holds else "", url, invited, is_mine)


@blueprint.get("/games/<game_id>/preview.png")
def preview_invitation(game_id: str) -> Response:
    """What a chat shows of a link to a free seat: who asks, and the pace."""
    invite = request.args.get("invite")
    snapshot = get_container().snapshots.read(game_id, None, invite=invite)
    seat = free_seat(snapshot, invite)
    if seat is None or not seat.may_take:
        abort(404)
    stored = snapshot.latest
    (inviter,) = (snapshot.names[player] for player in stored.players)
    title = f"{inviter} invites you"
    about = f"Schotten Totten, {pace(stored.game.terms['clock']).partition(';')[0]}"
    shown = title if moor.can_write(title) else "You are invited"
    return png(moor.preview(shown, (about,), still()))


@blueprint.post("/games/<game_id>/seat")
def take_seat(game_id: str) -> Response:
    """Take the free seat: as who is signed in, else as somebody new with the name given."""
    games, invite, salt = get_container().games, request.form.get("invite") or None, given_salt()
    access = session.current()
    try:
        if access is not None:
            made_by = ChangeContext("web", key=form_key(access.player))
            games.join(game_id, access.player, invite=invite, salt=salt, context=made_by)
            return _to_game(game_id)
        name = NewName().deserialize(request.form.get("name", ""))
        made_by = ChangeContext("web", key=form_key(f"guest {caller_address()}"))
        _, guest = games.join_as_guest(game_id, name, invite=invite, salt=salt, context=made_by)
    except ValidationError as error:
        return _asked_again(game_id, invite, str(error.messages[0]))
    except RequestRejected as refusal:
        if refusal.code != "name-reserved":
            raise
        return _asked_again(game_id, invite, refusal.detail)
    return session.begin(_to_game(game_id), guest.player.id)


@blueprint.post("/play-the-steward")
def play_the_steward() -> Response:
    """A game against the steward, at once: as who is signed in, else as a guest."""
    player, signed_in = signed_in_or_guest(GUEST)
    wanted = NewGame(bot=STEWARD, first_player="creator", salt=given_salt(), seal=given_seal())
    made = get_container().games.create(player, wanted, ChangeContext("web", key=form_key(player)))
    return signed_in(_to_game(made.id))


def _to_game(game_id: str) -> Response:
    return make_response(redirect(url_for("web.game", game_id=game_id), 303))


def _asked_again(game_id: str, invite: str | None, trouble: str) -> Response:
    """The question for a name once more, and what was wrong with the one given."""
    snapshot = get_container().snapshots.read(game_id, None, invite=invite)
    page = render_template(
        "game/seat.html",
        game_id=game_id,
        commitment=snapshot.latest.game.commitment,
        seat=free_seat(snapshot, invite),
        trouble=trouble,
    )
    return personal(page, 422)
