"""The free seat of a game, and the steward who takes one at once."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from service.web import cookies
from tests.support.application import Server
from tests.support.clock import Clock
from tests.web.people import Browser, browser_of, put_together, visitor
from tests.web.pressing import Visitor


def test_anybody_plays_the_easy_bot_with_one_press(
    client: FlaskClient, container: Container
) -> None:
    person = Visitor(client)

    person.press("Play a bot")

    assert re.fullmatch("/games/[a-z2-7]{20}", person.path)
    assert person.status.startswith("Your turn")
    assert [each.name for each in person.page.all("h1")] == ["Guest v Shepherd (bot)"]
    put_together(person)
    person.send()
    assert person.status.startswith("Waiting for Shepherd (bot).")


@pytest.mark.parametrize(("level", "bot"), [("medium", "Piper"), ("hard", "Steward")])
def test_a_harder_bot_is_two_presses_away(client: FlaskClient, level: str, bot: str) -> None:
    assert 'href="/games/new?whom=piper">harder bots</a>' in client.get("/").text
    person = Visitor(client)
    action, fields = person.fields_of("Play a bot")
    person.go(client.post(action, data={**dict(fields), "level": level}).location)
    assert [each.name for each in person.page.all("h1")] == [f"Guest v {bot} (bot)"]


def test_there_are_no_other_levels(client: FlaskClient) -> None:
    action, fields = Visitor(client).fields_of("Play a bot")
    assert client.post(action, data={**dict(fields), "level": "random"}).status_code == 422


def test_the_button_pressed_twice_at_once_makes_one_game(client: FlaskClient) -> None:
    person = Visitor(client)
    action, fields = person.fields_of("Play a bot")

    person.post(action, fields)
    made = person.path
    client.delete_cookie(cookies.SESSION)  # the second press leaves before it is there
    person.post(action, fields)

    assert person.path == made
    assert person.status.startswith("Your turn")


def test_the_player_waited_for_is_named(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(opponent=bob))
    maker = visitor(app, ann)
    maker.go(f"/games/{game.id}")
    assert maker.status == "Waiting for Bob."


def test_the_holder_of_an_invite_gives_a_name_and_sits_down(server: Server) -> None:
    ann = server.container.registrations.register("Ann").player.id
    game = server.container.games.create(ann, NewGame(first_player="opponent"))
    maker, guest = visitor(server.app, ann), Visitor(server.app.test_client())
    maker.go(f"/games/{game.id}")
    assert maker.status == "Waiting for a second player."
    assert "Anybody who has this page’s address can watch." in maker.answer.text
    assert "cancel it" not in maker.answer.text
    (link,) = [
        each.attributes["value"]
        for each in maker.page.all("input")
        if each.attributes.get("class") == "invite-link"
    ]

    guest.go(link.removeprefix("http://scottenbury.test"))
    assert guest.status == "The game has not begun."
    assert "Anybody who has this page’s address can watch." in guest.answer.text
    assert [label.name for label in guest.page.all("label")] == ["Your name"]
    guest.press("Join", name="  ")
    assert guest.answer.status_code == 422
    guest.press("Join", name="Zoë")

    assert guest.status.startswith("Your turn")
    assert "Ann v Zoë" in guest.answer.text
    put_together(guest)
    guest.send()
    assert guest.status.startswith("Waiting for Ann.")


def test_whoever_opens_an_invite_that_was_used_is_told_that_they_watch(server: Server) -> None:
    ann, bob = (server.container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    games = server.container.games
    game = games.create(ann, NewGame())
    link = f"/games/{game.id}?invite={games.invitations.token(game.id)}"
    games.join(game.id, bob, invite=games.invitations.token(game.id))
    late, seated = Visitor(server.app.test_client()), visitor(server.app, bob)
    for person in (late, seated):
        person.go(link)
    taken = "This seat is taken; you are watching."
    assert taken in late.answer.text
    assert taken not in seated.answer.text


def test_a_taken_name_stays_in_the_field_and_free_ones_are_one_press(server: Server) -> None:
    ann = server.container.registrations.register("Ann").player.id
    server.container.registrations.register("Ann 2")
    game = server.container.games.create(ann, NewGame())
    guest = Visitor(server.app.test_client())
    guest.go(f"/games/{game.id}?invite={server.container.games.invitations.token(game.id)}")
    guest.press("Join", name="ann")
    assert guest.answer.status_code == 422
    (field,) = [one for one in guest.page.all("input") if one.attributes.get("name") == "name"]
    assert field.attributes["value"] == "ann"
    assert "<h1>Ann invites you</h1>" in guest.answer.text
    assert '<ul class="terms"' in guest.answer.text
    assert [name for name in guest.buttons if name.startswith("ann")] == ["ann 3", "ann 4", "ann 5"]
    guest.press("ann 4")
    assert "Ann v ann 4" in guest.answer.text


def test_a_signed_in_player_just_takes_the_seat(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(private=True))
    person = visitor(app, bob)

    person.go(f"/games/{game.id}?invite={container.games.invitations.token(game.id)}")
    assert "Your name" not in person.answer.text
    person.press("Join")

    assert container.games.load(game.id).players == [ann, bob]


def test_the_player_who_is_invited_can_decline_on_the_page_of_the_game(
    app: Flask, container: Container
) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(opponent=bob))
    person = visitor(app, bob)

    person.go(f"/games/{game.id}")
    person.press("Decline")

    assert container.games.load(game.id).game.status == "aborted"


class TestFreeSeat:
    def test_it_is_told_who_asks_for_what_game_and_where_the_rules_are(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        made = container.games.create(ann.player, NewGame(tactics=True, clock={"days_per_move": 3}))
        invite = container.games.invitations.token(made.id)
        page = " ".join(client.get(f"/games/{made.id}?invite={invite}").text.split())
        assert "<h1>Ann invites you</h1>" in page
        assert re.findall("<li>([^<]+)</li>", page) == [
            "with Tactic cards",
            "rated",
            "3 days for each turn",
            "whoever runs out of time loses",
        ]
        assert '<a href="/rules">Read the rules</a>' in page

    @pytest.mark.parametrize("rated", [True, False])
    def test_only_a_rated_invitation_leads_to_ratings(
        self, container: Container, client: FlaskClient, ann: Browser, rated: bool
    ) -> None:
        made = container.games.create(ann.player, NewGame(rated=rated, clock={"days_per_move": 3}))
        path = f"/games/{made.id}"
        invited = client.get(f"{path}?invite={container.games.invitations.token(made.id)}").text
        for page in (invited, ann.get(path)):
            assert ('href="/help/ratings#which-games-count"' in page) == rated
            assert ("<li>unrated</li>" in page) != rated

    def test_a_chat_is_shown_who_asks_and_a_picture(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        made = container.games.create(ann.player, NewGame(clock={"days_per_move": 3}))
        path = f"/games/{made.id}"
        invite = container.games.invitations.token(made.id)
        page = client.get(f"{path}?invite={invite}").text
        told = dict(re.findall('<meta property="og:([a-z]+)" content="([^"]+)">', page))
        assert told["title"] == "Ann invites you to Schotten Totten"
        assert "Rated, 3 days for each turn." in told["description"]
        assert told["url"] == f"http://scottenbury.test{path}"
        picture = client.get(told["image"].removeprefix("http://scottenbury.test"))
        assert (picture.status_code, picture.mimetype) == (200, "image/png")
        assert picture.data[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)

    def test_the_picture_of_an_invitation_is_for_who_holds_it(
        self, container: Container, client: FlaskClient, ann: Browser, bob: Browser
    ) -> None:
        made = container.games.create(ann.player, NewGame(private=True))
        path = f"/games/{made.id}/preview.png"
        invite = container.games.invitations.token(made.id)
        assert client.get(path).status_code == 404
        assert client.get(f"{path}?invite=x").status_code == 404
        assert client.get(f"{path}?invite={invite}").status_code == 200
        container.games.join(made.id, bob.player, invite=invite)
        assert client.get(f"{path}?invite={invite}").status_code == 404

    def test_an_old_invitation_to_a_private_game_says_what_happened(
        self, container: Container, client: FlaskClient, ann: Browser, bob: Browser
    ) -> None:
        made = container.games.create(ann.player, NewGame(private=True))
        path, invite = f"/games/{made.id}", container.games.invitations.token(made.id)
        container.games.join(made.id, bob.player, invite=invite)
        late = client.get(f"{path}?invite={invite}")
        assert late.status_code == 409
        assert "Both seats are taken" in late.text
        assert not {"Ann", "Bob"} & set(re.findall(r"\w+", late.text))
        for stranger in (path, f"{path}?invite=x"):
            assert client.get(stranger).status_code == 404

    @pytest.mark.parametrize("by", ["maker", "nobody"])
    def test_an_invitation_to_a_private_game_that_was_called_off_says_so(
        self, container: Container, client: FlaskClient, ann: Browser, clock: Clock, by: str
    ) -> None:
        made = container.games.create(ann.player, NewGame(private=True))
        path, invite = f"/games/{made.id}", container.games.invitations.token(made.id)
        if by == "maker":
            container.games.call_off(made.id, ann.player)
        else:
            clock.time += 90 * 24 * 60 * 60
        page = client.get(f"{path}?invite={invite}")
        said = {"maker": "Ann called this game off.", "nobody": "Nobody took the seat in time"}
        assert (page.status_code, said[by] in page.text) == (200, True)
        for stranger in (path, f"{path}?invite=x"):
            assert client.get(stranger).status_code == 404

    def test_the_maker_of_a_listed_game_is_told_that_anybody_can_come(self, ann: Browser) -> None:
        for listed in (True, False):
            made = ann.container.games.create(ann.player, NewGame(listed=listed))
            page = ann.get(f"/games/{made.id}")
            assert ("Anybody can join from" in page, "The first to open it" in page) == (
                listed,
                not listed,
            )

    def test_the_maker_is_told_that_an_invitation_goes_by_mail(self, ann: Browser) -> None:
        for email in ("cy@example.org", None):
            made = ann.container.games.create(ann.player, NewGame(opponent_email=email))
            page = " ".join(ann.get(f"/games/{made.id}").split())
            assert ("You can send this link yourself too" in page) is (email is not None)
            assert ("cy@example.org" in page) is (email is not None)
            assert ann.container.games.invitations.token(made.id) in page


def test_an_invitation_says_to_whom_it_went_to_its_maker_only(
    app: Flask, container: Container, ann: Browser
) -> None:
    bob = browser_of(app, container, "Bob")
    named = container.games.create(ann.player, NewGame(opponent=bob.player)).id
    assert "Invitation sent to Bob</h1>" in ann.get(f"/games/{named}")

    assert "Back to the game before" not in ann.get(f"/games/{named}")

    mailed = container.games.create(ann.player, NewGame(opponent_email="cleo@example.org")).id
    assert "Invitation sent to cleo@example.org</h1>" in ann.get(f"/games/{mailed}")
    invite = container.games.invitations.token(mailed)
    assert "cleo@example.org" not in bob.get(f"/games/{mailed}?invite={invite}")


def test_a_rematch_that_is_offered_leads_back_to_the_game_before(
    app: Flask, container: Container, ann: Browser
) -> None:
    bob = browser_of(app, container, "Bob")
    games = container.games
    old = games.create(ann.player, NewGame(opponent=bob.player)).id
    games.join(old, bob.player)
    games.resign(old, bob.player)
    rematch = f"/games/{games.rematches.ask(old, ann.player).id}"
    assert "See your rematch offer</a>" in ann.get(f"/games/{old}")
    for reader, heading in ((ann, "Rematch offered to Bob"), (bob, "Ann asks for a rematch")):
        page = reader.get(rematch)
        assert f"{heading}</h1>" in page
        assert f'<a href="/games/{old}">Back to the game before</a>' in page


def test_nobody_is_said_to_watch_a_private_game(server: Server) -> None:
    ann = server.container.registrations.register("Ann").player.id
    games = server.container.games
    game = games.create(ann, NewGame(private=True))
    link = f"/games/{game.id}?invite={games.invitations.token(game.id)}"
    for person in (visitor(server.app, ann), Visitor(server.app.test_client())):
        person.go(link)
        assert "can watch" not in person.answer.text


@pytest.mark.parametrize("rated", [True, False])
def test_an_invitation_says_the_time_for_a_turn_and_whether_it_counts(
    app: Flask, container: Container, ann: Browser, rated: bool
) -> None:
    bob = browser_of(app, container, "Bob")
    wanted = NewGame(opponent=bob.player, clock={"days_per_move": 3}, rated=rated)
    game = container.games.create(ann.player, wanted).id
    for person in (ann, bob):
        page = person.get(f"/games/{game}")
        (terms,) = re.findall(r'<ul class="terms".*?>(.*?)</ul>', page)
        said = "rated" if rated else "unrated"
        assert sorted(re.findall("<li>(.*?)</li>", terms)) == [
            "3 days for each turn",
            said,
            "whoever runs out of time loses",
        ]


@pytest.mark.parametrize("games", [0, 3])
def test_only_newcomers_are_offered_lessons_below_an_invitation(
    app: Flask, container: Container, ann: Browser, games: int
) -> None:
    bob = browser_of(app, container, "Bob")
    for _ in range(games):
        container.games.create(bob.player, NewGame(bot="steward"))
    invited = container.games.create(ann.player, NewGame(opponent=bob.player)).id
    assert ("Five short lessons" in bob.get(f"/games/{invited}")) is (games == 0)
