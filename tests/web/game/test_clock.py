"""The clock on a game's page: why it stands still, what is left, and what its players can do."""

import re
from typing import Any

import pytest
from flask import Flask

import engine
from engine import Seat
from engine.commands import AdjustClock, ChangeCalendar, Command, GiveTime, HoldFlag
from service.container import Container
from service.core.times import DAY, HOUR, timestamp
from service.games import ChangeContext
from tests.support.application import Server
from tests.support.clock import NOON, Clock
from tests.web.people import both, put_together, visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin

PLAIN = {"days_per_move": 3}
CLAIMED = {"days_per_move": 3, "time_out": "claim"}


def table(app: Flask, container: Container, terms: Any) -> tuple[str, dict[Seat, Visitor]]:
    """A game with this clock that Ann is to move in, and the browsers of both."""
    game = begin(container, clock=terms)
    return game.id, both(app, game)


def words(person: Visitor) -> str:
    return " ".join(re.sub("<[^>]+>", "", person.answer.text).split())


def look(person: Visitor, game: str) -> str:
    person.go(f"/games/{game}")
    return words(person)


def note(container: Container, game: str, command: Command) -> None:
    """Something happens to the clock, as the server writes it."""
    games = container.games
    assert games.writer.write_all(games.load(game), [command]) is not None


# What it tells


