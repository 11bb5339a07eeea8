"""Channels: ways to notify a player in addition to mail, each with its target, the notices that it
delivers, and its state.

What is stored of a failure is its reason in English: a message, of which only the status of an
answer is filled in. So former reasons are said in other languages too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from service.accounts.notice_kinds import CONFIRMATION, GROUPS, kind_of
from service.core.network import LONGEST_URL
from service.core.words import N_, Words

ChannelType = Literal[
    "webhook", "push", "ntfy", "gotify", "telegram", "discord", "slack", "pushover"
]
TYPES: Final[tuple[ChannelType, ...]] = get_args(ChannelType)
TITLES: Final[Mapping[ChannelType, str]] = {
    "webhook": N_("Webhook"),
    "push": N_("Push to a browser"),
    "ntfy": "ntfy",
    "gotify": "Gotify",
    "telegram": "Telegram",
    "discord": "Discord",
    "slack": "Slack",
    "pushover": "Pushover",
}
CHANNEL_GROUPS: Final = tuple(group for group in GROUPS if group != CONFIRMATION)
"""The groups of notices that a player can choose for a channel. Confirmations of turns sent by mail
are not among them: only mail delivers these."""

CHANNEL_ID: Final = "[a-z2-7]{8}"
MAX_GAMES_OFF: Final = 200

URL: Final = rf"https?://[!-~]{{1,{LONGEST_URL - 8}}}"
_BASE64URL: Final = "[A-Za-z0-9_-]"
TARGETS: Final[Mapping[ChannelType, Mapping[str, str]]] = {
    "webhook": {"url": URL},
    "push": {"endpoint": URL, "p256dh": f"{_BASE64URL}{{87}}=?", "auth": f"{_BASE64URL}{{22}}=*"},
    "ntfy": {"url": URL, "topic": "[A-Za-z0-9_-]{1,64}", "token": "[!-~]{1,100}"},
    "gotify": {"url": URL, "token": "[A-Za-z0-9._-]{8,64}"},
    "telegram": {
        "token": "[0-9]{6,12}:[A-Za-z0-9_-]{32,40}",
        "chat": "-?[0-9]{4,16}|@[A-Za-z0-9_]{4,40}",
    },
    "discord": {
        "url": r"https://(discord|discordapp)\.com/api/webhooks/[0-9]{1,30}/[A-Za-z0-9_-]{1,120}"
    },
    "slack": {
        "url": r"https://hooks\.slack\.com/services/T[A-Z0-9]{1,16}/B[A-Z0-9]{1,16}/[A-Za-z0-9]{24}"
    },
    "pushover": {"user": "[A-Za-z0-9]{30}", "token": "[A-Za-z0-9]{30}"},
}
"""The target of each type of channel: its fields, and a regular expression for each."""
OPTIONAL: Final = {"ntfy": ("token",)}
"""Optional target fields, by type of channel."""

# Note: why a channel is off, after a colon
BY_PLAYER: Final = N_("you turned it off")
"""The `why` of a channel that its player has turned off."""

State = Literal["working", "failing", "off"]


class ChannelFailure(NamedTuple):
    """A channel's failure: `at` is since when it fails, or when it was turned off (unix seconds);
    `why` is the reason, in English (`reason_words` says it).

    A channel that is `off` receives nothing until its player turns it on again.
    """

    at: float
    why: str
    off: bool


@dataclass(frozen=True, slots=True)
class Channel:
    """A way to notify a player.

    `groups` are the groups of notices it delivers, `games_off` the games excluded; a `fallback` is
    used only if all other channels have failed. `serial` is the number of times its secret was
    replaced. `reached` (last delivery) and `paused_until` are unix seconds, `created` is RFC 3339.
    """

    id: str
    type: ChannelType
    name: str
    target: Mapping[str, str] = field(repr=False)
    created: str
    groups: frozenset[str] = frozenset(CHANNEL_GROUPS)
    fallback: bool = False
    games_off: tuple[str, ...] = ()
    serial: int = 0
    failure: ChannelFailure | None = None
    reached: float | None = None
    paused_until: float = 0.0

    @property
    def state(self) -> State:
        """Whether the channel works, fails, or is turned off."""
        if self.failure is None:
            return "working"
        return "off" if self.failure.off else "failing"

    @property
    def has_failed(self) -> bool:
        """Whether the channel was turned off because of failures, and not by its player."""
        return self.failure is not None and self.failure.off and self.failure.why != BY_PLAYER

    @property
    def leads_to(self) -> str:
        """Return the target for display, without secrets: a host, or the end of an id."""
        secret = self.target.get("chat") or self.target.get("user")
        return f"…{secret[-3:]}" if secret else self.host

    @property
    def host(self) -> str:
        """Return the host, with port, that receives its messages; the type if that implies the
        host."""
        url = self.target.get("url") or self.target.get("endpoint")
        return self.type if url is None else urlsplit(url).netloc

    def delivers(self, kind: str, game: str) -> bool:
        """Whether the channel delivers notices of this kind about this game."""
        return self.state != "off" and self.would_deliver(kind, game)

    def would_deliver(self, kind: str, game: str) -> bool:
        """Whether the channel would deliver such notices if it were not turned off."""
        group = channel_group(kind)
        return game not in self.games_off and (group is None or group in self.groups)


def in_order(wanting: Iterable[Channel], *, by_mail: bool) -> tuple[list[Channel], list[Channel]]:
    """Return the channels to use at once, and the fallbacks to use if those and mail have failed.

    `by_mail`: the player is notified by mail as well. Without it and without other channels, the
    fallbacks are used at once.
    """
    first, fallbacks = list[Channel](), list[Channel]()
    for channel in wanting:
        (fallbacks if channel.fallback else first).append(channel)
    return (first, fallbacks) if first or by_mail else (fallbacks, [])


def channel_group(kind: str) -> str | None:
    """Return the group of a kind of notice; None for kinds outside these groups, such as a test,
    which every channel delivers."""
    group = kind_of(kind).group
    return None if group == CONFIRMATION else group


def notice_channel(channel: Channel) -> str:
    """Return the name of this channel in a notice's id: `webhook-ab2cd3ef`."""
    return f"{channel.type}-{channel.id}"


def channel_id_of(named: str) -> str:
    """Return the channel id in such a name; `""` for mail and other transports."""
    return named.partition("-")[2]


def target_problem(channel_type: str, target: Mapping[str, object]) -> str | None:
    """Return the target field that is missing, unknown or malformed; None if all are valid.

    Return `type` for an unknown type of channel.
    """
    forms = next((forms for name, forms in TARGETS.items() if name == channel_type), {})
    for name in target.keys() - forms.keys():
        return name
    for name, form in forms.items():
        value = target.get(name)
        if value is None and name in OPTIONAL.get(channel_type, ()):
            continue
        if not isinstance(value, str) or not re.fullmatch(form, value):
            return name
    return None if forms else "type"


# Note: why a channel failed, after "It failed: ", as are its other reasons; %(status)s is 404
ANSWERED: Final = N_("it answered %(status)s")
# Note: why a channel failed, after "It failed: "; %(status)s is 302
REDIRECTED: Final = N_("it answered %(status)s, a redirect, and none is followed")
_STATUS: Final = re.compile("it answered ([0-9]{3})(, a redirect, and none is followed)?")


def reason_words(words: Words, reason: str) -> str:
    """Return the stored reason in this language."""
    answered = _STATUS.fullmatch(reason)
    if answered is None:
        return words.say(reason) if reason else ""
    return words.say(REDIRECTED if answered[2] else ANSWERED, status=answered[1])
