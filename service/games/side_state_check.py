"""Checking side state that was read from a file."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import INCLUDE, Schema, ValidationError, fields, validate

import engine
from engine.clock_events import clock_terms
from engine.value_checks import Malformed
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.snapshot_keys import Field, JsonText, content_problem, plain_text, text
from service.games.challenge import STATUSES, read_challenge
from service.games.drafts import ABANDONMENT, CHALLENGE, PAUSE
from service.games.terms import MOST_DAYS, creation

_LONGEST_TEXT: Final = 1000
_ACTIONS: Final = fields.List(plain_text(40), validate=validate.Length(max=100))
_LAST_SECOND: Final = 2**33
_OFFER: Final = "(offered|agreed|declined|gone) [0-9]{1,9} [0-9]{1,9} [0-9]{1,10} (north|south)"
_UNTIL: Final = r"(open|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"


def _flag(**options: Any) -> fields.Boolean:
    return fields.Boolean(truthy={True}, falsy={False}, **options)


def _time() -> fields.Integer:
    return fields.Integer(strict=True, required=True, validate=validate.Range(0, _LAST_SECOND))


def _action(text: str) -> None:
    try:
        engine.parse(text)
    except engine.RuleBroken as refusal:
        raise ValidationError(refusal.detail) from None


def _clock(value: object) -> None:
    try:
        clock_terms(value, "clock")
    except Malformed as malformed:
        raise ValidationError(str(malformed)) from None


_LAST: Final = fields.Tuple(
    (
        text("played|cancelled"),
        _ACTIONS,
        fields.Integer(strict=True),
        text("[a-z-]{1,40}", allow_none=True),
        plain_text(_LONGEST_TEXT, allow_none=True),
        fields.Dict(text("[a-z_]{1,40}"), plain_text(_LONGEST_TEXT)),
    )
)


def _last(value: object) -> None:
    """Check the outcome of an order; former versions stored no places of its message."""
    is_former = isinstance(value, list) and len(value) == len(_LAST.tuple_fields) - 1
    _LAST.deserialize([*value, {}] if is_former else value)  # type: ignore[misc]


class OrdersForm(Schema):
    claim_proved = _flag(required=True)
    pass_when_stuck = _flag(required=True)
    turn = fields.Tuple(
        (fields.List(fields.String(validate=_action)),) * 2, required=True, allow_none=True
    )
    last = fields.Raw(validate=_last, required=True, allow_none=True)


class _Wanted(Schema):
    """The options of a challenge. `_challenge_problem` also tries to make a game of them."""

    class Meta:
        unknown = INCLUDE

    rounds = fields.Integer(strict=True, validate=validate.Range(1, 99))
    days_per_move = fields.Integer(
        strict=True, validate=validate.Range(1, MOST_DAYS), allow_none=True
    )
    clock = fields.Raw(validate=_clock, allow_none=True)
    invitation_days = fields.Integer(
        strict=True, validate=validate.Range(1, MOST_DAYS), allow_none=True
    )
    tactics, expert, listed, private = _flag(), _flag(), _flag(), _flag()
    rated = _flag(allow_none=True)
    seat = text("north|south")
    opponent = text(PLAYER_ID, allow_none=True)


class ChallengeForm(Schema):
    id = text(GAME_ID, required=True)
    by = text(PLAYER_ID, required=True)
    to = text(PLAYER_ID, required=True)
    wanted = fields.Nested(_Wanted, required=True)
    created = _time()
    expires = _time()
    status = text("|".join(STATUSES), required=True)
    counters = text(GAME_ID, required=True, allow_none=True)
    counter_offer = text(GAME_ID, required=True, allow_none=True)
    asked = plain_text(_LONGEST_TEXT, allow_none=True)
    secret = text("[0-9a-f]{64}", allow_none=True)


_CONTENT: Final[Mapping[str, Field]] = {
    **dict.fromkeys(engine.SEATS, JsonText(fields.Nested(OrdersForm))),
    ABANDONMENT: text(rf"{_OFFER}|(told [1-9][0-9]{{0,8}} )?(north|south)"),
    PAUSE: text(rf"{_OFFER} {_UNTIL}|told [1-9][0-9]{{0,8}} (north|south)|(north|south) {_UNTIL}"),
    CHALLENGE: JsonText(fields.Nested(ChallengeForm)),
}


def side_state_problem(game_id: str, side_state: Mapping[str, Any]) -> str | None:
    """The problem with the side state of this game; None if it is valid."""
    for field, value in side_state.items():
        content = _CONTENT.get(field)
        if content is None:
            return "its side state has a field not known here"
        problem = content_problem(content, value)
        if problem is None and field == CHALLENGE:
            problem = _challenge_problem(game_id, value)
        if problem is not None:
            return f"its side state, field {field}: {problem}"
    return None


def _challenge_problem(game_id: str, value: str) -> str | None:
    try:
        challenge = read_challenge(value)
        engine.decide(None, creation(challenge.by, challenge.wanted, "00" * 32))
    except (TypeError, ValueError, LookupError, AttributeError, engine.RuleBroken):
        return "no game can be made of what it asks for"
    if challenge.id != game_id or challenge.life <= 0:
        return "it is not of this game"
    return None
