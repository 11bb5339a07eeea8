"""The bases of the schemas that check requests, and fields that take the documented values only."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.errors import HeaderParseError
from email.headerregistry import Address
from typing import Any, ClassVar, NamedTuple, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from service.accounts import names
from service.accounts.names import MAX_NAME
from service.core import ids
from service.core.timestamps import timestamp

Base = TypeVar("Base", bound=Schema)


class Alternative(NamedTuple):
    """One form of a body: the members it must have and may have, which distinguish it from other
    forms.

    `flags` are members with the only value they may have in this form.
    """

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    flags: Mapping[str, object] = {}

    def __str__(self) -> str:
        further = [name for name in self.optional if name not in self.flags]
        needed = " and ".join(self.required)
        return f"{needed} (optionally {', '.join(further)})" if further else needed

    def fits(self, body: Mapping[str, object], distinguishing: frozenset[str]) -> bool:
        """Whether the `distinguishing` members of a body are those of this form."""
        members = distinguishing & body.keys()
        return (
            members.issuperset(self.required)
            and members.issubset((*self.required, *self.optional))
            and all(body.get(name, value) == value for name, value in self.flags.items())
        )


class Input(Schema):
    """The base of all requests. Unknown fields are rejected.

    The docstring and the text below each field describe it in the document.
    """

    alternatives: ClassVar[tuple[Alternative, ...]] = ()
    """The forms that a body can have, if there are several. Declared once, checked here and
    documented by `openapi.details`. No body fits two of them."""
    keywords: ClassVar[Mapping[str, object]] = {}
    """JSON Schema keywords for the whole object. They only appear in the document; the schema's own
    validators check them."""

    error_messages: ClassVar = {"type": "Must be an object."}  # type: ignore[misc]

    class Meta:
        unknown = RAISE

    @validates_schema(pass_original=True)
    def _check_alternatives(
        self, data: object, original: Mapping[str, object], **kwargs: object
    ) -> None:
        if not self.alternatives:
            return
        distinguishing = distinguishing_members(self.alternatives)
        if not any(form.fits(original, distinguishing) for form in self.alternatives):
            forms = "; ".join(map(str, self.alternatives))
            raise ValidationError(f"Must have exactly one of: {forms}.")


class ChangeInput(Input):
    """The base of changes: at least one member has to be given."""

    keywords: ClassVar = {"minProperties": 1}

    @validates_schema
    def _not_empty(self, data: dict[str, object], **kwargs: object) -> None:
        if not data:
            raise ValidationError(f"Must have at least one of: {', '.join(self.fields)}.")


def distinguishing_members(alternatives: tuple[Alternative, ...]) -> frozenset[str]:
    """The members by which these forms differ."""
    return frozenset(name for form in alternatives for name in (*form.required, *form.optional))


def subclasses(base: type[Base]) -> Iterator[type[Base]]:
    """All schemas that extend this one."""
    for subclass in base.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


CARD = "^([ROYGBP][1-9]|JOK|SPY|SHB|BMB|MUD|REC|STR|BAN|TRA)$"
"""The code of a card, as answers have it; requests may write it in any case."""
MAX_EMAIL = 254
MAX_SALT = 200
_NOT_IN_SALT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, lone surrogates and line breaks."""
_SALT = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
"""The same as a pattern, without surrogates, which no text in UTF-8 has."""
_VISIBLE = ("L", "N", "P", "S")
"""Unicode's categories of letters, digits, punctuation and symbols, by their first letter."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
"""Invisible characters among them: fillers, a Braille pattern without dots, blanks."""
_CURSOR = "^[A-Za-z0-9_-]{1,400}$"
_INTEGER = re.compile(r"-?[0-9]+")
_MOMENT = re.compile(
    r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})$"
)


class Pattern(validate.Validator):
    """The whole text matches `regex`, which must mean the same in JavaScript.

    `description` completes the sentence "Must be …".
    """

    def __init__(self, regex: str, description: str) -> None:
        self.regex = re.compile(regex)
        self._description = description

    def __call__(self, text: str) -> str:
        # Not `match`: in Python `$` also matches before a final line break.
        if self.regex.fullmatch(text) is None:
            raise ValidationError(f"Must be {self._description}.")
        return text


PLAYER_ID = Pattern(
    f"^{ids.PLAYER_ID}$",
    f"a player's id: {ids.PLAYER_ID_LENGTH} letters a to z and digits 2 to 7",
)
"""The form of a player's id."""


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


