"""The checks before web and worker start: `python -m service.server.checks [--own-redis]`.

They run in a process of their own, so that their imports do not stay in memory. Risks for games are
logged; an obstacle is printed as one line, with exit status 1.
"""

from __future__ import annotations

import logging
import os
import sys

from redis import Redis

from service.core import key_fingerprint, logs
from service.core.errors import STORE_FAILURE
from service.core.redis.client import connect
from service.core.redis.failures import about_url
from service.core.settings import Settings, is_public
from service.core.words import BrokenCatalogue, Languages
from service.ops import doctor, mail_doctor
from service.server.embedded import CannotStart

log = logging.getLogger("scottenbury")
_KEY_WARNING = f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}"


def main(own_redis: bool) -> int:
    """Check everything; return the exit status. `own_redis`: only this server uses the store."""
    settings = Settings.from_env()
    logs.configure("checks", settings)
    # The bundled server's address is no setting of the operator's.
    store = "the bundled Redis" if own_redis else "SCOTTENBURY_REDIS_URL"
    try:
        Languages()
        _check_redis(store, settings.redis_url)
        _check_redis("SCOTTENBURY_QUEUE_REDIS_URL", settings.queue_redis_url)
        url = settings.redis_url
        # A store without a key is claimed for ours.
        if url is not None and not key_fingerprint.claim(connect(url), settings.secret_key):
            # Nobody else uses this store: only links from an earlier run can be dead.
            if not own_redis:
                raise CannotStart(_KEY_WARNING)
            log.warning("%s", _KEY_WARNING)
    except (BrokenCatalogue, CannotStart) as error:
        print(error)  # noqa: T201
        return 1
    except STORE_FAILURE as error:  # it takes no writes, and so no key
        print(about_url(store, settings.redis_url or "", error))  # noqa: T201
        return 1
    _warn(settings, own_redis)
    return 0


def _check_redis(setting: str, url: str | None) -> None:
    try:
        if url:
            redis = connect(url)
            redis.ping()
            if isinstance(redis, Redis) and doctor.is_of_cluster(redis):
                wrong = doctor.CLUSTER_AS_SERVER
                raise CannotStart(f"{wrong.says}. {wrong.advice}")
    except (*STORE_FAILURE, OSError, TypeError, ValueError) as error:
        raise CannotStart(about_url(setting, url or "", error)) from error


def _warn(settings: Settings, own_redis: bool) -> None:
    """Log warnings about settings that may lose games, expose mail or keys, or are mistyped."""
    url = settings.redis_url
    of_redis = doctor.warnings(connect(url)) if url and not own_redis else []
    unknown = [diagnosis.line() for diagnosis in doctor.unknown_variables(os.environ)]
    of_settings = (*mail_doctor.unread_mail(settings), *doctor.weak_key(settings), *unknown)
    for warning in (*of_redis, *of_settings):
        log.warning("%s", warning)
    for diagnosis in doctor.trusted_header(settings):
        level = logging.INFO if diagnosis.state == "ok" else logging.WARNING
        log.log(level, "%s", diagnosis.line())
    admits = doctor.registration(settings)
    if is_public(settings.base_url):
        log.log(logging.INFO if admits.state == "ok" else logging.WARNING, "%s", admits.line())


if __name__ == "__main__":
    sys.exit(main("--own-redis" in sys.argv))
