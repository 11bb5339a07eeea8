"""Describes the mail that reminds a player, a day before, of the end of their vacation."""

from dataclasses import dataclass
from datetime import tzinfo

from service.core.durations import DAY
from service.core.timestamps import timestamp
from service.eventlog import NoticeParts
from service.text.moments import by
from workers.context import WorkerContext


@dataclass(frozen=True)
class VacationMail:
    """The content of a mail about a vacation that ends at `end` (unix seconds)."""

    sentence: str
    link: str
    end: int

    @property
    def variables(self) -> dict[str, object]:
        """The variables of the templates."""
        return vars(self)


def vacation_mail(context: WorkerContext, notice: NoticeParts, zone: tzinfo) -> VacationMail | None:
    """Return the vacation that this notice is about; None if it is over or no longer exists."""
    now = context.container.now()
    for begin, end in context.container.games.calendars.of(notice.recipient).to_come(now):
        if end // DAY == notice.version and begin <= now:
            until = by(timestamp(end), zone, now)
            said = f"Your vacation ends on {until}; then your time counts again."
            return VacationMail(said, context.container.settings.base_url, end)
    return None
