"""The queue: carries jobs from the relay to whoever works them, and is never the record of them.

All worker processes share one queue, and each works this queue alone: RQ loses jobs of a worker
that dies while it listens to several.
"""

from contextlib import suppress
from threading import Event

from redis import Redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry as ReconnectRetry
from rq import Queue, Retry, SimpleWorker
from rq.exceptions import DuplicateJobError, StopRequested

from service.queue import NAME
from service.settings import BadSetting, Settings
from workers.office import redis_url

# Seconds. RQ's own watch over dead workers: with its defaults a job waits over ten minutes.
WORKER_TTL, MAINTENANCE_INTERVAL = 25, 15
_FAILURES_KEPT = 24 * 3600
_CONNECT_TIMEOUT = 2.0


def queue_redis(settings: Settings) -> Redis:
    """A client of the queue's Redis, in bytes as RQ wants it. Raises `BadSetting`."""
    url = settings.queue_redis_url or redis_url(settings)
    if url.startswith(("redis-cluster:", "rediss-cluster:")):
        raise BadSetting("SCOTTENBURY_QUEUE_REDIS_URL must name a server that is no cluster.")
    retry = ReconnectRetry(ExponentialWithJitterBackoff(1.0, 0.05), 3)
    return Redis.from_url(url, socket_connect_timeout=_CONNECT_TIMEOUT, retry=retry)


class Transport:
    """The sending end of the queue."""

    def __init__(self, redis: Redis) -> None:
        self._queue = Queue(NAME, connection=redis)

    def waiting(self) -> int:
        """How many jobs nobody has begun."""
        return int(self._queue.count)

    def carry(self, job: str, subject: str, lease_end: float, timeout: int) -> None:
        """Enqueue `workers.jobs.JOB` for this subject, once for each lease.

        Raises redis-py's errors when the queue cannot be reached.
        """
        # RQ takes no dots in an id.
        job_id = f"{job}-{subject.replace('.', '-')}-{int(lease_end * 1000)}"
        # A duplicate is what the client library sent again after a lost answer.
        with suppress(DuplicateJobError):
            self._queue.enqueue_call(
                f"workers.jobs.{job}",
                args=(subject, lease_end),
                job_id=job_id,
                unique=True,
                timeout=timeout,
                result_ttl=WORKER_TTL + timeout,
                failure_ttl=_FAILURES_KEPT,
                retry=Retry(max=1),
            )


class Hand(SimpleWorker):
    """Works the jobs in this process, one after the other.

    Not in a fork for each: that is several times slower, and leaves orphans when the parent dies.
    A signal to end sets `stop`.
    """

    max_connection_wait_time = 2.0

    def __init__(self, redis: Redis, stop: Event) -> None:
        super().__init__(
            [NAME],
            connection=redis,
            worker_ttl=WORKER_TTL,
            maintenance_interval=MAINTENANCE_INTERVAL,
            log_job_description=False,
        )
        self._stop = stop

    def handle_warm_shutdown_request(self) -> None:
        """Tell everybody else in this process too."""
        self._stop.set()

    def _install_signal_handlers(self) -> None:
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        # A signal that came before these handlers were there was heard by nobody else.
        if self._stop.is_set():
            raise StopRequested
