"""The queues carry jobs from the relay to the workers, and are never the record of due work.

All worker processes share the queues, and each thread works one queue only: RQ loses jobs of a
worker that dies while it listens to several. Jobs are JSON. Only our own are run: anything else in
a queue is dropped. A job is removed when taken, and leaves no result: work left undone, by a job or
a dead worker, falls due again.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import BoundedSemaphore, Event

from redis import Redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry as ReconnectRetry
from rq import Queue, SimpleWorker
from rq.exceptions import DeserializationError, DuplicateJobError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException, TimerDeathPenalty

from service.core.redis.client import ServerClient, unavailable
from service.core.redis.failures import report
from service.core.settings import BadSetting, Settings
from service.core.times import DAY
from service.ops.status import FORMER, queue_named
from workers import jobs
from workers.context import redis_url

log = logging.getLogger(__name__)

# Seconds. RQ's own watch over dead workers: with its defaults a job waits over ten minutes.
WORKER_TTL, MAINTENANCE_INTERVAL = 25, 15
_FAILURE_LIFE = DAY
_CONNECT_TIMEOUT = 2.0
_OURS = frozenset(f"{jobs.__name__}.{name}" for name in jobs.NAMES)


def queue_redis(settings: Settings) -> Redis:
    """Return a client of the queues' Redis, in bytes as RQ wants it. Raises `BadSetting`."""
    url = settings.queue_redis_url or redis_url(settings)
    if url.startswith(("redis-cluster:", "rediss-cluster:")):
        raise BadSetting("SCOTTENBURY_QUEUE_REDIS_URL must name a server that is no cluster.")
    retry = ReconnectRetry(ExponentialWithJitterBackoff(1.0, 0.05), 3)
    return ServerClient.from_url(url, socket_connect_timeout=_CONNECT_TIMEOUT, retry=retry)


def forget_former_queue(redis: Redis) -> None:
    """Drop jobs that an earlier version queued, unread: their notices fall due again."""
    queue = queue_named(FORMER, redis)
    queue.delete(delete_jobs=True)
    registries = (queue.started_job_registry, queue.finished_job_registry)
    for key in (*(registry.key for registry in registries), queue.failed_job_registry.key):
        redis.unlink(key)


class JobQueue:
    """The sending end of one queue, whose jobs may take `timeout` seconds. It wakes this process's
    `threads` that work the queue; they sleep until then, and ask Redis for nothing."""

    def __init__(self, redis: Redis, queue: str, timeout: int, threads: int = 1) -> None:
        self.name = queue
        self._queue = queue_named(queue, redis)
        self._timeout = timeout
        # One token for each thread is enough: a woken thread empties the queue.
        self._tokens = BoundedSemaphore(threads)
        self.threads = threads

    def length(self) -> int:
        """Return the number of waiting jobs."""
        return int(self._queue.count)

    def enqueue(self, job: str, subject: str | Sequence[str], lease_end: float) -> None:
        """Enqueue `workers.jobs.JOB` for these claims, held until `lease_end`, once for each claim.

        Raises redis-py's errors when the queue cannot be reached.
        """
        # The first of several claims makes the id unique: it is claimed once at a time.
        first = subject if isinstance(subject, str) else subject[0]
        # RQ does not allow dots in an id.
        job_id = f"{job}-{first.replace('.', '-')}-{int(lease_end * 1000)}"
        # A duplicate comes from the client library, which resends after a lost answer.
        with suppress(DuplicateJobError):
            self._queue.enqueue_call(
                f"{jobs.__name__}.{job}",
                args=(subject, lease_end),
                job_id=job_id,
                unique=True,
                timeout=self._timeout,
                failure_ttl=_FAILURE_LIFE,
            )
        self.wake(1)

    def wake(self, threads: int) -> None:
        """Wake this many threads of this process."""
        for _ in range(min(threads, self.threads)):
            with suppress(ValueError):  # all of them are waking up already
                self._tokens.release()

    def wake_for_waiting(self) -> None:
        """Wake a thread for each waiting job, including those that other processes enqueued."""
        self.wake(self.length())

    def sleep(self) -> None:
        """Sleep until woken. At first each thread is awake."""
        self._tokens.acquire()


class Worker(SimpleWorker):
    """Runs the jobs of one queue in a thread of this process, one after the other.

    Not in a fork for each: that is several times slower, and leaves orphans when the parent dies.
    It takes and runs jobs by itself: RQ's loop queries and writes even when idle, and its record of
    each job, which nobody needs here, takes some thirty commands.
    """

    def __init__(self, redis: Redis, queue: str, stop: Event) -> None:
        super().__init__(
            [queue],
            connection=redis,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            maintenance_interval=MAINTENANCE_INTERVAL,
            log_job_description=False,
        )
        self._stop = stop

    def drain(self) -> None:
        """Run waiting jobs until the queue is empty or `stop` is set.

        Raises redis-py's errors; an unfinished job falls due again.
        """
        while not self._stop.is_set():
            taken = self.queue_class.dequeue_any(
                self.queues, None, self.connection, serializer=self.serializer
            )
            if taken is None:
                return
            if self.should_run_maintenance_tasks:
                maintain: Callable[[], None] = self.run_maintenance_tasks
                maintain()
            self.execute_job(*taken)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run the job, if it is one of ours. A failure is logged."""
        with self.connection.pipeline(transaction=False) as pipeline:
            pipeline.lrem(queue.intermediate_queue_key, 1, job.id)
            pipeline.unlink(job.key)
            pipeline.execute()
        if not _is_ours(job):
            log.warning("dropped job %s: it is not one of this program's", job.id)
            return
        try:
            self.outcome_of(job)
        except Exception as error:
            if unavailable(error):
                report(log, f"job {job.id} waits", error)
            else:
                log.exception("job %s failed", job.id)

    def outcome_of(self, job: Job) -> str:
        """Run one of our jobs, and return its outcome. Raises the job's errors."""
        # A timer, because it works in any thread.
        with TimerDeathPenalty(job.timeout, JobTimeoutException):  # type: ignore[no-untyped-call]
            return str(job.func(*job.args))


def _is_ours(job: Job) -> bool:
    try:
        name: object = job.func_name
    except (DeserializationError, ValueError, TypeError, LookupError, AttributeError):
        return False  # a pickle, for example: it is never loaded
    return name in _OURS
