"""A player's channels: adding, changing and testing them, and the private links."""

from collections.abc import Sequence
from typing import Final

from flask import Response, abort, request
from marshmallow import ValidationError

from service.accounts.channels import (
    CHANNEL_GROUPS,
    OPTIONAL,
    TARGETS,
    TITLES,
    TYPES,
    Channel,
    in_order,
    reason_words,
)
from service.accounts.channels.deliveries import delivery_id, notice_of
from service.accounts.notice_kinds import GROUP_WORDS
from service.api.endpoints.channels import shown
from service.api.schemas.fields import Name, checked, load
from service.api.schemas.settings import ChannelInput
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.ids import is_game_id
from service.core.times import timestamp
from service.core.words import N_, Words
from service.games.projections.player_games import GameFilter
from service.games.shapes import GameSummaryShape
from service.web.answers import personal, signed_in, to
from service.web.assets import asset, current_digest
from service.web.blueprint import blueprint
from service.web.language import fault, reader_words, reason, said
from service.web.words import player_name

WORDS: Final = {
    ("webhook", "url"): N_("Address, beginning with https"),
    ("ntfy", "url"): N_("Server, such as https://ntfy.sh"),
    ("ntfy", "topic"): N_("Topic, one that nobody guesses"),
    ("ntfy", "token"): N_("Access token, if the server wants one"),
    ("gotify", "url"): N_("Server"),
    ("gotify", "token"): N_("Token of an application"),
    ("telegram", "token"): N_("Token of your bot"),
    ("telegram", "chat"): N_("Id of the chat"),
    ("discord", "url"): N_("Address of the webhook"),
    ("slack", "url"): N_("Address of the incoming webhook"),
    ("pushover", "user"): N_("User key"),
    ("pushover", "token"): N_("Token of your application"),
}
"""The labels of the target fields in the form; for push the form has a button instead."""
_STATES: Final = {
    "waiting": N_("not delivered yet"),
    "delivered": N_("delivered"),
    "failed": N_("failed"),
    "dropped": N_("no longer true when it was to be tried again"),
}
_KINDS: Final = {
    "turn": N_("Your turn"),
    "orders": N_("A cancelled plan"),
    "reminder": N_("A reminder"),
    "last-reminder": N_("The last reminder"),
    "clock-runs": N_("A pause that is over"),
    "time-out": N_("Time that is out"),
    "invitation": N_("An invitation"),
    "challenge": N_("A challenge"),
    "declined": N_("A challenge that was declined"),
    "expired": N_("A challenge that has expired"),
    "withdrawn": N_("A challenge that was withdrawn"),
    "called-off": N_("An invitation that was cancelled"),
    "started": N_("A game that begins"),
    "over": N_("A game that is over"),
    "message": N_("A message of the other player"),
    "abandonment": N_("An offer to end the game"),
    "pause": N_("A proposal to pause the clock"),
    "answered": N_("The answer to a proposal of yours"),
    "vacation-ends": N_("A vacation that ends"),
    "digest": N_("The daily digest"),
    "test": N_("A test"),
}
"""The title of each kind of message."""
_MOST_GAMES: Final = 50
"""The most running games in the list of games to exclude."""


@blueprint.get("/account/channels")
def channels() -> Response:
    """Show the player's channels and private links."""
    return _page(signed_in())


@blueprint.post("/account/channels")
def add_channel() -> Response:
    """Add a channel, and show a webhook's signing secret, only this once."""
    player = signed_in()
    channel_type = next((one for one in TYPES if one == request.form.get("type")), None)
    if channel_type is None:
        abort(422)
    optional = OPTIONAL.get(channel_type, ())
    given = {name: request.form.get(name, "").strip() for name in TARGETS[channel_type]}
    target = {name: text for name, text in given.items() if text or name not in optional}
    asked: dict[str, object] = {channel_type: target}
    if name := request.form.get("name", "").strip():
        asked["name"] = name
    channels, words = get_container().channels, reader_words()
    kind = words.say(TITLES[channel_type])
    try:
        loaded = load(ChannelInput, asked)
        made = channels.add(player, channel_type, loaded[channel_type], name=loaded.get("name"))
    except ValidationError:
        return _page(
            player, error=words.say("%(kind)s: something is missing or mistyped.", kind=kind)
        )
    except RequestRejected as refusal:
        return _page(
            player, error=words.say("%(kind)s: %(refusal)s", kind=kind, refusal=reason(refusal))
        )
    if channel_type == "webhook":
        return _page(player, made=made, secret=channels.secret(player, made))
    return to("web.channel", channel_id=made.id, asked=1)


@blueprint.get("/account/channels/<channel_id>")
def channel(channel_id: str) -> Response:
    """Show a channel, and the messages sent on it."""
    return _channel_page(signed_in(), channel_id)


@blueprint.post("/account/channels/<channel_id>")
def change_channel(channel_id: str) -> Response:
    """Change a channel's name, and the notices that it delivers."""
    player = signed_in()
    channels, form = get_container().channels, request.form
    before = channels.get(player, channel_id)
    try:
        name = checked(Name, form.get("name", ""))
    except ValidationError as error:
        return _channel_page(player, channel_id, error=fault(error))
    chosen, games = set(form.getlist("groups")), set(form.getlist("games"))
    listed = [game["id"] for game in _running(player)]
    off = [game for game in (*before.games_off, *listed) if game not in games]
    channels.change(
        player,
        channel_id,
        name=name,
        groups=frozenset(group for group in CHANNEL_GROUPS if group in chosen),
        fallback="fallback" in form,
        games_off=tuple(dict.fromkeys(off)),
    )
    return to("web.channel", channel_id=channel_id, saved=1)


