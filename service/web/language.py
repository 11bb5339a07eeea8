"""The language of a page: the one that its reader has chosen, here or in another browser, or else
the best of those that the browser asks for."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from flask import Response, abort, current_app, g, redirect, request
from markupsafe import Markup, escape
from marshmallow import ValidationError

from engine import RuleBroken
from service.api.validation_words import fault_words
from service.container import get_container
from service.core.errors import STORE_FAILURE, RequestRejected, refusal_words
from service.core.words import ENGLISH_CODE, Words
from service.web import cookies, session
from service.web.blueprint import blueprint, signed_in

Key = TypeVar("Key")

_LIFE: Final = 400 * 24 * 3600
"""Seconds that a browser remembers its language: the longest that browsers allow."""
_MESSAGES: Final = 1 << 13
"""The most messages that a process holds as markup."""


@blueprint.app_template_global()
def reader_words() -> Words:
    """Return the words of whoever reads this page."""
    held = vars(g._get_current_object())  # a page asks some two hundred times
    if "words" not in held:
        held["words"] = get_container().languages.words(
            _of_page() or _of_account() or _of_browser()
        )
    return cast(Words, held["words"])


@blueprint.app_template_global()
def reason(refusal: RequestRejected | RuleBroken) -> str:
    """Return why something was refused, in the language of this page."""
    return refusal_words(reader_words(), refusal)


def fault(error: ValidationError | RequestRejected) -> str:
    """Return what is wrong with the one field that a form gave, as a sentence for the player."""
    return reason(error) if isinstance(error, RequestRejected) else first_fault(error.messages)


def no_address() -> str:
    """Return what is wrong with a mail address that is none."""
    return reader_words().say("That is not a valid e-mail address.")


def first_fault(messages: Any) -> str:
    """Return the first of marshmallow's messages, in the language of this page."""
    while isinstance(messages, dict):
        messages = next(iter(messages.values()))
    return fault_words(reader_words(), str(messages[0]))


def _of_page() -> str | None:
    """Return the language of a page whose reader does not choose: the operator's is English."""
    return ENGLISH_CODE if request.path.startswith("/operator") else None


def _of_account() -> str | None:
    """Return the language that the player chose; None without one, and while the store fails: the
    rest of the page may not need the store."""
    try:
        return session.reading().language if signed_in() else None
    except STORE_FAILURE:
        return None


def _of_browser() -> str | None:
    """Return the language chosen in this browser, or the best that it asks for."""
    languages, chosen = get_container().languages, cookies.given(cookies.LANGUAGE)
    if languages.words(chosen).language == chosen:  # a cookie may hold anything, and is stored
        return chosen
    return _asked_for()


def _asked_for() -> str | None:
    """Return the best language that the browser asks for; None if we have none of them."""
    return get_container().languages.best(request.accept_languages.values())


@blueprint.app_template_global("_")
def say(message: str, **places: object) -> Markup:
    """Return a message of a template, with its places filled in; markup stays in these alone."""
    marked = _marked(reader_words(), message)
    if not places:
        return marked
    # What `Markup` does for its own `%`, in half the time.
    return Markup(str(marked) % {name: escape(place) for name, place in places.items()})


@blueprint.app_template_global()
def in_language(language: str) -> Markup:
    """Return the attribute of an element in this language; nothing if the page is in it anyway."""
    is_same = language == reader_words().language
    return Markup() if is_same else Markup(' lang="{}"').format(language)


def in_english(text: object) -> Markup:
    """Return text that is English in every language, marked so where the page is in another."""
    marked = in_language(ENGLISH_CODE)
    return Markup("<span{}>{}</span>").format(marked, text) if marked else escape(text)


@blueprint.app_template_global()
def link(url: str, words: str) -> Markup:
    """Return a link, to be the place of a message."""
    return Markup('<a href="{}">{}</a>').format(url, words)


@blueprint.app_template_global()
def bold(words: str) -> Markup:
    """Return emphasized words, to be the place of a message."""
    return Markup("<b>{}</b>").format(words)


@blueprint.app_template_global()
def small(words: str) -> Markup:
    """Return words that matter less, to be the place of a message."""
    return Markup("<small>{}</small>").format(words)


@blueprint.app_template_global()
def typed(text: str) -> Markup:
    """Return what is typed, to be the place of a message."""
    return Markup("<code>{}</code>").format(text)


@blueprint.app_template_global()
def plural(one: str, many: str, number: int, **places: object) -> Markup:
    """Return a message of a template for so many things: `%(number)s`."""
    escaped = {name: escape(place) for name, place in places.items()}
    return Markup(escape(reader_words().form(one, many, number)) % {"number": number, **escaped})


def said(choices: Mapping[Key, str]) -> dict[Key, str]:
    """Return choices, whose labels are messages, in the reader's language."""
    words = reader_words()
    return {choice: words.say(label) for choice, label in choices.items()}


@lru_cache(_MESSAGES)
def _marked(words: Words, message: str) -> Markup:
    return Markup(escape(words.say(message)))


@blueprint.app_template_global()
def languages() -> dict[str, str]:
    """Return the languages to choose from, with their own names."""
    return dict(get_container().languages.listed)


def check_listed(language: str) -> None:
    """Answer 422 to a form that chooses a language which is not offered."""
    if language not in get_container().languages.listed:
        abort(422)


@blueprint.get("/language/<language>")
def switch_language(language: str) -> Response:
    """Switch to a language from the foot of any page; `?back=` is that page.

    A link, since a form would set its cookie on every page, also of those who only read.
    """
    return _choose(language, request.args.get("back", "/"))


@blueprint.post("/language")
def choose_language() -> Response:
    """Choose the language of this browser, and of the player's mails and pages everywhere; `""`
    for that which each browser asks for on pages, and this one now for mails.
    """
    return _choose(request.form.get("language", ""), request.form.get("back", "/"))


def _choose(chosen: str, back: str) -> Response:
    if chosen:
        check_listed(chosen)
    if player := session.player_id():
        change: dict[str, str | None] = {"language": chosen or None}
        if not chosen:
            change["browser_language"] = _asked_for() or ENGLISH_CODE
        get_container().mail_preferences.set_choice(player, change)
    # A path of this server, and no other's: `//elsewhere` is one.
    is_here = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = current_app.make_response(redirect(back if is_here else "/", 303))
    life = _LIFE if chosen else 0
    answer.set_cookie(cookies.name_of(cookies.LANGUAGE), chosen, max_age=life, **cookies.rules())
    return answer


@blueprint.after_request
def _remember(response: Response) -> Response:
    """Note the language of the player's browser for their mails, at the first visit of a player who
    has none: another browser later does not change it. English needs no note."""
    access = session.looked_up()
    if request.method == "GET" and access is not None:
        reading = session.reading()
        if reading.language is None and reading.browser_language is None:
            browser = _of_browser()
            if browser not in (None, ENGLISH_CODE):
                change = {"browser_language": browser}
                get_container().mail_preferences.set_choice(access.player, change)
    if "words" in g:
        response.vary.add("Accept-Language")
    return response
