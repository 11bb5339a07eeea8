"""Two players who offer the same at once have agreed, whichever write comes first."""

from collections.abc import Callable

import pytest

from service.container import Container
from service.core.errors import RequestRejected
from service.games import ChangeContext
from tests.support.people import Person, Started

Act = Callable[[], object]


@pytest.fixture
def game(ada: Person, bob: Person) -> Started:
    return Started(ada, bob, clock={"days_per_move": 3})


@pytest.fixture
def crossing(container: Container, monkeypatch: pytest.MonkeyPatch) -> Callable[[Act], None]:
    """Let something happen just after the side state is read for the first time."""

    def let(other: Act) -> None:
        read, others = container.log.side_state.read, [other]

        def read_then_act(game_id: str) -> dict[str, str]:
            found = read(game_id)
            if others:
                others.pop()()
            return found

        monkeypatch.setattr(container.log.side_state, "read", read_then_act)

    return let


def test_two_offers_to_abandon_that_cross_end_the_game(
    ada: Person, bob: Person, game: Started, container: Container, crossing: Callable[[Act], None]
) -> None:
    abandonments, seen = container.games.abandonments, [game.view()["version"]]
    crossing(lambda: abandonments.agree(game.id, bob.id, ChangeContext()))
    agreed = abandonments.agree(game.id, ada.id, ChangeContext(expected=seen))
    assert (agreed.stored.game.status, agreed.offered) == ("finished", None)


def test_two_offers_of_the_same_pause_that_cross_begin_it(
    ada: Person, bob: Person, game: Started, container: Container, crossing: Callable[[Act], None]
) -> None:
    pauses, seen = container.games.pauses, [game.view()["version"]]
    crossing(lambda: pauses.agree(game.id, bob.id, None, ChangeContext()))
    agreed = pauses.agree(game.id, ada.id, None, ChangeContext(expected=seen))
    assert agreed.offered is None
    assert agreed.stored.deadline is None


def test_an_offer_for_a_version_that_has_passed_is_refused_though_a_move_crosses_it(
    ada: Person, bob: Person, game: Started, container: Container, crossing: Callable[[Act], None]
) -> None:
    games, seen, legal = container.games, [game.view()["version"]], game.legal()
    crossing(lambda: games.play(game.id, ada.id, legal[:1]))
    with pytest.raises(RequestRejected, match="now") as refusal:
        games.abandonments.agree(game.id, bob.id, ChangeContext(expected=seen))
    assert refusal.value.code == "stale-version"
    assert games.abandonments.offered(games.load(game.id)) is None
