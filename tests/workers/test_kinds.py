"""Each kind of notice has all that it is told with: an entry, a template, words and a group."""

from pathlib import Path
from typing import Any

import pytest

from service.accounts.channels import channel_group
from service.accounts.mail_preferences import GROUPS, subscription_of
from service.accounts.mail_preferences import KINDS as WORDS
from workers.kinds import KINDS, NoticeKind, Subject

TEMPLATES = Path(__file__).parents[2] / "workers" / "templates"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_its_mail_has_templates_or_there_is_none(kind: NoticeKind[Any]) -> None:
    found = {path.name for path in (TEMPLATES / kind.folder).glob("*")}
    assert found == ({"subject.txt", "body.txt", "body.html"} if kind.has_mail else set())


def test_every_template_is_of_a_kind() -> None:
    folders = {path.name for path in TEMPLATES.iterdir() if path.is_dir()}
    assert folders - {"shared"} == {kind.folder for kind in KINDS.values() if kind.has_mail}


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS.values() if kind.group], ids=lambda k: k.name
)
def test_whoever_may_choose_it_finds_its_words_and_its_group(kind: NoticeKind[Any]) -> None:
    chosen_as = subscription_of("anybody", kind.name).kind
    assert WORDS[chosen_as]
    assert kind.group is not None
    assert chosen_as in GROUPS[kind.group]
    assert channel_group(kind.name) == (kind.group if kind.is_to_reader else None)
    if kind.is_to_reader:
        assert kind.title
        assert kind.text or kind.line


def test_what_can_be_chosen_is_told() -> None:
    chosen_as = {subscription_of("anybody", kind.name).kind for kind in KINDS.values()}
    assert WORDS.keys() <= chosen_as


def test_only_games_are_subjects_of_kinds_that_need_their_log() -> None:
    of_games = {name for name, kind in KINDS.items() if kind.subject is Subject.GAME}
    assert of_games.isdisjoint({"sign-in", "verify", "challenge", "digest", "reply-played"})
