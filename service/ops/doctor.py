"""Checks everything that stores games and reaches players. Each diagnosis includes the remedy."""

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import ResponseError

from engine import COMPILED
from service.core import data_folder, key_fingerprint
from service.core.data_folder import SILENT
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.heartbeat import Heartbeat, OutageLedger
from service.core.redis.client import Client, check_writable, servers
from service.core.redis.failures import about_url, cause_of
from service.core.settings import Settings, is_public, unknown_settings
from service.core.times import timestamp
from service.eventlog import Outbox, UnreadableLog
from service.eventlog.outbox import LATE, DeadLetters, by_kind
from service.ops.diagnosis import Diagnosis, free_space
from service.ops.mail_doctor import examine_mail
from service.ops.status import waiting_since
from service.seasons.store import SeasonStore

OLDEST_REDIS: Final = (6, 2)
STARTING: Final = 5
"""Seconds to wait until both web and worker have recorded heartbeats."""
_FULL: Final = 0.9
_MANY: Final = 256
"""The most addresses of a network of proxies."""
CLUSTER_AS_SERVER: Final = Diagnosis(
    "bad",
    "games",
    "a Redis cluster is given as a single server",
    "Spell SCOTTENBURY_REDIS_URL `redis-cluster://…`.",
)
_MOST: Final = 5
"""The most kinds of late notices to list, and the most seasons that cannot be read."""


