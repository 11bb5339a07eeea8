"""The commands by which an operator acts."""

import pytest

from service.container import Container
from service.games import NewGame
from tests.cli.runner import run

pytestmark = pytest.mark.usefixtures("environment")


def test_a_link_opens_once(store: Container) -> None:
    told = run("operator")
    assert told.exit_code == 0
    base, _, secret = told.output.strip().splitlines()[-1].rpartition("/operator/open/")
    assert base.startswith("http")
    access = store.operator_access
    session = access.open(secret)
    assert session is not None
    assert access.is_open(session)
    assert access.open(secret) is None
    assert not access.is_open(secret)
    assert session not in "".join(store.redis.scan_iter("st:{operator}:*"))
    access.close(session)
    assert not access.is_open(session)


def test_an_invitation_is_a_link(store: Container) -> None:
    invited = run("invite")
    assert invited.exit_code == 0
    base, _, secret = invited.output.strip().splitlines()[-1].rpartition("/welcome/")
    assert base.startswith("http")
    assert store.admission.is_invitation(secret)


def test_players_are_muted_by_name_or_id(store: Container) -> None:
    ann = store.registrations.register("Ann").player.id
    assert run("mute", "ann").output == "Ann is muted.\n"
    assert list(store.games.conversations.moderation.muted()) == [ann]
    assert run("mute").output.split()[1:] == [ann, "Ann"]
    assert run("mute", "--lift", ann).output == "Ann can write again.\n"
    assert run("mute").output == ""


def test_an_account_is_suspended_and_readmitted_with_a_reason(store: Container) -> None:
    ann = store.registrations.register("Ann").player.id
    assert run("account", "suspend", "ann").exit_code == 2
    done = run("account", "suspend", "ann", "--why", "spam", "--as", "Morag")
    assert done.output == "suspend: Ann\n"
    player = store.players.find(ann)
    assert player is not None
    assert player.suspended is not None
    run("account", "readmit", ann, "--why", "said sorry", "--as", "Morag")
    player = store.players.find(ann)
    assert player is not None
    assert player.suspended is None
    latest, first = run("acts").output.splitlines()
    assert f"Morag  suspend  Ann ({ann})  spam" in first
    assert f"Morag  readmit  Ann ({ann})  said sorry" in latest


def test_an_account_is_renamed_to_a_name_that_can_be_taken(store: Container) -> None:
    store.registrations.register("Ann")
    assert run("account", "rename", "Ann", "--why", "x").exit_code == 2
    assert run("account", "rename", "Ann", "--why", "x", "--to", "Steward").exit_code == 1
    assert run("account", "rename", "Ann", "--why", "x", "--to", "Anne").exit_code == 0
    assert store.players.named("Anne")


def test_nobody_of_that_name(store: Container) -> None:
    told = run("mute", "No\x1b[2Jbody")
    assert told.exit_code == 1
    assert "no player is called No\\x1b[2Jbody" in told.output


def test_a_game_is_removed_once_its_id_is_typed_again(store: Container) -> None:
    ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = store.games.create(ann, NewGame(opponent=bob)).id
    wrong = run("remove-game", game, "--why", "a ruling", "--confirm", "a" * 20)
    assert wrong.exit_code == 1
    assert "nothing was removed" in wrong.output
    assert store.log.events.exists(game)
    done = run("remove-game", game, "--why", "a ruling", "--confirm", game, "--as", "Morag")
    assert done.output.splitlines()[-1] == f"removed: {game}"
    assert not store.log.events.exists(game)
    assert f"Morag  remove-game  game ({game})  a ruling" in run("acts").output


def test_a_game_that_never_was_is_not_removed(store: Container) -> None:
    refused = run("remove-game", "a" * 20, "--why", "a ruling", "--confirm", "a" * 20)
    assert refused.exit_code == 1
    assert "there is no such game" in refused.output
