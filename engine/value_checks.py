"""Checks of values read from JSON: each raises `Malformed`, naming the member by its path."""

import re
from collections.abc import Callable, Mapping
from typing import Any


class Malformed(Exception):
    """A member, named by its path, that is not what it should be."""

    def __init__(self, path: str, wanted: str) -> None:
        super().__init__(f"its {path} is {wanted}" if path else f"it is not an event: {wanted}")


Check = Callable[[Any, str], None]
"""Takes a value and its path. Raises `Malformed` if the value is not as it should be."""


def one_of(*choices: str) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise Malformed(path, "not one of the known values")

    return check


def matching(pattern: str, wanted: str) -> Check:
    matches = re.compile(pattern, re.ASCII).fullmatch

    def check(value: Any, path: str) -> None:
        if not isinstance(value, str) or not matches(value):
            raise Malformed(path, wanted)

    return check


def whole(least: int, most: int) -> Check:
    def check(value: Any, path: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise Malformed(path, f"not a whole number from {least} to {most}")

    return check


def or_null(inner: Check) -> Check:
    def check(value: Any, path: str) -> None:
        if value is not None:
            inner(value, path)

    return check


def list_of(inner: Check, least: int, most: int) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Malformed(path, "not a list of the right length")
        for item in value:
            inner(item, path)

    return check


def object_of(members: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    known = {**members, **(optional or {})}

    def check(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise Malformed(path, "not an object")
        if missing := members.keys() - value.keys():
            raise Malformed(path, f"without {min(missing)}")
        for name, item in value.items():
            if name not in known:
                raise Malformed(path, "with a member that is not known")
            known[name](item, f"{path}.{name}".lstrip("."))

    return check


def flag(value: Any, path: str) -> None:
    if not isinstance(value, bool):
        raise Malformed(path, "neither true nor false")
