"""What holds for every page and every route, those to come too: read from templates and routes."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

import service.web
from service.core.redis.client import Client
from tests.web.people import dump, form_of
from tests.web.shown import Shown

TEMPLATES = sorted(Path(service.web.__file__).parent.glob("templates/**/*.html"))
STATIC = Path(service.web.__file__).with_name("static")
CSP = "Content-Security-Policy"
POLICY = {
    "default-src": "'self'",
    "font-src": "data:",
    "object-src": "'none'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
BY_SECRET = {"web.change_subscription"}
"""Mail programs send to these addresses, which are secrets themselves (RFC 8058)."""
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "http://localhost.elsewhere.example"},
]


def changing(app: Flask) -> list[tuple[str, str]]:
    """Every method and path of the pages that may change something."""
    return [
        (method, path_of(rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("web.") and rule.endpoint not in BY_SECRET
        for method in sorted(UNSAFE & (rule.methods or set()))
    ]


def path_of(rule: Rule) -> str:
    return re.sub(r"<[^>]+>", "x" * 20, rule.rule)


def test_every_page_has_the_strict_policy(client: FlaskClient, game: Shown) -> None:
    for path in ("/", "/sign-in", "/rules", f"/games/{game.id}", "/nothing", "/unsubscribe/x"):
        headers = client.get(path, headers={"Accept": "text/html"}).headers
        policy = dict(part.split(maxsplit=1) for part in headers[CSP].split(";"))
        assert policy == POLICY, path
        assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_holds_what_the_policy_forbids(template: Path) -> None:
    text = re.sub(r"\{#.*?#\}", "", template.read_text(), flags=re.S)
    assert not re.search(r"<style|\sstyle\s*=|\son\w+\s*=|javascript:", text, re.I)
    # What htmx would hand to eval: handlers, values that are code, filters of triggers.
    assert not re.search(r"hx-on|js:|hx-trigger=\"[^\"]*\[", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert "src=" in tag, tag
    for address in re.findall(r"(?:src|<link[^>]*href|action)=\"([^\"]*)\"", text):
        assert address.startswith(("{{", "{%", "/")), address


def test_no_script_or_style_of_ours_asks_another_server() -> None:
    ours = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".svg")]
    for path in ours:
        if "vendor" not in path.parts:
            text = path.read_text().replace("http://www.w3.org/", "")
            assert not re.search(r"https?://|\beval\(|new Function|@import", text), path.name


def test_every_form_that_changes_something_holds_the_token() -> None:
    for template in TEMPLATES:
        for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", template.read_text(), re.S):
            assert (
                re.search(r'name="form"|\bhidden\(\)', form) or template.name == "unsubscribe.html"
            ), template.name


def test_nothing_is_changed_by_what_another_site_sends(app: Flask, client: FlaskClient) -> None:
    form = form_of(client.get("/sign-in"))
    routes = changing(app)
    assert len(routes) > 5
    for method, path in routes:
        assert client.open(path, method=method).status_code == 403, path
        for headers in FOREIGN:
            answer = client.open(path, method=method, data={"form": form}, headers=headers)
            assert answer.status_code == 403, (path, headers)


def test_what_our_own_page_sends_is_let_in(app: Flask) -> None:
    own: list[dict[str, str]] = [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": "null"},
        {"Origin": "http://localhost"},
    ]
    for method, path in changing(app):
        for headers in own:
            client = app.test_client()  # some routes sign in
            form = form_of(client.get("/sign-in"))
            answer = client.open(path, method=method, data={"form": form}, headers=headers)
            assert answer.status_code != 403, (path, headers)


def test_no_get_changes_anything(
    app: Flask, client: FlaskClient, redis: Client, game: Shown
) -> None:
    before = dump(redis)
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
            for path in (path_of(rule), rule.rule.replace("<game_id>", game.id)):
                assert client.get(path).status_code < 500, path
    assert dump(redis) == before


def test_no_method_but_get_and_post_is_used(app: Flask) -> None:
    used = {
        m
        for rule in app.url_map.iter_rules()
        for m in rule.methods or ()
        if "web." in rule.endpoint
    }
    assert used <= {"GET", "HEAD", "OPTIONS", "POST"}


def test_what_a_page_needs_is_kept_for_ever_under_its_address(client: FlaskClient) -> None:
    found = re.findall(r'(?:<link[^>]*href|<script[^>]*src)="([^"]+)"', client.get("/").text)
    of_an_app = {"/manifest.webmanifest", "/icons/icon-180.png"}  # asked for once it is installed
    for path in set(found) - of_an_app:
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert len(client.get(path).data) > len(answer.data)


def test_an_address_from_before_an_update_gives_what_is_new(client: FlaskClient) -> None:
    answer = client.get("/assets/000000000000/scottenbury.css")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
    for path in ("/assets/0/none.css", "/assets/0/../blueprint.py", "/assets/0/%2e%2e/forms.py"):
        assert client.get(path).status_code == 404
