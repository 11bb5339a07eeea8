"""Whose mail an answer is: players, strangers who hold an address, and machines."""

import pytest

from service.core.errors import RequestRejected
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, Pair, counts, held, run, text_of
from tests.workers.match import Match
from workers.context import build_context


class TestWhoseMail:
    def test_another_address_plays_nothing_and_the_player_is_told(self, pair: Pair) -> None:
        version = pair.match.now().version
        text = pair.bob.answer(held(pair.match)[0], sender="eve@example.org")
        assert pair.match.now().version == version
        assert "not yours here" in text
        assert "eve" not in text
        assert "The board" not in text

    def test_the_opponent_cannot_play_with_the_players_address(self, pair: Pair) -> None:
        version = pair.match.now().version
        pair.ann.answer(held(pair.match)[0], to=str(pair.bob.latest["Reply-To"]))
        assert pair.match.now().version == version

    def test_forged_addresses_are_refused_at_the_door(self, pair: Pair) -> None:
        turn = str(pair.bob.latest["Reply-To"])
        other = turn[:-25] + ("b" if turn[-25] == "a" else "a") + turn[-24:]
        incoming = pair.match.context.container.incoming_mail
        for changed in (turn.replace("+ts", "+tn"), other, "x@y.z", ""):
            with pytest.raises(RequestRejected):
                incoming.accept(changed, "bob@example.org", b"From: bob@example.org\n\nR1@1")

    def test_an_unverified_address_plays_nothing_where_mail_is_real(
        self, match: Match, bob: Correspondent, redis: Client, clock: Clock
    ) -> None:
        strict = settings(smtp_url="smtp://127.0.0.1:1", mail_domain="scottenbury.test")
        context = build_context(strict, redis, clock, match.context.mailer)
        player = context.container.players.find(match.bob)
        redis.hdel(f"st:{{{player.id}}}:player", "verified")
        version, move, turn = match.now().version, held(match)[0], str(bob.latest["Reply-To"])
        Correspondent(context, bob.mailbox, bob.email).answer(move)
        assert match.now().version == version
        # The address that stands for him in the local mailbox is nobody's out there.
        local = f"{match.bob}@mailbox.invalid"
        raw = f"From: {local}\nMessage-ID: <1@x>\n\n{move}\n".encode()
        context.container.incoming_mail.accept(turn, local, raw)
        run(context)
        assert match.now().version == version

    @pytest.mark.parametrize(
        ("result", "plays"),
        [
            ("mx.example.org; dmarc=fail header.from=example.org", False),
            ("mx.example.org; spf=fail; dkim=none", False),
            ("mx.example.org 1; dkim=pass; spf=fail; dmarc=pass", True),
            ("mx.example.org; spf=pass smtp.mailfrom=evil.example; dkim=fail", False),
            ("mx.example.org; spf=fail; dkim=pass header.d=mail.example.org", True),
            ("mx.example.org; spf=pass smtp.mailfrom=evil.example; dkim=none", True),
            ("elsewhere.example.org; dmarc=fail", True),
        ],
    )
    def test_our_own_servers_verdict_counts(
        self, pair: Pair, redis: Client, result: str, plays: bool
    ) -> None:
        known = build_context(settings(mail_authserv="mx.example.org"), redis, pair.clock)
        version = pair.match.now().version
        writer = Correspondent(known, pair.bob.mailbox, pair.bob.email)
        text = writer.answer(held(pair.match)[0], Authentication_Results=result)
        assert (pair.match.now().version > version) is plays
        assert plays or "did not pass" in text

    @pytest.mark.parametrize("sender", ["eve@example.org", ""])
    def test_what_stands_in_a_copy_is_told_to_its_writer_alone(
        self, match: Match, bob: Correspondent, sender: str
    ) -> None:
        copied = "-----Original Message-----\nFrom: Scottenbury\n\nclaim 7\n"
        assert ("Line 4: " in bob.answer(copied, sender=sender)) is (sender == "")

    def test_who_answers_the_sender_is_led_to_the_right_address(self, pair: Pair) -> None:
        version, turn = pair.match.now().version, pair.bob.latest["Reply-To"]
        text = pair.bob.answer(held(pair.match)[0], to="scottenbury@scottenbury.test")
        assert pair.match.now().version == version
        assert "where nothing can be played" in text
        assert pair.bob.latest["Reply-To"] == turn

    def test_strangers_at_the_sender_are_not_answered(self, pair: Pair) -> None:
        mails = len(pair.bob.mailbox.newest(500))
        pair.bob.answer("help", to="scottenbury@scottenbury.test", sender="eve@example.org")
        assert len(pair.bob.mailbox.newest(500)) == mails
        assert counts(pair.match) == {"misdirected": 1}


class TestMachines:
    @pytest.mark.parametrize(
        ("headers", "counted"),
        [
            ({"Auto_Submitted": "auto-replied"}, "automatic"),
            ({"Precedence": "bulk"}, "automatic"),
            ({"List_Id": "<a.b>"}, "list"),
            ({"X_Scottenbury_Game": "abc"}, "loop"),
        ],
    )
    def test_they_are_dropped_and_counted(
        self, match: Match, bob: Correspondent, headers: dict[str, str], counted: str
    ) -> None:
        mails, version = len(bob.mails()), match.now().version
        bob.answer(held(match)[0], **headers)
        assert (len(bob.mails()), match.now().version) == (mails, version)
        assert counts(match) == {counted: 1}

    def test_a_mail_without_return_path_is_a_bounce(self, match: Match, bob: Correspondent) -> None:
        bob.answer(held(match)[0], envelope="")
        assert counts(match) == {"bounce": 1}

    def test_our_own_mail_coming_back_is_a_loop(self, match: Match, bob: Correspondent) -> None:
        bob.answer(held(match)[0], sender=str(bob.latest["Reply-To"]))
        assert counts(match) == {"loop": 1}

    def test_two_machines_without_headers_stop(
        self, match: Match, bob: Correspondent, redis: Client, clock: Clock
    ) -> None:
        limited = build_context(settings(rate_limits=True), redis, clock)
        writer, mails = Correspondent(limited, bob.mailbox, bob.email), len(bob.mails())
        for _ in range(40):
            writer.answer("I am away.", to=str(bob.mails()[-1]["Reply-To"]))
        assert len(bob.mails()) - mails == 25

    def test_the_subject_is_never_quoted(self, match: Match, bob: Correspondent) -> None:
        raw = f"From: {bob.email}\nSubject: Buy stones\nMessage-ID: <x@y>\n\nfoo\n"
        turn = str(bob.latest["Reply-To"])
        match.context.container.incoming_mail.accept(turn, bob.email, raw.encode())
        run(match.context)
        assert "Nothing was played" in text_of(bob.latest)
        assert "Buy" not in bob.latest.as_string()
