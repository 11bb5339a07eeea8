"""Who may not do what in which game: a request, and the answer that refuses it."""

from typing import Any, Final

import pytest

from tests.support.people import Person, Started, code

PASS: Final = {"actions": ["pass"]}
PNG: Final = {"headers": {"Accept": "image/png"}}
STALE: Final = {"headers": {"If-Match": '"7"'}}
INVITED: Final = {"invite": "of the game"}
NOBODY: Final = {"opponent": {"bot": "nobody"}}

REFUSED: Final[list[tuple[str, str, str, dict[str, Any], int, str]]] = [
    # the game, who asks, what, with what: status and code
    ("none", "ada", "POST /games", {"json": NOBODY}, 422, "bot-not-available"),
    ("none", "ada", "POST /me/bots", {"json": {"name": "Steward"}}, 422, "name-reserved"),
    ("open", "ada", "POST /join", {"json": INVITED}, 409, "own-game"),
    ("open", "eve", "DELETE ", {}, 403, "not-a-player"),
    ("open", "ada", "DELETE ", STALE, 412, "stale-version"),
    ("open", "ada", "POST /turns", {"json": PASS}, 409, "game-not-started"),
    ("begun", "bob", "POST /join", {"json": INVITED}, 409, "already-joined"),
    ("begun", "eve", "POST /join", {"json": INVITED}, 409, "seat-taken"),
    ("begun", "ada", "DELETE ", {}, 409, "game-started"),
    ("begun", "bob", "POST /turns", {"json": PASS}, 409, "not-your-turn"),
    ("begun", "eve", "POST /turns", {"json": PASS}, 403, "not-a-player"),
    ("begun", "ada", "POST /resignation", {"json": {"why": "late"}}, 422, "validation-failed"),
    ("begun", "ada", "POST /rematch", {"json": {}}, 409, "game-not-over"),
    ("begun", "ada", "POST /practice", {"json": {}}, 409, "game-not-over"),
    ("begun", "ada", "DELETE /offers/draw", {}, 404, "not-found"),
    ("begun", "ada", "GET ?at=4", {}, 404, "version-not-found"),
    ("begun", "ada", "GET /events", PNG, 406, "not-acceptable"),
    ("begun", "ada", "GET /record?format=pdf", {}, 422, "validation-failed"),
    ("over", "ada", "POST /turns", {"json": PASS}, 409, "game-over"),
    ("over", "eve", "POST /rematch", {"json": {}}, 403, "not-a-player"),
    ("over", "ada", "POST /practice", {"json": {"bot": "nobody"}}, 422, "bot-not-available"),
    ("later round", "ada", "POST /practice", {"json": {}}, 409, "game-not-over"),
    ("called off", "ada", "POST /practice", {"json": {}}, 409, "game-not-over"),
    ("called off", "ada", "POST /analysis", {"json": {}}, 409, "game-not-over"),
]


@pytest.fixture
def path_and_invite(request: pytest.FixtureRequest, ada: Person, bob: Person) -> tuple[str, str]:
    """The path of a game in the state that the row names, and its invite."""
    state = request.param
    if state == "none":
        return "", ""
    if state in ("open", "called off"):
        made = ada.post("/games").json
        if state == "called off":
            assert ada.delete(f"/games/{made['id']}").status_code == 200
        return f"/games/{made['id']}", made["invite"]
    game = Started(ada, bob, rounds=3 if state == "later round" else 1)
    if state != "begun":
        assert bob.post(f"{game.path}/resignation").status_code == 200
    return game.path, game.invite


@pytest.mark.parametrize(
    ("path_and_invite", "who", "what", "options", "status", "refusal"),
    REFUSED,
    indirect=["path_and_invite"],
)
def test_a_request_is_refused_and_changes_nothing(
    path_and_invite: tuple[str, str],
    ada: Person,
    bob: Person,
    eve: Person,
    who: str,
    what: str,
    options: dict[str, Any],
    status: int,
    refusal: str,
) -> None:
    path, invite = path_and_invite
    if options.get("json") == INVITED:
        options = {"json": {"invite": invite}}
    before = ada.get(path).data if path else b""
    method, _, part = what.partition(" ")
    answer = {"ada": ada, "bob": bob, "eve": eve}[who].send(method, path + part, **options)
    assert (answer.status_code, code(answer)) == (status, refusal)
    assert (ada.get(path).data if path else b"") == before
