"""Sends notices on a player's own channel, if they are still true and wanted."""

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final, Literal

from service.accounts.channels import Channel, channel_id_of, notice_channel
from service.accounts.channels.deliveries import ChannelDelivery, DeliveryState
from service.accounts.channels.store import TEST_PERIOD
from service.accounts.notice_kinds import DIGEST, TEST
from service.core.times import DAY
from service.core.words import N_
from service.eventlog import NoticeParts
from workers.channels.message import (
    ChannelMessage,
    DeliveryError,
    EgressBusy,
    EgressFailed,
    stored_message,
    write,
)
from workers.context import WorkerContext
from workers.deliver import SENT, DeliveryResult, deliver
from workers.due import DueNotice
from workers.leases import retry_until_saved
from workers.outcomes import is_fanned_out, record_failure
from workers.policy import Decision, Drop, Later, NoticeState, Preferences, Send, decide

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


def send_on_channel(
    context: WorkerContext, due: DueNotice
) -> Literal["sent", "dropped", "postponed"]:
    """Send the message of this notice. Raises `DeliveryError`."""
    notice = due.notice
    if due.recipient is None:
        return "dropped"
    channel = next((one for one in due.channels if notice_channel(one) == notice.transport), None)
    if channel is not None:
        before = context.container.delivery_log.find(notice.recipient, channel.id, due.id)
        transport = OwnChannel(context, due, channel, before)
        if notice.kind == TEST or (before is not None and before.again):
            return transport.send_asked()
        if channel.state != "off" or not transport.is_wanted:
            return deliver(transport).outcome
    if is_fanned_out(notice):  # it is deleted or off: the fallbacks may send the notice
        record_failure(context, notice, notice.transport)
    return "dropped"


def give_up(context: WorkerContext, notice: NoticeParts, due_id: str, error: Exception) -> None:
    """Turn off a channel whose message has finally failed, and let the fallbacks send it."""
    container, channel_id = context.container, channel_id_of(notice.transport)
    player, channels = notice.recipient, context.container.channels
    if (before := container.delivery_log.find(player, channel_id, due_id)) is not None:
        container.delivery_log.record(player, channel_id, replace(before, state="failed"))
    if isinstance(error, DeliveryError):  # and not an error of our own
        if error.is_gone and notice.transport.startswith("push-"):
            # The browser has given up the subscription: it will never work again.
            channels.remove(player, channel_id)
        elif error.is_gone or not error.is_permanent:
            channels.turn_off(player, channel_id, error.why)
        else:
            channels.record_failure(player, channel_id, error.why, 0)
    record_failure(context, notice, notice.transport)