def examine(
    settings: Settings,
    redis: Client,
    now: Callable[[], float] = time.time,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[Diagnosis]:
    """Check everything the server relies on; parts that may still be starting get a few seconds.

    Raises redis-py's errors if Redis is away.
    """
    if isinstance(redis, Redis) and is_of_cluster(redis):
        yield CLUSTER_AS_SERVER
        return  # any other key may be on another node
    yield Diagnosis("ok", "rules", "compiled" if COMPILED else "pure Python")
    for node in servers(redis):
        yield _version(node)
        yield from role(node)
        yield from durability(node)
        yield from _condition(node)
        yield from _replicas(node, settings.wait_replicas)
    liveness = _liveness(OutageLedger(redis, now), sleep)
    yield _workers(Heartbeat(redis, now))
    yield liveness
    yield _queue(settings, now())
    yield _backlog(Outbox(redis, now), now())
    yield _dead_letters(DeadLetters(redis, now))
    yield _seasons(SeasonStore(redis, now))
    yield from examine_mail(settings, redis, now)
    yield _name_of_server(settings)
    yield _push(settings)
    yield registration(settings)
    yield from trusted_header(settings)
    yield from _open_id(settings, now)
    yield _secret_key(settings)
    yield _key_of_store(settings, redis)
    yield from unknown_variables(os.environ)


def warnings(redis: Client) -> list[str]:
    """Return a line for each setting of Redis that may lose games; empty if there is none."""
    diagnoses = [one for node in servers(redis) for one in (*durability(node), *role(node))]
    return [diagnosis.line() for diagnosis in diagnoses if diagnosis.state != "ok"]


def is_of_cluster(redis: Redis) -> bool:
    """Whether the server is a node of a cluster."""
    return bool(redis.info("cluster").get("cluster_enabled"))


def role(redis: Redis) -> Iterator[Diagnosis]:
    """Warn of a replica, which takes no writes."""
    if redis.info("replication").get("role") == "slave":
        advice = "Name its master in SCOTTENBURY_REDIS_URL: here no move is accepted."
        yield Diagnosis("bad", f"role of {_name(redis)}", "it is a replica", advice)


def weak_key(settings: Settings) -> list[str]:
    """Return one line if the secret key could be guessed, otherwise an empty list."""
    diagnosis = _secret_key(settings)
    return [] if diagnosis.state == "ok" else [diagnosis.line()]


def registration(settings: Settings) -> Diagnosis:
    """State who may open an account; warn if the whole internet may."""
    who = {
        "open": "everybody may open an account",
        "invited": "whoever is invited by a player or by `scottenbury invite` may open an account",
        "closed": "only whoever is invited by `scottenbury invite` may open an account",
    }[settings.registration]
    if settings.registration == "open" and is_public(settings.base_url):
        advice = "Unless you mean it, set SCOTTENBURY_REGISTRATION=invited."
        return Diagnosis("warning", "registration", who, advice)
    return Diagnosis("ok", "registration", who)


def trusted_header(settings: Settings) -> Iterator[Diagnosis]:
    """State from which peers the header signs players in; warn if many machines could send it."""
    if settings.auth_header is None:
        return
    peers = settings.auth_peers
    says = f"{settings.auth_header} from {', '.join(map(str, peers))} signs in whomever it names"
    if any(network.num_addresses > _MANY for network in peers):
        advice = "Every machine there can be anybody here: list the proxy's own address."
        yield Diagnosis("warning", "trusted header", says, advice)
    else:
        yield Diagnosis("ok", "trusted header", says)


def _open_id(settings: Settings, now: Callable[[], float]) -> Iterator[Diagnosis]:
    """Check that the OpenID provider, if one is set, responds as it should."""
    if settings.oidc_issuer is None:
        return
    from service.accounts.openid import provider_of  # here, as few servers have one

    try:
        provider_of(settings, now).check()
    except RequestRejected as refusal:
        advice = "Compare SCOTTENBURY_OIDC_ISSUER with `issuer` in its openid-configuration."
        says = "does not answer" if refusal.code == "sign-in-unavailable" else "answers in vain"
        yield Diagnosis("bad", "OpenID provider", f"{settings.oidc_issuer} {says}", advice)
    else:
        yield Diagnosis("ok", "OpenID provider", f"players sign in with {settings.oidc_issuer}")


def unknown_variables(environ: Mapping[str, str]) -> list[Diagnosis]:
    """A warning for each `SCOTTENBURY_…` variable that is no setting."""
    advice = "Look for a typing mistake: docs/operate/configure.md lists all settings."
    return [
        Diagnosis("warning", name, "there is no such setting", advice)
        for name in unknown_settings(environ)
    ]


def durability(redis: Redis) -> Iterator[Diagnosis]:
    """Check that this server keeps the writes that it has acknowledged."""
    name = _name(redis)
    policy = redis.info("memory").get("maxmemory_policy", "unknown")
    subject = f"eviction policy of {name}"
    if policy == "noeviction":
        yield Diagnosis("ok", subject, policy)
    else:
        advice = "Set `maxmemory-policy noeviction`: any other lets Redis delete games."
        yield Diagnosis("bad", subject, f"it is {policy}", advice)
    subject = f"append-only file of {name}"
    if redis.info("persistence").get("aof_enabled"):
        yield _synced(redis, subject)
    else:
        advice = "Set `appendonly yes` and `appendfsync always`: without, a restart loses moves."
        yield Diagnosis("bad", subject, "there is none", advice)


def _synced(redis: Redis, subject: str) -> Diagnosis:
    try:
        synced = redis.config_get("appendfsync").get("appendfsync", "unknown")
        if (folder := _folder(redis)) and data_folder.is_full(folder):
            synced = "always"  # while it takes no writes, it need not sync them
    except STORE_FAILURE:
        # Hosted servers often keep their configuration to themselves.
        synced = "unknown"
    if synced == "always":
        return Diagnosis("ok", subject, "synced with every write")
    advice = "Set `appendfsync always`, or accept that a power cut loses the last moments."
    return Diagnosis("warning", subject, f"it is synced `{synced}`", advice)


def _name(redis: Redis) -> str:
    options = redis.get_connection_kwargs()
    return str(options.get("path") or f"{options.get('host')}:{options.get('port')}")


def _version(redis: Redis) -> Diagnosis:
    info = redis.info("server")
    version = str(info["redis_version"])
    valkey = info.get("valkey_version")
    says = f"Valkey {valkey}" if valkey else f"Redis {version}"
    subject = f"server {_name(redis)}"
    if tuple(int(part) for part in version.split(".")[:2]) >= OLDEST_REDIS:
        return Diagnosis("ok", subject, says)
    return Diagnosis("bad", subject, says, "Install Redis 6.2 or newer, or Valkey.")


def _condition(redis: Redis) -> Iterator[Diagnosis]:
    """Check this server's disk, writes and memory."""
    name, written, folder = _name(redis), redis.info("persistence"), _folder(redis)
    if folder:
        yield free_space(folder)
    if written.get("aof_enabled") and written.get("aof_last_write_status") != "ok":
        advice = "Redis cannot write its append-only file: is the disk full? See its log."
        yield Diagnosis("bad", f"disk of {name}", "the last write failed", advice)
    if not (folder and data_folder.is_full(folder)):
        yield from _writes(redis, name)
    memory = redis.info("memory")
    used, most = int(memory["used_memory"]), int(memory.get("maxmemory", 0))
    says = f"{used / 2**20:.0f} MiB used" + (f" of {most / 2**20:.0f}" if most else "")
    if most and used > _FULL * most:
        advice = "Raise `maxmemory`: once it is reached, no move is accepted."
        yield Diagnosis("bad", f"memory of {name}", says, advice)
    else:
        yield Diagnosis("ok", f"memory of {name}", says)


def _writes(redis: Redis, name: str) -> Iterator[Diagnosis]:
    try:
        check_writable(redis)
    except ResponseError as error:
        advice = f"Redis says: {' '.join(str(error).split())}"
        yield Diagnosis("bad", f"writes to {name}", cause_of(error), advice)


def _folder(redis: Redis) -> Path | None:
    """The folder of a server on this machine: one that listens on a Unix socket."""
    if "path" in redis.get_connection_kwargs():
        with suppress(*STORE_FAILURE):  # hosted servers keep their configuration
            folder = Path(str(redis.config_get("dir")["dir"]))
            return folder if folder.is_dir() else None
    return None


def _replicas(redis: Redis, wanted: int) -> Iterator[Diagnosis]:
    connected = int(redis.info("replication")["connected_slaves"])
    subject = f"replicas of {_name(redis)}"
    if connected < wanted:
        advice = f"SCOTTENBURY_WAIT_REPLICAS is {wanted}: every move waits for them in vain."
        yield Diagnosis("bad", subject, f"{connected} are connected", advice)
    elif connected:
        yield Diagnosis("ok", subject, f"{connected} are connected")


def _workers(heartbeat: Heartbeat) -> Diagnosis:
    ages = heartbeat.ages()
    advice = "Start one with `scottenbury worker`: without it no mail goes out and no clock ends."
    if not ages:
        return Diagnosis("bad", "workers", "none has shown signs of life", advice)
    if (latest := min(ages.values())) >= SILENT:
        return Diagnosis("bad", "workers", f"all silent for {latest:.0f} s", advice)
    return Diagnosis("ok", "workers", f"{sum(age < SILENT for age in ages.values())} alive")


def _liveness(ledger: OutageLedger, sleep: Callable[[float], object]) -> Diagnosis:
    liveness = ledger.liveness()
    for _ in range(STARTING):
        if liveness.fresh:
            break
        sleep(1.0)
        liveness = ledger.liveness()
    if not liveness.fresh:
        advice = "Until web and worker both give signs of life, by clocks in step, no game ends."
        return Diagnosis("bad", "clocks of games", "web or worker is silent", advice)
    last = f", the last until {timestamp(liveness.outages[-1].end)}" if liveness.outages else ""
    return Diagnosis("ok", "clocks of games", f"outages on record: {len(liveness.outages)}{last}")


def _queue(settings: Settings, now: float) -> Diagnosis:
    url = settings.queue_redis_url or settings.redis_url or ""
    if urlsplit(url).scheme.endswith("-cluster"):
        advice = "Set SCOTTENBURY_QUEUE_REDIS_URL to one server: jobs cannot be on a cluster."
        return Diagnosis("bad", "queue", "the games are on a cluster", advice)
    try:
        since = waiting_since(Redis.from_url(url, socket_connect_timeout=2.0))
    except (*STORE_FAILURE, OSError, ValueError) as error:
        advice = "Start the server that SCOTTENBURY_QUEUE_REDIS_URL names, or name another."
        return Diagnosis("bad", "queue", about_url("its Redis", url, error), advice)
    waited = 0.0 if since is None else now - since
    if waited > LATE:
        advice = "Workers do not keep up, or are stuck: see their log, start more."
        return Diagnosis("bad", "queue", f"a job has waited for {waited:.0f} s", advice)
    return Diagnosis("ok", "queue", "no job waits for long")


def _name_of_server(settings: Settings) -> Diagnosis:
    """Look up the host name of all links."""
    host = urlsplit(settings.base_url).hostname or ""
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError) as error:
        unknown = not isinstance(error, OSError) or error.errno != socket.EAI_AGAIN
        says = f"{host} leads nowhere" if unknown else f"{host} cannot be looked up now"
        advice = "Correct SCOTTENBURY_BASE_URL, or enter the name in the DNS: all links lead there."
        return Diagnosis("bad" if unknown else "warning", "base URL", says, advice)
    return Diagnosis("ok", "base URL", f"{host} is a known name")


