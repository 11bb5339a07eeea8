"""Describes a challenge for mails about it. There is no game yet."""

from dataclasses import dataclass
from datetime import tzinfo

from service.accounts.name_rules import NOBODY, displayable
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp
from service.eventlog import NoticeParts
from service.games.challenges.model import Challenge
from service.games.reading.views import challenge_view
from service.text.game_terms import described, first_player
from service.text.inert import inert_name
from service.text.moments import short_moment
from workers.context import WorkerContext


@dataclass(frozen=True)
class ChallengeMail:
    """A challenge as a mail describes it. `exact_…` are names exactly as their players chose
    them."""

    challenge: Challenge
    exact_challenger: str
    exact_challenged: str
    challenger: str
    challenged: str
    game_words: str
    until: str
    link: str

    @property
    def ending(self) -> str:
        """A sentence about the end of the challenge, for the other player; empty while it is
        open."""
        offer = "counter-offer" if self.challenge.counters else "challenge"
        match self.challenge.status:
            case "declined":
                return f"{self.challenged} declined your {offer}."
            case "withdrawn":
                return f"{self.challenger} has withdrawn the {offer} to you."
            case "expired":
                return f"{self.challenged} has not answered your {offer} in time: it has expired."
        return ""

    @property
    def variables(self) -> dict[str, object]:
        """The variables of the templates."""
        return {**vars(self), "ending": self.ending}


def challenge_mail(
    context: WorkerContext, notice: NoticeParts, zone: tzinfo
) -> ChallengeMail | None:
    """Return the challenge of this notice, as far as its recipient may see it; None if it is
    gone."""
    container = context.container
    try:
        challenge = container.games.challenges.find(notice.subject, notice.recipient)
    except RequestRejected:
        return None
    names = container.players.names([challenge.by, challenge.to])
    by, to = (displayable(names.get(one, NOBODY)) for one in (challenge.by, challenge.to))
    return ChallengeMail(
        challenge=challenge,
        exact_challenger=by,
        exact_challenged=to,
        challenger=inert_name(by),
        challenged=inert_name(to),
        game_words=_kind(challenge, inert_name(by)),
        until=short_moment(timestamp(challenge.expires), zone),
        link=f"{container.settings.base_url}/challenges/{challenge.id}",
    )


def _kind(challenge: Challenge, by: str) -> str:
    """Return the proposed kind of game, in the words of the challenge's page."""
    view = challenge_view(challenge, {})
    first = first_player(view["first_player"], by)
    return described(view) + (f"; {first}" if first else "")