def test_a_game_without_a_clock_shows_none(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    assert "The clock" not in words(ann)
    assert not [name for name in ann.buttons if name.startswith("Give ")]


def test_a_weekend_says_why_the_clock_stands_still(server: Server) -> None:
    game, people = table(server.app, server.container, {**PLAIN, "weekends_off": True})
    until = "until the end of Sun 22 Nov 2026 (UTC)"
    assert "The clock stands still. It is the weekend for you" in look(people["north"], game)
    assert "The clock stands still. It is the weekend for Ann" in look(people["south"], game)
    assert until in words(people["south"])
    assert "Thu 00:00 UTC" in words(people["north"])
    server.clock.time = NOON + 2 * DAY
    assert "stands still" not in look(people["north"], game)


def test_the_time_of_a_bank_is_called_so(app: Flask, container: Container, clock: Clock) -> None:
    game, people = table(app, container, {"bank_days": 14})
    assert "time bank" in look(people["north"], game)
    clock.time += 2 * DAY
    people["north"].go("/")
    people["south"].go("/")
    assert re.search("12 days left .+ time bank", words(people["north"]))
    assert re.search("12 days left .+ your time bank: 14 days", words(people["south"]))


def test_banks_are_told_before_the_turn_is_counted(
    app: Flask, container: Container, clock: Clock
) -> None:
    game, people = table(app, container, {"bank_days": 14, "increment_hours": 12, "cap_days": 20})
    clock.time += 2 * DAY
    hand = container.games.load(game).game.hands["north"]
    container.games.play(game, container.games.load(game).player_to_move() or "", [f"{hand[0]}@1"])
    told = look(people["north"], game)
    assert "14 days for all turns of a player, and 12 hours more with each" in told
    assert (
        "In the banks, before this turn is counted: you 12 days and 12 hours and Bob 14 days."
        in told
    )


def test_the_list_of_games_tells_the_last_move_whatever_happened_to_the_clock(
    app: Flask, container: Container
) -> None:
    game, people = table(app, container, PLAIN)
    people["north"].go("/")
    assert "You got the first turn." in words(people["north"])
    look(people["north"], game)
    put_together(people["north"])
    people["north"].send()
    note(container, game, GiveTime("north", DAY))
    note(
        container, game, AdjustClock(None, "outage", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z")
    )
    people["south"].go("/")
    assert "Ann played" in words(people["south"])
    assert "away" not in words(people["south"])


def test_time_given_for_the_next_turn_is_told_too(app: Flask, container: Container) -> None:
    game, people = table(app, container, PLAIN)
    note(container, game, GiveTime("north", DAY))
    assert "Bob has 1 day more, given for the next turn." in look(people["north"], game)
    note(container, game, GiveTime("south", DAY))
    assert "You have 1 day more, given for this turn." in look(people["north"], game)


def test_a_fixed_end_is_told_in_the_readers_zone_and_where_it_has_moved_to(server: Server) -> None:
    game, people = table(server.app, server.container, {"until": "2026-11-24T19:00:00Z"})
    told = look(people["north"], game)
    assert "The game ends on Tue 24 Nov 2026, 19:00 (UTC); whoever is to move then loses." in told
    assert '<time datetime="2026-11-24T19:00:00Z" data-unzoned="minute">' in (
        people["north"].answer.text
    )
    assert "has moved" not in told
    note(server.container, game, GiveTime("north", DAY))
    moved = "By time given and pauses, the end has moved to Wed 25 Nov 2026, 19:00 (UTC)."
    for seat in engine.SEATS:
        assert moved in look(people[seat], game)


def test_a_player_without_a_zone_is_told_whose_weekends_count_and_where_to_set_it(
    app: Flask, container: Container
) -> None:
    game, people = table(app, container, {"days_per_move": 3, "weekends_off": True})
    told = "You have chosen no time zone, so your weekends are those of UTC."
    assert told in look(people["south"], game)
    assert 'href="/account/time-off"' in people["south"].answer.text
    south = container.games.load(game).game.players["south"] or ""
    container.mail_preferences.set_choice(south, {"time_zone": "Europe/Berlin"})
    assert told not in look(people["south"], game)


def test_a_clock_that_counts_every_day_names_no_hours_and_says_what_happens_at_zero(
    app: Flask, container: Container, clock: Clock
) -> None:
    game, people = table(app, container, PLAIN)
    assert "Give 1 day" in look(people["south"], game)
    assert "/account/time-off" not in people["south"].answer.text

    at_zero = "At zero you lose the game."
    assert f"The clock 3 days for each turn. {at_zero}" in look(people["north"], game)
    clock.time += 3 * DAY - 11 * HOUR
    urgent = look(people["north"], game)
    assert urgent.index(at_zero) < urgent.index("The clock 3 days for each turn. M")


def test_an_outage_that_was_given_back_is_told(server: Server) -> None:
    game, people = table(server.app, server.container, PLAIN)
    server.clock.time += DAY
    away = "2026-11-22T01:00:00Z", "2026-11-22T03:00:00Z"
    note(server.container, game, AdjustClock(None, "outage", *away))
    moment = "2026-11-22T04:00:00Z", "2026-11-22T04:00:59Z"
    note(server.container, game, AdjustClock(None, "outage", *moment))
    told = look(people["south"], game)
    assert "04:00" not in told
    assert (
        "The server was away: Sun 22 Nov 2026, 01:00 (UTC) to Sun 22 Nov 2026, 03:00 (UTC)"
        " is given back." in told
    )
    assert "Tue 14:00 UTC" in told
    assert "stands still" not in told


def test_a_flag_that_is_held_is_told_with_the_moment_up_to_which(
    app: Flask, container: Container, clock: Clock
) -> None:
    game, people = table(app, container, PLAIN)
    clock.time += 3 * DAY - 1
    note(container, game, HoldFlag("north", "2026-12-01T12:00:00Z"))
    container.mail_preferences.set_choice(
        container.games.load(game).game.players["south"] or "", {"time_zone": "Europe/Berlin"}
    )
    people["south"].go(f"/games/{game}")
    assert people["south"].status == (
        "Waiting for Ann, who was not told of the turn: the time is up,"
        " but nothing ends before Tue 1 Dec 2026, 13:00 (Europe/Berlin)."
    )


def test_the_other_player_s_calendar_is_shown(
    app: Flask, container: Container, clock: Clock
) -> None:
    game, people = table(app, container, {**PLAIN, "sleeping_hours": True, "vacations": True})
    away = ("2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z")
    note(container, game, ChangeCalendar("north", "Asia/Tokyo", ("23:00", "07:00"), (away,)))
    told = look(people["south"], game)
    assert "Ann sleeps from 23:00 to 07:00 (Asia/Tokyo)." in told
    assert (
        "Ann will be on vacation from Mon 23 Nov 2026, 00:00 (UTC) to Mon 30 Nov 2026, 00:00 (UTC)."
        in told
    )
    clock.time += 3 * HOUR  # midnight in Tokyo
    told = look(people["south"], game)
    assert (
        "The clock stands still. It is Ann’s night until Sat 21 Nov 2026, 22:00 (UTC)"
        in told.replace("&#39;", "'")
    )
    clock.time += 3 * DAY
    away_until = "on vacation until the end of Sun 29 Nov 2026 (UTC)."
    onlooker = look(Visitor(app.test_client()), game)
    assert "The time of Ann does not count now." in onlooker
    hidden = ("vacation from", "is on vacation", "sleeps", "Tokyo")
    assert [word for word in hidden if word in onlooker] == []
    assert "calendar in this game" not in onlooker
    assert "Ann’s calendar in this game" in look(people["south"], game).replace("&#39;", "’")
    assert f"The clock stands still. Ann is {away_until}" in look(people["south"], game)
    look(people["north"], game)
    put_together(people["north"])  # who is away may play all the same
    people["north"].send()
    assert f"Ann is {away_until}" in look(people["south"], game)
    assert f"You are {away_until}" in look(people["north"], game)
    assert "stands still" not in words(people["north"])


# What its players do


def test_time_is_given(app: Flask, container: Container) -> None:
    game, people = table(app, container, PLAIN)
    before = container.games.load(game).deadline or 0
    people["south"].press("Give 3 days")
    assert container.games.load(game).deadline == before
    people["south"].press("Give 3 days")
    assert (container.games.load(game).deadline or 0) == before + 3 * DAY
    assert people["south"].path == f"/games/{game}"
    assert "You gave Ann 3 days more." in words(people["south"])
    assert "You have 3 days more, given for this turn." in look(people["north"], game)


def test_time_given_by_one_press_is_given_once(app: Flask, container: Container) -> None:
    game, people = table(app, container, PLAIN)
    people["south"].press("Give 1 day")
    action, fields = people["south"].fields_of("Give 1 day")
    for _ in range(2):
        people["south"].post(action, fields)
        assert people["south"].answer.status_code == 200
    assert container.games.load(game).version == 4
    forged = [(name, "400" if name == "days" else value) for name, value in fields]
    people["south"].post(action, forged)
    assert people["south"].answer.status_code == 422


def test_a_pause_is_offered_agreed_to_and_ended(server: Server, container: Container) -> None:
    game, people = table(server.app, container, PLAIN)
    ann, bob = people["north"], people["south"]
    container.mail_preferences.set_choice(
        container.games.load(game).game.players["north"] or "", {"time_zone": "Europe/Berlin"}
    )
    ann.press("Offer a pause", last_day="2026-11-30")
    assert (
        "You have offered to pause the clock until the end of Mon 30 Nov 2026 (Europe/Berlin)"
        in (words(ann))
    )
    assert "Ann offers to pause the clock until Mon 30 Nov 2026, 23:00 (UTC)" in look(bob, game)
    bob.press("Agree: pause")
    still = "Both have agreed to a pause until"
    assert f"{still} Mon 30 Nov 2026, 23:00 (UTC)" in words(bob)
    assert "stands still" not in words(bob)
    assert f"{still} the end of Mon 30 Nov 2026 (Europe/Berlin)" in look(ann, game)
    server.clock.time += DAY
    ann.go(f"/games/{game}")
    ann.press("Resume the clock")
    assert "stands still" not in words(ann)
    assert "Wed 13:00" in words(ann)


def test_who_agrees_on_a_page_agrees_to_the_pause_that_it_has_shown(server: Server) -> None:
    game, people = table(server.app, server.container, PLAIN)
    ann, bob = people["north"], people["south"]
    ann.press("Offer a pause", last_day="2026-11-23")
    look(bob, game)
    ann.go(f"/games/{game}")
    assert "You offered a pause" in words(ann)
    ann.press("Withdraw")
    assert "You offered a pause" not in words(ann)
    ann.press("Offer a pause", last_day="2027-02-16")
    bob.press("Agree to the pause")
    assert "The other player has changed the offer" in words(bob)
    assert server.container.games.load(game).clock_only_events == 0
    look(bob, game)
    bob.press("Agree to the pause")
    assert server.container.games.load(game).clock_only_events == 1


def test_a_page_from_an_earlier_turn_claims_no_later_win(server: Server) -> None:
    game, people = table(server.app, server.container, CLAIMED)
    server.clock.time += HOUR
    look(people["north"], game)
    server.clock.time += 3 * DAY
    look(people["south"], game)
    form = people["south"].fields_of("Claim the win on time")
    for player in (people["north"], people["south"]):
        look(player, game)
        put_together(player)
        player.send()
    server.clock.time += HOUR
    look(people["north"], game)
    server.clock.time += 3 * DAY + 1
    people["south"].post(*form)
    assert people["south"].answer.status_code == 412
    assert server.container.games.load(game).game.status == "active"


def test_a_pause_without_an_end_is_declined_or_taken_back(app: Flask, container: Container) -> None:
    game, people = table(app, container, PLAIN)
    ann, bob = people["north"], people["south"]
    ann.press("Offer a pause")
    assert "Ann offers to pause the clock until one of the two ends the pause" in look(bob, game)
    bob.press("Decline the pause")
    assert "Offer a pause" in bob.buttons
    bob.press("Offer a pause")
    bob.press("Take the offer back")
    ann.go(f"/games/{game}")
    assert "Offer a pause" in ann.buttons
    assert container.games.load(game).version == 3


@pytest.mark.parametrize("last_day", ["2026-02-30", "x", "2020-01-01", "9999-12-31", "2028-01-01"])
def test_a_pause_that_cannot_be_is_told(app: Flask, container: Container, last_day: str) -> None:
    _, people = table(app, container, PLAIN)
    people["north"].press("Offer a pause", last_day=last_day)
    assert people["north"].answer.status_code in (409, 422)
    assert "pause" in words(people["north"])


def test_a_win_on_time_is_claimed(app: Flask, container: Container, clock: Clock) -> None:
    game, people = table(app, container, CLAIMED)
    clock.time += HOUR
    look(people["north"], game)  # so Ann is told of her turn
    assert "Claim the win on time" not in people["south"].buttons
    clock.time += 3 * DAY
    told = look(people["south"], game)
    assert "Ann\u2019s time is out: claim the win, or give more time." in told
    people["south"].press("Claim the win on time")
    assert people["south"].status.startswith("You won")
    assert "The clock" not in words(people["south"])


def test_whoever_is_late_is_told_and_can_still_move(server: Server) -> None:
    game, people = table(server.app, server.container, CLAIMED)
    server.clock.time += 3 * DAY + 1
    told = "Your time is out: Bob may claim the win, or give you more time."
    assert told in look(people["north"], game)
    put_together(people["north"])
    people["north"].send()
    assert people["north"].status.startswith("Waiting for Bob.")


def test_more_time_is_given_in_place_of_a_claim(server: Server) -> None:
    game, people = table(server.app, server.container, CLAIMED)
    server.clock.time += 3 * DAY + HOUR
    people["south"].go(f"/games/{game}")
    for _ in range(2):
        people["south"].press("Give 1 day")
    assert "Claim the win on time" not in people["south"].buttons
    assert "time is out" not in look(people["north"], game)


def test_only_the_two_players_can_do_anything(app: Flask, container: Container) -> None:
    game, _ = table(app, container, PLAIN)
    eve = visitor(app, container.registrations.register("Eve").player.id)
    assert "3 days for each turn." in look(eve, game)
    assert not {name for name in eve.buttons if "Give" in name or "pause" in name}
    eve.go("/account")
    token = [(n, v) for n, v in eve.fields_of("Sign out")[1] if n == "form"]
    for path in ("time", "time-out", "pause", "pause/withdrawal", "resumption"):
        eve.post(f"/games/{game}/{path}", [*token, ("days", "1")])
        assert eve.answer.status_code == 403, path
    assert container.games.load(game).version == 3


# Beside the turn


def test_the_hours_at_which_the_clock_stops_stand_beside_the_deadline(server: Server) -> None:
    terms = {**PLAIN, "sleeping_hours": True, "weekends_off": True}
    game, people = table(server.app, server.container, terms)
    note(server.container, game, ChangeCalendar("north", "Asia/Tokyo", ("23:00", "06:30"), ()))
    stops = "stops 23\N{EN DASH}6:30 and at weekends"
    assert stops in look(people["north"], game)
    assert f"{stops} (Asia/Tokyo)" in look(people["south"], game)


def test_nights_are_named_only_for_those_who_have_set_them(server: Server) -> None:
    game, people = table(server.app, server.container, {**PLAIN, "sleeping_hours": True})
    page = look(people["north"], game)
    assert "stops at night" not in page
    assert "set no nights" not in page
    note(server.container, game, ChangeCalendar("south", "Asia/Tokyo", ("23:00", "06:30"), ()))
    page = look(people["north"], game)
    assert "the clock stops at night" in page
    assert "You have set no nights: the clock runs on." in page


def test_a_turn_is_urgent_by_its_share_that_is_left(server: Server) -> None:
    game, people = table(server.app, server.container, {"days_per_move": 1})
    look(people["north"], game)
    people["south"].go("/")
    assert 'class="deadline "' in people["north"].answer.text
    assert '<progress class=""' in people["south"].answer.text
    server.clock.time += 21 * HOUR
    look(people["north"], game)
    people["south"].go("/")
    assert 'class="deadline soon"' in people["north"].answer.text
    assert '<progress class="soon"' in people["south"].answer.text


def test_the_page_of_a_plan_shows_the_other_s_clock(server: Server) -> None:
    game, people = table(server.app, server.container, PLAIN)
    assert "3 days" in look(people["south"], f"{game}/orders")
    assert 'id="deadline"' in people["south"].answer.text


def test_a_win_to_be_claimed_is_named_beside_the_deadline(server: Server) -> None:
    game, people = table(server.app, server.container, CLAIMED)
    server.clock.time += 3 * DAY - 11 * HOUR
    assert "may claim the win." in look(people["north"], game)
    assert "At zero you may claim the win." in look(people["south"], game)


def test_a_pause_with_an_end_stands_beside_what_is_left(
    app: Flask, container: Container, clock: Clock
) -> None:
    game, people = table(app, container, PLAIN)
    clock.time += 5 * HOUR
    until = timestamp(int(clock.time) + 9 * DAY)
    for seat in ("north", "south"):
        player = container.games.load(game).game.players[seat]  # type: ignore[index]
        container.games.pauses.agree(game, player or "", until, ChangeContext("web"))
    clock.time += DAY
    assert "2 d 19 h left · paused until Mon 30 Nov, 17:00 UTC" in look(people["north"], game)
    for seat in ("north", "south"):
        people[seat].go("/")
        assert "2 d 19 h left · paused until Mon 30 Nov, 17:00 UTC" in words(people[seat])
    clock.time += 8 * DAY
    assert "2 d 19 h leftby Thu 12:00 UTC" in look(people["north"], game)


def test_a_paused_clock_says_what_is_left(app: Flask, container: Container, clock: Clock) -> None:
    game, people = table(app, container, PLAIN)
    clock.time += 5 * HOUR
    for seat in ("north", "south"):
        player = container.games.load(game).game.players[seat]  # type: ignore[index]
        container.games.pauses.agree(game, player or "", None, ChangeContext("web"))
    clock.time += 3 * DAY
    page = look(people["north"], game)
    assert "2 d 19 h left · paused" in page
    assert "Both have agreed to a pause, until one of the two ends it." in page
    assert "stands still" not in page
    news = people["north"].answer.text.partition('id="now"')[2].partition("</section>")[0]
    assert "Both have agreed" in news
    assert "the clock is paused" not in news
