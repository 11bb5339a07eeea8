"""Chat services with fixed hosts. `apprise` knows how each wants its messages.

Only these are offered: what leads to a host of the player's choice goes through `egress`.
"""

import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from typing import Any, Final

from apprise import NotifyBase, NotifyFormat
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.pushover import NotifyPushover
from apprise.plugins.slack import NotifySlack
from apprise.plugins.telegram import NotifyTelegram

from service.accounts.channels import Channel
from workers.channels.egress import CONNECT_TIMEOUT, READ_TIMEOUT, TOTAL_TIMEOUT
from workers.channels.message import ChannelMessage
from workers.channels.trouble import ChannelTrouble
from workers.context import WorkerContext

_PLAIN: Final = str.maketrans(
    {"@": "(at)", "<": "(", ">": ")", "`": "'", "*": "", "_": " ", "~": "", "[": "(", "]": ")"}
)
"""What these services could read as a call to others, a link or markup: a name may hold it."""
_LIMITS: Final[dict[str, Any]] = {"cto": CONNECT_TIMEOUT, "rto": READ_TIMEOUT, "redirect": False}

logging.getLogger("apprise").setLevel(logging.CRITICAL)  # it would log addresses that are secrets


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Send the message as text. Raises `ChannelTrouble`."""
    service: NotifyBase = _SERVICES[channel.type](channel.target)(**_LIMITS)
    text = f"{message.text.translate(_PLAIN)}\n{message.url}"
    taken: Future[bool] = Future()

    def run() -> None:
        try:
            taken.set_result(
                bool(
                    service.notify(
                        body=text,
                        title=message.title.translate(_PLAIN),
                        body_format=NotifyFormat.TEXT,
                    )
                )
            )
        except Exception as error:
            taken.set_exception(error)

    threading.Thread(target=run, name="chat", daemon=True).start()
    try:
        done = taken.result(TOTAL_TIMEOUT)
    except FutureTimeout:
        raise ChannelTrouble("it did not answer in time") from None
    if not done:
        raise ChannelTrouble("it did not take the message")


def _telegram(target: Mapping[str, str]) -> Any:
    return partial(
        NotifyTelegram, bot_token=target["token"], targets=[target["chat"]], detect_owner=False
    )


def _discord(target: Mapping[str, str]) -> Any:
    webhook_id, token = target["url"].split("/")[-2:]
    return partial(NotifyDiscord, webhook_id=webhook_id, webhook_token=token, avatar=False)


def _slack(target: Mapping[str, str]) -> Any:
    first, second, third = target["url"].split("/")[-3:]
    return partial(NotifySlack, token_a=first, token_b=second, token_c=third, include_image=False)


def _pushover(target: Mapping[str, str]) -> Any:
    return partial(NotifyPushover, user_key=target["user"], token=target["token"])


_SERVICES: Final = {
    "telegram": _telegram,
    "discord": _discord,
    "slack": _slack,
    "pushover": _pushover,
}
