"""The documents that players read, and what a translation of one has in common with it."""

import re
from hashlib import sha256
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final, NamedTuple

from markdown_it import MarkdownIt

from service.core.words import CATALOGUES, ENGLISH_CODE
from service.web.docs.pages import PLAYERS
from service.web.documents import DOCS, for_players
from service.web.reference.rules import SOURCE

LANGUAGES: Final = sorted(path.stem for path in CATALOGUES.glob("*.po"))
ORIGINALS: Final = [SOURCE, *(DOCS / f"{name}.md" for name in ("help", *PLAYERS))]
SAID_BY_MAILS: Final = (
    "Otto · your turn",
    "Otto won",
    "Otto invites you",
    "Scottenbury: your answer",
    "Scottenbury: your mail",
    "Your turn · 3 days left · until Wed 25 Nov 09:50",
)
"""What `mail.md` quotes from mails, which say it in their reader's language."""


class Form(NamedTuple):
    """What stays as it is, in the order in which it stands: the kinds of blocks, the numbers in
    headings, the examples, what is typed (in any order), and where links lead from `docs/`."""

    blocks: list[str]
    numbers: list[str]
    examples: list[str]
    typed: list[str]
    links: list[str]


def head(original: Path) -> str:
    """The first line of a translation: of which text it is one."""
    digest = sha256(for_players(original, ENGLISH_CODE).text.encode()).hexdigest()[:12]
    return f"<!-- {original.name} {digest} -->"


def form(text: str, folder: str = "") -> Form:
    """What a translation of this text keeps; `folder` is where it lies in `docs/`."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    typed = [each.content for each in inline if each.type == "code_inline"]
    hrefs = [str(each.attrs["href"]) for each in inline if each.type == "link_open"]
    return Form(
        [f"{each.tag} {each.type}" for each in tokens if each.type != "inline"],
        re.findall(r"^#+ .*?(\d+)$", text, re.MULTILINE),
        [each.content for each in tokens if each.type in ("fence", "code_block")],
        sorted(each for each in typed if folder or each not in SAID_BY_MAILS),
        [_from_docs(href, folder) for href in hrefs],
    )


def _from_docs(link: str, folder: str) -> str:
    path, mark, part = link.partition("#")
    if not path:
        return link
    there = PurePosixPath(normpath(f"{folder}/{path}" if folder else path))
    beside = there.name if folder and there.parts[0] == folder else str(there)
    return (beside if beside != "../engine/rules.md" else "rules.md") + mark + part
