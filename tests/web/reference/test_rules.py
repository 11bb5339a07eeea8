"""`/rules`: the rulings on a page of their own, where refusals lead."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.web import documents
from tests.support.rulings import RULINGS
from tests.web.shown import Shown


@pytest.fixture
def page(client: FlaskClient) -> str:
    answer = client.get("/rules")
    assert answer.mimetype == "text/html"
    return answer.text


def test_every_ruling_has_its_anchor_and_its_words(page: str) -> None:
    for ruling in RULINGS:
        assert re.search(rf'<h3 id="ruling-{ruling}">Ruling {ruling}</h3>\s*<p><strong>\w', page)


def test_every_link_leads_to_an_anchor(page: str) -> None:
    anchors = set(re.findall(r' id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert len(links) > 20
    assert links <= anchors


def test_what_is_for_those_who_check_the_rulings_is_folded(page: str) -> None:
    text, folded, sources = page.partition('<details class="sources">')
    assert folded
    assert "::test_ruling" not in text
    assert "::test_ruling" in sources
    assert "<h2" not in sources.partition("</details>")[0]


def test_the_rulings_are_folded_and_hold_no_words_of_the_api(page: str) -> None:
    short, _, folded = page.partition('<summary id="rulings-in-full">')
    assert short.count("<details") == 1 + short.count("</details>")
    assert 'id="ruling-1"' not in short
    rulings = folded.partition("</details>")[0]
    assert 'id="ruling-1"' in rulings
    assert "Board Game Arena</td>" in rulings
    assert re.findall(r"<code>[a-z-]+_[a-z_]+</code>", rulings) == []


def test_a_refusal_leads_to_the_ruling_it_names(
    client: FlaskClient, container: Container, game: Shown, page: str
) -> None:
    mover = {"north": game.ann, "south": game.bob}[client.get(f"/v1/games/{game.id}").json["turn"]]
    token = container.tokens.create(mover, "test", ["games:play"]).text
    bearer = {"Authorization": f"Bearer {token}"}
    answer = client.post(f"/v1/games/{game.id}/turns", json={"actions": ["pass"]}, headers=bearer)
    assert answer.json["rule"] == 6
    path, _, anchor = answer.json["rule_url"].partition("#")
    assert path == "/rules"
    assert f'id="{anchor}"' in page


def test_html_in_the_source_is_shown_and_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "rules.md"
    source.write_text("# A\n\n<script>x</script>\n\n<img src=x>\n\n| a |\n|---|\n| b<br>c |\n")
    monkeypatch.setattr(documents, "SOURCE", source)
    shown = documents._rulings.__wrapped__("en")[1]
    assert "<script" not in shown
    assert "<img" not in shown
    assert "b<br>c" in shown


def test_the_rules_load_nothing_from_elsewhere(client: FlaskClient, page: str) -> None:
    assert "default-src 'self'" in client.get("/rules").headers["Content-Security-Policy"]
    assert not re.search(r'(src|href)="(https?:)?//', page)