def _push(settings: Settings) -> Diagnosis:
    if settings.contact is not None:
        return Diagnosis("ok", "push", f"push services can write to {settings.contact}")
    if not settings.base_url.startswith("https:"):
        return Diagnosis("ok", "push", "off: browsers take it from an https address only")
    advice = "Set SCOTTENBURY_CONTACT to mailto: and your address: whom may push services write to?"
    return Diagnosis("warning", "push", "off: there is no contact", advice)


def _backlog(outbox: Outbox, now: float) -> Diagnosis:
    late = by_kind(outbox.late(now - LATE))
    if not late:
        return Diagnosis("ok", "due notices", "none has waited for long")
    words = [
        f"{one.channel} {one.kind}: {one.number}, for {now - one.since:.0f} s"
        for one in late[:_MOST]
    ]
    more = [f"and {len(late) - _MOST} more kinds"] if len(late) > _MOST else []
    advice = "Workers do not keep up, or cannot reach the queue: see their log, start more."
    return Diagnosis("bad", "due notices", f"late ({'; '.join([*words, *more])})", advice)


def _dead_letters(dead_letters: DeadLetters) -> Diagnosis:
    retrying, dead = dead_letters.retrying(), dead_letters.all()
    says = f"notices failing, to be tried again: {len(retrying)}; given up: {len(dead)}"
    if not retrying and not dead:
        return Diagnosis("ok", "delivery", "no notice is stuck")
    last = "See the workers' log."
    if dead:
        last = f"`scottenbury dead-letters` lists them. The last one: {dead[0].error}"
    return Diagnosis("warning", "delivery", says, last)


def _seasons(store: SeasonStore) -> Diagnosis:
    found = store.latest_of(store.ids()).values()
    bad = [error for error in found if isinstance(error, UnreadableLog)]
    if not bad:
        return Diagnosis("ok", "seasons", f"can be read: {len(found)}")
    advice = "Restore a backup, or install the version that wrote it: meanwhile it stands still."
    return Diagnosis("bad", "seasons", " ".join(map(str, bad[:_MOST])), advice)


def _secret_key(settings: Settings) -> Diagnosis:
    if len(settings.secret_key) >= 32:
        return Diagnosis("ok", "secret key", "long enough")
    advice = "Set SCOTTENBURY_SECRET_KEY to 32 random characters or more, and keep it."
    return Diagnosis("warning", "secret key", f"{len(settings.secret_key)} characters", advice)


def _key_of_store(settings: Settings, redis: Client) -> Diagnosis:
    if key_fingerprint.belongs_to(redis, settings.secret_key):
        return Diagnosis("ok", "key of the store", "that of this command")
    return Diagnosis("bad", "key of the store", key_fingerprint.OTHER_KEY, key_fingerprint.ADVICE)
