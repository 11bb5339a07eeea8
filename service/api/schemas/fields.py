"""Makes the schemas that check requests (`schema_of`), and the members that many requests have,
clocks among them.

What `Annotated` adds to the type of a member checks it: validators of marshmallow, `Reads`, or the
class of its field. Only the documented values are taken, and no unknown members.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime
from email.errors import HeaderParseError
from email.headerregistry import Address
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema
from marshmallow.validate import Length, Range

from service.accounts import names
from service.accounts.names import MAX_NAME
from service.container import get_container
from service.core import ids
from service.core.shapes import (
    Alternative,
    Default,
    Example,
    Keyword,
    Pattern,
    Reads,
    Rules,
    Shape,
    required,
    rules,
    rules_of,
)
from service.core.times import DAY, HOUR, timestamp
from service.games.player_changes import MOST_GIVEN, MOST_MOVED
from service.games.terms import MOST_DAYS


def load(shape: type[Shape], value: object) -> Shape:
    """A request of this shape. Raises `ValidationError`."""
    return cast(Shape, schema_of(cast(type, shape))().load(cast(Any, value)))


def checked(member: Any, value: object) -> str:
    """The text of a member of this type. Raises `ValidationError`."""
    return cast(str, _field(member, _IN_BODY).deserialize(value))


@cache
def schema_of(shape: type, *, query: bool = False) -> type[Schema]:
    """The schema that checks requests of this shape."""
    rules, needed = rules_of(shape), required(shape)
    members = {
        name: _field(hint, _IN_QUERY if query else _IN_BODY, required=name in needed)
        for name, hint in get_type_hints(shape, include_extras=True).items()
    }
    if not rules.defaults:
        for member in members.values():
            member.required, member.load_default = False, missing
    made = RequestSchema.from_dict(members, name=shape.__name__)
    made.rules, made.distinguishing = rules, rules.distinguishing  # type: ignore[attr-defined]
    return made


class RequestSchema(Schema):
    rules: ClassVar[Rules]
    distinguishing: ClassVar[frozenset[str]]

    error_messages: ClassVar = {"type": "Must be an object."}  # type: ignore[misc]

    class Meta:
        unknown = RAISE

    @validates_schema(pass_original=True)
    def _check(self, data: object, original: Mapping[str, object], **options: object) -> None:
        forms = self.rules.alternatives
        if forms and not any(form.fits(original, self.distinguishing) for form in forms):
            raise ValidationError(f"Must have exactly one of: {'; '.join(map(str, forms))}.")
        if self.rules.change and not data:
            raise ValidationError(f"Must have at least one of: {', '.join(self.fields)}.")
        if self.rules.check is not None:
            self.rules.check(data)


def _field(hint: Any, types: Mapping[object, Callable[..., Any]], **options: Any) -> Any:
    """The field that checks members of this type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _field(args[0], types, **options)
    if origin is Annotated:
        return _annotated(*args, types=types, options=options)
    if origin in (Union, UnionType):
        return _field(args[0], types, **options, allow_none=args[1] is NoneType)
    if origin is Literal:
        return fields.String(**options, validate=validate.OneOf(args))
    if origin is list:
        return fields.List(_field(args[0], types), **options)
    shape = is_typeddict(hint)
    return fields.Nested(schema_of(hint), **options) if shape else types[hint](**options)


def _annotated(
    hint: Any, *added: Any, types: Mapping[object, Callable[..., Any]], options: dict[str, Any]
) -> Any:
    for each in added:
        if is_typeddict(each):
            hint = each
        elif isinstance(each, type):
            return each(**options)
        elif isinstance(each, Reads):
            types = {**types, str: partial(_Text, each)}
        elif isinstance(each, Default):
            options |= {"load_default": each.value, "required": False}
        elif callable(each):
            options["validate"] = [*options.get("validate", ()), each]
    return _field(hint, types, **options)


class _Text(fields.String):
    def __init__(self, reads: Reads, **options: Any) -> None:
        super().__init__(error_messages={"invalid": reads.invalid}, **options)
        self._reads = reads

    def _deserialize(self, *args: Any, **options: Any) -> Any:
        return self._reads.read(super()._deserialize(*args, **options))


class WholeNumber(fields.Integer):
    """A whole number as JSON Schema defines it: 3 and 3.0, but neither "3" nor true."""

    def _validated(self, value: object) -> int:
        if (number := _whole(value)) is None:
            raise self.make_error("invalid", input=value)
        return number


