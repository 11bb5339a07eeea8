"""Playing without an account: whoever gives a name becomes a guest, who is signed in. Opening an
operator's invitation and giving a name leads to an account in the same way.

Guests who began by **Play a bot** gave no name; they are asked for a name before other people see
them.
"""

from collections.abc import Callable, Sequence
from typing import Final

from flask import Response, request
from marshmallow import ValidationError

from service.accounts.names import NAMELESS, is_nameless
from service.accounts.registration import INVITATION_LIFE
from service.api.auth import caller_address
from service.api.schemas.fields import NewName, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY
from service.games import ChangeContext
from service.web import session
from service.web.answers import gone, personal, to
from service.web.blueprint import blueprint
from service.web.forms import form_key, future_guest, given_seal, guest_seed
from service.web.language import fault, reader_words, reason

SUGGESTED: Final = 3
"""The number of free names offered to replace a name that is taken."""
PRESSED: Final = "free_name"
"""The form's field for an offered name that was clicked."""


@blueprint.app_template_global()
def asks_name() -> bool:
    """Whether the form must ask for a name, because other people will see the player."""
    player = session.player()
    return player is None or is_nameless(player.name)


class WrongName(Exception):
    """The name in the form is not available; the message is a sentence for the player.

    The player may take one of the `free` names instead.
    """

    def __init__(self, words: str, free: Sequence[str] = ()) -> None:
        super().__init__(words)
        self.free = free


def given_name(field: str) -> str | None:
    """Return the `entered_name`; None if `asks_name` is false. Raises `WrongName`."""
    return entered_name(field) if asks_name() else None


def entered_name(field: str) -> str:
    """Return the name in the form, or the offered name that was clicked instead.

    Raises `WrongName`.
    """
    given = request.form.get(PRESSED) or request.form.get(field, "")
    if not given.strip():
        raise WrongName(reader_words().say("Enter your name: the other player sees it."))
    try:
        return checked(NewName, given)
    except ValidationError as error:
        raise WrongName(fault(error)) from error


def signed_in_or_guest(name: str | None) -> tuple[str, Callable[[Response], Response]]:
    """Return the id of the signed-in player, or of a new guest, and a function for the response.

    The function signs the guest in; it changes nothing for a signed-in player, who is renamed if a
    `name` is given. The same form creates the same guest, who receives the form's seal. Raises
    `RequestRejected`: `name-reserved`, `name-taken`, `registration-closed`, `unknown-seal`.
    """
    if (player := session.player()) is not None:
        if name is not None:
            get_container().players.rename(player.id, name)
        return player.id, lambda answer: answer
    exactly = name is not None
    guest = get_container().guests.register(name or NAMELESS, guest_seed(), exactly=exactly)
    if (giver := future_guest()) and (seal := given_seal()):
        get_container().games.seals.give(giver, guest.id, seal)
    return guest.id, lambda answer: session.begin(answer, guest.id)


def join(game_id: str, invite: str | None = None, salt: str | None = None) -> Response:
    """Take the free seat, as the signed-in player or as a new guest, and redirect to the game.

    Raises `WrongName`, and everything that `Games.join` raises.
    """
    games, player, name = get_container().games, session.player(), given_name("name")
    caller = player.id if player else f"guest {caller_address()}"
    context = ChangeContext("web", key=form_key(caller))
    to_game = to("web.game", game_id=game_id)
    try:
        if player is None:
            _, guest = games.join_as_guest(
                game_id, name or NAMELESS, invite=invite, salt=salt, exactly=True, context=context
            )
            return session.begin(to_game, guest.player.id)
        if name is not None:
            games.players.rename(player.id, name)
        games.join(game_id, player.id, invite=invite, salt=salt, context=context)
    except RequestRejected as refusal:
        if refusal.code not in ("name-reserved", "name-taken"):
            raise
        raise WrongName(reason(refusal), free_names(refusal, name)) from refusal
    return to_game


def free_names(refusal: RequestRejected, name: str | None) -> list[str]:
    """Return free names to offer if `name` was refused because it is taken; else an empty list."""
    if refusal.code != "name-taken" or name is None:
        return []
    return get_container().players.name_index().free_like(name, SUGGESTED)


@blueprint.get("/welcome/<secret>")
def welcome(secret: str) -> Response:
    """Ask the invited person for a name."""
    if session.player() is not None:
        return to("web.home")
    if not get_container().admission.is_invitation(secret):
        return gone(_why_gone())
    return _welcome_page(secret)


@blueprint.post("/welcome/<secret>")
def come_in(secret: str) -> Response:
    """Register and sign in. Sending the same form again creates no second player."""
    if session.player() is not None:
        return to("web.home")
    try:
        name = checked(NewName, request.form.get("name", ""))
        player = get_container().guests.register(name, guest_seed(), secret, exactly=True)
    except (ValidationError, RequestRejected) as error:
        if isinstance(error, RequestRejected) and error.code == "registration-closed":
            return gone(_why_gone())
        return _welcome_page(secret, fault(error))
    return session.begin(to("web.home"), player.id)


def _why_gone() -> str:
    return reader_words().plural(
        "An invitation admits one person, for %(number)s day: ask for another.",
        "An invitation admits one person, for %(number)s days: ask for another.",
        INVITATION_LIFE // DAY,
    )


@blueprint.app_template_global()
def admits_everybody() -> bool:
    """Whether visitors can play here without an account or an invitation."""
    return get_container().admission.registration == "open"


def _welcome_page(secret: str, error: str | None = None) -> Response:
    return personal("welcome.html", secret=secret, error=error)
