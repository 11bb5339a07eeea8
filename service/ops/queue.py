"""The queues of jobs: their names, and the waiting jobs. The workers fill and empty them.

Mail, incoming mail, players' channels, quick bots, slow bots and analyses each have queues of their
own: so a hanging receiver delays no bot, and a thinking bot delays neither clocks nor quick bots.
Recently slow receivers share another one, the slow lane.
"""

from datetime import UTC
from typing import TYPE_CHECKING, Final

from redis import Redis

if TYPE_CHECKING:
    from rq import Queue

PLAY: Final = "scottenbury-play"
THINK: Final = "scottenbury-think"
PONDER: Final = "scottenbury-ponder"
WEIGH: Final = "scottenbury-weigh"
MAIL: Final = "scottenbury-mail"
CHANNELS: Final = "scottenbury-channels"
SLOW_CHANNELS: Final = "scottenbury-channels-slow"
MAIL_IN: Final = "scottenbury-mail-in"
QUEUES: Final = (PLAY, MAIL, CHANNELS, SLOW_CHANNELS, MAIL_IN, THINK, PONDER, WEIGH)
FORMER: Final = "scottenbury"
"""The only queue of earlier versions, whose jobs are pickles."""


def queue_named(name: str, redis: Redis) -> "Queue":
    """Return the queue of this name, whose jobs are JSON. `redis` gives bytes, as RQ wants it."""
    # Imported here, because a web process needs it only for metrics: 3 MB.
    from rq import Queue
    from rq.serializers import JSONSerializer

    return Queue(name, connection=redis, serializer=JSONSerializer)


def waiting_since(redis: Redis) -> float | None:
    """The moment when the oldest waiting job was enqueued (unix seconds); None if none waits."""
    times = [at for name in QUEUES if (at := _first(queue_named(name, redis))) is not None]
    return min(times, default=None)


def _first(queue: "Queue") -> float | None:
    for job_id in queue.get_job_ids(0, 1):
        job = queue.fetch_job(job_id)
        if job is not None and job.enqueued_at is not None:
            return float(job.enqueued_at.replace(tzinfo=UTC).timestamp())
    return None
