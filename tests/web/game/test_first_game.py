"""First games: hints on the first turn, the formations, and how to be told of the next."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

import engine
from service.accounts.mail_preferences import Delivery
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame, StoredGame
from service.games.notices import choose_delivery
from service.games.turn_draft import TurnDraft, draft_turn
from service.server.app import create_app
from tests.support.application import Server
from tests.support.clock import Clock
from tests.support.games import arranged, play_on, played
from tests.support.settings import settings
from tests.web.people import browser_of, put_together, visitor
from tests.web.pressing import Visitor

HEADING = "Turn alerts"
UNCONFIRMED = "zoe@example.org, not confirmed yet."


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    """A server for this machine alone, whose mailbox its people may read."""
    return create_app(settings(base_url="http://localhost"), redis, clock)


@pytest.fixture
def guest(client: FlaskClient) -> Visitor:
    """Somebody who plays the bot, before their first turn."""
    person = Visitor(client)
    person.press("Play a bot")
    return person


def hint(person: Visitor) -> str | None:
    """Which of the hints the page shows."""
    found = re.search(r"<strong>(\d) of 3</strong>", person.answer.text)
    return found and found[1]


def opened(person: Visitor) -> bool:
    """Whether the page shows the formations unfolded."""
    (formations,) = (
        each
        for each in person.page.all("details")
        if "formations" in each.attributes.get("class", "")
    )
    return "open" in formations.attributes


def first_legal(stored: StoredGame) -> TurnDraft:
    """A turn whose card is the first that may be played."""
    seat = stored.game.turn
    assert seat is not None
    return draft_turn(stored.game, seat, engine.legal(stored.game)[:1])


class TestHints:
    def test_each_stands_where_it_helps_and_none_after_the_first_turn(self, guest: Visitor) -> None:
        assert hint(guest) == "1"
        guest.press(guest.hand[0])
        assert hint(guest) == "2"
        guest.press("Play on Stone 3")
        assert hint(guest) == "3"
        guest.send()
        assert hint(guest) is None
        assert "Formations, the strongest first" in guest.answer.text

    def test_they_are_put_away_for_good_and_the_turn_stays(self, guest: Visitor) -> None:
        put_together(guest)
        guest.press("Hide the hints")
        assert guest.status.startswith("Your turn")
        assert any(name.startswith("Send") for name in guest.buttons)
        assert hint(guest) is None
        guest.go(guest.path)
        assert hint(guest) is None

    def test_while_a_deck_is_to_be_chosen_they_speak_of_it(self, server: Server) -> None:
        ann = server.container.registrations.register("Ann").player.id
        wanted = NewGame(bot="steward", first_player="creator", tactics=True)
        person = visitor(server.app, ann)
        person.go(f"/games/{server.container.games.create(ann, wanted).id}")
        person.press(next(card for card in person.hand if card[-1].isdigit()))
        person.press("Play on Stone 3")
        assert "Choose a deck" in person.answer.text
        person.press("Draw a Clan card")
        assert "Now send it" in person.answer.text

    def test_the_first_claim_that_is_possible_is_explained(self, server: Server) -> None:
        games = server.container.games
        ann, bo = (server.container.registrations.register(one).player.id for one in ("Ann", "Bo"))
        made = games.create(ann, NewGame(opponent=bo, salt="a"), secret="5e" * 32)
        stored = games.join(made.id, bo, salt="b")
        while not (draft := first_legal(stored)).claimable:
            stored = games.play(made.id, stored.player_to_move() or "", list(draft.actions))
        mover = stored.player_to_move() or ""
        person = visitor(server.app, mover)
        person.go(f"/games/{made.id}?turn={draft.actions[0]}&version={stored.version}")
        assert "claim it, and it’s yours. Three in a row win" in person.answer.text
        person.press(f"Claim Stone {draft.claimable[0]}")
        person.send()
        while stored.player_to_move() != mover or not first_legal(stored).claimable:
            stored = games.load(made.id)
            legal = list(first_legal(stored).actions)
            stored = games.play(made.id, stored.player_to_move() or "", legal)
        draft = first_legal(stored)
        person.go(f"/games/{made.id}?turn={draft.actions[0]}&version={stored.version}")
        assert "claim it, and it’s yours" not in person.answer.text

    def test_the_formations_stay_open_until_they_are_put_away(self, guest: Visitor) -> None:
        put_together(guest)
        assert opened(guest)
        guest.press("I know them")
        assert not opened(guest)
        assert any(name.startswith("Send") for name in guest.buttons)
        guest.go(guest.path)
        assert not opened(guest)
        assert "Formations, the strongest first" in guest.answer.text

    @pytest.mark.parametrize(("games", "is_open"), [(1, True), (2, False)])
    def test_they_are_open_in_the_first_game_and_folded_in_the_second(
        self, app: Flask, container: Container, games: int, is_open: bool
    ) -> None:
        ann = container.registrations.register("Ann").player.id
        wanted = NewGame(bot="steward", first_player="creator")
        *_, last = (container.games.create(ann, wanted).id for _ in range(games))
        person = visitor(app, ann)
        person.go(f"/games/{last}")
        assert hint(person) == ("1" if is_open else None)
        assert opened(person) is is_open
        person.press("I know them")
        if not is_open:
            assert "Formations, the strongest first" not in person.answer.text

    def test_they_stay_open_however_far_the_first_game_is(
        self, app: Flask, container: Container
    ) -> None:
        ann, bob = friends_at(app, container)
        play_on(container, ann.path.rpartition("/")[2], 11)
        bob.go(ann.path)
        assert opened(bob)

    def test_who_looks_on_has_none(self, app: Flask, guest: Visitor) -> None:
        stranger = Visitor(app.test_client())
        stranger.go(guest.path)
        assert hint(stranger) is None

    def test_what_is_no_hint_is_not_put_away(self, guest: Visitor) -> None:
        action, fields = guest.fields_of("Hide the hints")
        guest.post(action, [*(field for field in fields if field[0] != "hint"), ("hint", "cards")])
        assert guest.answer.status_code == 422


@pytest.fixture
def friends(app: Flask, container: Container) -> tuple[Visitor, Visitor]:
    """Two guests and their game: one to begin it, and one who waits."""
    return friends_at(app, container)


def friends_at(app: Flask, container: Container) -> tuple[Visitor, Visitor]:
    ann, bob = (browser_of(app, container, name).player for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(first_player="creator")).id
    container.games.join(game, bob, invite=container.games.invitations.token(game))
    both = visitor(app, ann), visitor(app, bob)
    for person in both:
        person.go(f"/games/{game}")
    return both


class TestNotifying:
    def test_a_bot_answers_at_once_so_nobody_is_asked(self, guest: Visitor) -> None:
        put_together(guest)
        guest.send()
        assert HEADING not in guest.answer.text

    def test_whoever_waits_is_asked_and_the_other_once_their_turn_is_sent(
        self, friends: tuple[Visitor, Visitor]
    ) -> None:
        begins, waits = friends
        assert HEADING in waits.answer.text
        assert HEADING not in begins.answer.text
        put_together(begins)
        begins.send()
        assert HEADING in begins.answer.text
        begins.press("Not now")
        assert HEADING not in begins.answer.text
        begins.go(begins.path)
        assert HEADING not in begins.answer.text

    def test_a_game_against_the_bot_before_takes_the_question_from_nobody(
        self, app: Flask, container: Container
    ) -> None:
        dot = browser_of(app, container, "Dot").player
        container.games.create(dot, NewGame(bot="steward"))
        person = visitor(app, dot)
        person.go(f"/games/{container.games.create(dot, NewGame()).id}")
        assert HEADING in person.answer.text

    def test_an_address_is_asked_for_and_to_be_confirmed(self, redis: Client, clock: Clock) -> None:
        app = create_app(settings(smtp_url="smtp://mail"), redis, clock)
        _, guest = friends_at(app, app.extensions["scottenbury"])
        assert "no mail out" not in guest.answer.text
        guest.press("Mail me", email="zoe at home")
        assert "Give a whole e-mail address" in guest.answer.text
        guest.press("Mail me", email="zoe@example.org")
        assert "Open the link we mailed to zoe@example.org." in guest.answer.text
        assert HEADING not in guest.answer.text
        guest.press("Hide this")
        assert "zoe@example.org" not in guest.answer.text

    def test_an_address_that_is_not_confirmed_is_the_list_s_matter_once_a_channel_tells(
        self, redis: Client, clock: Clock
    ) -> None:
        app = create_app(settings(smtp_url="smtp://mail"), redis, clock)
        container: Container = app.extensions["scottenbury"]
        _, guest = friends_at(app, container)
        path = guest.path
        guest.press("Mail me", email="zoe@example.org")
        (bob,) = container.players.named("Bob")
        topic = {"url": "https://ntfy.sh", "topic": "stones"}
        container.channels.add(bob.id, "ntfy", topic)
        guest.go(path)
        assert "zoe@example.org" not in guest.answer.text

    def test_a_server_without_mail_says_so_before_and_after(
        self, friends: tuple[Visitor, Visitor]
    ) -> None:
        _, guest = friends
        assert "set up here; see <a href" in guest.answer.text
        guest.press("Mail me", email="zoe@example.org")
        assert "Nothing goes out to zoe@example.org" in guest.answer.text
        guest.press("Hide this")
        assert UNCONFIRMED not in guest.answer.text
        guest.go("/games")
        assert UNCONFIRMED in guest.answer.text

    def test_mails_have_the_browser_s_time_zone_until_another_is_chosen(
        self, friends: tuple[Visitor, Visitor], container: Container
    ) -> None:
        _, guest = friends
        (bob,) = container.players.named("Bob")
        guest.press("Mail me", email="zoe@example.org", zone="Europe/Berlin")
        assert container.mail_preferences.choice(bob.id).time_zone == "Europe/Berlin"

    @pytest.mark.parametrize(("contact", "is_asked"), [(None, False), ("mailto:a@x.org", True)])
    def test_where_nobody_reads_mail_none_is_offered(
        self, redis: Client, clock: Clock, contact: str | None, is_asked: bool
    ) -> None:
        app = create_app(settings(contact=contact), redis, clock)
        _, guest = friends_at(app, app.extensions["scottenbury"])
        assert (HEADING in guest.answer.text) == is_asked
        assert "Mail me" not in guest.answer.text

    def test_push_is_one_press_and_acknowledged(self, redis: Client, clock: Clock) -> None:
        app = create_app(settings(contact="mailto:ada@example.org"), redis, clock)
        container: Container = app.extensions["scottenbury"]
        _, guest = friends_at(app, container)
        path, keys = guest.path, {"p256dh": "B" * 87, "auth": "A" * 22}
        guest.press("Push to this browser", endpoint="https://push.example.org/1", **keys)
        assert guest.path.startswith(path)
        assert "This browser will tell you" in guest.answer.text
        guest.go(path)
        assert HEADING not in guest.answer.text
        (bob,) = container.players.named("Bob")
        (channel,) = container.channels.all(bob.id)
        assert (channel.type, channel.name) == ("push", "This browser")

    def test_whoever_is_reached_is_not_asked(self, app: Flask, container: Container) -> None:
        cat = container.registrations.register("Cat", "cat@example.org").player.id
        person = visitor(app, cat)
        person.go(f"/games/{container.games.create(cat, NewGame()).id}")
        assert HEADING not in person.answer.text
        assert "Check your mail" not in person.answer.text

    def test_the_maker_of_an_open_game_is_asked_and_no_stranger(self, server: Server) -> None:
        dot = browser_of(server.app, server.container, "Dot").player
        made = server.container.games.create(dot, NewGame())
        maker = visitor(server.app, dot)
        maker.go(f"/games/{made.id}")
        assert HEADING in maker.answer.text
        assert "when somebody joins" in maker.answer.text
        stranger = Visitor(server.app.test_client())
        stranger.go(maker.path)
        assert HEADING not in stranger.answer.text
        maker.press("Not now")
        assert HEADING not in maker.answer.text


def test_the_goal_comes_first_and_then_what_is_strong(app: Flask, container: Container) -> None:
    ann, _ = friends_at(app, container)
    assert "Three Stones in a row win, or any five. Pick a card." in ann.page.text
    play_on(container, ann.path.rpartition("/")[2], 2)
    ann.go(ann.path)
    assert "A run in one colour is the strongest." in ann.page.text
    play_on(container, ann.path.rpartition("/")[2], 6)
    ann.go(ann.path)
    assert "A run in one colour is the strongest." not in ann.page.text


@pytest.fixture
def people(container: Container) -> dict[engine.Seat, str]:
    """Two newcomers, by seat."""
    return {
        seat: container.registrations.register(name).player.id
        for seat, name in (("north", "Ann"), ("south", "Bob"))
    }


def test_a_newcomer_learns_where_to_read_why_a_stone_was_claimed(
    app: Flask, container: Container, people: dict[engine.Seat, str]
) -> None:
    game = arranged(container, people)
    played(container, game, people, "R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")
    bob = visitor(app, people["south"])
    bob.go(f"/games/{game}")
    assert "Press Stone 1 to read why it was claimed." in bob.page.text


def test_a_newcomer_learns_where_to_read_why_a_complete_side_is_no_claim_yet(
    app: Flask, container: Container, people: dict[engine.Seat, str]
) -> None:
    game = arranged(container, people, deck=("Y1",))
    ann, asks = visitor(app, people["north"]), "Press Stone 5 to read why you can’t claim it yet."
    # A sum on an otherwise empty Stone: almost anything may beat it.
    played(container, game, people, "R7@5", "G1@1", "R8@5", "G3@2")
    ann.go(f"/games/{game}")
    assert asks not in ann.page.text
    played(container, game, people, "O1@5", "G5@3")
    ann.go(f"/games/{game}")
    assert asks in ann.page.text
    played(container, game, people, "O2@4", "B2@6")
    ann.go(f"/games/{game}")
    assert asks not in ann.page.text
    played(container, game, people, "O3@4", "B4@7", "Y1@4", "B6@8")
    ann.go(f"/games/{game}")
    assert "to read why you can’t claim it yet" in ann.page.text


def test_a_newcomer_learns_before_playing_that_a_stone_can_be_claimed(
    app: Flask, container: Container, people: dict[engine.Seat, str]
) -> None:
    game = arranged(container, people)
    ann, says = visitor(app, people["north"]), "Nothing beats you at Stone 5: play"
    played(container, game, people, "R7@5", "G1@1", "R8@5", "G3@2")
    ann.go(f"/games/{game}")
    assert says not in ann.page.text
    played(container, game, people, "R9@5 +C", "G5@3")
    ann.go(f"/games/{game}")
    assert says in ann.page.text
    played(container, game, people, "O1@1 !5", "B2@4")
    ann.go(f"/games/{game}")
    assert says not in ann.page.text


def test_the_sign_at_a_stone_is_put_in_words_after_the_first_claim_too(
    app: Flask, container: Container, people: dict[engine.Seat, str]
) -> None:
    game = arranged(container, people)
    played(container, game, people, "R7@5", "G1@1", "R8@5", "G3@2", "R9@5 +C", "G5@3")
    played(container, game, people, "O1@1 !5", "B2@4", "O2@1", "B4@6", "O3@1 +C", "B6@7")
    ann = visitor(app, people["north"])
    ann.go(f"/games/{game}")
    assert "Nothing beats you at Stone 1: play, then claim it." in ann.page.text


@pytest.mark.parametrize("delivery", ["at_once", "off"])
def test_only_who_can_be_told_is_promised_word_of_an_answer(
    app: Flask, container: Container, delivery: Delivery
) -> None:
    ann = browser_of(app, container, "Ann", "ann@example.org")
    bob = browser_of(app, container, "Bob")
    game = container.games.create(ann.player, NewGame(opponent=bob.player)).id
    choose_delivery(container.mail_preferences, container.games.load(game), ann.player, delivery)
    page = ann.client.get(f"/games/{game}").text
    assert ("We’ll tell you when Bob accepts." in page) is (delivery == "at_once")


def test_alerts_and_sounds_are_asked_about_in_the_first_turns_only(
    app: Flask, container: Container
) -> None:
    players = [container.registrations.register(name).player.id for name in ("Ann", "Bob")]
    game = container.games.create(players[0], NewGame(opponent=players[1], first_player="creator"))
    container.games.join(game.id, players[1])
    bob = visitor(app, players[1])
    seen = {}
    for turns in range(0, 10, 2):
        bob.go(f"/games/{game.id}")
        seen[turns] = (HEADING in bob.answer.text, "data-asks" in bob.answer.text)
        play_on(container, game.id, 2)
    assert [turns for turns, (alerts, _) in seen.items() if alerts] == [0, 2, 4]
    assert [turns for turns, (_, sounds) in seen.items() if sounds] == [0, 2, 4, 6]
