"""Sends notices on a player's own channel, if they are still true and wanted."""

import time
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Final, Literal

from service.accounts.channels import Channel, channel_id_of, notice_channel
from service.accounts.channels.deliveries import ChannelDelivery, DeliveryState
from service.accounts.channels.store import TEST, TEST_PERIOD
from service.core.durations import DAY
from service.eventlog import NoticeParts, notice_id
from workers.about import too_late_at
from workers.channels import fan_out
from workers.channels.errors import DeliveryError, EgressBusy, EgressFailed
from workers.channels.message import ChannelMessage, stored_message, write
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.kinds import DIGEST
from workers.policy import Later, NoticeState, Preferences, decide
from workers.retrying import retry_until_saved

ChannelOutcome = Literal["sent", "dropped", "postponed"]
PATIENCE: Final = DAY
"""Seconds for which a message is retried. After that the channel is turned off."""

TURN: Final = 2.0
"""Seconds until a message is tried again whose channel was busy, so that a hanging receiver holds
up one thread only."""
FULL: Final = 30.0
"""Seconds until a message is tried again to whose network address too many requests go."""
TEST_PATIENCE: Final = 120
"""Seconds after which a test is dropped: players could otherwise queue tests faster than a hanging
receiver answers."""


def send(context: WorkerContext, due: DueNotice) -> ChannelOutcome:
    """Send the message of this notice. Raises `DeliveryError`."""
    notice, container = due.notice, context.container
    if due.recipient is None:
        return "dropped"
    channel = next((one for one in due.channels if notice_channel(one) == notice.transport), None)
    if channel is None:
        return _undeliverable(context, notice)
    own_id = notice_id(*notice)
    before = container.delivery_log.find(notice.recipient, channel.id, own_id)
    if notice.kind == TEST or (before is not None and before.again):
        return _send_asked(context, due, channel, before)
    if not channel.would_deliver(notice.kind, notice.subject):
        fan_out.record(context, notice, notice.transport, "chosen")
        return "dropped"
    if channel.state == "off":
        return _undeliverable(context, notice)
    message = write(context, due, channel)
    if message is None:
        return _untrue(context, due, channel, before)
    # The notice from which this one was made has already applied the choices for mail.
    chosen = Preferences(due.choice, "at_once", False, False, wants_digest=False, on_channels=True)
    state = NoticeState(too_late_at=too_late_at(due), paused_until=channel.paused_until)
    decision = decide(notice.kind, chosen, state, container.now())
    if isinstance(decision, Later):
        container.log.outbox.postpone(own_id, decision.at)
        return "postponed"
    with container.send_limits.begin(notice.recipient, channel) as may_begin, suppress(EgressBusy):
        if may_begin:
            _send(context, due, channel, message, before)
            return "sent"
    pause = FULL if may_begin else TURN
    container.log.outbox.postpone(own_id, container.now() + pause)
    return "postponed"


def given_up(context: WorkerContext, notice: NoticeParts, error: Exception) -> None:
    """Turn off a channel whose message has finally failed, and let the fallbacks send it."""
    container, channel_id = context.container, channel_id_of(notice.transport)
    player = notice.recipient
    before = container.delivery_log.find(player, channel_id, notice_id(*notice))
    if before is not None:
        container.delivery_log.record(player, channel_id, replace(before, state="failed"))
    if isinstance(error, DeliveryError):  # and not an error of our own
        _note_end(context, notice, error)
    fan_out.record_failure(context, notice, notice.transport)


def pause_channel(
    context: WorkerContext, notice: NoticeParts, error: DeliveryError, pause: float
) -> None:
    """Pause the channel for `pause` seconds, then retry this message before any other."""
    channel_id = channel_id_of(notice.transport)
    context.container.channels.record_failure(notice.recipient, channel_id, error.why, pause)


def _note_end(context: WorkerContext, notice: NoticeParts, error: DeliveryError) -> None:
    channels, channel_id = context.container.channels, channel_id_of(notice.transport)
    player = notice.recipient
    if error.is_gone and notice.transport.startswith("push-"):
        # The browser has given up the subscription: it will never work again.
        channels.remove(player, channel_id)
    elif error.is_gone or not error.is_permanent:
        channels.turn_off(player, channel_id, error.why)
    else:
        channels.record_failure(player, channel_id, error.why, 0)


def _send(
    context: WorkerContext,
    due: DueNotice,
    channel: Channel,
    message: ChannelMessage,
    before: ChannelDelivery | None,
) -> None:
    notice, container = due.notice, context.container
    try:
        _transmit(context, notice, channel, message)
    except DeliveryError as error:
        _log(context, notice, channel, message, before, "waiting", error)
        raise

    def save() -> None:
        fan_out.record(context, notice, notice.transport, "reached")
        if notice.kind == DIGEST:
            _record_digest(context, notice, channel)
        container.channels.record_reached(notice.recipient, channel.id)
        _log(context, notice, channel, message, before, "delivered")

    retry_until_saved(save)
    if notice.kind == "over":
        container.channels.forget_game(notice.recipient, channel, notice.subject)


