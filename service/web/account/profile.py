"""One's own account: name, presence, studies, blocked players, identities, and its end."""

from typing import Final

from flask import Response, abort, request
from marshmallow import ValidationError

from engine.cards import CLANS
from service.accounts.faces import FIGURES, Face
from service.accounts.names import shown_name
from service.accounts.player import ARCHIVE_CHOICES, Player
from service.accounts.privacy import PRESENCE_CHOICES
from service.api.endpoints.account import exported
from service.api.schemas.fields import NewName, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.words import N_
from service.text.card_names import clan_name
from service.web import session, trusted_header
from service.web.answers import personal, saved, signed_in, signed_in_player, to
from service.web.blueprint import blueprint
from service.web.card_filters import shown_face
from service.web.language import fault, reader_words, said


@blueprint.get("/account")
def account() -> Response:
    """Show the account: name, messages, data."""
    return _profile(signed_in_player())


@blueprint.post("/account/name")
def change_name() -> Response:
    """Rename the player, in old games too."""
    player = signed_in_player()
    try:
        name = checked(NewName, request.form.get("name", ""))
        if name != shown_name(reader_words(), player.name):
            get_container().players.rename(player.id, name)
    except (ValidationError, RequestRejected) as error:
        return _profile(player, {"name": fault(error)})
    return saved("web.account", "name")


@blueprint.post("/account/presence")
def choose_presence() -> Response:
    """Choose how opponents see when the player was last here."""
    player = signed_in_player()
    chosen = next((one for one in PRESENCE_CHOICES if one == request.form.get("shown")), None)
    get_container().presences.choose(player.id, chosen or abort(422))
    return saved("web.account", "presence")


@blueprint.post("/account/face")
def choose_face() -> Response:
    """Choose the mark that is shown beside the player's name."""
    player, given = signed_in_player(), request.form
    face = Face(given.get("clan", ""), given.get("cloth", ""), given.get("figure", ""))
    if face.figure not in FIGURES or not {face.clan, face.cloth} <= CLANS.keys():
        abort(422)
    get_container().players.choose_face(player.id, str(face))
    return saved("web.account", "face")


_FIGURE_WORDS: Final = {
    # Note: a figure in a player's mark; as the next eleven. A ben is a Scottish mountain
    "stag": N_("stag"),
    "castle": N_("castle"),
    "boat": N_("boat"),
    "salmon": N_("salmon"),
    "raven": N_("raven"),
    "sheep": N_("sheep"),
    "harp": N_("harp"),
    "axe": N_("axe"),
    "ben": N_("ben"),
    "leaf": N_("leaf"),
    "key": N_("key"),
    "hare": N_("hare"),
}


def _face_choices(own: Face) -> dict[str, list[tuple[str, str, str]]]:
    """Return what the parts of a mark may be: the value, its name, and the mark with it."""
    figures, words = said(_FIGURE_WORDS), reader_words()
    clans = {clan: clan_name(words, clan) for clan in CLANS}
    return {
        "figure": [(one, figures[one], str(own._replace(figure=one))) for one in FIGURES],
        "clan": [(clan, name, str(own._replace(clan=clan))) for clan, name in clans.items()],
        "cloth": [(clan, name, str(own._replace(cloth=clan))) for clan, name in clans.items()],
    }


@blueprint.post("/account/archive")
def choose_archive() -> Response:
    """Choose whether the player's finished games may be studied."""
    player = signed_in_player()
    chosen = next((one for one in ARCHIVE_CHOICES if one == request.form.get("archive")), None)
    get_container().players.let_study(player.id, chosen or abort(422))
    return saved("web.account", "archive")


def _profile(player: Player, errors: dict[str, str] | None = None) -> Response:
    return personal(
        "account.html",
        player=player,
        errors=errors or {},
        given=request.form,
        presence=get_container().presences.choice(player.id),
        language=session.reading().language,
        face_choices=_face_choices(shown_face(player.id, player.face)),
        presence_choices=PRESENCE_CHOICES,
        archive_choices=ARCHIVE_CHOICES,
        reachable=get_container().sign_in.can_return(player),
        identities=get_container().identities.all_of(player.id),
    )


@blueprint.post("/players/<player_id>/block")
def block_player(player_id: str) -> Response:
    """Block a player, who does not learn of it; or unblock them."""
    container, me = get_container(), signed_in()
    if container.players.find(player_id) is None:
        abort(404)
    if request.form.get("blocked") == "yes":
        container.contact_choices.block(me, player_id)
    else:
        container.contact_choices.unblock(me, player_id)
    return to("web.player", player_id=player_id)


@blueprint.post("/account/challenges")
def choose_challenges() -> Response:
    """Turn challenges to the player on or off."""
    off = request.form.get("wanted") != "yes"
    get_container().contact_choices.set_challenges_off(signed_in(), off=off)
    return to("web.account", _anchor="challenges")


@blueprint.app_template_global()
def takes_challenges(player: str) -> bool:
    return get_container().contact_choices.takes_challenges(player)


@blueprint.app_template_global()
def blocked_by(player: str) -> dict[str, str]:
    """Return the names of the players whom this one has blocked, by id."""
    container = get_container()
    return container.players.names(container.contact_choices.blocked(player))


@blueprint.post("/account/identities/<link_id>/end")
def unlink_identity(link_id: str) -> Response:
    """Unlink an identity from this account, unless it is the only way to sign in."""
    player, container = signed_in_player(), get_container()
    linked = container.identities.all_of(player.id)
    if link_id not in {one.id for one in linked}:
        abort(404)
    may_be_last = container.sign_in.reaches_by_mail(player)
    if not container.identities.unlink(player.id, link_id, may_be_last=may_be_last):
        raise RequestRejected(
            "address-not-verified",
            "Nothing else would lead to this account: add an e-mail address first, and open the"
            " link that goes there.",
        )
    return saved("web.account", "identities")


@blueprint.app_template_global()
def arrived_as() -> str | None:
    """Return the name in the trusted header; None without one."""
    return None if (identity := trusted_header.identity()) is None else identity.subject


@blueprint.post("/account/export")
def export_account() -> Response:
    """Download everything stored about the player."""
    return exported(signed_in_player())


@blueprint.get("/account/delete")
def ask_to_delete() -> Response:
    """Explain what is lost, and ask for confirmation."""
    player = signed_in_player()
    overview = get_container().overviews.of(reader_words(), player.id)
    running = len(overview.to_move) + len(overview.waiting)
    return personal("delete_account.html", player=player, running=running, open=len(overview.open))


@blueprint.post("/account/delete")
def delete_account() -> Response:
    """Delete the account, at once and for good."""
    player = signed_in_player()
    get_container().device_links.revoke(player.id)
    get_container().accounts.close(player)
    return session.forget(personal("account_deleted.html"))
