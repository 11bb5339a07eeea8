"""Each kind of notice has all that it is told with: templates, words and a group."""

from operator import attrgetter
from pathlib import Path
from typing import Final

import pytest

from service.accounts.channels import channel_group
from service.accounts.mail_preferences import subscription_of
from service.accounts.notice_kinds import CHOICES, DIGEST, GROUPS, KINDS, NoticeKind, Text
from service.core.words import PLACE
from workers.mail.digest import Digest
from workers.mail.game import GameMail
from workers.mail.news import OfferOutcome, WrittenLines
from workers.mail.season import SeasonMail
from workers.mail.subjects import ChallengeMail, VacationMail

TEMPLATES = Path(__file__).parents[2] / "workers" / "templates"
DESCRIBED: Final[dict[str, type]] = {
    "game": GameMail,
    "challenge": ChallengeMail,
    "season": SeasonMail,
    "player": VacationMail,
    "mail": GameMail,
}
"""What the words of a kind are about."""
PARTS: Final[dict[str, type]] = {"own_offer": OfferOutcome, "written": WrittenLines}
OF_KINDS = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@OF_KINDS
def test_its_mail_has_templates_or_there_is_none(kind: NoticeKind) -> None:
    found = {path.name for path in (TEMPLATES / kind.folder).glob("*")}
    assert found == ({"subject.txt", "body.txt", "body.html"} if kind.has_mail else set())


def test_every_template_is_of_a_kind() -> None:
    folders = {path.name for path in TEMPLATES.iterdir() if path.is_dir()}
    assert folders - {"shared"} == {kind.folder for kind in KINDS.values() if kind.has_mail}


@OF_KINDS
def test_what_it_says_and_when_stands_in_the_description_of_its_subject(kind: NoticeKind) -> None:
    described = Digest if kind.name == DIGEST else DESCRIBED[kind.subject]
    texts = (kind.sender, kind.title, kind.line, kind.text, kind.opening)
    fields = {field for text in texts if text for field in fields_of(text)}
    if kind.status:
        fields.add("status")
    for field in fields | ({kind.current} if kind.current else set()):
        first, _, rest = field.partition(".")
        assert hasattr(described, first) or first in getattr(
            described, "__dataclass_fields__", ()
        ), field
        assert not rest or hasattr(PARTS[first], rest), field


def fields_of(text: Text) -> list[str]:
    """What a text reads of its subject."""
    if isinstance(text, attrgetter):
        return [*text.__reduce__()[1]]
    assert isinstance(text, str)
    return PLACE.findall(text)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS.values() if kind.group], ids=lambda k: k.name
)
def test_whoever_may_choose_it_finds_its_words_and_its_group(kind: NoticeKind) -> None:
    chosen_as = subscription_of("anybody", kind.name).kind
    assert CHOICES[chosen_as]
    assert kind.group is not None
    assert chosen_as in GROUPS[kind.group]
    assert channel_group(kind.name) == (kind.group if kind.is_to_reader else None)
    if kind.is_to_reader:
        assert kind.title
        assert kind.text or kind.line


def test_what_can_be_chosen_is_told() -> None:
    chosen_as = {subscription_of("anybody", kind.name).kind for kind in KINDS.values()}
    assert CHOICES.keys() <= chosen_as


def test_what_cancels_a_notice_is_told_as_that_is() -> None:
    ending = {kind.name: KINDS[kind.ends] for kind in KINDS.values() if kind.ends}
    assert ending
    for name, ended in ending.items():
        assert KINDS[name].chosen_as == ended.name


def test_only_games_are_subjects_of_kinds_that_need_their_log() -> None:
    of_games = {name for name, kind in KINDS.items() if kind.subject == "game"}
    assert of_games.isdisjoint({"sign-in", "verify", "challenge", "digest", "reply-played"})
