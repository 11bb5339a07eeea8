"""Chat services with fixed hosts. `apprise` knows how each wants its messages.

Only these are offered: what leads to a host of the player's choice goes through `egress`.
"""

import logging
import re
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
from workers.channels.egress import CONNECT_TIMEOUT, READ_TIMEOUT, TOTAL_TIMEOUT, Answer
from workers.channels.errors import DeliveryError, trouble_of
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext

_PLAIN: Final = str.maketrans(
    {"@": "(at)", "<": "(", ">": ")", "`": "'", "*": "", "_": " ", "~": "", "[": "(", "]": ")"}
)
"""What these services could read as a call to others, a link or markup: a name may hold it."""
_LOGGER: Final = logging.getLogger("apprise")
_LOGGER.propagate = False  # it tells addresses that are secrets
_LOGGER.setLevel(logging.WARNING)
_LOGGER.addHandler(logging.NullHandler())
_LIMITS: Final[dict[str, Any]] = {"cto": CONNECT_TIMEOUT, "rto": READ_TIMEOUT, "redirect": False}

_GONE: Final = (404, 410)
"""The bot, the webhook or the application has been deleted."""


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Send the message as text. Raises `DeliveryError`."""
    service: NotifyBase = _SERVICES[channel.type](channel.target)(**_LIMITS)
    service.throttle = _at_once  # type: ignore[method-assign]
    sending = _Sending(service, message)
    threading.Thread(target=sending.run, name="chat", daemon=True).start()
    try:
        done = sending.taken.result(TOTAL_TIMEOUT)
    except FutureTimeout:
        raise DeliveryError("it did not answer in time") from None
    if not done:
        raise sending.trouble()


class _Sending(logging.Handler):
    """One message on its way, in a thread of its own. The library says only whether it was taken;
    why not, it tells its log, of which no more than the status is kept: the rest holds secrets, and
    words of the other side."""

    def __init__(self, service: NotifyBase, message: ChannelMessage) -> None:
        super().__init__(logging.WARNING)
        self._service = service
        self._title = message.title.translate(_PLAIN)
        self._body = f"{message.text.translate(_PLAIN)}\n{message.url}"
        self._thread: int | None = None
        self._said = ""
        self.taken: Future[bool] = Future()

    def run(self) -> None:
        """Send it, and set `taken`."""
        self._thread = threading.get_ident()
        _LOGGER.addHandler(self)
        try:
            text = NotifyFormat.TEXT
            done = self._service.notify(body=self._body, title=self._title, body_format=text)
            self.taken.set_result(bool(done))
        except Exception as error:
            self.taken.set_exception(error)
        finally:
            _LOGGER.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what the library says of this message."""
        if record.thread == self._thread:
            self._said = record.getMessage()

    def trouble(self) -> DeliveryError:
        """Why it was not taken, as far as that is known."""
        if found := re.search(r"error=([1-5][0-9]{2})\.\Z", self._said):
            status = Answer(int(found[1]))
            if not status.ok:
                return trouble_of(status, gone=_GONE)
        if re.match("A connection error ", self._said, re.IGNORECASE):
            return DeliveryError("no connection to it")
        return DeliveryError("it did not take the message, and did not say why")


def _at_once(*args: Any, **options: Any) -> None:
    """In place of the library's pauses: whoever asks us to wait is asked again later, and not by a
    thread that has been given up."""


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
