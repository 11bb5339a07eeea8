"""Leaving a game: resigning, abandoning it by agreement, calling it off."""

import pytest
from flask import Flask

from service.container import Container
from service.games import ChangeContext, NewGame
from tests.support.application import Server
from tests.web.people import both, visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin


def test_a_page_that_asked_in_an_earlier_round_resigns_no_later_one(server: Server) -> None:
    game = begin(server.container, rounds=3)
    ann, tab = (both(server.app, game)["north"] for _ in range(2))
    for page in (ann, tab):
        page.go(f"/games/{game.id}/resign")
    form = ann.fields_of("Resign")[1]
    ann.press("Resign")
    resigned = server.container.games.load(game.id)
    assert resigned.game.round == 2

    tab.press("Resign")
    assert tab.answer.status_code == 412
    ann.post(f"/games/{game.id}/resign", form)
    assert ann.answer.status_code == 200
    assert server.container.games.load(game.id).version == resigned.version


def test_resigning_asks_first(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    ann.go(f"/games/{game.id}/resign")
    assert container.games.load(game.id).game.status == "active"
    assert "Stones: 0 for Ann, 0 for Bob." in ann.answer.text

    ann.press("Resign")

    assert ann.status == "Bob won: you resigned."
    for question in ("resign", "abandon"):
        ann.go(f"/games/{game.id}/{question}")
        assert ann.status == "Bob won: you resigned."
    ann.press("Rematch")
    assert ann.path != f"/games/{game.id}"
    assert ann.status == "Waiting for Bob."


def test_a_game_is_abandoned_when_both_agree(app: Flask, container: Container, game: Shown) -> None:
    people = both(app, game)
    people["north"].go(f"/games/{game.id}/abandon")
    people["north"].press("Offer it")
    assert "You have offered to end the game without a winner." in people["north"].answer.text
    assert "You offered an end without a winner." in people["north"].answer.text
    people["north"].press("Withdraw")
    assert "You offered an end" not in people["north"].answer.text
    people["north"].go(f"/games/{game.id}/abandon")
    people["north"].press("Offer it")

    people["south"].go(f"/games/{game.id}")
    assert "Ann offers to end the game without a winner." in people["south"].answer.text
    people["south"].go(f"/games/{game.id}/abandon")
    assert "the game ends at once" in people["south"].answer.text
    people["south"].press("Agree")

    assert people["south"].status == "Drawn by agreement."


def test_an_offered_end_is_answered_beside_the_news(server: Server, game: Shown) -> None:
    bob, offers = both(server.app, game)["south"], server.container.games.abandonments
    offers.agree(game.id, game.ann, ChangeContext())
    bob.go(f"/games/{game.id}")
    assert f'href="/games/{game.id}/abandon" aria-label="Agree: end' in bob.answer.text
    bob.press("Decline: end without a winner")
    assert offers.offered(server.container.games.load(game.id)) is None


def test_a_rematch_is_declined_where_it_is_asked_for(server: Server, game: Shown) -> None:
    people = both(server.app, game)
    people["north"].go(f"/games/{game.id}/resign")
    people["north"].press("Resign")
    people["north"].press("Rematch")
    assert people["north"].status == "Waiting for Bob."
    people["south"].go(f"/games/{game.id}")
    assert "Ann asks for a rematch. Unrated, no time limit." in people["south"].answer.text
    assert "Accept the rematch" in people["south"].buttons
    people["south"].press("Decline")
    people["south"].go(f"/games/{game.id}")
    assert "asks for a rematch" not in people["south"].answer.text


def test_who_agrees_on_a_page_agrees_to_the_offer_that_it_told_of(
    app: Flask, container: Container, game: Shown
) -> None:
    people, offers = both(app, game), container.games.abandonments
    offers.agree(game.id, game.ann, ChangeContext())
    people["south"].go(f"/games/{game.id}/abandon")
    offers.withdraw(game.id, game.ann)
    people["south"].press("Agree")
    assert offers.offered(container.games.load(game.id)) is None
    people["south"].go(f"/games/{game.id}")
    offers.agree(game.id, game.ann, ChangeContext())
    people["south"].go(f"/games/{game.id}/abandon")
    offers.withdraw(game.id, game.ann)
    offers.agree(game.id, game.ann, ChangeContext())
    people["south"].press("Agree")
    assert "The other player has changed the offer" in people["south"].answer.text
    assert container.games.load(game.id).game.status == "active"


def test_a_page_that_asked_in_an_earlier_round_abandons_no_later_one(server: Server) -> None:
    game = begin(server.container, rounds=2)
    ann = visitor(server.app, game.ann)
    ann.go(f"/games/{game.id}/abandon")
    server.container.games.resign(game.id, game.bob)
    ann.press("Offer it")
    assert server.container.games.abandonments.offered(server.container.games.load(game.id)) is None


def test_a_game_that_has_not_begun_is_called_off(app: Flask, container: Container) -> None:
    ann = container.registrations.register("Ann").player.id
    game = container.games.create(ann, NewGame())
    person = visitor(app, ann)
    person.go(f"/games/{game.id}/call-off")
    assert "Ann v" not in person.answer.text

    person.press("Cancel the game")

    assert person.status == "You called this game off."
    friend = Visitor(app.test_client())
    friend.go(f"/games/{game.id}")
    assert friend.status == "Ann called this game off."
    assert "South" not in friend.answer.text
    friend.press("Play a bot")
    assert friend.status.startswith("Your turn")


def test_both_read_that_an_invitation_was_declined(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(opponent=bob))
    container.games.call_off(game.id, bob)
    for player, who in ((ann, "Bob"), (bob, "You")):
        person = visitor(app, player)
        person.go(f"/games/{game.id}")
        assert person.status == f"{who} declined this game."


def test_a_declined_rematch_is_said_where_both_look(
    app: Flask, container: Container, game: Shown
) -> None:
    container.games.resign(game.id, game.bob)
    rematch = container.games.rematches.ask(game.id, game.ann)
    ann, bob = visitor(app, game.ann), visitor(app, game.bob)
    bob.go(f"/games/{game.id}")
    bob.press("Decline")
    assert bob.path == f"/games/{game.id}"
    ann.go(f"/games/{rematch.id}")
    assert ann.status == "Bob declined the rematch."
    assert [each.name for each in ann.page.all("h1")] == ["Declined"]


def test_who_deletes_their_account_leaves_their_games_as_a_former_player(
    app: Flask, container: Container, game: Shown
) -> None:
    container.games.resign(game.id, game.bob)
    rematch = container.games.rematches.ask(game.id, game.ann)
    bob = container.players.find(game.bob)
    assert bob is not None
    container.accounts.close(bob)
    assert container.games.load(rematch.id).game.status == "aborted"
    ann = visitor(app, game.ann)
    ann.go(f"/games/{game.id}")
    assert "when" not in ann.answer.text.partition("Rematch offered")[2]
    assert "A former player" in ann.answer.text
    assert "South" not in ann.answer.text
    assert "Rematch</button>" not in ann.answer.text
    assert 'href="/games/new">New game</a>' in ann.answer.text


def test_what_follows_is_said_before_an_end_is_proposed(server: Server, game: Shown) -> None:
    made = server.container.games.create(game.ann, NewGame(bot="steward"))
    ann = visitor(server.app, game.ann)
    for game_id, said in (
        (made.id, "The bot agrees at once: the game ends and nobody wins."),
        (game.id, "nobody wins, and the game does not count for ratings."),
    ):
        ann.go(f"/games/{game_id}/abandon")
        assert said in ann.answer.text


def test_in_a_rated_game_nothing_is_proposed_to_a_bot(server: Server, game: Shown) -> None:
    wanted = NewGame(bot="steward", rated=True, clock={"days_per_move": 3})
    made = server.container.games.create(game.ann, wanted)
    ann = visitor(server.app, game.ann)
    ann.go(f"/games/{made.id}")
    assert "A bot does not agree to end a game that counts." in ann.answer.text
    assert "/abandon" not in ann.answer.text
    assert "Offer a pause" not in ann.answer.text
    ann.go(f"/games/{made.id}/abandon")
    assert (ann.answer.status_code, "so the bot agrees to nothing" in ann.answer.text) == (
        409,
        True,
    )


@pytest.mark.parametrize(
    ("email", "words"),
    [
        (None, "A game against a bot that you leave for 60 days is removed."),
        ("ann@example.org", None),
    ],
)
def test_a_guest_is_told_what_becomes_of_a_game_that_they_leave(
    app: Flask, container: Container, email: str | None, words: str | None
) -> None:
    player = container.registrations.register("Gwen", email).player.id
    game = container.games.create(player, NewGame(bot="random")).id
    gwen = visitor(app, player)
    gwen.go(f"/games/{game}")
    assert words in gwen.page.text if words else "60 days" not in gwen.page.text


def test_whoever_tries_the_deal_of_the_day_is_told_too(app: Flask, container: Container) -> None:
    player = container.registrations.register("Gwen", "gwen@example.org").player.id
    gwen = visitor(app, player)
    gwen.go(f"/games/{container.games.daily.begin(player).id}")
    assert "An unfinished deal of the day that you leave for 60 days is removed." in gwen.page.text


def test_who_comes_back_after_a_round_was_resigned_reads_it_first(
    server: Server, container: Container
) -> None:
    game = begin(container, rounds=3)
    container.games.resign(game.id, game.bob)
    person = visitor(server.app, game.ann)
    for page in (f"/games/{game.id}", "/"):
        person.go(page)
        assert "Round 1: You won" in person.page.text, page
