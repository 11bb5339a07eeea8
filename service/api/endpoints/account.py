"""The caller's account: show it, change it, export it, delete it."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from flask import Response, stream_with_context

from service.accounts.identities import LinkedIdentity
from service.accounts.player import Player
from service.accounts.players import AddressProblem
from service.accounts.tokens import SCOPES
from service.api.auth import caller, caller_access, check_scopes
from service.api.blueprint import ACCOUNT, ACCOUNT_AND_GAMES, ANY_TOKEN, EVERYTHING, Blueprint
from service.api.endpoints.challenges import shown as shown_challenges
from service.api.endpoints.channels import shown as channel_shown
from service.api.endpoints.messages import message_view
from service.api.endpoints.players import shown_players
from service.api.endpoints.settings import shown as shown_settings
from service.api.endpoints.settings import shown_calendar
from service.api.endpoints.tokens import shown as shown_token
from service.api.schemas import account
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import timestamp
from service.games.reading.views import orders_view, ratings_view, to_json

blueprint = Blueprint("account", __name__, description="One's own account")


@blueprint.operation("GET /me", "getMe", security=ANY_TOKEN)
def me() -> account.MeShape:
    """Show who I am

    The player whose token this is, and what it may do. With the scope `account` the whole account.
    """
    allowed, player = caller_access().scopes, _caller()
    scopes = [scope for scope in SCOPES if scope in allowed]
    if "account" in allowed:
        return {**_shown(player), "scopes": scopes}
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created,
        "scopes": scopes,
    }


@blueprint.operation(
    "PATCH /me",
    "updateMe",
    "name-reserved name-taken not-for-bots too-many-mails",
    security=ACCOUNT,
)
def change(body: account.AccountInput) -> account.AccountShape:
    """Change my name, my address, which mail I get, my language, or whether my games may be studied

    A new address is confirmed by a link that is sent to it; giving an unconfirmed address again
    sends another link. Until then the confirmed address stays as `email`, and gets a mail about the
    change. Changing the address takes a token with all scopes, because whoever reads the mail can
    sign in. All games show a new name within a minute.
    """
    player, players = _caller(), get_container().players
    if "email" in body:
        check_scopes(*SCOPES)
    with players.counting_address_mail(player, body.get("email")):
        if "name" in body:
            players.rename(player.id, body["name"])
    if "email" in body:
        players.set_address(player, body["email"])
    if "language" in body:
        get_container().mail_preferences.set_choice(player.id, {"language": body["language"]})
    if "archive" in body:
        players.let_study(player.id, body["archive"])
    get_container().mail_preferences.choose(player.id, body.get("mails", {}))
    return _shown(_caller())


@blueprint.operation("DELETE /me", "deleteMe", security=EVERYTHING)
def delete() -> None:
    """Delete my account

    At once and for good. Running games are resigned, games that have not begun are cancelled, and
    name, address, tokens, notes and what I wrote to others are deleted. Finished games stay, with a
    player who has no name; so does, for at most 90 days, a message that was reported to the
    operator. Takes a token with all scopes, because it ends games too.
    """
    get_container().accounts.close(_caller())


@blueprint.operation("GET /me/export", "exportMe", security=ACCOUNT_AND_GAMES)
@blueprint.response(200, account.AccountExportShape)
def export() -> Response:
    """Export everything stored about me

    Profile, tokens without their secrets, what I chose about mail and messages, open challenges,
    and every game with its record as I may see it, my orders for it, its messages and my note.
    """
    return exported(_caller())


def _caller() -> Player:
    player = get_container().players.find(caller())
    if player is None:
        raise RequestRejected("unauthenticated", "This account has been deleted.")
    return player


def _shown(player: Player) -> account.AccountShape:
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created,
        "email": player.email,
        "email_verified": player.verified,
        "email_pending": player.pending,
        "email_problem": shown_problem(get_container().players.address_problem(player)),
        "mails": get_container().mail_preferences.choices(player.id),
        "language": get_container().mail_preferences.reading(player.id).language,
        "archive": player.archive,
    }


_RULE: Final = (
    "The address is in order: a rule of its mail server, against spam for example, refused our"
    " mail, and whoever runs that server or this one can mend it. "
)


def shown_problem(problem: AddressProblem | None) -> account.EmailProblemShape | None:
    """An address that mail does not reach: its kind, the reason, the time, and the remedy."""
    if problem is None:
        return None
    email, failure = problem
    return {
        "email": email,
        "how": failure.how,
        "why": failure.error,
        "first_at": timestamp(failure.since),
        "last_at": timestamp(failure.at),
        "remedy": (_RULE if failure.by_policy else "")
        + (
            "Give another address with `PATCH /v1/me`, or the same one again: a mail goes there,"
            " and the link in it takes this away."
        ),
    }


def exported(player: Player) -> Response:
    """Everything stored about a player, as a file. It is sent in pieces: all games may be large."""
    store = get_container()
    members = {
        "exported_at": timestamp(store.now()),
        "player": _shown(player),
        "face": player.face,
        "answer_addresses": [
            {
                "id": address.id,
                "email": address.email,
                "created_at": address.added,
                "verified": address.verified,
            }
            for address in store.answer_addresses.all_of(player.id)
        ],
        "identities": [shown_identity(linked) for linked in store.identities.all_of(player.id)],
        "tokens": [shown_token(token) for token in store.tokens.all_of(player.id)],
        "muted": store.mail_preferences.turned_off(player.id),
        "mail_signature": store.mail_signatures.of(player.id),
        **shown_settings(player.id),
        "presence": store.presences.choice(player.id),
        "calendar": shown_calendar(store.calendars.of(player.id)),
        "channels": [channel_shown(channel) for channel in store.channels.all(player.id)],
        "challenges": shown_challenges([*store.accounts.challenges_of(player.id)]),
        "bots": shown_players(store.players.bots_of(player.id)),
        "ratings": ratings_view(store.ratings.of(player.id, None), store.now()),
    }
    text = chain([f'{to_json(members)[:-1]},"games":['], _games_of(player.id), ["]}\n"])
    answer = Response(stream_with_context(text), mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="scottenbury.json"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _games_of(player: str) -> Iterator[str]:
    store, comma = get_container(), ""
    for game in store.accounts.games_of(player):
        _, orders = store.orders.of(game.id, player)
        shown = {
            "id": game.id,
            "record": store.history.lines(game, player),
            "orders": orders_view(game, orders),
            "messages": [message_view(each) for each in store.conversations.all_of(game.id)],
            "note": store.private_notes.read(player, game.id),
        }
        yield comma + to_json(shown)
        comma = ","


def shown_identity(linked: LinkedIdentity) -> account.IdentityShape:
    """An identity that opens the account."""
    issuer, subject = linked.identity
    return {"issuer": issuer, "subject": subject, "label": linked.label, "linked_at": linked.linked}
