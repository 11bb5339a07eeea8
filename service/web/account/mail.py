"""A player's mail: the page of addresses and choices, the links that verify an address, the choice
for one game, and turning a kind of mail off by the link in the mail itself.
"""

from typing import Any, Final

from flask import Response, abort, render_template, request, url_for
from marshmallow import ValidationError

from service.accounts.mail_preferences import (
    DELIVERY_MEANINGS,
    REMINDERS,
    MailChoice,
    Subscription,
    clock_time,
    read_delivery,
    zone_choices,
)
from service.accounts.notice_kinds import CHOICES, GROUP_WORDS, GROUPS
from service.accounts.player import Player
from service.api.endpoints.account import shown_problem
from service.api.schemas.fields import EmailAddress, checked, load
from service.api.schemas.settings import MailSettingsInput
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.words import N_
from service.games.notices import choose_delivery
from service.games.projections.player_games import GameFilter
from service.web import session
from service.web.answers import gone, personal, saved, signed_in, signed_in_player, to
from service.web.blueprint import blueprint
from service.web.forms import open_to_others
from service.web.language import no_address, reader_words, reason, said


@blueprint.get("/account/mail")
def account_mail() -> Response:
    """Show the player's addresses and choices about mail."""
    return mail_page(signed_in_player())


@blueprint.post("/account/address")
def change_address() -> Response:
    """Change the mail address; it counts once the link sent there is opened."""
    player = signed_in_player()
    try:
        email = checked(EmailAddress, request.form.get("email", "").strip())
        with get_container().players.counting_address_mail(player, email):
            get_container().players.set_address(player, email)
        session.note_time_zone(player.id)
    except ValidationError:
        return mail_page(player, {"email": no_address()})
    except RequestRejected as refusal:
        return mail_page(player, {"email": reason(refusal)})
    return saved("web.account_mail", "address")


@blueprint.post("/account/mails")
def choose_mails() -> Response:
    """Choose the delivery and kinds of mail."""
    player = signed_in_player()
    errors = store_choices(player.id)
    return mail_page(player, errors) if errors else saved("web.account_mail", "mails")


def mail_page(player: Player, errors: dict[str, str] | None = None) -> Response:
    """Return the page about mail; `errors` are those of its forms, by field."""
    problem = get_container().players.address_problem(player)
    return personal(
        "account_mail.html",
        player=player,
        errors=errors or {},
        given=request.form,
        answer_addresses=get_container().answer_addresses.all_of(player.id),
        problem=shown_problem(problem),
        by_policy=problem is not None and problem.failure.by_policy,
        mail=shown_choices(player.id, was_given=request.path == url_for("web.choose_mails")),
    )


_NIGHT: Final = {"begin": "22:00", "end": "07:00"}
"""The quiet hours that the form suggests."""


def store_choices(player: str) -> dict[str, str]:
    """Store the choices in the form; return its errors by field. With errors, nothing is stored."""
    form = request.form
    given: dict[str, Any] = {
        name: form.get(name, "") for name in ("delivery", "digest_at", "time_zone", "reminders")
    }
    quiet = {name: form.get(f"quiet_{name}", "") for name in ("begin", "end")}
    given["quiet"] = quiet if form.get("quiet") else None
    try:
        load(MailSettingsInput, given)
    except ValidationError as error:
        words = reader_words()
        return {name: words.say(_WRONG.get(name, _CHOOSE)) for name in error.messages_dict}
    stored = f"{quiet['begin']}-{quiet['end']}" if given["quiet"] else None
    preferences, wanted = get_container().mail_preferences, set(form.getlist("groups"))
    try:
        get_container().games.calendars.change_zone(player, given["time_zone"])
    except RequestRejected as rejection:
        return {"time_zone": reason(rejection)}
    preferences.set_choice(player, {**given, "quiet": stored})
    preferences.choose_groups(player, {group: group in wanted for group in GROUPS})
    return {}


def shown_choices(player: str, *, was_given: bool) -> dict[str, object]:
    """Return the values that the form shows: the stored choices, or the ones just sent
    (`was_given`)."""
    preferences, form = get_container().mail_preferences, request.form
    choice, wanted = preferences.choice(player), preferences.groups(player)
    quiet = _NIGHT
    if choice.quiet:
        quiet = {"begin": clock_time(choice.quiet.begin), "end": clock_time(choice.quiet.end)}
    shown: dict[str, object] = {
        "delivery": choice.delivery,
        "digest_at": clock_time(choice.digest_at),
        "time_zone": choice.time_zone,
        "reminders": choice.reminders,
        "quiet": choice.quiet is not None,
        "quiet_begin": quiet["begin"],
        "quiet_end": quiet["end"],
        "groups": [group for group in GROUPS if wanted[group]],
    }
    if was_given:
        shown |= {name: form.get(name, "") for name in shown if name != "groups"}
        shown["groups"] = form.getlist("groups")
    return {
        **shown,
        "deliveries": said(DELIVERY_MEANINGS),
        "reminding": said(REMINDERS),
        "about": said(GROUP_WORDS),
        "zones": zone_choices(choice.time_zone),
        "zone_is_chosen": choice != MailChoice(games=choice.games),
        "stopped": choice.delivery == "digest"
        and not preferences.wanted(Subscription(player, "digest")),
    }