def _whole(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


class QueryInteger(fields.Integer):
    """A whole number in a query, written in ASCII digits."""

    def _validated(self, value: Any) -> int:
        if not _INTEGER.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


_INTEGER = re.compile(r"-?[0-9]+")


class Flag(fields.Boolean):
    """`true` or `false`, but no text or number in their place."""

    def _deserialize(self, value: object, *args: object, **options: object) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


_IN_BODY: Final[Mapping[object, Callable[..., Any]]] = {
    str: fields.String,
    int: WholeNumber,
    bool: Flag,
    date: fields.Date,
}
_IN_QUERY: Final[Mapping[object, Callable[..., Any]]] = {
    **_IN_BODY,
    int: QueryInteger,
    bool: partial(fields.Boolean, truthy={"true"}, falsy={"false"}),
}

CARD = "^([ROYGBP][1-9]|JOK|SPY|SHB|BMB|MUD|REC|STR|BAN|TRA)$"
"""The code of a card, as answers have it; requests may write it in any case."""
MAX_EMAIL = 254
_NOT_IN_SALT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, lone surrogates and line breaks."""
_SALT = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
"""The same as a pattern, without surrogates, which no text in UTF-8 has."""
_VISIBLE = ("L", "N", "P", "S")
"""Unicode's categories of letters, digits, punctuation and symbols, by their first letter."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
"""Invisible characters among them: fillers, a Braille pattern without dots, blanks."""
_MOMENT = re.compile(
    r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})$"
)
_NO_MOMENT = "Must be a moment such as 2026-12-31T20:00:00Z."
_NO_EMAIL = "Not a valid email address."

PlayerId = Annotated[
    str,
    Pattern(
        f"^{ids.PLAYER_ID}$",
        f"a player's id: {ids.PLAYER_ID_LENGTH} letters a to z and digits 2 to 7",
    ),
]
StoneNumber = Annotated[int, Range(1, 9)]


def cursor(position: str) -> Reads:
    """Reads the `next` of a page as the position in the list that it encodes.

    `position` is the form of the list's positions. Any other cursor was never issued.
    """
    form = re.compile(position, re.DOTALL)

    def read(text: str) -> str:
        found = _position_of(text)
        if found is None or not form.fullmatch(found):
            raise ValidationError("This cursor was never issued.")
        return found

    described = Keyword("description", "The `next` of an earlier page.")
    return Reads(read, keywords=(described, Keyword("pattern", "^[A-Za-z0-9_-]{1,400}$")))


def cursor_at(position: str) -> str:
    """The cursor after a page whose last item has this position."""
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def _position_of(cursor: str) -> str | None:
    """The position that a cursor encodes; None if it is not a cursor."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        position = base64.b64decode(padded, b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return position if cursor_at(position) == cursor else None


def _name(text: str) -> str:
    if len(text) > MAX_NAME:
        raise ValidationError(f"A name has at most {MAX_NAME} characters, counting all spaces.")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name.isprintable():
        raise ValidationError("A name may contain only printable characters.")
    if not any(
        unicodedata.category(character)[0] in _VISIBLE and character not in _BLANK
        for character in name
    ):
        raise ValidationError("A name must contain a visible letter, digit or symbol.")
    return name


def _new_name(text: str) -> str:
    name = _name(text)
    if (fault := names.name_problem(name)) is not None:
        raise ValidationError(fault)
    return name


def _email_address(text: str) -> str:
    # Before the patterns, which are slow on long texts.
    if len(text) > MAX_EMAIL:
        raise ValidationError(f"At most {MAX_EMAIL} characters.")
    # Mail programs, and Python, would decode `=?` in the head of a mail.
    if not (text.isascii() and text.isprintable()) or "=?" in text:
        raise ValidationError(_NO_EMAIL)
    try:
        as_written = Address(addr_spec=text).addr_spec
    except (HeaderParseError, ValueError, IndexError):
        as_written = None
    if as_written != text:
        raise ValidationError(_NO_EMAIL)
    return text


def _language(code: str) -> str:
    listed = get_container().languages.listed
    if code not in listed:
        raise ValidationError(f"Must be one of: {', '.join(listed)}.")
    return code


def _salt(text: str) -> str:
    if any(unicodedata.category(character) in _NOT_IN_SALT for character in text):
        raise ValidationError("A salt may not contain control characters or line breaks.")
    return text


def _moment(text: str) -> str:
    if not _MOMENT.fullmatch(text):
        raise ValidationError(_NO_MOMENT)
    try:
        return timestamp(datetime.fromisoformat(text.upper()).timestamp())
    except ValueError:
        raise ValidationError(_NO_MOMENT) from None


Name = Annotated[str, Reads(_name), Length(1, MAX_NAME)]
"""A name: NFC, printable, single spaces, 1 to 40 characters, at least one of them visible."""
NewName = Annotated[str, Reads(_new_name), Length(1, MAX_NAME)]
"""A name for a player. It contains nothing that a mail program would act on."""
Language = Annotated[str, Reads(_language), Length(2, 8), Example("en")]
"""The code of a language that this server has."""
EmailAddress = Annotated[
    str, Reads(_email_address, _NO_EMAIL), validate.Email(), Length(max=MAX_EMAIL)
]
"""An e-mail address that any mail server accepts: ASCII, up to 254 characters."""
Salt = Annotated[str, Reads(_salt, keywords=(Keyword("pattern", _SALT),)), Length(1, 200)]
"""A player's share of the shuffle: any text of up to 200 characters on one line."""
Moment = Annotated[
    str,
    Reads(
        _moment, _NO_MOMENT, (Keyword("format", "date-time"), Keyword("pattern", _MOMENT.pattern))
    ),
]
"""A moment of this century as RFC 3339 has it, in any zone; loaded in UTC, whole seconds."""


