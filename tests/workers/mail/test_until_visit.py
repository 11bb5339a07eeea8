"""One mail, then none until its reader visits."""

import pytest

from service.core.times import DAY, HOUR
from tests.workers.delivering import deliver_together
from tests.workers.mail.club import Club


class TestUntilVisit:
    @pytest.fixture(autouse=True)
    def _chosen(self, club: Club) -> None:
        club.choose(delivery="until_visit")

    def _another_turn(self, club: Club) -> int:
        club.begin()
        club.wait(HOUR)
        return len(club.sent)

    def test_a_page_is_a_visit(self, club: Club) -> None:
        assert self._another_turn(club) == 1
        assert self._another_turn(club) == 1
        club.visit()
        assert self._another_turn(club) == 2

    def test_an_own_end_is_not_the_one_mail(self, club: Club) -> None:
        game = club.begin()
        club.visit()
        club.container.games.resign(game, club.ann)
        assert self._another_turn(club) == 1

    def test_a_request_to_the_api_is_a_visit(self, club: Club) -> None:
        token = club.container.tokens.create(club.ann, "a program", ["games:read"]).text
        self._another_turn(club)
        answer = club.client.get("/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        assert self._another_turn(club) == 2

    def test_an_answer_by_mail_is_a_visit(self, club: Club) -> None:
        self._another_turn(club)
        ((_, message),) = club.mailer.sent
        (asked,) = [mail.message for mail in club._mails() if mail.id == message.id]
        raw = f"From: ann@example.org\nTo: {asked['Reply-To']}\nMessage-ID: <1@x>\n\nshow\n"
        incoming = club.container.incoming_mail
        incoming.accept(str(asked["Reply-To"]), "ann@example.org", raw.encode())
        while due := club.container.log.outbox.claim(100, 60):
            deliver_together(club.context, due)
        assert len(club.mailer.sent) == 2, "the answer"
        assert self._another_turn(club) == 3

    @pytest.mark.parametrize("token", ["scot_{ann}" + "x" * 43, "scos_{ann}" + "x" * 43])
    def test_whoever_names_the_player_is_no_visitor(self, club: Club, token: str) -> None:
        self._another_turn(club)
        forged = token.format(ann=club.ann)
        club.client.get("/v1/games", headers={"Authorization": f"Bearer {forged}"})
        club.client.set_cookie("scottenbury_session", forged)
        club.client.get("/")
        assert self._another_turn(club) == 1

    def test_a_visit_of_another_counts_for_nothing(self, club: Club) -> None:
        self._another_turn(club)
        token = club.container.tokens.create(club.bob, "a program", ["games:read"]).text
        club.client.get("/v1/games", headers={"Authorization": f"Bearer {token}"})
        assert self._another_turn(club) == 1

    def test_the_one_mail_is_tried_again(self, club: Club) -> None:
        club.mailer.broken = True
        club.begin()
        club.wait(HOUR)
        club.mailer.broken = False
        club.wait(DAY)
        assert len(club.sent) == 1

    def test_one_that_never_left_leaves_room(self, club: Club) -> None:
        club.mailer.broken = True
        game = club.begin()
        club.deliver()
        club.play(game, club.ann)
        club.mailer.broken = False
        club.wait(DAY)
        assert club.sent == []
        assert self._another_turn(club) == 1

    def test_quiet_hours_come_first(self, club: Club) -> None:
        club.choose(quiet="11:00-15:00")
        club.begin()
        club.begin()
        club.wait(DAY)
        (mail,) = club.sent
        assert mail.hour("UTC") == 15
