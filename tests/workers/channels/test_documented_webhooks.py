"""What webhooks are sent is what `openapi.yaml` says, for every type of message."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from service.accounts.player import is_bot
from service.core.times import DAY, HOUR
from service.eventlog import Notice
from service.games import ChangeContext, NewGame
from service.games.drafts import Orders, TurnOrder
from service.seasons.seasons import NewSeason
from tests.service.api.declared import CHECKED_IN
from tests.support.clock import Clock
from tests.support.receiver import Received, Receiver
from tests.workers.channels.hooks import hook, state
from tests.workers.channels.message_types import types_of_messages
from tests.workers.channels.networks import Heard
from tests.workers.channels.passing import deliver_due
from tests.workers.match import Match, begin
from workers.context import WorkerContext

GUIDE = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text("utf-8")
CLOCK = {"days_per_move": 1, "time_out": "claim"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    read: dict[str, Any] = yaml.load(CHECKED_IN.read_text("utf-8"), yaml.CSafeLoader)
    return read


@pytest.fixture
def match(context: WorkerContext) -> Match:
    return begin(context, clock=CLOCK)


def turn(match: Match, _: Clock) -> None:
    match.play("R4@3")


def orders(match: Match, clock: Clock) -> None:
    games = match.context.container.games
    games.orders.give(match.id, match.bob, Orders(turn=TurnOrder(("STR:R7@3>x",))))
    match.play("R4@3")
    notice = f"{match.id}.{match.now().version}.{match.bob}.mail.orders"
    match.context.container.log.outbox.add(Notice(notice, clock()))


def reminder(match: Match, clock: Clock) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, {"reminders": "both"})
    match.play("R4@3")
    clock.time += 12 * HOUR


def last_reminder(match: Match, clock: Clock) -> None:
    reminder(match, clock)
    deliver_due(match)
    clock.time += 10 * HOUR


def started(match: Match, _: Clock) -> None:
    games = match.context.container.games
    made = games.create(match.bob, NewGame(first_player="opponent", opponent=match.ann))
    games.join(made.id, match.ann)


def invitation(match: Match, _: Clock) -> None:
    wanted = NewGame(opponent=match.bob, seat="south")
    match.context.container.games.create(match.ann, wanted)


def over(match: Match, _: Clock) -> None:
    match.context.container.games.resign(match.id, match.ann)
    games = match.context.container.games
    games.call_off(games.create(match.ann, NewGame(opponent=match.bob)).id, match.ann)


def time_out(match: Match, clock: Clock) -> None:
    match.context.container.ledger.record_visit(match.ann, match.id, match.now().turn_version)
    clock.time += 3 * DAY
    match.context.container.games.time_out(match.id)


def message(match: Match, clock: Clock) -> None:
    match.context.container.games.conversations.write(match.id, match.ann, "Well played", "web")
    clock.time += HOUR


def abandonment(match: Match, _: Clock) -> None:
    match.context.container.games.abandonments.agree(match.id, match.ann, ChangeContext())


def pause(match: Match, _: Clock) -> None:
    match.context.container.games.pauses.agree(match.id, match.ann, None, ChangeContext())


def answered(match: Match, _: Clock) -> None:
    abandonments = match.context.container.games.abandonments
    abandonments.agree(match.id, match.bob, ChangeContext())
    abandonments.withdraw(match.id, match.ann)


def called_off(match: Match, _: Clock) -> None:
    games = match.context.container.games
    made = games.create(match.ann, NewGame(opponent=match.bob))
    deliver_due(match)
    games.call_off(made.id, match.ann)


def clock_runs(match: Match, clock: Clock) -> None:
    """On every channel: Ann ends the pause in Bob's turn."""
    match.play("R4@3")
    games = match.context.container.games
    for player in (match.ann, match.bob):
        games.pauses.agree(match.id, player, None, ChangeContext())
    clock.time += DAY
    games.clocks.resume(match.id, match.ann, ChangeContext())


def challenge(match: Match, _: Clock) -> None:
    match.context.container.games.challenges.make(match.ann, match.bob, NewGame())


def declined(match: Match, _: Clock) -> None:
    challenges = match.context.container.games.challenges
    challenges.decline(challenges.make(match.bob, match.ann, NewGame()).id, match.ann)


def expired(match: Match, clock: Clock) -> None:
    match.context.container.games.challenges.make(match.bob, match.ann, NewGame())
    clock.time += 14 * DAY


def withdrawn(match: Match, _: Clock) -> None:
    challenges = match.context.container.games.challenges
    made = challenges.make(match.ann, match.bob, NewGame())
    deliver_due(match)
    challenges.withdraw(made.id, match.ann)


def season_started(match: Match, _: Clock) -> None:
    built = match.context.container
    season = built.seasons.announce(
        NewSeason("Spring league", players=2, bots=["steward", "piper"], division=4),
        None,
        "operator",
    )
    for player in (match.ann, match.bob):
        built.seasons.enter(season.id, player, None, "api")
    built.season_clock.run_all()


def season_ended(match: Match, clock: Clock) -> None:
    season_started(match, clock)
    built = match.context.container
    (season,) = built.seasons.all()
    for game in season.games.values():
        people = {match.ann, match.bob} & {game["north"], game["south"]}
        if people:
            built.games.resign(game["game"], min(people))
        else:
            built.games.resign(game["game"], game["north"])
    built.season_clock.run(season.id, season.games)


def vacation_ends(match: Match, clock: Clock) -> None:
    begun = int(clock.time)
    calendars = match.context.container.games.calendars
    calendars.change(match.bob, "Europe/Berlin", None, ((begun, begun + 5 * DAY),))
    clock.time += 4 * DAY


