"""The listener and the worker, killed at a share of the seams while games go by mail alone."""

from tests.faults.mail_kills import played_by_mail
from tests.faults.seams import LISTENER, WORKER
from tests.support.shares import share


def test_nothing_kept_is_lost_and_nothing_is_played_or_sent_twice() -> None:
    seams = {"listener": share([*LISTENER]), "worker": share([*WORKER])}
    found = played_by_mail(rounds=1, turns=20, games=4, seams=seams)
    assert len(found.kills) == sum(map(len, seams.values()))
    assert found.outcomes["late"] > 0
    assert found.attempts > found.turns
    assert found.repeated <= found.kills.total()
