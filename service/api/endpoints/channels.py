"""The caller's channels: the ways to reach a player besides mail."""

from typing import Any

from flask import Response

from service.accounts.channels import CHANNEL_GROUPS, TYPES, Channel
from service.accounts.channels.deliveries import ChannelDelivery, delivery_id, notice_of
from service.api.auth import caller
from service.api.blueprint import ACCOUNT_AND_GAMES, Blueprint
from service.api.openapi.headers import LOCATION, PAGED
from service.api.responses import json_answer, no_content, page_answer, page_of
from service.api.schemas import channels
from service.container import get_container
from service.core.ids import is_game_id
from service.core.timestamps import timestamp

blueprint = Blueprint("channels", __name__, description="Ways to a player beside mail")

_CHANNEL = "/me/channels/<channel:channel_id>"


@blueprint.route("/me/channels", methods=["POST"])
@blueprint.operation(
    "createChannel", "too-many-channels", "push-not-available", security=ACCOUNT_AND_GAMES
)
@blueprint.body(channels.ChannelInput)
@blueprint.response(201, channels.CreatedChannelSchema, headers=LOCATION)
def create(body: dict[str, Any]) -> Response:
    """Add a channel

    A test is sent on it at once; its deliveries tell what became of that.

    What signs a webhook is in the answer, and shown only once. Quiet hours, the daily digest and
    what else is chosen about how mail comes hold for all channels. A token needs `games:read` too,
    for a channel tells of games.
    """
    channel_type = next(name for name in TYPES if name in body)
    chosen = _chosen(frozenset(CHANNEL_GROUPS), body)
    all_channels = get_container().channels
    made = all_channels.add(caller(), channel_type, body[channel_type], **chosen)
    secret = all_channels.secret(caller(), made) if channel_type == "webhook" else None
    answer = json_answer({**shown(made), "secret": secret}, 201)
    answer.headers["Location"] = f"/v1/me/channels/{made.id}"
    return answer


@blueprint.route("/me/channels")
@blueprint.operation("listChannels", security=ACCOUNT_AND_GAMES)
@blueprint.response(200, channels.ChannelListSchema)
def list_all() -> Response:
    """List my channels

    The oldest first.
    """
    all_channels = get_container().channels
    listed = [shown(channel) for channel in all_channels.all(caller())]
    return json_answer({"channels": listed, "push_key": all_channels.push_key()})


@blueprint.route(_CHANNEL)
@blueprint.operation("getChannel", "channel-not-found", security=ACCOUNT_AND_GAMES)
@blueprint.response(200, channels.ChannelSchema)
def show(channel_id: str) -> Response:
    """Show a channel"""
    return json_answer(shown(get_container().channels.get(caller(), channel_id)))


@blueprint.route(_CHANNEL, methods=["PATCH"])
@blueprint.operation("updateChannel", "channel-not-found", security=ACCOUNT_AND_GAMES)
@blueprint.body(channels.ChannelChangeInput)
@blueprint.response(200, channels.ChannelSchema)
def change(body: dict[str, Any], channel_id: str) -> Response:
    """Change a channel

    What is not named stays. To lead it elsewhere, add another.
    """
    all_channels = get_container().channels
    before = all_channels.get(caller(), channel_id)
    all_channels.change(caller(), channel_id, **_chosen(before.groups, body))
    if "on" in body:
        all_channels.switch(caller(), channel_id, on=body["on"])
    return json_answer(shown(all_channels.get(caller(), channel_id)))


@blueprint.route(_CHANNEL, methods=["DELETE"])
@blueprint.operation("deleteChannel", "channel-not-found", security=ACCOUNT_AND_GAMES)
@blueprint.response(204)
def delete(channel_id: str) -> Response:
    """Delete a channel"""
    get_container().channels.get(caller(), channel_id)
    get_container().channels.remove(caller(), channel_id)
    return no_content()


@blueprint.route(f"{_CHANNEL}/secret", methods=["POST"])
@blueprint.operation("renewChannelSecret", "channel-not-found", security=ACCOUNT_AND_GAMES)
@blueprint.response(201, channels.ChannelSecretSchema)
def renew_secret(channel_id: str) -> Response:
    """Make another secret for a webhook

    It signs from now on, and the one before is good for nothing.
    """
    return json_answer({"secret": get_container().channels.renew_secret(caller(), channel_id)}, 201)


@blueprint.route(f"{_CHANNEL}/test", methods=["POST"])
@blueprint.operation("testChannel", "channel-not-found", security=ACCOUNT_AND_GAMES)
@blueprint.response(202, channels.RequestedDeliverySchema)
def test(channel_id: str) -> Response:
    """Send a test

    At once, whether the channel is on or off, and only once. `deliveries` tells what became of it.
    """
    notice = get_container().channels.request_test(caller(), channel_id)
    return json_answer({"id": delivery_id(notice)}, 202)


