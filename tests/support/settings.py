"""Settings for tests: nothing is read from the environment."""

from pathlib import Path

from service.core.network import AllowedEgress
from service.core.settings import Settings


def settings(**changes: object) -> Settings:
    """Settings as a small server has them, with these changes."""
    values: dict[str, object] = {
        "host": "127.0.0.1",
        "port": 8080,
        "data": Path("/nowhere"),
        "redis_url": None,
        "queue_redis_url": None,
        "smtp_url": None,
        "base_url": "http://scottenbury.test",
        "allowed_hosts": (),
        "wait_replicas": 0,
        "secret_key": "a key for tests",
        "registration": "open",
        "seasons_by": "operator",
        "sandbox": False,
        "rate_limits": False,
        "trusted_proxies": 0,
        "auth_header": None,
        "auth_peers": (),
        "oidc_issuer": None,
        "oidc_client_id": None,
        "oidc_client_secret": None,
        "oidc_name": "the club",
        "mail_from": "Scottenbury <scottenbury@scottenbury.test>",
        "mail_in": None,
        "mail_domain": "scottenbury.test",
        "mail_in_token": None,
        "imap_url": None,
        "mail_authserv": None,
        "notice_delay": 0.0,
        "untold_limit": 7,
        "vacation_days": 30,
        "allowed_egress": AllowedEgress(),
        "contact": None,
        "log_level": "info",
        "log_format": "plain",
        "access_log": False,
        "web_workers": 1,
        "web_threads": 1,
    }
    return Settings(**{**values, **changes})  # type: ignore[arg-type]
