"""Lists come in pages, all in the same way."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import pytest

from service.api.responses import page_of
from service.api.schemas.fields import cursor_at
from tests.support.clock import Clock
from tests.support.people import Person, code


def _games(ada: Person, bob: Person) -> None:
    ada.post("/games", {"edition": "iello", "listed": True})


def _challenges(ada: Person, bob: Person) -> None:
    other = Person(ada._client, f"Rival {len(ada.get('/challenges').json['challenges'])}")
    ada.post("/challenges", {"player": other.id})


def _tokens(ada: Person, bob: Person) -> None:
    ada.post("/me/tokens", {"name": "a program", "scopes": ["games:read"]})


LISTS: dict[str, tuple[str, Callable[[Person, Person], None]]] = {
    "/games?edition=iello": ("games", _games),
    "/lobby": ("games", _games),
    "/challenges": ("challenges", _challenges),
    "/me/tokens": ("tokens", _tokens),
}


def _path_of_next(answer: Any, path: str) -> str | None:
    """Where a client goes on that reads nothing but the header."""
    link = answer.headers.get("Link")
    if link is None:
        return None
    target = re.fullmatch(r'<([^>]+)>; rel="next"', link)
    assert target is not None, link
    return urljoin(f"http://scottenbury.test/v1{path}", target[1]).partition("/v1")[2]


@pytest.mark.parametrize("path", LISTS)
def test_pages_follow_the_link_header(ada: Person, bob: Person, clock: Clock, path: str) -> None:
    name, make = LISTS[path]
    for _ in range(5):
        make(ada, bob)
        clock.time += 1
    whole = ada.get(path).json
    assert whole["next"] is None
    found: list[Any] = []
    following: str | None = f"{path}{'&' if '?' in path else '?'}limit=2"
    while following is not None:
        answer = ada.get(following)
        assert answer.status_code == 200, answer.text
        assert len(answer.json[name]) <= 2
        found += answer.json[name]
        assert (answer.json["next"] is None) == ("Link" not in answer.headers)
        following = _path_of_next(answer, following)
        assert following is None or "edition" not in path or "edition=iello" in following
    assert found == whole[name]
    assert len(found) >= 5


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize(
    "cursor", ["", "x", "!", "a" * 9, "YQ==", cursor_at("a"), cursor_at("\n"), "%ff", "A" * 5000]
)
def test_a_cursor_that_was_never_given_out_is_refused(ada: Person, path: str, cursor: str) -> None:
    answer = ada.get(f"{path}{'&' if '?' in path else '?'}cursor={cursor}")
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


def test_a_list_at_hand_is_cut_into_pages() -> None:
    items = ["a", "b", "c"]
    assert page_of(items, str, None, 2) == (["a", "b"], "b")
    assert page_of(items, str, "b", 2) == (["c"], None)
    assert page_of(items, str, "bb", 1) == (["c"], None)
    assert page_of(items, str, None, 3) == (items, None)
