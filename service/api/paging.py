"""Paging, the same in every list.

A list takes `limit` and an opaque `cursor`. Its answer holds `next`, the cursor of the next page
(null on the last one), and the same as a `Link` header with `rel="next"`.

A list has an order, and each of its items a place in it, a text. A cursor is the place of the last
item of a page, written so that clients do not read anything into it (see `fields.Cursor`).
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from flask import Response, request

from service.api.responses import json_answer
from service.api.schemas.fields import cursor_at

Item = TypeVar("Item")


def page_answer(name: str, items: Sequence[Any], following: str | None) -> Response:
    """One page of a list: `{NAME: [ITEM, …], "next": CURSOR}`, and the address of the next one.

    `following` is the place of the last item where others follow it, else None.
    """
    cursor = None if following is None else cursor_at(following)
    return with_next(json_answer({name: items, "next": cursor}), cursor=cursor)


def with_next(answer: Response, **query: str | int | None) -> Response:
    """The answer with the address of the next page: that of this one, but for these parameters.

    Without an address where one of them is None.
    """
    if None not in query.values():
        following = urlencode({**request.args.to_dict(), **query})
        # Relative, like `Location`: no proxy in front can make it wrong.
        answer.headers["Link"] = f'<{quote(request.path)}?{following}>; rel="next"'
    return answer


def page_of(
    items: Sequence[Item], place: Callable[[Item], str], after: str | None, most: int
) -> tuple[list[Item], str | None]:
    """A page of a list that is short enough to be at hand, and the place of what follows it.

    `items` are in the order of their places.
    """
    left = [item for item in items if after is None or place(item) > after]
    shown = left[:most]
    return shown, place(shown[-1]) if len(left) > most else None