def game_mail(choice: MailChoice, game_id: str) -> dict[str, object]:
    """Return the delivery of mail about a game under these choices, for the game's page."""
    deliveries = said(DELIVERY_MEANINGS)
    return {
        "chosen": choice.games.get(game_id),
        "effective": deliveries[choice.delivery_of(game_id)],
        "otherwise": deliveries[choice.delivery],
        "deliveries": deliveries,
    }


@blueprint.post("/games/<game_id>/mail")
def choose_game_mail(game_id: str) -> Response:
    """Set the delivery of mail about this game; an empty value means the same as for others."""
    container, player = get_container(), signed_in()
    given = request.form.get("delivery", "")
    delivery = read_delivery(given)
    if given and delivery is None:
        abort(422)
    stored = container.games.read(game_id, player)
    choose_delivery(container.mail_preferences, stored, player, delivery)
    return to("web.game", game_id=game_id)


_CHOOSE: Final = N_("Choose one.")
_WRONG: Final = {
    "digest_at": N_("Give a time of day, 08:00 for example."),
    "time_zone": N_("Choose a time zone from the list."),
    "quiet": N_("Give two different times of day."),
}


@blueprint.post("/account/answer-addresses")
def add_answer_address() -> Response:
    """Add an address to reply from; it counts once the link sent there is opened."""
    player = signed_in_player()
    try:
        email = checked(EmailAddress, request.form.get("email", "").strip())
        get_container().answer_addresses.add(player.id, email)
    except ValidationError:
        return mail_page(player, {"answer-email": no_address()})
    except RequestRejected as refusal:
        return mail_page(player, {"answer-email": reason(refusal)})
    return to("web.account_mail")


@blueprint.post("/account/answer-addresses/<address_id>/remove")
def remove_answer_address(address_id: str) -> Response:
    get_container().answer_addresses.remove(signed_in_player().id, address_id)
    return to("web.account_mail")


@blueprint.get("/verify/<token>")
def verify(token: str) -> Response:
    """Confirm the address for its player, whom their browser names: one press, in the mail. Ask
    everybody else: mail scanners follow every link, but are signed in as nobody."""
    return _verification(token, done=False)


@blueprint.post("/verify/<token>")
def confirm_address(token: str) -> Response:
    """Confirm the address. No sign-in is needed: the link was sent to this address only."""
    return _verification(token, done=True)


def _verification(token: str, done: bool) -> Response:
    container = get_container()
    replies = container.answer_addresses
    if (answers := replies.read_link(token)) is not None:
        player = container.players.find(answers.player)
        done = done or session.player_id() == answers.player
        if player is None or (done and not replies.verify(answers)):
            return gone()
        done = replies.is_confirmed(player.id, answers.email)
        return _verify_page(player, answers.email, done, answers=True)
    claim = container.addresses.links.read(token)
    player = claim and container.players.find(claim.player)
    if claim is None or player is None or claim.email not in (player.email, player.pending):
        return gone()
    done = done or session.player_id() == claim.player
    if done and not container.players.verify(claim):
        abort(404)
    if done and not player.verified:
        container.player_news.publish([player.id], player.id, None)  # their open pages wait for it
    verified = player.verified and player.email == claim.email
    return _verify_page(player, claim.email, done or verified)


def _verify_page(player: Player, email: str, done: bool, *, answers: bool = False) -> Response:
    game = _only_game(player.id) if done and session.player_id() == player.id else None
    shown = {"player": player, "email": email, "done": done, "answers": answers, "game": game}
    return personal("verify.html", **shown)


def _only_game(player: str) -> str | None:
    """Return the one game of a player: most confirm their address while a first game waits."""
    lists = get_container().games.lists
    filters = (GameFilter(status, seated=True) for status in ("active", "open"))
    running = [game for each in filters for game in lists.of_player(player, each, limit=2)[0]]
    return running[0]["id"] if len(running) == 1 else None


@blueprint.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Ask for confirmation. Only submitting the form changes anything: mail scanners follow every
    link."""
    return _subscription_page(_subscription(token))


@blueprint.post("/unsubscribe/<token>")
@open_to_others
def change_subscription(token: str) -> str:
    """Turn this kind of mail off, as a mail program's own button does (RFC 8058); or on again with
    `on`."""
    preferences, subscription = get_container().mail_preferences, _subscription(token)
    turn = preferences.turn_on if request.form.get("on") else preferences.turn_off
    turn(subscription)
    return _subscription_page(subscription)


def _subscription(token: str) -> Subscription:
    return get_container().mail_preferences.read(token) or abort(404)


def _subscription_page(subscription: Subscription) -> str:
    container = get_container()
    player = container.players.find(subscription.reader)
    return render_template(
        "unsubscribe.html",
        player=player,
        address=_hinted(player.email) if player and player.email else "",
        is_own=player is not None and session.player_id() == player.id,
        is_turn=subscription.kind == "turn",
        what=reader_words().say(CHOICES.get(subscription.kind, subscription.kind)),
        wanted=container.mail_preferences.wanted(subscription),
    )


def _hinted(email: str) -> str:
    """Return an address so that its owner knows it: whoever has a forwarded mail has its link too,
    for ever, and learns no new address from it."""
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}…@{domain}"
