"""Mails about a challenge, which has no game yet."""

from collections.abc import Mapping
from typing import Any, Final

from service.accounts.name_rules import NOBODY, displayable
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp
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
        challenge = container.games.challenges.find(notice.game, notice.recipient)
    except RequestRejected:  # it is gone
        return None
    if challenge.status != KINDS[notice.kind]:
        return None
    names = container.players.names([challenge.by, challenge.to])
    return {
        "challenge": challenge,
        "challenger": inert_name(displayable(names.get(challenge.by, NOBODY))),
        "challenged": inert_name(displayable(names.get(challenge.to, NOBODY))),
        "until": moment(timestamp(challenge.expires), found.choice.zone),
        "link": f"{container.settings.base_url}/challenges/{challenge.id}",
    }
