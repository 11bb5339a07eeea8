"""How many mails somebody may make another receive by sending mail to this server."""

from collections.abc import Iterator
from itertools import count

import pytest

from service.accounts.email_addresses import AddressVerification
from service.accounts.mail_preferences import Subscription
from service.core.errors import RequestRejected
from service.core.redis.client import Client, connect
from service.games import ChangeContext, NewGame
from service.mail import budget
from service.mail.budget import ACCOUNT, RECIPIENT
from service.mail.mailbox import Mailbox
from service.mail_in.addresses import ReplyTo
from tests.support.clock import Clock
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.workers.mail.correspondence import flat, run, text_of
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext, build_context

GAMES = 6


@pytest.fixture
def context(redis: Client, clock: Clock) -> WorkerContext:
    return build_context(settings(rate_limits=True), redis, clock)


@pytest.fixture
def match(context: WorkerContext) -> Match:
    return begin(context)


@pytest.fixture
def games(context: WorkerContext, match: Match) -> list[str]:
    """The match, and others between the same two; no mail has been sent about any."""
    games, found = context.container.games, [match.id]
    for _ in range(GAMES - 1):
        made = games.create(match.ann, NewGame(first_player="creator"))
        games.join(made.id, match.bob, invite=games.invitations.token(made.id))
        found.append(made.id)
    for notice in match.due():
        context.container.log.outbox.finish(notice)
    return found


numbers = count()


def bring(context: WorkerContext, to: str, sender: str, body: str = "Hello?", **head: str) -> bool:
    """Bring a mail, and carry it out; whether it was accepted."""
    accepted = accept(context, to, sender, body, **head)
    run(context)
    return accepted


def accept(context: WorkerContext, to: str, sender: str, body: str, **head: str) -> bool:
    named = {"Message-ID": f"<{next(numbers)}@example.com>", **head}
    lines = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in named.items())
    raw = f"From: {sender}\n{lines}\n{body}\n".encode()
    try:
        context.container.incoming_mail.accept(to, sender, raw)
    except RequestRejected:
        return False
    return True


def received(context: WorkerContext, email: str) -> int:
    """How many mails this reader has."""
    return len([each for each in mails(context) if f"<{email}>" in each.split("\nSubject:")[0]])


def mails(context: WorkerContext) -> list[str]:
    return [each.text for each in Mailbox(context.container.redis).newest(10_000)]


def address(context: WorkerContext, game: str) -> str:
    written = context.container.incoming_mail.addresses.write(ReplyTo("turn", game, 3, "south"))
    assert written is not None
    return written


def next_hour(redis: Client) -> None:
    """Let an hour pass for the budgets."""
    for key in redis.scan_iter("st:{mails}:*:3600"):
        redis.delete(key)


