"""The operator's page is one for everybody, however hostile what it shows."""

from service.eventlog import Notice, notice_id
from tests.support.browser import Visit
from tests.support.gallery import HOSTILE
from tests.support.site import Site
from tests.web.browser.checks import PHONE, faults
from tests.web.browser.table import Table, button


def test_it_opens_by_a_link_and_shows_what_is_wrong(site: Site, visit: Visit) -> None:
    known, table = site.container, Table(site)
    talk = known.games.conversations
    north, south = table.people["north"], table.people["south"]
    talk.write(table.id, north, f"{HOSTILE[0]} {'W' * 80}", "web")
    talk.report(table.id, south, 1, HOSTILE[1] * 3)
    talk.moderation.mute(site.player("Mallory"))
    letter = notice_id(table.id, 1, north, "mail", "turn")
    known.dead_letters.add(letter, f"SMTPRecipientsRefused('{HOSTILE[0]}{'W' * 90}')")
    known.addresses.failing.mark("ann@example.org", f"550 {'W' * 90}")
    known.log.outbox.add(Notice(notice_id("b" * 20, 1, north, "log", "x"), known.now() - 900))
    page = visit(f"/operator/open/{known.operator_access.make_link()}", viewport=PHONE).page

    button(page, "Open the page").click()

    assert page.url.endswith("/operator")
    assert list(faults(page)) == []
    button(page, f"Discard: {letter}").click()
    assert known.dead_letters.all() == []