class Cursor(fields.String):
    """The `next` of a page, loaded as the position in the list that it encodes.

    `position` is the form of the list's positions. Any other cursor was never issued.
    """

    default_error_messages = {"unknown": "This cursor was never issued."}  # noqa: RUF012

    def __init__(self, position: str, **kwargs: Any) -> None:
        metadata = {"description": "The `next` of an earlier page.", "pattern": _CURSOR}
        super().__init__(metadata=metadata, **kwargs)
        self._position = re.compile(position, re.DOTALL)

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        position = _position_of(super()._deserialize(value, attr, data, **kwargs))
        if position is None or not self._position.fullmatch(position):
            raise self.make_error("unknown")
        return position


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


class Flag(fields.Boolean):
    """`true` or `false`, but no text or number in their place."""

    def _deserialize(self, value: object, *args: object, **kwargs: object) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Name(fields.String):
    """A name: NFC, printable, single spaces, 1 to 40 characters, at least one of them visible."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(1, MAX_NAME), **kwargs)

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if len(text) > MAX_NAME:
            raise ValidationError(f"A name has at most {MAX_NAME} characters, counting all spaces.")
        name = " ".join(unicodedata.normalize("NFC", text).split())
        if not name.isprintable():
            raise ValidationError("A name may contain only printable characters.")
        if not any(map(_is_visible, name)):
            raise ValidationError("A name must contain a visible letter, digit or symbol.")
        return name


class NewName(Name):
    """A name for a player. It contains nothing that a mail program would act on."""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        name = super()._deserialize(value, attr, data, **kwargs)
        if (fault := names.name_problem(name)) is not None:
            raise ValidationError(fault)
        return name


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in _VISIBLE and character not in _BLANK


class EmailAddress(fields.Email):
    """An e-mail address that any mail server accepts: ASCII, up to 254 characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(max=MAX_EMAIL), **kwargs)

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        # Before the patterns, which are slow on long texts.
        if isinstance(value, str) and len(value) > MAX_EMAIL:
            raise ValidationError(f"At most {MAX_EMAIL} characters.")
        text = super()._deserialize(value, attr, data, **kwargs)
        # Mail programs, and Python, would decode `=?` in the head of a mail.
        if not (text.isascii() and text.isprintable()) or "=?" in text:
            raise self.make_error("invalid")
        if not _can_be_written(text):
            raise self.make_error("invalid")
        return text


def _can_be_written(address: str) -> bool:
    """Whether it can appear in the head of a mail."""
    try:
        return Address(addr_spec=address).addr_spec == address
    except (HeaderParseError, ValueError, IndexError):
        return False


class Salt(fields.String):
    """A player's share of the shuffle: any text of up to 200 characters on one line."""

    def __init__(self, **kwargs: Any) -> None:
        metadata = {"pattern": _SALT, **kwargs.pop("metadata", {})}
        super().__init__(validate=validate.Length(1, MAX_SALT), metadata=metadata, **kwargs)

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        salt = super()._deserialize(value, attr, data, **kwargs)
        if any(unicodedata.category(character) in _NOT_IN_SALT for character in salt):
            raise ValidationError("A salt may not contain control characters or line breaks.")
        return salt


class Moment(fields.String):
    """A moment of this century as RFC 3339 has it, in any zone; loaded in UTC, whole seconds."""

    default_error_messages = {"invalid": "Must be a moment such as 2026-12-31T20:00:00Z."}  # noqa: RUF012

    def __init__(self, **kwargs: Any) -> None:
        form = {"format": "date-time", "pattern": _MOMENT.pattern}
        super().__init__(metadata={**form, **kwargs.pop("metadata", {})}, **kwargs)

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not _MOMENT.fullmatch(text):
            raise self.make_error("invalid")
        try:
            return timestamp(datetime.fromisoformat(text.upper()).timestamp())
        except ValueError:
            raise self.make_error("invalid") from None


class StoneNumber(WholeNumber):
    """The number of a Stone, 1 to 9."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(1, 9), **kwargs)


class Destination(fields.Field[int | str]):
    """Where a card is moved: the number of a Stone, or `discard`."""

    def _deserialize(self, value: object, *args: object, **kwargs: object) -> int | str:
        if value == "discard":
            return "discard"
        stone = _whole(value)
        if stone is None or not 1 <= stone <= 9:
            raise ValidationError("Must be the number of a Stone, 1 to 9, or discard.")
        return stone
