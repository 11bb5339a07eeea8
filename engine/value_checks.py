"""Checks of values read from JSON: each raises `Malformed`, naming the member by its path."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final


class Malformed(Exception):
    """An invalid member, named by its path."""

    def __init__(self, path: str, wanted: str) -> None:
        super().__init__(f"its {path} is {wanted}" if path else f"it is not an event: {wanted}")


Check = Callable[[object, str], None]
"""A check of a value, given its path. Raises `Malformed` if the value is invalid."""


def one_of(*choices: str) -> Check:
    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise Malformed(path, "not one of the known values")

    return check


def matching(pattern: str, wanted: str) -> Check:
    matches = re.compile(pattern, re.ASCII).fullmatch

    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or not matches(value):
            raise Malformed(path, wanted)

    return check


def whole(least: int, most: int) -> Check:
    def check(value: object, path: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise Malformed(path, f"not a whole number from {least} to {most}")

    return check


def or_null(inner: Check) -> Check:
    def check(value: object, path: str) -> None:
        if value is not None:
            inner(value, path)

    return check


def list_of(inner: Check, least: int, most: int) -> Check:
    def check(value: object, path: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Malformed(path, "not a list of the right length")
        for item in value:
            inner(item, path)

    return check


def object_of(members: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    checks = {**members, **(optional or {})}

    def check(value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise Malformed(path, "not an object")
        if not value.keys() >= members.keys():
            raise Malformed(path, f"without {min(members.keys() - value.keys())}")
        for name, item in value.items():
            if name not in checks:
                raise Malformed(path, "with a member that is not known")
            checks[name](item, f"{path}.{name}" if path else name)

    return check


def flag(value: object, path: str) -> None:
    if not isinstance(value, bool):
        raise Malformed(path, "neither true nor false")


def pair_of(inner: Check) -> Check:
    return list_of(inner, 2, 2)


_DAYS_IN_MONTH: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MOMENT: Final = matching(
    r"2[01]\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ",
    "not a moment, written 2026-11-21T12:00:00Z",
)


def moment(value: Any, path: str) -> None:
    """Check that a value is a real moment of the years 2000 to 2199, in UTC."""
    _MOMENT(value, path)
    year, month, day = int(value[:4]), int(value[5:7]), int(value[8:10])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > (29 if leap and month == 2 else _DAYS_IN_MONTH[month - 1]):
        raise Malformed(path, "not a day of that month")


def day(value: Any, path: str) -> None:
    """Check that a value is a real day of the years 2000 to 2199."""
    moment(f"{value}T00:00:00Z", path)
