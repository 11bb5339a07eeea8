"""Mails that came in, to be carried out."""

from typing import Literal

from workers.context import WorkerContext
from workers.prefetch import Prefetched


def process(context: WorkerContext, found: Prefetched) -> Literal["played"]:
    """Carry out what the mail asks for; its answer is a notice of its own."""
    context.container.incoming_mail.process(found.notice.game)
    return "played"