@dataclass
class OwnChannel:
    """One of a player's channels, for one notice; `before` are the attempts so far."""

    context: WorkerContext
    due: DueNotice
    channel: Channel
    before: ChannelDelivery | None
    message: ChannelMessage | None = None

    @property
    def is_wanted(self) -> bool:
        return self.channel.would_deliver(self.due.notice.kind, self.due.notice.subject)

    def decide(self) -> Decision:
        due = self.due
        if self.is_wanted:
            self.message = write(self.context, due, self.channel)
        # The notice from which this one was made has already applied the choices for mail.
        chosen = Preferences(
            due.choice, "at_once", False, False, wants_digest=False, on_channels=self.is_wanted
        )
        state = NoticeState(
            is_current=self.message is not None,
            is_fanned_out=True,
            too_late_at=due.too_late_at,
            paused_until=self.channel.paused_until,
        )
        return decide(due.notice.kind, chosen, state, self.context.container.now())

    def postpone(self, later: Later) -> None:
        self.context.container.log.outbox.postpone(self.due.id, later.at)

    def drop(self, drop: Drop) -> None:
        container, notice = self.context.container, self.due.notice
        if drop.is_chosen:
            container.ledger.record(notice, notice.transport, "chosen")
            return
        container.ledger.clear(notice, notice.transport)
        if self.before is not None:
            dropped = replace(self.before, state="dropped")
            container.delivery_log.record(notice.recipient, self.channel.id, dropped)

    def send(self, decision: Send) -> DeliveryResult:
        container, notice = self.context.container, self.due.notice
        limits = container.send_limits.begin(notice.recipient, self.channel)
        with limits as may_begin, suppress(EgressBusy):
            if may_begin:
                self._transmit_and_record()
                return SENT
        pause = FULL if may_begin else TURN
        container.log.outbox.postpone(self.due.id, container.now() + pause)
        return DeliveryResult("postponed", "busy")

    def _transmit_and_record(self) -> None:
        container, notice, channel = self.context.container, self.due.notice, self.channel
        try:
            self._transmit()
        except DeliveryError as error:
            self._log("waiting", error)
            raise

        def save() -> None:
            container.ledger.record(notice, notice.transport, "reached")
            if notice.kind == DIGEST:
                for entry in container.deferred_notices.digest(notice.recipient, notice.version):
                    about, version, kind = entry["game"], entry["version"], entry["kind"]
                    if version and channel.would_deliver(kind, about):
                        one = notice._replace(subject=about, version=version, kind=kind)
                        container.ledger.record(one, notice.transport, "reached")
            container.channels.record_reached(notice.recipient, channel.id)
            self._log("delivered")

        retry_until_saved(save)
        if notice.kind == "over":
            container.channels.forget_game(notice.recipient, channel, notice.subject)

    def send_asked(self) -> Literal["sent", "dropped", "postponed"]:
        """Send a test, or repeat a message, at the player's request, without retries. One request
        of a player runs at a time."""
        container, notice, before = self.context.container, self.due.notice, self.before
        again = before is not None and before.again and before.message
        with container.send_limits.begin(notice.recipient, self.channel, asked=True) as may_begin:
            age = (int(container.now()) - notice.version) % TEST_PERIOD
            if not may_begin and (notice.kind != TEST or age <= TEST_PATIENCE):
                container.log.outbox.postpone(self.due.id, container.now() + TURN)
                return "postponed"
            self.message = (
                stored_message(self.due.id, again)
                if again
                else write(self.context, self.due, self.channel)
            )
            try:
                if not may_begin:
                    raise DeliveryError(N_("too much was on its way before it"))
                self._transmit()
            except (DeliveryError, EgressBusy) as failed:
                error = failed if isinstance(failed, DeliveryError) else DeliveryError(str(failed))
                self._log("failed", error)
                return "dropped"
            self._log("delivered")
            container.channels.record_reached(notice.recipient, self.channel.id)
            return "sent"

    def _transmit(self) -> None:
        player, begun = self.due.notice.recipient, time.monotonic()
        try:
            # Imported on first use, with its HTTP libraries.
            senders = import_module("workers.channels.senders")
            senders.send(self.context, player, self.channel, self.message)
        except EgressBusy:
            raise
        except EgressFailed as failed:
            raise DeliveryError(str(failed)) from None
        finally:
            self.context.container.send_limits.record_time(player, time.monotonic() - begun)

    def _log(self, state: DeliveryState, error: DeliveryError | None = None) -> None:
        container, notice, before = self.context.container, self.due.notice, self.before
        assert self.message is not None, "a test is always true"
        if container.channels.find(notice.recipient, self.channel.id) is None:
            return  # deleted meanwhile, with its log of deliveries
        now = int(container.now())
        delivery = ChannelDelivery(
            notice=self.due.id,
            kind=notice.kind,
            game=notice.subject,
            first=before.first if before else now,
            last=now,
            state=state,
            attempts=before.attempts + 1 if before else 1,
            answer=error.answer if error else None,
            words=error.why if error else "",
            message=self.message.stored(),
        )
        container.delivery_log.record(notice.recipient, self.channel.id, delivery)
