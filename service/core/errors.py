"""A use case's refusal: a stable code and one sentence, for every transport."""

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from redis.exceptions import RedisClusterException, RedisError

from engine import RuleBroken
from service.core.words import N_, Words

STORE_FAILURE: Final = (RedisError, RedisClusterException)
"""The errors raised while the store cannot be reached, for callers that can do without it."""
_OF_RULES: Final = frozenset({"refusal", "rule", "rule_url"})

MEMBERS: Final[dict[str, frozenset[str]]] = {
    "validation-failed": frozenset({"errors"}),
    "stale-version": frozenset({"version"}),
    "time-out": frozenset({"version"}),
    "registration-closed": frozenset({"registration"}),
    "name-taken": frozenset({"suggestion"}),
    "ambiguous-name": frozenset({"players"}),
    "bot-not-available": frozenset({"bots"}),
    "already-asked": frozenset({"id"}),
    "challenge-closed": frozenset({"challenge_status"}),
    "challenge-refused": frozenset({"obstacle"}),
    "entry-barred": frozenset({"until", "games"}),
    "messages-off": frozenset({"by"}),
    "too-many-messages": frozenset({"retry_after", "used_up"}),
    "too-many-mails": frozenset({"budget", "retry_after", "used_up"}),
    "vacation-days-exceeded": frozenset({"year", "seconds_left"}),
    "internal-error": frozenset({"request_id"}),
    "unreadable-log": frozenset({"request_id"}),
    "unknown-edition": _OF_RULES,
    "no-such-combination": _OF_RULES,
    "bad-game": _OF_RULES,
    "seat-taken": _OF_RULES,
    "game-not-started": _OF_RULES,
    "game-over": _OF_RULES,
    "not-your-turn": _OF_RULES,
    "unreadable-action": _OF_RULES,
    "illegal-action": _OF_RULES,
    "claim-not-proven": _OF_RULES | {"counterexample"},
}
"""The additional members of a refusal by its code. The API's schema of problems describes exactly
these."""


def check_members(code: str, members: Iterable[str]) -> None:
    """Raise ValueError if `MEMBERS` does not declare one of these members for this code."""
    if undeclared := set(members) - MEMBERS.get(code, frozenset()):
        raise ValueError(f"{code} has no {' or '.join(sorted(undeclared))}: declare it in MEMBERS.")


class RequestRejected(Exception):
    """The request was understood and refused; nothing has changed.

    `code` is stable kebab-case, `detail` a sentence for people in English: `message`, a literal,
    with its `places` filled in (`core/words.py`). `members` are further facts about the refusal
    (for example the current `version` of a game), declared in `MEMBERS`.
    """

    def __init__(
        self, code: str, message: str, places: Mapping[str, object] | None = None, **members: Any
    ) -> None:
        check_members(code, members)
        self.detail = message % places if places else message
        super().__init__(self.detail)
        self.code = code
        self.message = message
        self.places = places or {}
        self.members = members


def refusal_words(words: Words, refusal: RequestRejected | RuleBroken) -> str:
    """Return why something was refused, in the reader's language."""
    return words.say(refusal.message, **refusal.places)


class Overtaken(RequestRejected):
    """`stale-version` because another write came first. A retry may succeed."""


def stale(version: int) -> RequestRejected:
    """The rejection of a request whose caller saw an older version; `version` is the current
    one."""
    return RequestRejected("stale-version", _NOW_AT, {"version": version}, version=version)


def overtaken(version: int) -> Overtaken:
    """The rejection if the game or its side state has changed since this process read it."""
    return Overtaken("stale-version", _NOW_AT, {"version": version}, version=version)


_NOW_AT: Final = N_("The game is at version %(version)s now.")


def check_version(
    version: int, expected: Container[int] | None, clock_only_events: int = 0
) -> None:
    """Check that `expected` holds the version, or one before the last `clock_only_events` events.

    None accepts any version. Raises `RequestRejected`: `stale-version`.
    """
    if expected is None or any(
        one in expected for one in range(version - clock_only_events, version + 1)
    ):
        return
    raise stale(version)


def key_reused() -> RequestRejected:
    """The rejection of an idempotency key that was used for another request."""
    return RequestRejected(
        "idempotency-key-reused", "This Idempotency-Key was used before with another request."
    )
