"""The number of games that wait for the reader: every page shows it in its title and icon."""

from service.container import get_container
from service.core.outage import STORE_FAILURE
from service.web import session
from service.web.blueprint import blueprint


@blueprint.app_template_global()
def games_waiting() -> int:
    """Return the number of games in which it is the reader's turn.

    0 if nobody is signed in, or if the store fails: the rest of the page may not need the store.
    """
    try:
        player = session.player_id()
        return 0 if player is None else get_container().games.lists.count_to_move(player)
    except STORE_FAILURE:
        return 0
