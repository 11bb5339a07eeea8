"""The documents that players read, and what a translation of one has in common with it."""

import re
from hashlib import sha256
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final, NamedTuple
from unicodedata import normalize

from markdown_it import MarkdownIt
from polib import pofile

from letters.taught import command, in_english
from service.core.words import CATALOGUES, ENGLISH_CODE
from service.web.docs import PLAYERS
from service.web.documents import DOCS, SOURCE, for_players

LANGUAGES: Final = sorted(path.stem for path in CATALOGUES.glob("*.po"))
NEARLY_WHOLE: Final = [
    language
    for language in LANGUAGES
    if pofile(str(CATALOGUES / f"{language}.po")).percent_translated() >= 95
]
"""The languages in which an English label beside a translated one is an exception."""
ORIGINALS: Final = [SOURCE, *(DOCS / f"{name}.md" for name in ("help", *PLAYERS))]
OWN_WORDS: Final = (
    "I'll put the red seven on stone 3, please",
    "wait",
    "not",
    "instead",
    "claim 3, 5 and 6",
    "language German",
    "language French",
    "end the pause",
    "agree to end the game",
    "Lovely weather here! R7 at 3. Off to the dentist, wish me luck",
    "say:",
)
"""What `mail.md` gives as further things that are understood: a translation gives its own."""


class Form(NamedTuple):
    """What stays as it is, in the order in which it stands: the kinds of blocks, the numbers in
    headings, the examples, what is typed (in any order, and in English), and where links lead from
    `docs/`."""

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
        [
            "\n".join(_in_english(line, folder) for line in each.content.split("\n"))
            for each in tokens
            if each.type in ("fence", "code_block")
        ],
        sorted(_in_english(each, folder) for each in typed if folder or each not in OWN_WORDS),
        [_from_docs(href, folder) for href in hrefs],
    )


def _in_english(text: str, language: str) -> str:
    """What is typed, or an option of a new game, as the reader of mails takes it: in English, and
    without accents."""
    bare = text.removesuffix(" …")
    new_game = command(language, "new_game", options="")
    option = (in_english(f"{new_game}, {bare}") or "").removeprefix("new game, ")
    read = normalize("NFD", in_english(bare) or option or bare)
    return re.sub(r"[\u0300-\u036f]", "", read).casefold()


def _from_docs(link: str, folder: str) -> str:
    path, mark, part = link.partition("#")
    if not path:
        return link
    there = PurePosixPath(normpath(f"{folder}/{path}" if folder else path))
    beside = there.name if folder and there.parts[0] == folder else str(there)
    return (beside if beside != "../engine/rules.md" else "rules.md") + mark + part
