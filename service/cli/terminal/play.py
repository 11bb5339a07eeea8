"""The command `play`: signs in, reads lines from a terminal or a pipe, and obeys them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from service.cli.output import echo

if TYPE_CHECKING:
    from scottenbury_client import Client

_CODE: Final = re.compile(r"[a-z2-7]{4}([- ]?)[a-z2-7]{4}\1[a-z2-7]{4}")
"""A code as the page shows it, with or without its marks."""

_FIRST_PATIENCE: Final = 3.0
"""Seconds for which a server is tried before anything is begun there: the URL may be wrong."""
_MISSING: Final = (
    "Playing needs two packages more: pip install ./client '.[play]', in the folder of"
    " Scottenbury's source."
)


_NOT_SIGNED_IN: Final = (
    "You are not signed in there. --register NAME makes a new player; to use your account, start"
    " this at a terminal, or give a code from its page, under Devices, as the first line."
)


@click.command(short_help="Play in this terminal, on the server at URL.")
@click.argument("url", default="http://127.0.0.1:8080")
@click.option("--game", help="Open the game with this id.")
@click.option("--json", "as_json", is_flag=True, help="Print answers as JSON, one on each line.")
@click.option("--register", metavar="NAME", help="Make a new player of this name first.")
@click.option("--sign-out", is_flag=True, help="Forget the token of this server.")
def play(url: str, game: str | None, as_json: bool, register: str | None, sign_out: bool) -> None:
    """Play in this terminal, on the server at URL.

    Lines are commands: `games`, `show`, `play R7 at 3`, `claim 3`, `say well played`, `watch`; say
    `help` for all of them. They are read from standard input too. The exit code is 1 if the last
    one was refused or is no command, or if the session could not begin.
    """
    try:
        from platformdirs import user_config_path
        from scottenbury_client import Client, Forbidden, Problem, ScottenburyError

        from service.cli.terminal.session import Session
    except ImportError:
        raise click.ClickException(_MISSING) from None
    tokens = StoredTokens(user_config_path("scottenbury") / "tokens.json")
    if sign_out:
        tokens.keep(url, None)
        return
    is_person = sys.stdin.isatty()
    try:
        with Client(url, patience=_FIRST_PATIENCE) as first:
            first.get_server()
        with Client(url, tokens.find(url)) as client:
            if register is not None or client.token is None:
                _sign_in(client, tokens, url, register, as_json=as_json)
            session = Session(client, as_json=as_json, is_person=is_person, game=game)
            went_well = True
            for line in _lines(session.completions):
                if line.strip().lower() in ("quit", "exit"):
                    break
                try:
                    went_well = session.obey(line) if line.strip() else went_well
                except KeyboardInterrupt:  # ends a `watch`, not the program
                    echo("")
    except ScottenburyError as error:
        detail = error.detail if isinstance(error, Problem) else f"No answer from {url}: {error}"
        if isinstance(error, Forbidden):
            detail = f"{detail} `scottenbury play --sign-out` forgets the token."
        if as_json:
            code = error.code if isinstance(error, Problem) else "unreachable"
            echo(json.dumps({"code": code, "detail": detail}, ensure_ascii=False))
            sys.exit(1)
        raise click.ClickException(detail) from None
    sys.exit(0 if went_well else 1)


class StoredTokens:
    """The tokens by server, in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, url: str) -> str | None:
        """The token for a server; None if none is stored."""
        return self._all().get(url.rstrip("/"))

    def keep(self, url: str, token: str | None) -> None:
        """Store the token of a server; None deletes it."""
        tokens = {**self._all(), url.rstrip("/"): token}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Opened with its mode, so that nobody reads it between two steps.
        new = self._path.with_suffix(".new")
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({url: token for url, token in tokens.items() if token}, file)
        new.replace(self._path)

    def _all(self) -> dict[str, str | None]:
        with suppress(FileNotFoundError, json.JSONDecodeError):
            stored: dict[str, str | None] = json.loads(self._path.read_text())
            return {url.rstrip("/"): token for url, token in stored.items()}
        return {}


def _sign_in(
    client: Client, tokens: StoredTokens, url: str, name: str | None, *, as_json: bool
) -> None:
    """Register a new player, or sign in with the code that the player enters; store the token.

    Without `name` only a person at a terminal can register: a program's first line is a command,
    and never a name. Raises `Problem`.
    """
    from scottenbury_client import Problem

    from service.cli.terminal.proposals import refusal

    is_person = sys.stdin.isatty() and name is None
    if name is not None and client.token is not None:
        raise refusal(f"You are signed in at {url} already. --sign-out ends that.", "signed-in")
    if is_person:
        echo(f"You are not signed in at {url}.")
        echo("To use your account, make a code on its page, under Devices.")
    while client.token is None:
        try:
            if is_person:
                answer = _ask("Code, or a name for a new player: ").strip()
            else:
                answer = sys.stdin.readline().strip() if name is None else name
            if name is None and _CODE.fullmatch(answer.lower()):
                client.token = client.sign_in(code=answer)["token"]
            elif is_person or name is not None:
                # Not `client.register`, which takes another name where this one is taken.
                client.token = client.register_player(name=answer)["token"]
            else:
                raise refusal(_NOT_SIGNED_IN, "not-signed-in")
        except Problem as problem:
            if not is_person:
                raise
            echo(problem.detail)
    tokens.keep(url, client.token)
    if not as_json:
        echo(f"Signed in as {client.get_me()['name']}. Say help for the commands.")


def _lines(completions: Callable[[], list[str]]) -> Iterator[str]:
    """The lines of standard input; in a terminal with Tab to complete them."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):
        import readline

        def complete(_: str, place: int) -> str | None:
            words = _next_words(readline.get_line_buffer()[: readline.get_endidx()], completions())
            return words[place] if place < len(words) else None

        readline.set_completer_delims(" ")
        readline.set_completer(complete)
        libedit = "libedit" in (readline.__doc__ or "")  # Python's readline on macOS
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    with suppress(EOFError):
        while True:
            yield _ask("> ")


def _next_words(written: str, lines: list[str]) -> list[str]:
    """The words that complete or follow the beginning of one of `lines`, each with a space after
    it."""
    start = written.rfind(" ") + 1
    rests = [line[start:] for line in lines if line.lower().startswith(written.lower())]
    return list(dict.fromkeys("".join(rest.partition(" ")[:2]) for rest in rests))


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        echo("")
        raise
