"""The whole document asked at random: no failure of ours, and every answer as it is described."""

import os
import random
import secrets
import sys
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, seed, settings
from schemathesis import Case, CheckContext
from schemathesis.checks import load_all_checks, positive_data_acceptance
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    create_test,
)
from schemathesis.schemas import APIOperation

from service.accounts import tokens
from service.core.redis.client import Client, connect
from service.server.app import create_app
from tests.engine.games import THOROUGHNESS
from tests.service.api.declared import read_document
from tests.support.clock import Clock
from tests.support.people import Person
from tests.support.servers import SocketServer
from tests.support.settings import settings as server_settings
from tests.support.shares import share

SEED: Final = int(os.environ.get("SCHEMATHESIS_SEED", "20261121"))
EXAMPLES: Final = 2 * THOROUGHNESS
SEQUENCES: Final = 3 * THOROUGHNESS
STEPS: Final = 8
UNCHECKED: Final = [positive_data_acceptance]
MEANING: Final = {
    "malformed-request": "an event that is still to come, a path of odd characters",
    "malformed-if-match": "schemathesis writes entity tags as it likes",
    "idempotency-key-reused": "examples are sent again and again",
    "weak-idempotency-key": "somebody could guess it",
    "stale-version": "the game has moved on",
    "unknown-seal": "nobody was ever given it",
    "no-such-combination": "a counter-offer changes only a part",
    "unknown-opponent": "there is no such player",
    "unreadable-action": "it is the rules that read actions",
    "unknown-edition": "editions may be added",
    "bot-not-available": "bots may be added",
}
"""Refusals of what a request means, which no schema can tell, with the reason."""
TEXTS: Final = {
    *("name", "email", "salt", "visited_scotland", "cursor", "after", "time_zone", "zone"),
    "language",  # one of those that the server has
    "quiet.end",  # another time than its beginning
    # addresses that a request may go to
    *("webhook.url", "push.endpoint", "ntfy.url", "gotify.url"),
}
"""Fields whose texts are read more closely than a pattern could."""


def what_it_allows_is_accepted(ctx: CheckContext, response: Any, case: Case) -> bool | None:
    """A request that fits the document is refused for what it means, never for its form."""
    if response.status_code >= 400:
        refusal = response.json()
        if refusal["code"] in MEANING or TEXTS.issuperset(refusal.get("errors", ("",))):
            return None
    return positive_data_acceptance(ctx, response, case)


CHECKS: Final = {"excluded_checks": UNCHECKED, "additional_checks": [what_it_allows_is_accepted]}


class ServedApp:
    """The application, which is there only while tests run."""

    app: Flask
    token: str
    store: Client
    players = 0
    chance = random.Random(SEED)

    def begin_anew(self) -> None:
        """Know nothing, and draw the same as the last time: whatever hypothesis repeats has to be
        answered as before."""
        self.store.flushall()
        self.chance.seed(SEED)
        self.app = create_app(server_settings(), self.store, Clock())
        self.players = 0
        self.register()

    def register(self) -> None:
        """Let there be a new player, who is the one that asks from now on."""
        self.players += 1
        self.token = Person(self.app.test_client(), f"Ada the {self.players}").token

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        return self.app(environ, start_response)


server = ServedApp()
schema = schemathesis.openapi.from_dict(deepcopy(read_document()))
schema.app = server
OPERATIONS: Final = [found.ok() for found in schema.get_all_operations()]
AT_ALL_BOUNDS: Final = [operation.label for operation in share(OPERATIONS, 4)]
"""Those of which each value at a bound is tried, and not only the examples and random ones."""
load_all_checks()


@pytest.fixture(scope="module", autouse=True)
def _serving(redis_server: SocketServer) -> Iterator[None]:
    with connect(redis_server.url) as server.store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda size=32: server.chance.randbytes(size))
        patch.setattr(secrets, "randbelow", server.chance.randrange)
        patch.setattr(tokens, "ACCESS_CACHE_SECONDS", 0.0)
        server.begin_anew()
        yield


# Not `schema.parametrize`, which makes up all requests of all operations whenever tests are
# collected, and so once more in each process.
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_answer_is_as_described(operation: APIOperation) -> None:
    modes = [*HypothesisTestMode]
    if operation.label not in AT_ALL_BOUNDS:
        modes.remove(HypothesisTestMode.COVERAGE)
    config = HypothesisTestConfig(project=schema.config, modes=modes)
    create_test(operation=operation, test_func=answer_is_as_described, config=config)()


@seed(SEED)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def answer_is_as_described(case: Case) -> None:
    sys.stdout.write(f"SCHEMATHESIS_SEED={SEED}\n")
    bearer = {"Authorization": f"Bearer {server.token}"}
    case.call_and_validate(headers=bearer, **CHECKS)
    if case.method == "DELETE" and case.path == "/v1/me":
        server.register()


class Following(schema.as_state_machine()):  # type: ignore[misc]
    """Asks for what earlier answers have led to: games, challenges and tokens that there are."""

    def setup(self) -> None:
        server.begin_anew()

    def get_call_kwargs(self, case: Case) -> dict[str, Any]:
        return {"headers": {"Authorization": f"Bearer {server.token}"}}

    def validate_response(self, response: Any, case: Case, **options: Any) -> None:
        case.validate_response(response, **CHECKS, headers=dict(case.headers))
        if case.method == "DELETE" and case.path == "/v1/me":
            server.register()


TestWhatAnswersLeadTo = seed(SEED)(Following.TestCase)
TestWhatAnswersLeadTo.settings = settings(
    max_examples=SEQUENCES,
    stateful_step_count=STEPS,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
