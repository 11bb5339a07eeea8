"""How many games wait for the reader: every page tells it, in its title and its icon."""

from service.container import get_container
from service.core.outage import STORE_FAILURE
from service.web import session
from service.web.blueprint import blueprint


@blueprint.app_template_global()
def games_waiting() -> int:
    """In how many games it is the reader's turn; none where nobody is signed in.

    A page that needs the store for nothing else is shown without it too.
    """
    try:
        player = session.player_id()
        return 0 if player is None else get_container().games.lists.count_to_move(player)
    except STORE_FAILURE:
        return 0