class Destination(fields.Field[int | str]):
    """Where a card is moved: the number of a Stone, or `discard`."""

    def _deserialize(self, value: object, *args: object, **options: object) -> int | str:
        if value == "discard":
            return "discard"
        stone = _whole(value)
        if stone is None or not 1 <= stone <= 9:
            raise ValidationError("Must be the number of a Stone, 1 to 9, or discard.")
        return stone


MOST_INCREMENT = 7 * 24
"""Hours that a turn may add to a bank."""
_COUNTING_OPTIONS: Final = ("weekends_off", "sleeping_hours", "vacations", "time_out")


_Days = Annotated[int, Range(1, MOST_DAYS)]


@rules(
    Alternative("MoveClockInput", ("days_per_move",), _COUNTING_OPTIONS),
    Alternative(
        "BankClockInput", ("bank_days",), ("increment_hours", "cap_days", *_COUNTING_OPTIONS)
    ),
    Alternative("FixedEndClockInput", ("until",), ("time_out",)),
)
class ClockInput(TypedDict, total=False):
    """A pace, by one of three members."""

    days_per_move: _Days
    """So many days for each turn."""
    bank_days: _Days
    """So many days for each player's whole round."""
    increment_hours: Annotated[int, Range(1, MOST_INCREMENT)]
    """Hours that each turn adds to the bank of who played it."""
    cap_days: _Days
    """The days up to which these hours fill a bank."""
    until: Moment
    """The fixed end: whoever has the turn then loses. For single rounds."""
    weekends_off: bool
    """Saturdays and Sundays do not count."""
    sleeping_hours: bool
    """The sleeping hours in a player's calendar do not count."""
    vacations: bool
    """The vacations in a player's calendar do not count."""
    time_out: Literal["auto", "claim"]
    """When time is out the round ends by itself (`auto`), or the opponent claims it or gives more
    time (`claim`). Default: `auto`."""


@rules(Alternative("DaysInput", ("days",)), Alternative("HoursInput", ("hours",)))
class TimeInput(TypedDict, total=False):
    """Time to give to the opponent."""

    days: Annotated[int, Range(1, MOST_GIVEN // DAY)]
    hours: Annotated[int, Range(1, MOST_GIVEN // HOUR)]


@rules(
    Alternative("GiveTimeInput", ("give",)),
    Alternative("ResumeInput", ("resume",), flags={"resume": True}),
    Alternative("PassTimeInput", ("seconds",)),
    example={"give": {"days": 2}},
)
class ClockChangeInput(TypedDict, total=False):
    """What one player changes about the clock."""

    give: TimeInput
    resume: bool
    """Let a paused clock run again."""
    seconds: Annotated[int, Range(1, MOST_MOVED), Example(90000)]
    """How much time passes, in a sandbox."""
