"""A new game in three choices: the opponent, the rules, the clock."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from flask import Response, request
from marshmallow import ValidationError

from service.accounts.player import Player
from service.api.schemas.fields import EmailAddress, checked
from service.bots import BOTS, bot_at
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, NewGame
from service.web import session
from service.web.account.guests import WrongName, free_names, given_name, signed_in_or_guest
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.forms import form_key, given_salt, given_seal
from service.web.games.game_form import EMPTY, Errors, choices, read_options
from service.web.language import check_listed, no_address, reader_words, reason

WHOM: Final = ("link", "name", "email", *BOTS, "lobby", "player")
"""The choices of an opponent; `player`: the form was opened from that player's page."""
FOR_STRANGERS: Final = ("link", *BOTS, "lobby")
"""The choices that need no account: nobody receives a mail."""
_FIELD_OF: Final = {
    "unknown-opponent": "name",
    "ambiguous-name": "name",
    "own-game": "name",
    "address-not-verified": "email",
    "bad-message": "message",
    "muted": "message",
    "name-reserved": "own_name",
    "name-taken": "own_name",
    "registration-closed": "own_name",
    "bad-clock": "days",
    "already-asked": "whom",
    "challenges-off": "whom",
    "too-many-mails": "whom",
    "too-many-games": "whom",
    "unknown-seal": "whom",
    "seal-used": "whom",
    "bot-not-available": "whom",
}
"""The field of the form next to which a refusal is shown, by its code."""


@blueprint.get("/games/new")
def new_game() -> Response:
    """Show the form. `?whom=` preselects the kind of opponent, `?player=` the opponent by id."""
    opponent = _opponent(request.args.get("player"))
    whom = "player" if opponent else request.args.get("whom", "link")
    rated = "" if _has_rated_games() else "no"
    return _page({**EMPTY, "whom": whom, "rated": rated}, {}, opponent)


@blueprint.post("/games/new")
def make_game() -> Response:
    """Create the game, or the challenge. A game with a bot takes no name, and a
    clock only if it is rated."""
    errors: Errors = {}
    is_alone = request.form.get("whom") in BOTS
    has_clock = not is_alone or request.form.get("rated") == "yes"
    wanted = read_options(errors, has_clock=has_clock)
    wanted = _with_opponent(wanted, errors)
    name = None if is_alone else _own_name(errors)
    wanted = replace(wanted, salt=given_salt(), seal=given_seal())
    if errors:
        return _again(errors)
    try:
        player, signed_in = signed_in_or_guest(name)
        return signed_in(_made(player, wanted))
    except RequestRejected as refusal:
        return _again(_errors(refusal), free_names(refusal, name))


def _has_rated_games() -> bool:
    """Whether the reader knows from a game of their own what it is to be rated."""
    player = session.player_id()
    if player is None:
        return False
    return get_container().games.ratings.has_rated(player)


def _made(player: str, wanted: NewGame) -> Response:
    games, key = get_container().games, form_key(player)
    if (whom := request.form.get("whom")) in ("name", "player"):
        given = request.form.get("player") if whom == "player" else None
        other = given or games.challenges.by_name(request.form.get("name", "").strip())
        challenge = games.challenges.make(player, other, wanted, key)
        return to("web.challenge", challenge_id=challenge.id)
    stored = games.create(player, wanted, ChangeContext("web", key=key))
    return to("web.game", game_id=stored.id)


def _with_opponent(wanted: NewGame, errors: Errors) -> NewGame:
    """Return the game with the opponent chosen in the form; add messages to `errors`."""
    whom = request.form.get("whom")
    if session.player() is None and whom in WHOM and whom not in FOR_STRANGERS:
        errors["whom"] = reader_words().say(
            "Sign in first: only players with an account ask others directly."
        )
        return wanted
    match whom:
        case "link" | "player":
            return wanted
        case "name":
            if not request.form.get("name", "").strip():
                errors["name"] = reader_words().say("Give the name of a player here.")
            return wanted
        case "email":
            message = request.form.get("message")
            invited = replace(wanted, opponent_email=_email(errors), language=_language())
            return replace(invited, message=message)
        case str() if whom in BOTS:
            return replace(wanted, bot=whom)
        case "lobby":
            if wanted.private:
                errors["private"] = reader_words().say(
                    "What is in the lobby is for everybody: it cannot be private."
                )
            return replace(wanted, listed=True)
        case _:
            errors["whom"] = reader_words().say("Choose one of these.")
            return wanted


def _email(errors: Errors) -> str | None:
    try:
        return checked(EmailAddress, request.form.get("email", "").strip())
    except ValidationError:
        errors["email"] = no_address()
        return None


def _language() -> str | None:
    """Return the language chosen for the invitation; None where there is no choice."""
    code = request.form.get("language")
    if code is not None:
        check_listed(code)
    return code


def _own_name(errors: Errors) -> str | None:
    try:
        return given_name("own_name")
    except WrongName as wrong:
        errors["own_name"] = str(wrong)
        return None


def _errors(refusal: RequestRejected) -> Errors:
    detail = reason(refusal)
    if refusal.code == "ambiguous-name":
        detail = reader_words().say(
            "Several players have this name: start from the page of the one you mean."
        )
    field = _FIELD_OF.get(refusal.code, "whom")
    return {"whom" if field == "own_name" and request.form.get("whom") in BOTS else field: detail}


def _again(errors: Errors, free: Sequence[str] = ()) -> Response:
    """Return the form as it was filled in, with the `errors`; with `free` names to replace a name
    that is taken."""
    given = request.form.get("player") if request.form.get("whom") == "player" else None
    return _page(request.form, errors, _opponent(given), free)


def _opponent(player_id: str | None) -> Player | None:
    """Return the player from whose page the form was opened; None for bots, which are a choice of
    their own."""
    if player_id is None or bot_at(player_id) is not None:
        return None
    return get_container().players.find(player_id)


def _page(
    chosen: Mapping[str, str], errors: Errors, opponent: Player | None, free: Sequence[str] = ()
) -> Response:
    return personal(
        "new_game.html",
        bots=BOTS.values(),
        chosen=chosen,
        errors=errors,
        opponent=opponent,
        me=session.player(),
        free_names=free,
        **choices(chosen),
    )