def test_forged_addresses_lead_nowhere(context: WorkerContext, match: Match, redis: Client) -> None:
    """Ten thousand of them, most but for a letter like one that is good."""
    good = address(context, match.id)
    mac = good.partition("-")[2].partition("@")[0]
    for number in range(10_000):
        place = number % len(mac)
        letter = "abcdefghijklmnopqrstuvwxyz234567"[number // len(mac) % 32]
        forged = good.replace(mac, mac[:place] + letter + mac[place + 1 :])
        assert forged == good or not context.container.incoming_mail.takes(forged)
    assert not bring(context, good.replace(mac, mac[::-1]), "bob@example.org")
    assert list(redis.scan_iter("st:mail-in:*")) == []
    assert mails(context) == []


def test_an_address_that_leaked_makes_its_player_few_mails(
    context: WorkerContext, match: Match, redis: Client
) -> None:
    taken = []
    for _ in range(4):
        taken.append(
            sum(bring(context, address(context, match.id), "eve@example.org") for _ in range(100))
        )
        next_hour(redis)
    assert taken == [30, 30, 30, 10]
    assert received(context, "bob@example.org") == 15
    assert len(mails(context)) == 15
    assert match.now().version == 3


def test_who_has_the_address_of_a_turn_uses_up_no_answer_of_its_player(
    context: WorkerContext, match: Match
) -> None:
    for _ in range(40):
        bring(context, address(context, match.id), "eve@example.org")
    before = received(context, "bob@example.org")
    assert before == 5
    assert bring(context, address(context, match.id), "bob@example.org", "help")
    assert received(context, "bob@example.org") == before + 1


def test_the_last_answer_says_that_it_is_and_a_game_can_still_be_ended(
    context: WorkerContext, match: Match
) -> None:
    to = address(context, match.id)
    for _ in range(26):
        bring(context, to, "bob@example.org", "Let me see!")
    answers = mails(context)  # newest first
    assert len(answers) == 25
    assert ["the last answer for 60 min" in text for text in answers] == [True] + [False] * 24
    assert bring(context, to, "bob@example.org", "resign")
    newest = Mailbox(context.container.redis).newest(1)[0]
    assert "You want to resign." in flat(text_of(newest.message))


def test_the_last_answer_to_what_is_confirmed_says_so_too(
    context: WorkerContext, match: Match
) -> None:
    to = address(context, match.id)
    for _ in range(26):
        bring(context, to, "bob@example.org", "resign")
    answers = mails(context)  # newest first
    assert len(answers) == 25
    last = "last answer for 60 min to messages, refusals and what"
    assert [last in flat(text) for text in answers] == [True] + [False] * 24
    assert bring(context, to, "bob@example.org", "Let me see!")
    assert len(mails(context)) == 26


@pytest.mark.parametrize(
    "answer", ["Sure, agreed, enjoy your holiday!", "Sorry, I decline", "say: Hi"]
)
def test_what_is_clear_is_carried_out_and_answered_beyond_the_limit(
    context: WorkerContext, answer: str
) -> None:
    match = begin(context, clock={"days_per_move": 2})
    to = address(context, match.id)
    for _ in range(26):
        bring(context, to, "bob@example.org", "Let me see!")
    pauses, mailbox = context.container.games.pauses, Mailbox(context.container.redis)
    pauses.agree(match.id, match.ann, None, ChangeContext())
    run(context)
    offered = str(mailbox.newest(1)[0].message["Reply-To"])
    assert "pause" in flat(text_of(mailbox.newest(1)[0].message))
    before = received(context, "bob@example.org")
    assert bring(context, offered.rpartition("<")[2].strip(">"), "bob@example.org", answer)
    told = [flat(text_of(mail.message)) for mail in mailbox.newest(2)]  # Ann may be told as well
    assert received(context, "bob@example.org") == before + 1
    said = {"Sure": "The clock is paused", "Sorr": "You declined the pause", "say:": "passed on"}
    assert any(said[answer[:4]] in each for each in told)
    assert (pauses.offered(match.now()) is None) == (answer != "say: Hi")


def test_who_has_the_address_of_a_turn_uses_up_no_mail_of_its_player(
    context: WorkerContext, match: Match, redis: Client
) -> None:
    to = address(context, match.id)
    assert sum(accept(context, to, "eve@example.org", "R1@1") for _ in range(40)) == 30
    assert sum(accept(context, to, "bob@example.org", "help") for _ in range(70)) == 60
    assert not accept(context, to, "eve@example.org", "R1@1")
    next_hour(redis)
    assert accept(context, to, "BOB@example.org", "help")


def test_what_failed_the_checks_of_our_mail_server_counts_as_a_strangers(
    redis: Client, clock: Clock
) -> None:
    wanted = settings(rate_limits=True, mail_authserv="mx.example.org")
    context = build_context(wanted, redis, clock)
    to = address(context, begin(context).id)
    failed = {"Authentication_Results": "mx.example.org; dmarc=fail"}
    taken = sum(accept(context, to, "bob@example.org", "R1@1", **failed) for _ in range(40))
    assert taken == 30
    assert sum(accept(context, to, "bob@example.org", "R1@1") for _ in range(70)) == 60


def test_who_knows_a_players_address_and_games_makes_them_few_mails(
    context: WorkerContext, games: list[str], redis: Client
) -> None:
    """By writing to the sender of our mails in their name."""
    to = context.container.incoming_mail.addresses.sender
    hours = []
    for _ in range(4):
        for number in range(50):
            game = games[number % GAMES]
            bring(context, to, "bob@example.org", In_Reply_To=f"<{game}.3.x.turn@a.b>")
        hours.append(received(context, "bob@example.org"))
        next_hour(redis)
    assert hours == [10, 20, 30, 30]
    assert len(mails(context)) == 30


def test_in_anothers_name_nobody_uses_up_their_answers(
    context: WorkerContext, games: list[str]
) -> None:
    to = context.container.incoming_mail.addresses.sender
    for _ in range(20):
        bring(context, to, "bob@example.org", In_Reply_To=f"<{games[0]}.3.x.turn@a.b>")
    before = received(context, "bob@example.org")
    bring(context, address(context, games[0]), "bob@example.org", "show")
    assert received(context, "bob@example.org") == before + 1


def test_strangers_at_the_sender_of_our_mails_hold_up_neither_players_nor_their_programs(
    context: WorkerContext, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(budget._KINDS, "astray", {ACCOUNT: (10, 30), RECIPIENT: (60, 300)})
    container = context.container
    to = container.incoming_mail.addresses.sender
    taken = sum(accept(context, to, f"{number % 7}@example.com", "") for number in range(75))
    assert taken == 60
    for number in range(10):
        stop = Subscription(registered(context, f"Player{number}"), "turn")
        to = str(container.incoming_mail.unsubscribing.write(stop))
        assert accept(context, to, "x@example.com", "")
    assert bring(context, address(context, match.id), "bob@example.org", "help")
    assert received(context, "bob@example.org") == 1


@pytest.mark.parametrize("body", ["Buy pills", "", "decline", "accept", "accept as Eve", "R1@1"])
def test_with_the_address_of_a_taken_invitation_nobody_makes_us_write_to_strangers(
    context: WorkerContext, match: Match, body: str
) -> None:
    """Nor to other players: who was invited may be anybody, and write in anybody's name."""
    games, addresses = context.container.games, context.container.incoming_mail.addresses
    registered(context, "Cy")
    made = games.create(match.ann, NewGame(opponent_email="eve@example.org"))
    invitation = addresses.write(ReplyTo("invitation", made.id, made.version))
    assert invitation is not None
    assert bring(context, invitation, "eve@example.org", "accept as Eve")
    assert games.load(made.id).game.status == "active"
    others = ("stranger@example.com", "cy@example.org", "ann@example.org")
    before = len(mails(context))
    for email in others:
        assert bring(context, invitation, email, body)
    assert len(mails(context)) == before


def test_a_machine_that_answers_every_answer_stops(
    context: WorkerContext, games: list[str], redis: Client
) -> None:
    """It says of itself nothing, and answers in all games."""
    written: set[str] = set()
    for hour in range(1, 5):
        for game in games:
            bring(context, address(context, game), "bob@example.org", "I am away.")
        for _ in range(60):
            new = [each for each in mails(context) if each not in written]
            written.update(new)
            for each in new:
                reply_to = each.partition("\nReply-To: ")[2].partition("\n")[0]
                bring(context, reply_to, "bob@example.org", "I am away.")
            if not new:
                break
        assert received(context, "bob@example.org") == min(30 * hour, 100)
        next_hour(redis)


def test_a_list_that_sends_our_mail_back_is_not_answered(
    context: WorkerContext, match: Match
) -> None:
    for head in ({"List_Id": "<a.b>"}, {"X_Scottenbury_Game": match.id}, {"Precedence": "list"}):
        assert bring(context, address(context, match.id), "bob@example.org", "R1@1", **head)
    assert mails(context) == []


@pytest.fixture
def elsewhere(redis_server: SocketServer, clock: Clock) -> Iterator[WorkerContext]:
    """Another server of the same kind."""
    own = settings(
        rate_limits=True,
        base_url="http://elsewhere.test",
        secret_key="another key",
        mail_from="Scottenbury <scottenbury@elsewhere.test>",
    )
    with connect(f"{redis_server.url}&db=1") as other:
        other.flushdb()
        yield build_context(own, other, clock)


@pytest.mark.parametrize("keeps_headers", [True, False])
def test_two_of_us_soon_have_nothing_to_say_to_each_other(
    context: WorkerContext, elsewhere: WorkerContext, match: Match, keeps_headers: bool
) -> None:
    """Each is told that the other is a player; between them, headers may be lost."""
    theirs = begin(elsewhere)
    for one, other in (
        (match, address(elsewhere, theirs.id)),
        (theirs, address(context, match.id)),
    ):
        players = one.context.container.players
        player = players.find(one.bob)
        assert player is not None
        players.set_address(player, other)
        players.verify(AddressVerification(player.id, other, 0))
        one.play("R4@3")
        run(one.context)
    carried: set[str] = set()
    for _ in range(100):
        before = len(carried)
        for sender, receiver in ((context, elsewhere), (elsewhere, context)):
            for text in mails(sender):
                if text in carried:
                    continue
                if carry(text, receiver, keeps_headers):
                    carried.add(text)
        if len(carried) == before:
            break

    assert len(carried) <= (2 if keeps_headers else 2 + 2 * 10)


def carry(text: str, receiver: WorkerContext, keeps_headers: bool) -> bool:
    def of(name: str) -> str:
        return text.partition(f"\n{name}: ")[2].partition("\n")[0]

    to = of("To").rpartition("<")[2].rstrip(">")
    names = ("Auto-Submitted", "X-Scottenbury-Game", "List-Id") if keeps_headers else ()
    sender = of("Reply-To") or "nobody@example.org"
    return bring(
        receiver, to, sender, text.partition("\n\n")[2], **{name: of(name) for name in names}
    )
