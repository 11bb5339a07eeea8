"""Answers that a worker dies of, or in the middle of which it dies."""

import pytest

from service.mail_in import message
from tests.workers.mail.correspondence import Correspondent, flat, held, run, text_of
from tests.workers.match import Match


class TestCrashes:
    def come_in(self, match: Match, bob: Correspondent, sender: str, content: str) -> str:
        """The id of a mail that has come in as an answer of Bob's."""
        incoming = match.context.container.incoming_mail
        raw = f"From: {sender}\nMessage-ID: <x@y>\n{content}".encode()
        incoming.accept(str(bob.latest["Reply-To"]), sender, raw)
        due = match.context.container.log.outbox.pending()
        return next(one.id for one in due if "mail-in" in one.id).partition(".")[0]

    def test_the_text_is_not_parsed_before_the_sender_is_believed(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(message, "read_apart", lambda content: 1 / 0)
        incoming = match.context.container.incoming_mail
        to = bob.latest["Reply-To"]
        raw = f"From: {bob.email}\nTo: {to}\n\n{held(match)[0]}\n".encode()
        assert incoming.recipients_of(raw) == [to]
        html = "Content-Type: text/html\n\n<b>R7@3"
        assert incoming.process(self.come_in(match, bob, "eve@example.org", html)) == "stranger"

    def die_twice(
        self, match: Match, mail_id: str, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
    ) -> None:
        """Let two workers die over the mail as they call this."""

        class Died(BaseException):
            """As if the process ended: nothing is done after it."""

        def die(*given: object) -> None:
            raise Died

        incoming = match.context.container.incoming_mail
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, die)
            broken.setattr(incoming._store, "end_try", lambda mail_id: None)
            for _ in range(2):
                with pytest.raises(Died):
                    incoming.process(mail_id)

    def test_a_mail_of_which_a_worker_dies_is_given_up_and_answered(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        self.die_twice(match, mail_id, monkeypatch, message, "read_apart")
        with monkeypatch.context() as broken:
            broken.setattr(message, "read_apart", lambda content: 1 / 0)
            assert incoming.process(mail_id) == "refused"
        version = match.now().version
        run(match.context)
        said = flat(text_of(bob.latest))
        assert "failed twice over your mail" in said
        assert "Nothing was played" in said
        assert match.now().version == version

    def test_a_mail_that_was_given_up_is_answered_although_workers_die_of_that_too(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        self.die_twice(match, mail_id, monkeypatch, message, "read_apart")
        self.die_twice(match, mail_id, monkeypatch, incoming._store, "finish")
        run(match.context)
        assert "failed twice over your mail" in flat(text_of(bob.latest))

    def test_a_wish_that_was_given_up_is_answered_so(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        sender = "scottenbury@scottenbury.test"
        raw = f"From: {bob.email}\nMessage-ID: <wish@x>\n\nvacation until 9 Dec\n".encode()
        incoming.accept(sender, bob.email, raw)
        (notice,) = [one for one in match.due() if "mail-in" in one]
        self.die_twice(match, notice.partition(".")[0], monkeypatch, message, "read_beginning")
        run(match.context)
        assert "failed twice over your mail" in flat(text_of(bob.latest))

    def test_a_mail_that_was_played_before_it_was_given_up_is_confirmed(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        version = match.now().version
        with monkeypatch.context() as broken:
            broken.setattr(incoming._store, "finish", lambda *given: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                incoming.process(mail_id)
        played = match.now().version
        assert played > version
        self.die_twice(match, mail_id, monkeypatch, incoming._store, "finish")
        assert incoming.process(mail_id) == "played"
        run(match.context)
        assert "it was played before" in flat(text_of(bob.latest))
        assert match.now().version == played

    def test_a_failure_is_no_death(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        mail_id = self.come_in(match, bob, bob.email, f"\n{held(match)[0]}\n")
        with monkeypatch.context() as broken:
            broken.setattr(message, "read_apart", lambda content: 1 / 0)
            for _ in range(5):
                with pytest.raises(ZeroDivisionError):
                    incoming.process(mail_id)
        assert incoming.process(mail_id) == "played"

    def test_a_mail_is_played_once_wherever_a_worker_dies(
        self, match: Match, bob: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incoming = match.context.container.incoming_mail
        version, move = match.now().version, held(match)[0]
        raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\n{move}\n".encode()
        incoming.accept(str(bob.latest["Reply-To"]), bob.email, raw)
        (notice,) = [
            n.id for n in match.context.container.log.outbox.pending() if "mail-in" in n.id
        ]
        mail_id = notice.partition(".")[0]
        # Played, and ended before that was kept.
        with monkeypatch.context() as broken:
            broken.setattr(incoming._store, "finish", lambda *given: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                incoming.process(mail_id)
        played = match.now().version
        assert played > version
        assert incoming.process(mail_id) == "played"
        assert incoming.process(mail_id) == "played"
        mails = len(bob.mails())
        run(match.context)
        assert incoming.process(mail_id) == "played"
        run(match.context)
        assert match.now().version == played
        assert len(bob.mails()) == mails + 1
