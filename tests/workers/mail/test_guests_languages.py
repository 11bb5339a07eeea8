"""The language of mails to those without an account, and to an account that the mail's recipient
does not name."""

import pytest

from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.workers.mail.correspondence import Correspondent, run, text_of
from tests.workers.match import Match, registered
from workers.context import WorkerContext

CY = "cy@example.org"


def choose(match: Match, player: str, language: str) -> None:
    match.context.container.mail_preferences.set_choice(player, {"language": language})


@pytest.fixture
def cy(context: WorkerContext, match: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(context, mailbox, CY)


def invite(match: Match, language: str | None = None) -> str:
    wanted = NewGame(opponent_email=CY, language=language, first_player="creator")
    made = match.context.container.games.create(match.ann, wanted)
    run(match.context)
    return made.id


@pytest.mark.parametrize(
    ("own", "chosen", "language"), [("fr", None, "fr"), ("fr", "de", "de"), ("fr", "en", "en")]
)
def test_an_invitation_is_in_the_language_chosen_for_it_or_else_its_hosts(
    match: Match, cy: Correspondent, own: str, chosen: str | None, language: str
) -> None:
    choose(match, match.ann, own)
    invite(match, chosen)
    assert cy.latest["Content-Language"] == language


def test_an_account_at_the_address_has_its_own_language(match: Match, cy: Correspondent) -> None:
    player = registered(match.context, "Cy")
    choose(match, player, "de")
    invite(match, "fr")
    assert cy.latest["Content-Language"] == "de"


def test_it_is_called_off_in_the_same_language(match: Match, cy: Correspondent) -> None:
    game = invite(match, "de")
    match.context.container.games.call_off(game, match.ann)
    run(match.context)
    assert [mail["Content-Language"] for mail in cy.mails()] == ["de", "de"]


def test_whoever_answers_it_is_answered_so_and_keeps_the_language(
    match: Match, cy: Correspondent
) -> None:
    game = invite(match, "de")
    assert "Unter welchem Namen" in cy.answer("annehmen")
    assert "Unter welchem Namen" in text_of(cy.latest)
    assert cy.latest["Content-Language"] == "de"
    cy.answer("Ja. annehmen als Cy")
    cy.answer("ja")
    assert cy.latest["Content-Language"] == "de"
    container = match.context.container
    (new,) = set(container.games.load(game).players) - {match.ann}
    assert container.mail_preferences.reading(new).browser_language == "de"


@pytest.mark.parametrize(
    ("said", "language"),
    [("annehmen als Cy", "de"), ("J'accepte comme Cy", "fr"), ("accept as Cy", "en")],
)
@pytest.mark.parametrize("invited_in", ["en", "de"])
def test_a_guest_who_accepts_in_words_of_one_language_has_mails_in_it(
    match: Match, cy: Correspondent, said: str, language: str, invited_in: str
) -> None:
    game = invite(match, invited_in)
    cy.answer(said)
    assert cy.latest["Content-Language"] == language
    container = match.context.container
    (new,) = set(container.games.load(game).players) - {match.ann}
    assert container.mail_preferences.reading(new).browser_language == language


def test_a_guest_is_answered_in_the_language_that_they_ask_for(
    match: Match, cy: Correspondent
) -> None:
    invite(match, "en")
    cy.answer("Could I have this in German please?\nlanguage German\nThanks")
    assert "Du bekommst E-Mails" in text_of(cy.latest)
    assert "Unter welchem Namen" in cy.answer("Was für eine nette Idee! Ich nehme an.")
    assert "Du bist dabei." in cy.answer("Carl")
    assert cy.latest["Content-Language"] == "de"


def test_an_acceptance_among_other_words_is_asked_about(match: Match, cy: Correspondent) -> None:
    game = invite(match)
    loaded = match.context.container.games.load
    assert "Under which name do you want to play?" in cy.answer("Well I never, Bob! I accept.")
    assert "You would play as Carl" in cy.answer("Well I never, Bob! I accept as Carl.")
    assert len([each for each in loaded(game).players if each]) == 1
    cy.answer("Yes, that one. Thanks!")
    assert len([each for each in loaded(game).players if each]) == 2


def test_a_removed_game_keeps_nothing_about_its_invitation(match: Match) -> None:
    invitations = match.context.container.games.invitations
    game = invite(match, "de")
    assert invitations.language(game) == "de"
    invitations.forget_game(game)
    assert invitations.language(game) is None


def test_a_link_to_sign_in_is_in_the_language_of_the_account_confirmed_or_not(
    match: Match, mailbox: Mailbox
) -> None:
    container = match.context.container
    player = container.registrations.register("Dee", "dee@example.org").player
    choose(match, player.id, "fr")
    run(match.context)
    container.sign_in.request_link("dee@example.org")
    run(match.context)
    dee = Correspondent(match.context, mailbox, "dee@example.org")
    assert [mail["Content-Language"] for mail in dee.mails()] == ["fr", "fr"]


@pytest.mark.parametrize("to", ["elsewhere@example.org", None])
def test_a_former_address_is_told_in_the_players_language(
    match: Match, ann: Correspondent, to: str | None
) -> None:
    choose(match, match.ann, "fr")
    player = match.context.container.players.find(match.ann)
    assert player is not None
    match.context.container.players.set_address(player, to)
    run(match.context)
    assert ann.latest["Content-Language"] == "fr"
    assert "adresse" in str(ann.latest["Subject"]).lower()
