"""Mails, and what a game's clock shows, tell nothing of cards that their reader cannot see."""

import re
from dataclasses import asdict

import pytest

from service.eventlog import Notice
from service.mail.mailbox import Mailbox
from tests.support.clock import NOON, Clock
from tests.workers.delivering import deliver
from tests.workers.match import Match
from tests.workers.twin_games import twins

DAY = 86400
CLOCK = {"days_per_move": 10, "vacations": True}
ONE_S_OWN = re.compile(r"[0-9a-f]{64}|(?:(?<=[+/])|(?<=%2B))[\w.=-]{20,}")
"""What names one game: its hash, its id and what is signed for it."""

OF_ITS_OWN = ("id", "head", "commitment")
"""What differs between two games for whatever reason."""


def bodies(mailbox: Mailbox, game: str) -> list[str]:
    """Sender, subject, text and HTML of the last mail, without what names the game."""
    message = mailbox.newest()[0].message
    parts = [message.get_body((kind,)) for kind in ("plain", "html")]
    told = [
        f"{message['From']} {message['Subject']}",
        *(str(part.get_content()) for part in parts if part),
    ]
    assert len(told) == 3
    # First the hashes: one may have the four letters in it that name the game.
    return [
        ONE_S_OWN.sub("…", text).replace(game, "GAME").replace(game[:4], "GAME") for text in told
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "days"), [("turn", 0), ("reminder", 5), ("last-reminder", 9)])
def test_games_that_differ_in_hidden_cards_give_the_same_mail(
    match: Match, mailbox: Mailbox, clock: Clock, kind: str, days: int, seed: int
) -> None:
    container = match.context.container
    games = twins(match, seed, clock=CLOCK)
    clock.time = NOON + days * DAY
    told = []
    for game in games:
        version = container.games.load(game).turn_version
        notice = f"{game}.{version}.{match.bob}.mail.{kind}"
        container.log.outbox.add(Notice(notice, clock.time))
        assert deliver(match.context, notice) == "sent"
        told.append(bodies(mailbox, game))
    assert told[0] == told[1]


@pytest.mark.parametrize("seed", range(3))
def test_a_clock_shows_the_same_in_games_that_differ_in_hidden_cards(
    match: Match, seed: int
) -> None:
    games = match.context.container.games
    views = [games.view(games.load(game), match.bob) for game in twins(match, seed, clock=CLOCK)]
    assert views[0].clock_state is not None
    first, second = (
        {name: value for name, value in asdict(view).items() if name not in OF_ITS_OWN}
        for view in views
    )
    assert first == second
