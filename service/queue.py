"""The queue of jobs, as those see it who only look: workers carry and do them."""

from datetime import UTC
from typing import Final

from redis import Redis
from rq import Queue

NAME: Final = "scottenbury"


def waiting_since(redis: Redis) -> float | None:
    """Since when (unix seconds) the job waits that is next; None where none waits.

    `redis` gives bytes, as RQ wants it.
    """
    queue = Queue(NAME, connection=redis)
    for job_id in queue.get_job_ids(0, 1):
        job = queue.fetch_job(job_id)
        if job is not None and job.enqueued_at is not None:
            return float(job.enqueued_at.replace(tzinfo=UTC).timestamp())
    return None
