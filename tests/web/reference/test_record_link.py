"""A finished game in a link: packed, replayed without the game, and refused where it is damaged."""

import base64
import re
import zlib
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.record import BadRecord, from_jsonl
from service.container import Container
from service.eventlog.compaction import COMMON_TEXT
from service.web.reference.record_page import LONGEST, packed, unpacked
from tests.web.people import send
from tests.web.shown import Shown, begin, signed_in

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = sorted(GOLDEN.glob("*-0.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_link_gives_back_the_record_to_the_byte(path: Path) -> None:
    lines = from_jsonl(path.read_text())
    record = packed(lines)
    assert re.fullmatch(r"[\w-]+", record)
    assert len(record) < 2000
    assert unpacked(f"https://play.example.org/replay#{record}") == lines


def test_a_link_is_replayed_and_leaves_what_the_browser_verifies(client: FlaskClient) -> None:
    text = (GOLDEN / "bga+expert-resigned-0.jsonl").read_text()
    link = f"https://gone.example.org/replay#{packed(from_jsonl(text))}"
    page = send(client, "/replay", record=link).text
    assert "The record is sound: every card" in page
    assert "&#34;type&#34;:&#34;game_created&#34;" in page.partition("<textarea")[2]


def value(body: str) -> str:
    compressor = zlib.compressobj(9, zdict=COMMON_TEXT)
    content = compressor.compress(body.encode()) + compressor.flush()
    return base64.urlsafe_b64encode(b"1 3 " + content).decode()


HASH = "0" * 64
DAMAGED = {
    "nothing": "",
    "no base64": "!!!",
    "cut off": packed(from_jsonl(RECORDS[0].read_text()))[:-40],
    "long": "A" * (LONGEST + 1),
    "bomb": value("." * 10_000_000),
    "nested": value(f"{HASH}\n0 api\t" + "[" * 40_000),
    "rows": value(f"{HASH}\n0 api\t{{}}\t."),
    "moments": value(f"{HASH}\n{'9' * 400} api\t."),
}


@pytest.mark.parametrize("record", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_link_is_refused(client: FlaskClient, record: str) -> None:
    with pytest.raises(BadRecord):
        unpacked(record)
    answer = send(client, "/replay", record=f"http://scottenbury.test/replay#{record}")
    assert answer.status_code == 422
    assert "This is no record of a game: the link is damaged" in answer.text


class TestPage:
    def test_a_finished_game_has_a_link_and_a_code(
        self, client: FlaskClient, container: Container, game: Shown
    ) -> None:
        assert client.get(f"/games/{game.id}/link").status_code == 404
        container.games.resign(game.id, game.bob)
        page = client.get(f"/games/{game.id}/link").text
        found = re.search(r'value="(http://scottenbury.test/replay#[^"]+)"', page)
        assert found
        assert "<svg" in page
        assert unpacked(found[1])[-1]["hash"] == container.games.read(game.id, None).head

    def test_the_end_leads_to_it(
        self, client: FlaskClient, container: Container, game: Shown
    ) -> None:
        link = f'href="/games/{game.id}/link"'
        assert link not in client.get(f"/games/{game.id}").text
        container.games.resign(game.id, game.bob)
        assert link in client.get(f"/games/{game.id}").text

    def test_a_private_game_has_one_for_its_players_only(
        self, app: Flask, client: FlaskClient, container: Container
    ) -> None:
        game = begin(container, private=True)
        container.games.resign(game.id, game.bob)
        assert client.get(f"/games/{game.id}/link").status_code == 404
        assert signed_in(app, game.ann).get(f"/games/{game.id}/link").status_code == 200

    @pytest.mark.parametrize(
        ("size", "words"), [(3000, "does not fit in a QR code"), (9000, "does not fit in a link")]
    )
    def test_a_long_match_says_what_it_does_not_fit_in(
        self,
        client: FlaskClient,
        container: Container,
        game: Shown,
        monkeypatch: pytest.MonkeyPatch,
        size: int,
        words: str,
    ) -> None:
        monkeypatch.setattr("service.web.reference.record_page.packed", lambda lines: "A" * size)
        container.games.resign(game.id, game.bob)
        page = client.get(f"/games/{game.id}/link").text
        assert words in page
        assert '<svg class="qr"' not in page
