"""Mails about a challenge, which has no game yet."""

from collections.abc import Mapping
from typing import Any, Final

from service.accounts.name_rules import NOBODY, displayable
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp
from service.games.challenges.model import Challenge
from service.games.reading.views import challenge_view
from service.text.game_terms import described, first_player
from service.text.inert import inert_name
from service.text.moments import moment
from workers.context import WorkerContext
from workers.prefetch import Prefetched

KINDS: Final = {"challenge": "open", "declined": "declined"}
"""Each kind of mail about a challenge, and the status in which it is still true."""


def variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    """What the templates of this kind show; None if there is nothing to tell any more."""
    container, notice = context.container, found.notice
    try:
        challenge = container.games.challenges.find(notice.subject, notice.recipient)
    except RequestRejected:  # it is gone
        return None
    if challenge.status != KINDS[notice.kind]:
        return None
    names = container.players.names([challenge.by, challenge.to])
    known_by = displayable(names.get(challenge.by, NOBODY))
    known_to = displayable(names.get(challenge.to, NOBODY))
    by = inert_name(known_by)
    return {
        "challenge": challenge,
        "known_challenger": known_by,
        "known_challenged": known_to,
        "challenger": by,
        "game_words": _kind(challenge, by),
        "challenged": inert_name(known_to),
        "until": moment(timestamp(challenge.expires), found.choice.zone),
        "link": f"{container.settings.base_url}/challenges/{challenge.id}",
    }


def _kind(challenge: Challenge, by: str) -> str:
    """What game is asked for, as the challenge's page says it."""
    view = challenge_view(challenge, {})
    first = first_player(view["first_player"], by)
    return described(view) + (f"; {first}" if first else "")