def _send_asked(
    context: WorkerContext, due: DueNotice, channel: Channel, before: ChannelDelivery | None
) -> ChannelOutcome:
    """Send a test, or repeat a message, at the player's request. One request of a player runs at a
    time."""
    container, notice = context.container, due.notice
    with container.send_limits.begin(notice.recipient, channel, asked=True) as may_begin:
        if may_begin:
            return _send_once(context, due, channel, before)
    if notice.kind == TEST and _age(context, notice) > TEST_PATIENCE:
        return _unsent(context, due, channel)
    container.log.outbox.postpone(notice_id(*notice), container.now() + TURN)
    return "postponed"


def _unsent(context: WorkerContext, due: DueNotice, channel: Channel) -> ChannelOutcome:
    message = write(context, due, channel)
    assert message is not None, "a test is always true"
    error = DeliveryError("too much was on its way before it")
    _log(context, due.notice, channel, message, None, "failed", error)
    return "dropped"


def _age(context: WorkerContext, test: NoticeParts) -> int:
    """Seconds since a test was asked for."""
    return (int(context.container.now()) - test.version) % TEST_PERIOD


def _send_once(
    context: WorkerContext, due: DueNotice, channel: Channel, before: ChannelDelivery | None
) -> ChannelOutcome:
    """Send at the player's request, without retries."""
    notice = due.notice
    again = before is not None and before.again and before.message
    message = stored_message(notice_id(*notice), again) if again else write(context, due, channel)
    assert message is not None, "a test is always true"
    try:
        _transmit(context, notice, channel, message)
    except (DeliveryError, EgressBusy) as failed:
        error = failed if isinstance(failed, DeliveryError) else DeliveryError(str(failed))
        _log(context, notice, channel, message, before, "failed", error)
        return "dropped"
    _log(context, notice, channel, message, before, "delivered")
    context.container.channels.record_reached(notice.recipient, channel.id)
    return "sent"


def _transmit(
    context: WorkerContext, notice: NoticeParts, channel: Channel, message: ChannelMessage
) -> None:
    begun = time.monotonic()
    try:
        # Imported on first use: the libraries for push take 20 MB, which most servers do not need.
        module = "push" if channel.type == "push" else "senders"
        sender = import_module(f"workers.channels.{module}")
        sender.send(context, notice.recipient, channel, message)
    except EgressBusy:
        raise
    except EgressFailed as failed:
        raise DeliveryError(str(failed)) from None
    finally:
        context.container.send_limits.record_time(notice.recipient, time.monotonic() - begun)


def _undeliverable(context: WorkerContext, notice: NoticeParts) -> Literal["dropped"]:
    """Record that this channel, which is deleted or off, will not send the notice, so that the
    fallbacks can."""
    if fan_out.is_fanned_out(notice):
        fan_out.record_failure(context, notice, notice.transport)
    return "dropped"


def _untrue(
    context: WorkerContext, due: DueNotice, channel: Channel, before: ChannelDelivery | None
) -> Literal["dropped"]:
    notice = due.notice
    context.container.ledger.clear(notice, notice.transport)
    if before is not None:
        dropped = replace(before, state="dropped")
        context.container.delivery_log.record(notice.recipient, channel.id, dropped)
    return "dropped"


def _record_digest(context: WorkerContext, notice: NoticeParts, channel: Channel) -> None:
    container = context.container
    for entry in container.deferred_notices.digest(notice.recipient, notice.version):
        if entry["version"] and channel.would_deliver(entry["kind"], entry["game"]):
            one = notice._replace(
                subject=entry["game"], version=entry["version"], kind=entry["kind"]
            )
            fan_out.record(context, one, notice.transport, "reached")


def _log(
    context: WorkerContext,
    notice: NoticeParts,
    channel: Channel,
    message: ChannelMessage,
    before: ChannelDelivery | None,
    state: DeliveryState,
    error: DeliveryError | None = None,
) -> None:
    if context.container.channels.find(notice.recipient, channel.id) is None:
        return  # deleted meanwhile, with its log of deliveries
    now = int(context.container.now())
    delivery = ChannelDelivery(
        notice=notice_id(*notice),
        kind=notice.kind,
        game=notice.subject,
        first=before.first if before else now,
        last=now,
        state=state,
        attempts=before.attempts + 1 if before else 1,
        answer=error.answer if error else None,
        words=error.why if error else "",
        message=message.stored(),
    )
    context.container.delivery_log.record(notice.recipient, channel.id, delivery)