@blueprint.route(f"{_CHANNEL}/deliveries")
@blueprint.operation(
    "listDeliveries", "channel-not-found", security=ACCOUNT_AND_GAMES, headers=("IfNoneMatch",)
)
@blueprint.query(channels.DeliveriesQuery)
@blueprint.response(200, channels.DeliveryListSchema, headers=PAGED)
@blueprint.empty_response(304)
def deliveries(query: dict[str, Any], channel_id: str) -> Response:
    """List what was sent on a channel

    The last forty messages, the latest first.
    """
    container = get_container()
    container.channels.get(caller(), channel_id)
    stored = container.delivery_log.all(caller(), channel_id)
    page, following = page_of(stored, _position, query.get("cursor"), query["limit"])
    return page_answer("deliveries", [delivery_shown(one) for one in page], following)


@blueprint.route(f"{_CHANNEL}/deliveries/<delivery:delivery_id>/redelivery", methods=["POST"])
@blueprint.operation(
    "redeliverMessage", "channel-not-found", "delivery-not-found", security=ACCOUNT_AND_GAMES
)
@blueprint.response(202, channels.RequestedDeliverySchema)
def redeliver(channel_id: str, delivery_id: str) -> Response:
    """Send a message once more

    The same message under the same id, at once, and only once.
    """
    get_container().channels.request_again(caller(), channel_id, notice_of(delivery_id))
    return json_answer({"id": delivery_id}, 202)


@blueprint.route("/me/links")
@blueprint.operation("getPrivateLinks", security=ACCOUNT_AND_GAMES)
@blueprint.response(200, channels.PrivateLinksSchema)
def links() -> Response:
    """Show my private links

    To a calendar of deadlines and a feed of my turns, for programs that cannot sign in. Whoever has
    one can read along; they show no cards. null: there are none.
    """
    links_of_player = get_container().private_links.of(caller())
    return json_answer(
        links_of_player._asdict() if links_of_player else {"calendar": None, "atom": None}
    )


@blueprint.route("/me/links", methods=["POST"])
@blueprint.operation("renewPrivateLinks", security=ACCOUNT_AND_GAMES)
@blueprint.response(201, channels.PrivateLinksSchema)
def renew_links() -> Response:
    """Make private links

    Those before are good for nothing from now on.
    """
    return json_answer(get_container().private_links.renew(caller())._asdict(), 201)


@blueprint.route("/me/links", methods=["DELETE"])
@blueprint.operation("revokePrivateLinks", security=ACCOUNT_AND_GAMES)
@blueprint.response(204)
def revoke_links() -> Response:
    """Revoke my private links"""
    get_container().private_links.revoke(caller())
    return no_content()


def shown(channel: Channel) -> dict[str, object]:
    """A channel as its player sees it, without secrets."""
    failure, reached = channel.failure, channel.reached
    return {
        "id": channel.id,
        "type": channel.type,
        "name": channel.name,
        "leads_to": channel.leads_to,
        "groups": {group: group in channel.groups for group in CHANNEL_GROUPS},
        "fallback": channel.fallback,
        "games_off": list(channel.games_off),
        "state": channel.state,
        "trouble": failure and {"first_at": timestamp(failure.at), "why": failure.why},
        "last_delivered_at": None if reached is None else timestamp(reached),
        "created_at": channel.created,
    }


def delivery_shown(delivery: ChannelDelivery) -> dict[str, object]:
    """A delivery as its player sees it, without any text from the other side."""
    return {
        "id": delivery_id(delivery.notice),
        "kind": delivery.kind,
        "game": delivery.game if is_game_id(delivery.game) else None,
        "first_at": timestamp(delivery.first),
        "last_at": timestamp(delivery.last),
        "attempts": delivery.attempts,
        "state": delivery.state,
        "answer": delivery.answer,
        "why": delivery.words or None,
    }


def _chosen(groups: frozenset[str], body: dict[str, Any]) -> dict[str, Any]:
    """The members of a channel that a body names."""
    chosen: dict[str, object] = {name: body[name] for name in ("name", "fallback") if name in body}
    if "games_off" in body:
        chosen["games_off"] = tuple(dict.fromkeys(body["games_off"]))
    return {**chosen, "groups": _groups(groups, body.get("groups", {}))}


def _groups(before: frozenset[str], chosen: dict[str, bool]) -> frozenset[str]:
    return before.union(g for g in chosen if chosen[g]).difference(
        g for g in chosen if not chosen[g]
    )


def _position(delivery: ChannelDelivery) -> str:
    # Positions ascend as texts: the later a delivery, the smaller its number.
    return f"{10**11 - delivery.first:012d} {delivery.notice}"
