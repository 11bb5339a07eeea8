"""The examples of operations on clocks, calendars and standing orders."""

from typing import Final

from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import ADA, played, view
from service.games.orders.standing import Orders, TurnOrder
from service.games.reading import views

CALENDAR: Final[dict[str, object]] = {
    "zone": "Europe/Berlin",
    "sleep": {"from": "23:00", "to": "07:00"},
    "vacations": [{"from": "2026-12-20T23:00:00Z", "to": "2026-12-27T23:00:00Z"}],
    "by_itself": False,
    "vacation_account": [{"year": 2026, "seconds": 30 * 86_400, "spent": 7 * 86_400}],
}
_OFFERS: Final[dict[str, object]] = {
    "version": 3,
    "status": "active",
    "paused": None,
    "offers": [
        {
            "kind": "pause",
            "state": "offered",
            "by": "north",
            "number": 29_905_920,
            "until": "2026-12-27T12:00:00Z",
        }
    ],
}


def examples() -> dict[str, Example]:
    """Return the examples by operation id."""
    orders = given_orders()
    wanted = {key: orders[key] for key in ("claim_proved", "pass_when_stuck", "turn")}
    return {
        "getCalendar": reply(CALENDAR),
        "setCalendar": reply(CALENDAR, {key: CALENDAR[key] for key in ("zone", "vacations")}),
        "listOffers": reply(_OFFERS),
        "makeOffer": reply(_OFFERS, {"kind": "pause", "until": "2026-12-27T12:00:00Z"}),
        "withdrawOffer": reply({**_OFFERS, "offers": []}),
        "changeClock": reply(view(played(), ADA), {"give": {"days": 2}}),
        "claimTimeOut": reply(view(played(), ADA), {}),
        "getOrders": reply(orders),
        "setOrders": reply(orders, wanted),
    }


def given_orders() -> dict[str, object]:
    """Return standing orders, as their player sees them."""
    turn = TurnOrder(actions=("R7@3",), when=("G4@3",))
    return views.orders_view(played().stored, Orders(claim_proved=True, turn=turn))
