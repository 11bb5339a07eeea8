"""Mails about a challenge, which has no game yet."""

from collections.abc import Callable, Mapping

from service.accounts.name_rules import NOBODY, displayable
from service.core.errors import RequestRejected
from service.eventlog import NoticeParts
from service.games.challenges.model import Challenge
from workers.context import WorkerContext
from workers.mail.game import Letter, Section


def write(context: WorkerContext, notice: NoticeParts) -> Letter | None:
    """The letter for this notice, or None where there is nothing to tell any more.

    KeyError for a kind that there is not.
    """
    try:
        challenge = context.container.games.challenges.find(notice.game, notice.recipient)
    except RequestRejected:  # it is gone
        return None
    return LETTERS[notice.kind](context, challenge)


def _challenge(context: WorkerContext, challenge: Challenge) -> Letter | None:
    if challenge.status != "open":
        return None
    challenger = _name(context, challenge.by)
    instead = "makes you a counter-offer" if challenge.counters else "challenges you"
    return _letter(context, challenge, f"{challenger} {instead}: a game of Schotten Totten.")


def _declined(context: WorkerContext, challenge: Challenge) -> Letter | None:
    if challenge.status != "declined":
        return None
    return _letter(context, challenge, f"{_name(context, challenge.to)} declined your challenge.")


LETTERS: Mapping[str, Callable[[WorkerContext, Challenge], Letter | None]] = {
    "challenge": _challenge,
    "declined": _declined,
}


def _letter(context: WorkerContext, challenge: Challenge, opening: str) -> Letter:
    wanted = challenge.wanted
    clock = wanted.days_per_move
    about = [
        f"Edition {wanted.edition}, {'with' if wanted.tactics else 'without'} Tactic cards"
        f"{', Expert variant' if wanted.expert else ''}, rounds: {wanted.rounds}.",
        "No clock." if clock is None else f"Days for each move: {clock}.",
        f"Its number is {challenge.id}.",
    ]
    return Letter(
        # To somebody who may not know the other: no name that the other chose.
        subject=f"Scottenbury: a challenge [{challenge.id[:4]}]",
        opening=opening,
        sections=[Section("The game", about)],
        link=f"{context.container.settings.base_url}/",
        link_text="Go there",
        version=None,
        head=None,
    )


def _name(context: WorkerContext, player: str) -> str:
    return displayable(context.container.players.names([player]).get(player, NOBODY))