@blueprint.post("/account/channels/<channel_id>/switch")
def switch_channel(channel_id: str) -> Response:
    """Turn a channel on or off."""
    player, channels = signed_in(), get_container().channels
    channels.get(player, channel_id)
    channels.switch(player, channel_id, on=bool(request.form.get("on")))
    return to("web.channel", channel_id=channel_id)


@blueprint.post("/account/channels/<channel_id>/test")
def test_channel(channel_id: str) -> Response:
    get_container().channels.request_test(signed_in(), channel_id)
    return to("web.channel", channel_id=channel_id, asked=1)


@blueprint.post("/account/channels/<channel_id>/deliveries/<delivery_id>/again")
def redeliver(channel_id: str, delivery_id: str) -> Response:
    """Send a message once more."""
    get_container().channels.request_again(signed_in(), channel_id, notice_of(delivery_id))
    return to("web.channel", channel_id=channel_id, asked=1)


@blueprint.post("/account/channels/<channel_id>/secret")
def renew_channel_secret(channel_id: str) -> Response:
    """Replace the signing secret, and show the new one, only this once."""
    player = signed_in()
    secret = get_container().channels.renew_secret(player, channel_id)
    return _channel_page(player, channel_id, secret=secret)


@blueprint.post("/account/channels/<channel_id>/delete")
def delete_channel(channel_id: str) -> Response:
    player, channels = signed_in(), get_container().channels
    channels.get(player, channel_id)
    channels.remove(player, channel_id)
    return to("web.channels")


@blueprint.post("/account/links")
def renew_private_links() -> Response:
    """Create new private links, which replace the previous ones."""
    get_container().private_links.renew(signed_in())
    return to("web.channels", _anchor="links")


@blueprint.post("/account/links/end")
def end_private_links() -> Response:
    get_container().private_links.revoke(signed_in())
    return to("web.channels", _anchor="links")


@blueprint.get("/push-worker.js")
def push_worker() -> Response:
    """Return the service worker that shows push messages. Browsers check this URL for a new
    version."""
    answer = asset(current_digest(), "push-worker.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _running(player: str) -> list[GameSummaryShape]:
    lists = get_container().games.lists
    return lists.of_player(player, GameFilter("active"), limit=_MOST_GAMES)[0]


def _page(player: str, error: str | None = None, **shown_once: object) -> Response:
    container, labels = get_container(), said(WORDS)
    channels = container.channels.all(player)
    return personal(
        "channels.html",
        channels=[shown(one) for one in channels],
        owner=container.players.find(player),
        no_mail=container.mail_preferences.choice(player).delivery == "off",
        ways=_ways(reader_words(), player, channels) if channels else [],
        titles=said(TITLES),
        fields={
            one: [(name, labels[one, name], name in OPTIONAL.get(one, ())) for name in TARGETS[one]]
            for one in TYPES
            if one != "push"
        },
        push_key=container.channels.push_key(),
        links=container.private_links.of(player),
        error=error,
        **shown_once,
    )


def _ways(words: Words, player: str, channels: Sequence[Channel]) -> list[tuple[str, str, str]]:
    """Return for each group of notices its name, and the names of the channels and of the fallbacks
    that deliver it, in words.

    If they are the same for all groups, there is a single entry, `everything`.
    """
    container = get_container()
    owner, preferences = container.players.find(player), container.mail_preferences
    is_reached = container.settings.smtp_url is None or (owner is not None and owner.verified)
    mailed = is_reached and preferences.choice(player).delivery != "off"
    groups, ways_of = preferences.groups(player), []
    for group in CHANNEL_GROUPS:
        by_mail = mailed and groups[group]
        wanting = [one for one in channels if one.state != "off" and group in one.groups]
        first, fallbacks = in_order(wanting, by_mail=by_mail)
        # Note: in a list of ways: "mail and My phone"
        mail = [words.say("mail")] if by_mail else []
        at_once = words.joined([*mail, *(one.name for one in first)])
        then = words.joined(one.name for one in fallbacks)
        # Note: no way is left by which news comes
        ways_of.append((words.say(GROUP_WORDS[group]), at_once or words.say("nothing"), then))
    _, *same = ways_of[0]
    if all(ways == same for _, *ways in ways_of):
        # Note: all news, of which "mail: …" says how it comes
        return [(words.say("everything"), same[0], same[1])]
    return ways_of


@blueprint.app_template_global()
def channel_reason(why: str) -> str:
    """Return why a channel failed, in the reader's language; empty without a reason."""
    return reason_words(reader_words(), why)


def _channel_page(
    player: str, channel_id: str, error: str | None = None, secret: str | None = None
) -> Response:
    container = get_container()
    channel = container.channels.get(player, channel_id)
    deliveries = container.delivery_log.all(player, channel_id)
    games = []
    for game in _running(player):
        other = game["players"]["south" if game["seat"] == "north" else "north"]
        games.append((game["id"], player_name(other)))
    return personal(
        "channel.html",
        channel=shown(channel),
        titles=said(TITLES),
        about=said({group: GROUP_WORDS[group] for group in CHANNEL_GROUPS}),
        games=games,
        deliveries=[
            {
                "id": delivery_id(one.notice),
                "kind": one.kind,
                "game": one.game if is_game_id(one.game) else None,
                "last_at": timestamp(one.last),
                "attempts": one.attempts,
                "state": one.state,
                "why": channel_reason(one.words),
            }
            for one in deliveries
        ],
        states=said(_STATES),
        kinds=said(_KINDS),
        asked="asked" in request.args,
        error=error,
        secret=secret,
        now=container.now(),
    )
