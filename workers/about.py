"""The subject of a notice to a reader, built from the data read for it."""

from service.games import GUEST
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.kinds import About, Subject
from workers.mail.game import game_mail
from workers.mail.subjects import VacationMail, challenge_mail, vacation_mail


def about(context: WorkerContext, due: DueNotice) -> About | None:
    """Return the subject of this notice, None if it is gone. It is built once."""
    if not due.is_read:
        due.about, due.is_read = _made(context, due), True
    return due.about


def current(context: WorkerContext, due: DueNotice) -> About | None:
    """Return the subject if the notice is still true, else None."""
    subject = about(context, due)
    return subject if subject is not None and due.kind.is_current(subject) else None


def too_late_at(due: DueNotice) -> int | None:
    """Return the moment after which the player can no longer act on the subject (unix seconds);
    None if there is none."""
    if isinstance(due.about, VacationMail):
        return due.about.end
    stored = due.stored
    if stored is None or stored.player_to_move() != due.notice.recipient:
        return None
    return None if stored.must_be_claimed else stored.deadline


def _made(context: WorkerContext, due: DueNotice) -> About | None:
    notice, zone = due.notice, due.choice.zone
    match due.kind.subject:
        case Subject.CHALLENGE:
            return challenge_mail(context, notice, zone)
        case Subject.PLAYER:
            return vacation_mail(context, notice, zone)
    if due.game is None:
        return None
    player = None if notice.recipient == GUEST else notice.recipient
    return game_mail(context, due.game, due.side_state or {}, player, notice.version, zone)