def digest(match: Match, clock: Clock) -> None:
    choice = {"delivery": "digest", "digest_at": "18:00"}
    match.context.container.mail_preferences.set_choice(match.bob, choice)
    match.play("R4@3")
    deliver_due(match)
    clock.time += 6 * HOUR


def asked(match: Match, _: Clock) -> None:
    channels = match.context.container.channels
    (channel,) = channels.all(match.bob)
    channels.request_test(match.bob, channel.id)


BRINGING: dict[str, Callable[[Match, Clock], None]] = {
    "game.turn": turn,
    "game.orders": orders,
    "game.reminder": reminder,
    "game.last-reminder": last_reminder,
    "game.started": started,
    "game.invitation": invitation,
    "game.over": over,
    "game.clock-runs": clock_runs,
    "game.time-out": time_out,
    "game.message": message,
    "game.abandonment": abandonment,
    "game.pause": pause,
    "game.answered": answered,
    "game.called-off": called_off,
    "challenge.challenge": challenge,
    "challenge.declined": declined,
    "challenge.expired": expired,
    "challenge.withdrawn": withdrawn,
    "season.started": season_started,
    "season.ended": season_ended,
    "calendar.vacation-ends": vacation_ends,
    "channel.digest": digest,
    "channel.test": asked,
}
"""What brings about a message of each type to Bob."""


def operation(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["webhooks"]["channelMessage"]["post"]
    return found


def of_type(document: dict[str, Any], type_: str) -> dict[str, Any]:
    """The schema of messages of this type."""
    (found,) = (each for each in forms(document) if type_ in types_of(each))
    return found


def forms(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas of messages."""
    schemas = document["components"]["schemas"]
    listed = schemas["WebhookMessage"]["anyOf"]
    return [schemas[form["$ref"].rpartition("/")[2]] for form in listed]


def types_of(form: dict[str, Any]) -> list[str]:
    """The types of messages that have this schema; none of that for types added later."""
    listed: list[str] = form["properties"]["type"].get("enum", [])
    return listed


def check_body(document: dict[str, Any], body: dict[str, Any]) -> None:
    """It is valid, and has no member that the document does not tell of."""
    Draft202012Validator(
        {"$ref": "urn:openapi#/components/schemas/WebhookMessage"},
        registry=Registry([("urn:openapi", document)], draft=Draft202012),
        validate_formats=True,
    ).validate(body)
    schema = of_type(document, body["type"])
    assert set(body) == set(schema["properties"])
    assert set(body["data"]) == set(schema["properties"]["data"]["properties"])


def check_headers(document: dict[str, Any], got: Received) -> None:
    described = operation(document)["parameters"]
    names = {name.lower() for name in got.headers}
    assert {one["name"] for one in described} == {n for n in names if n.startswith("webhook-")}


def test_the_types_of_the_document_are_those_of_the_worker(document: dict[str, Any]) -> None:
    documented = [type_ for form in forms(document) for type_ in types_of(form)]
    assert len(documented) == len(set(documented))
    assert set(documented) == set(BRINGING) == types_of_messages()


def test_the_example_is_one(document: dict[str, Any]) -> None:
    check_body(
        document, operation(document)["requestBody"]["content"]["application/json"]["example"]
    )


def test_the_guide_shows_a_message_of_each_type(document: dict[str, Any]) -> None:
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
    for body in shown:
        check_body(document, body)
    assert [body["type"] for body in shown] == re.findall(r"^### `(.*)`$", GUIDE, re.MULTILINE)
    assert {body["type"] for body in shown} == types_of_messages()


def test_the_guides_program_tells_our_messages_from_others(
    match: Match, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    program: dict[str, Any] = {}
    exec(GUIDE.partition("```python\n")[2].partition("```")[0], program)
    channel = hook(match, receiver)
    match.play("R4@3")
    deliver_due(match)
    secret = match.context.container.channels.secret(match.bob, state(match, channel))
    got = receiver.received[-1]
    headers = {name.lower(): value for name, value in got.headers.items()}
    monkeypatch.setattr("time.time", clock)
    assert program["is_ours"](secret, headers, got.body)
    assert not program["is_ours"](secret, headers, got.body + b" ")
    clock.time += HOUR
    assert not program["is_ours"](secret, headers, got.body)


@pytest.mark.parametrize("type_", BRINGING)
def test_each_message_is_as_the_document_says(
    type_: str, match: Match, receiver: Receiver, clock: Clock, document: dict[str, Any]
) -> None:
    hook(match, receiver)
    BRINGING[type_](match, clock)
    deliver_due(match)
    assert type_ in {json.loads(got.body)["type"] for got in receiver.received}
    for got in receiver.received:
        check_body(document, json.loads(got.body))
        check_headers(document, got)
        opponent = json.loads(got.body)["data"].get("opponent")
        assert opponent is None or is_bot(opponent["id"]) or opponent["id"] == match.ann


@pytest.mark.parametrize(
    ("status", "answer", "left"),
    [(204, "2XX", "working"), (410, "410", "off"), (500, "default", "failing")],
)
def test_answers_mean_what_the_document_says(
    status: int, answer: str, left: str, heard: Heard, document: dict[str, Any]
) -> None:
    heard.receiver.status = status
    channel = hook(heard.match, heard.receiver)
    heard.match.play("R4@3")
    deliver_due(heard.match)
    assert answer in operation(document)["responses"]
    assert state(heard.match, channel).state == left
