"""`/docs` and `/help`: the documents of the repository as pages."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from markdown_it import MarkdownIt

import engine
from service.api.openapi import FILE
from service.api.problems import PROBLEMS
from service.core.errors import MEMBERS
from service.web.docs import PLAYERS, PROGRAMS
from tests.service.api.declared import METHODS, read_document

DOCS = Path(__file__).parents[3] / "docs"
OPERATIONS = [f"/docs/api/{tag['name']}" for tag in read_document()["tags"]]
PAGES = [
    "/docs",
    "/help",
    *(f"/docs/{name}" for name in PROGRAMS),
    *(f"/help/{name}" for name in PLAYERS),
    *OPERATIONS,
]

SOURCES = {
    "/docs": DOCS / "programs.md",
    "/help": DOCS / "help.md",
    **{f"/docs/{name}": DOCS / f"{name}.md" for name in PROGRAMS},
    **{f"/help/{name}": DOCS / f"{name}.md" for name in PLAYERS},
    "/docs/playing": FILE.with_name("guide.md"),
    "/rules": Path(engine.__file__).with_name("rules.md"),
}


def written(source: Path) -> list[str]:
    """The words of each heading, paragraph, table cell and example of a document for its page."""
    text = source.read_text().partition("\n## For operators")[0]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    shown = []
    for token in tokens:
        if token.type in ("fence", "code_block"):
            shown.append(token.content)
        elif token.type == "inline":
            children = token.children or []
            shown.append("".join(" " if c.type == "softbreak" else c.content for c in children))
    shown = [text.replace("http://127.0.0.1:8080", "http://scottenbury.test") for text in shown]
    return [words for text in shown if (words := " ".join(text.replace("<br>", " ").split()))]


@pytest.mark.parametrize("path", SOURCES)
def test_a_page_holds_all_that_its_source_says(client: FlaskClient, path: str) -> None:
    parts = written(SOURCES[path])
    assert sum(map(len, parts)) > 500
    page = client.get(path).text.partition("<main")[2]
    said = " ".join(re.sub(r"<br>", " ", page).split())
    said = " ".join(unescape(re.sub(r"<[^>]+>", "", said)).split())
    missing = [part for part in parts if part not in said]
    assert missing == []


def test_no_line_of_a_page_begins_with_the_dot_between_its_words(client: FlaskClient) -> None:
    for path in ("/help/mail", "/rules"):
        page = client.get(path).text.partition("<main")[2].partition("</main")[0]
        assert "&nbsp;· " in page
        assert " · " not in page


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_somewhere(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert len(re.findall("<h1>", answer.text)) == 1
    for link in set(re.findall(r'href="([^"]+)"', answer.text)):
        target, _, anchor = link.partition("#")
        if target.startswith("https://") or link.startswith(("/docs/console#/", "/language/")):
            continue
        with client.get(target or path) as there:
            assert there.status_code == 200, link
            assert not anchor or f'id="{anchor}"' in there.get_data(as_text=True), link


def test_pages_load_nothing_from_elsewhere_and_take_no_store(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = client.get("/docs/webhooks")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert not re.search(r"(src|<link[^>]+href)=\"(https?:)?//", answer.text)

    def silent(*_: Any, **__: Any) -> None:
        raise AssertionError("Redis was asked")

    client.set_cookie("scottenbury_session", "scos_of_somebody")
    monkeypatch.setattr("redis.connection.AbstractConnection.send_packed_command", silent)
    assert client.get("/docs/quick-start").status_code == 200


def test_examples_ask_this_server_and_leave_operators_what_is_theirs(client: FlaskClient) -> None:
    assert "SITE=http://scottenbury.test\n" in client.get("/docs/quick-start").text
    for page in ("quick-start", "playing"):
        assert "127.0.0.1" not in client.get(f"/docs/{page}").text

    assert "## For operators" in (DOCS / "mail.md").read_text()
    for path in ("/help/mail", "/docs/channels"):
        assert "For operators" not in client.get(path).text


@pytest.mark.parametrize("name", PLAYERS)
def test_a_players_guide_speaks_of_no_settings_requests_or_tests(
    client: FlaskClient, name: str
) -> None:
    article = client.get(f"/help/{name}").text.partition("<article")[2]
    for word in ("SCOTTENBURY_", "/v1/", "{&quot;", ".py</code>", "python -m"):
        assert word not in article, word


def test_every_page_is_in_the_index(client: FlaskClient) -> None:
    for index, names in (("programs", PROGRAMS), ("help", PLAYERS)):
        text = (DOCS / f"{index}.md").read_text()
        assert all(f"({name}.md)" in text for name in names if name != "playing")


def test_every_operation_is_shown(client: FlaskClient) -> None:
    shown = "".join(client.get(path).text for path in OPERATIONS)
    for path, methods in read_document()["paths"].items():
        for method in METHODS & methods.keys():
            assert f"<code>{method.upper()} {path}</code>" in shown
            assert f"<code>{methods[method]['operationId']}</code>" in shown


class TestProblems:
    @pytest.fixture
    def problems(self, client: FlaskClient) -> dict[str, str]:
        page = unescape(client.get("/docs/problems").text)
        return dict(
            re.findall(r'<h3 id="([a-z-]+)">.*?</h3>(.*?)(?=<h[23]|</article>)', page, re.S)
        )

    def test_each_has_its_status_a_remedy_and_its_members(self, problems: dict[str, str]) -> None:
        assert list(problems) == list(PROBLEMS)
        for code, (status, title) in PROBLEMS.items():
            assert f"<strong>{title}.</strong> {status}: " in problems[code]
            assert "<em>What to do:</em>" in problems[code]
            members = set(re.findall(r"<li><code>(\w+)</code>", problems[code]))
            assert members == MEMBERS.get(code, set())

    def test_whoever_should_repeat_is_told(self, problems: dict[str, str]) -> None:
        assert "do not repeat it" in problems["not-your-turn"]
        assert "repeat it as it is" in problems["body-incomplete"]
        assert "read the game again first" in problems["stale-version"]
        assert "after <code>Retry-After</code>" in problems["too-many-requests"]


def test_the_rare_parts_of_a_players_guide_are_folded_and_a_programs_are_not(
    client: FlaskClient,
) -> None:
    article = client.get("/help/mail").text.partition("<article")[2]
    everyday, _, rest = article.partition("<details><summary><h3")
    assert "play R7 at 3" in everyday
    assert "vacation until" not in everyday
    assert "vacation until" in rest
    assert article.count("<details") == article.count("</details>")
    assert "<summary><h3" not in client.get("/docs/problems").text
