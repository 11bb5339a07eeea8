"""Programs of other authors, each in a process of its own, asked for one play after another.

An adapter (`chikinn.py`, `teshimafu.mjs`) runs in the folder of its author's program. It reads a
position a line, as `_position` gives it, and writes a line: the plays that its bot would make, the
best first, and the deck it would draw from. Claims are made for it, as soon as they are proved:
these programs know no others.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine import OTHER, View

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Author:
    """Where an author's program is, at which commit, and how to speak with it.

    `bundle` is the module that esbuild makes one script of, for the programs in TypeScript.
    """

    repository: str
    commit: str
    bundle: str = ""

    @property
    def name(self) -> str:
        """The author's name."""
        return self.repository.partition("/")[0]

    def fetch(self, site: str, folder: Path) -> Path:
        """The folder of the program, cloned and built where it is not yet there.

        Raises `CalledProcessError` and `FileNotFoundError`: git or npm is missing, or fails.
        """
        clone = folder / self.name
        if not clone.exists():
            _run("git", "clone", "--quiet", f"{site}/{self.repository}", clone)
            _run("git", "-C", clone, "checkout", "--quiet", self.commit)
        built = clone / "bot.mjs"
        if self.bundle and not built.exists():
            bundler = ("npx", "--yes", "esbuild@0.28", "--bundle", "--format=esm")
            _run(*bundler, "--log-level=error", f"--outfile={built}", clone / self.bundle)
        return clone

    @property
    def adapter(self) -> list[str]:
        """The command that reads positions."""
        if self.bundle:
            return ["node", str(HERE / f"{self.name}.mjs")]
        return [sys.executable, str(HERE / f"{self.name}.py")]


AUTHORS: Final = {
    author.name: author
    for author in (
        Author("chikinn/battle-line", "ea8c17c"),
        Author("teshimafu/battle-line", "2c8dda7", bundle="src/lib/battle-line/com.ts"),
    )
}


@dataclass(slots=True)
class Outsider:
    """A bot of another author: `choose` is that of a `Bot`.

    `counts` says how often it was asked, and how often a play or all its plays were illegal here.
    """

    process: subprocess.Popen[str]
    counts: Counter[str] = field(default_factory=Counter)
    _deck: str = "C"

    @classmethod
    def start(cls, author: Author, folder: Path, bot: str) -> "Outsider":
        """Start the adapter with this bot of the author's."""
        command = [*author.adapter, bot]
        env = os.environ | {"PYTHONPATH": str(folder.absolute())}
        pipe = subprocess.PIPE
        return cls(
            subprocess.Popen(command, cwd=folder, env=env, text=True, stdin=pipe, stdout=pipe)
        )

    def choose(self, view: View, rng: random.Random) -> str:
        """A legal action: a claim where one is proved, else what the bot would play."""
        if claims := [text for text in view.legal if text.startswith("!")]:
            return claims[0]
        if f"+{self._deck}" in view.legal:
            return f"+{self._deck}"
        if len(view.legal) == 1 or "end" in view.legal or "+C" in view.legal:
            return view.legal[0]
        answer = self._ask(_position(view) | {"seed": rng.getrandbits(32)})
        self._deck = answer["deck"]
        plays = [play for play in answer["plays"] if play in view.legal]
        self.counts["asked"] += 1
        self.counts["illegal"] += plays[:1] != answer["plays"][:1]
        self.counts["none legal"] += not plays
        return plays[0] if plays else view.legal[-1]

    def _ask(self, position: dict[str, object]) -> dict[str, list[str]]:
        self.process.stdin.write(json.dumps(position) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """Let the process end."""
        self.process.stdin.close()
        self.process.wait()


def _position(view: View) -> dict[str, object]:
    """All that the seat may see, with its own side and its opponent's in place of north and south;
    `pending` is true while two cards are to be returned after the Recruiter."""
    mine = view.seat
    theirs = OTHER[mine]
    whose = {mine: "mine", theirs: "theirs", None: None}
    stones = [
        {
            "mine": list(stone.side(mine)),
            "theirs": list(stone.side(theirs)),
            "owner": whose[stone.owner],
            "modes": list(stone.modes),
        }
        for stone in view.stones
    ]
    return {
        "stones": stones,
        "hand": list(view.own_cards),
        "discard": list(view.discard),
        "decks": dict(view.decks),
        "tactics_played": [view.tactics_played[mine], view.tactics_played[theirs]],
        "joker_barred": "JOK" in view.own_cards and not any("JOK@" in a for a in view.legal),
        "pending": any(text.startswith("-") for text in view.legal),
    }


def _run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True)
