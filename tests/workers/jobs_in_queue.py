"""The jobs in a queue, and doing them."""

from typing import cast

from redis import Redis
from rq.job import Job

from service.ops.status import MAIL, queue_named
from tests.support.worker import do_jobs


def queued(queue_redis: Redis, queue: str = MAIL) -> list[Job]:
    return cast(list[Job], queue_named(queue, queue_redis).jobs)  # type: ignore[redundant-cast]


def work(queue_redis: Redis, queue: str = MAIL) -> list[str]:
    """Do the queued jobs; what each told."""
    waiting = queued(queue_redis, queue)
    do_jobs(queue_redis, queue)
    return [str(job.return_value(refresh=True)) for job in waiting]
