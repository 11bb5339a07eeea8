"""The free seat of a game that waits for its second player: its form, its preview picture, and the
request that takes it."""

from typing import NamedTuple

from flask import Response, abort, render_template, request

from service.bots import BY_LEVEL
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, NewGame
from service.games.reading.snapshot import GameSnapshot
from service.text.drawing import moor
from service.text.game_terms import pace
from service.web import session
from service.web.account.guests import WrongName, admits_everybody, join, signed_in_or_guest
from service.web.answers import to, unstored
from service.web.assets import png
from service.web.blueprint import blueprint
from service.web.card_filters import mark_drawing
from service.web.forms import form_key, given_salt, given_seal
from service.web.game.first_game import is_told, notify_panel
from service.web.game.page import GamePage, game_page
from service.web.games.showcase import still
from service.web.language import reader_words
from service.web.words import snapshot_of


class FreeSeat(NamedTuple):
    """The free seat, for one reader.

    `may_take`: the reader can take it, with `invite` if one is needed. `url` is the link that the
    game's creator can send to an opponent. `invited` is the name of the player for whom the seat is
    reserved, `""` if it is for an e-mail address, which only the creator is shown:
    `address`, else `""`. `is_mine`: the reader has the other seat; `is_told`: a notice will tell
    them when it is taken; `rematch_of`: the finished game of which this is a rematch.
    """

    may_take: bool
    invite: str
    url: str | None
    invited: str | None
    address: str
    is_mine: bool
    is_told: bool
    rematch_of: str | None


def free_seat(snapshot: GameSnapshot, invite: str | None) -> FreeSeat | None:
    """Return the free seat for a reader who came with this invite; None if both seats are taken, or
    the game was cancelled."""
    stored, reader = snapshot.latest, snapshot.reader
    if stored.game.status != "open":
        return None
    is_mine, holds = snapshot.seat is not None, snapshot.holds_invite
    open_to_reader = stored.listed and (reader is not None or admits_everybody())
    may_take = not is_mine and (holds or open_to_reader or (reader or "") == stored.invited)
    url = snapshot.invite_url if stored.invited is None else None
    invited = "" if stored.terms.invited_by_mail else None
    if stored.invited is not None:
        invited = snapshot.names.get(stored.invited) or reader_words().say("somebody")
    address = ""
    if is_mine and stored.terms.invited_by_mail:
        address = get_container().games.invitations.address(stored.id) or ""
    token = invite or "" if holds else ""
    told = snapshot.of_player is not None and is_told(snapshot.of_player, stored.id)
    may_be_rematch = stored.invited is not None and reader in (*stored.players, stored.invited)
    old = get_container().games.rematch_of(stored.id, reader) if reader and may_be_rematch else None
    return FreeSeat(may_take, token, url, invited, address, is_mine, told, old)


def seat_taken(game_id: str, invite: str | None, refusal: RequestRejected) -> RequestRejected:
    """Return what to say instead of this refusal to the holder of the invite of a private game that
    has begun: that the seat is taken. To anybody else the game stays hidden."""
    hidden = refusal.code == "game-not-found"
    if not hidden or not get_container().games.invitations.is_valid(game_id, invite):
        return refusal
    return RequestRejected(
        "seat-taken",
        reader_words().say(
            "Somebody has used this invitation, and only the two players see the game. If that was"
            " you, sign in as that player."
        ),
    )


@blueprint.get("/games/<game_id>/preview.png")
def preview_invitation(game_id: str) -> Response:
    """Return the preview picture of a link to a free seat: the inviting player, and the pace."""
    invite = request.args.get("invite")
    snapshot = snapshot_of(game_id, None, invite)
    if (seat := free_seat(snapshot, invite)) is None or not seat.may_take:
        abort(404)
    stored = snapshot.latest
    (inviter,) = stored.players
    words = reader_words()
    title = words.say("%(name)s invites you", name=snapshot.names[inviter])
    about = f"Schotten Totten, {pace(words, stored.terms.clock).partition(';')[0]}"
    shown = title if moor.can_write(title) else words.say("You are invited")
    return png(moor.preview(words, shown, (about,), still(), (mark_drawing(inviter),)))


@blueprint.post("/games/<game_id>/seat")
def take_seat(game_id: str) -> Response:
    """Take the free seat, as the signed-in player or as a new guest with the given name."""
    invite = request.form.get("invite") or None
    try:
        return join(game_id, invite, given_salt())
    except WrongName as wrong:
        return _asked_again(game_id, invite, wrong)


@blueprint.post("/play-the-steward")
def play_the_steward() -> Response:
    """Start a game against a bot at once, as the signed-in player or as a guest.

    The path names one bot, because it is older than the choice of a level.
    """
    bot = BY_LEVEL.get(request.form.get("level", "easy")) or abort(422)
    player, signed_in = signed_in_or_guest(None)
    wanted = NewGame(bot=bot.name, first_player="creator", salt=given_salt(), seal=given_seal())
    made = get_container().games.create(player, wanted, ChangeContext("web", key=form_key(player)))
    return signed_in(to("web.game", game_id=made.id))


def invitation(page: GamePage, seat: FreeSeat, wrong: WrongName | None = None) -> str:
    """Return the page of a game that waits for its second player, as HTML; with what is `wrong`
    with the name that somebody gave to take the seat."""
    beside, reader = page.snapshot.of_player, page.snapshot.reader
    return render_template(
        "game/invitation.html",
        page=page,
        view=page.view,
        names=page.names,
        reader=reader,
        said=beside.said if beside else 0,
        seat=seat,
        wrong=wrong,
        opponent=page.snapshot.opponent,
        now=page.snapshot.now,
        notify=notify_panel(page),
        spots=still(),
        is_newcomer=not seat.is_mine
        and (reader is None or get_container().games.lists.is_newcomer(reader)),
    )


def _asked_again(game_id: str, invite: str | None, wrong: WrongName) -> Response:
    """Return the invitation with the problem of the given name."""
    snapshot = snapshot_of(game_id, session.player_id(), invite)
    if (seat := free_seat(snapshot, invite)) is None:
        return to("web.game", game_id=game_id, invite=invite)
    return unstored(invitation(game_page(reader_words(), snapshot), seat, wrong), 422)
