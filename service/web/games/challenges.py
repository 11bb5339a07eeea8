"""Challenges: to look at, accept, decline, withdraw, or answer with a counter-offer. Games reserved
for a player: to accept, decline or call off before they begin."""

from collections.abc import Mapping
from typing import Final

from flask import Response, request

from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext
from service.games.challenge import Challenge
from service.games.reading.views import challenge_view
from service.web.answers import personal, signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key, given_salt, given_seal
from service.web.games.game_form import Errors, choices, read_options, read_visit, shown
from service.web.language import reason

_OFFERED: Final = (
    *("edition", "tactics", "expert", "rounds", "first_player"),
    *("clock", "private", "rated", "visited"),
)
"""The options that a counter-offer may change."""
_FIELD_OF: Final = {"too-many-mails": "whom", "bad-clock": "days"}
"""The field of the form next to which a refusal is shown, by its code."""


@blueprint.get("/challenges/<challenge_id>")
def challenge(challenge_id: str) -> Response:
    """Show one challenge, to the challenger or the challenged player."""
    player = signed_in()
    challenge = get_container().games.challenges.find(challenge_id, player)
    return _page(challenge, player, shown(challenge.wanted.turned()), {})


@blueprint.post("/challenges/<challenge_id>/accept")
def accept_challenge(challenge_id: str) -> Response:
    """Accept the challenge, and begin the game."""
    player = signed_in()
    errors: Errors = {}
    visited = read_visit(errors)
    if errors:
        challenge = get_container().games.challenges.find(challenge_id, player)
        return _page(challenge, player, shown(challenge.wanted.turned()), errors)
    challenges, salt = get_container().games.challenges, given_salt()
    game = challenges.accept(challenge_id, player, salt=salt, visited=visited, via="web")
    return to("web.game", game_id=game.id)


@blueprint.post("/challenges/<challenge_id>/decline", defaults={"act": "decline"})
@blueprint.post("/challenges/<challenge_id>/withdraw", defaults={"act": "withdraw"})
@blueprint.post("/challenges/<challenge_id>/notice", defaults={"act": "notice"})
def end_challenge(challenge_id: str, act: str) -> Response:
    """Decline a challenge, withdraw one's own, or put a declined one (`notice`) off the list."""
    player, challenges = signed_in(), get_container().games.challenges
    acts = {
        "decline": challenges.decline,
        "withdraw": challenges.withdraw,
        "notice": challenges.notice,
    }
    acts[act](challenge_id, player)
    return to("web.home")


@blueprint.post("/challenges/<challenge_id>/counter-offer")
def counter_offer(challenge_id: str) -> Response:
    """Make a counter-offer: a challenge with other options."""
    player = signed_in()
    challenges = get_container().games.challenges
    challenge = challenges.find(challenge_id, player)
    errors: Errors = {}
    wanted = read_options(errors)
    if not errors:
        changes = {name: getattr(wanted, name) for name in _OFFERED}
        changes |= {"salt": given_salt(), "seal": given_seal()}
        try:
            made = challenges.counter(challenge_id, player, changes)
        except RequestRejected as refusal:
            field = _FIELD_OF.get(refusal.code)
            if field is None:
                raise
            errors[field] = reason(refusal)
        else:
            return to("web.challenge", challenge_id=made.id)
    return _page(challenge, player, request.form, errors)


def _page(challenge: Challenge, player: str, chosen: Mapping[str, str], errors: Errors) -> Response:
    names = get_container().players.names([challenge.by, challenge.to])
    other = challenge.to if challenge.by == player else challenge.by
    return personal(
        "challenge.html",
        rating=get_container().games.ratings.of(other, player),
        challenge=challenge_view(challenge, names),
        mine=challenge.by == player,
        chosen=chosen,
        errors=errors,
        now=get_container().now(),
        **choices(chosen),
    )


@blueprint.post("/invitations/<game_id>/accept")
def accept_invitation(game_id: str) -> Response:
    """Join a game that was created for the player."""
    player = signed_in()
    made_by = ChangeContext("web", key=form_key(player))
    get_container().games.join(game_id, player, salt=given_salt(), context=made_by)
    return to("web.game", game_id=game_id)


@blueprint.post("/invitations/<game_id>/end")
def end_invitation(game_id: str) -> Response:
    """Decline a game that was created for the player, or call off their own, before it begins.

    `?after=` is the finished game on whose page a rematch was declined.
    """
    player = signed_in()
    get_container().games.call_off(game_id, player, ChangeContext("web", key=form_key(player)))
    after = request.args.get("after")
    return to("web.game", game_id=after) if after else to("web.home")
