"""The caller's channels: the ways to reach a player besides mail."""

from collections.abc import Mapping
from typing import Any

from service.accounts.channels import CHANNEL_GROUPS, TYPES, Channel
from service.api.auth import caller
from service.api.blueprint import ACCOUNT_AND_GAMES, Blueprint
from service.api.responses import Created
from service.api.schemas import settings
from service.container import get_container
from service.core.times import timestamp

blueprint = Blueprint("channels", __name__, description="Ways to a player beside mail")

_CHANNEL = "/me/channels/<channel:channel_id>"


@blueprint.operation(
    "POST /me/channels",
    "createChannel",
    "too-many-channels push-not-available",
    security=ACCOUNT_AND_GAMES,
)
def create(body: settings.ChannelInput) -> Created[settings.CreatedChannelShape]:
    """Add a channel

    A test is sent on it at once; `state` and `trouble` then tell what became of that.

    What signs a webhook is in the answer, and shown only once. Quiet hours, the daily digest and
    what else is chosen about how mail comes hold for all channels. A token needs `games:read` too,
    for a channel tells of games.
    """
    channel_type = next(name for name in TYPES if name in body)
    chosen = _chosen(frozenset(CHANNEL_GROUPS), body)
    all_channels = get_container().channels
    made = all_channels.add(caller(), channel_type, body[channel_type], **chosen)
    secret = all_channels.secret(caller(), made) if channel_type == "webhook" else None
    return Created({**shown(made), "secret": secret}, f"/v1/me/channels/{made.id}")


@blueprint.operation("GET /me/channels", "listChannels", security=ACCOUNT_AND_GAMES)
def list_all() -> settings.ChannelListShape:
    """List my channels

    The oldest first.
    """
    all_channels = get_container().channels
    listed = [shown(channel) for channel in all_channels.all(caller())]
    return {"channels": listed, "push_key": all_channels.push_key()}


@blueprint.operation(
    f"PATCH {_CHANNEL}", "updateChannel", "channel-not-found", security=ACCOUNT_AND_GAMES
)
def change(body: settings.ChannelChangeInput, channel_id: str) -> settings.ChannelShape:
    """Change a channel

    What is not named stays. To lead it elsewhere, add another.
    """
    all_channels = get_container().channels
    before = all_channels.get(caller(), channel_id)
    all_channels.change(caller(), channel_id, **_chosen(before.groups, body))
    if "on" in body:
        all_channels.switch(caller(), channel_id, on=body["on"])
    return shown(all_channels.get(caller(), channel_id))


@blueprint.operation(
    f"DELETE {_CHANNEL}", "deleteChannel", "channel-not-found", security=ACCOUNT_AND_GAMES
)
def delete(channel_id: str) -> None:
    """Delete a channel"""
    get_container().channels.get(caller(), channel_id)
    get_container().channels.remove(caller(), channel_id)


def shown(channel: Channel) -> settings.ChannelShape:
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


def _chosen(groups: frozenset[str], body: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a channel that a body names."""
    chosen: dict[str, object] = {name: body[name] for name in ("name", "fallback") if name in body}
    if "games_off" in body:
        chosen["games_off"] = tuple(dict.fromkeys(body["games_off"]))
    wanted = {**dict.fromkeys(groups, True), **body.get("groups", {})}
    return {**chosen, "groups": frozenset(group for group in wanted if wanted[group])}
