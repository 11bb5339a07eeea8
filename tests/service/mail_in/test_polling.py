"""Mail that is fetched by IMAP: kept once, marked after that, and in nobody's way."""

import threading
from collections.abc import Callable
from typing import NamedTuple

import pytest
from redis.exceptions import ConnectionError as RedisGone

from service.accounts.email_addresses import AddressVerification
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.mail import budget, imap
from service.mail.imap import ImapMailbox, read_imap_url
from service.mail_in import intake, polling
from service.mail_in.addresses import ReplyTo
from service.mail_in.polling import LONGEST_PAUSE, PAUSE, Polling, state
from service.mail_in.store import MAX_SIZE
from tests.support.clock import Clock
from tests.support.imap_server import ImapServer
from tests.support.settings import settings
from tests.support.waiting import until


@pytest.fixture
def container(redis: Client, clock: Clock) -> Container:
    return Container(settings(rate_limits=True), redis, clock)


@pytest.fixture
def server() -> ImapServer:
    with ImapServer() as server:
        yield server


Fetch = Callable[..., bool]


@pytest.fixture
def fetch(container: Container, server: ImapServer) -> Fetch:
    def fetch(name: str = "one", options: str = "") -> bool:
        mailbox = read_imap_url(server.url + options)
        poller = Polling(container.redis, container.incoming_mail, mailbox, name, container.now)
        return poller.poll()

    return fetch


class Box(NamedTuple):
    """A mailbox on a server, what fetches its mail, and where that is kept."""

    server: ImapServer
    fetch: Fetch
    container: Container
    redis: Client


@pytest.fixture
def box(server: ImapServer, fetch: Fetch, container: Container, redis: Client) -> Box:
    return Box(server, fetch, container, redis)


def wait_over(redis: Client) -> None:
    """The pause between two fetchings, or the lease of a worker that died, is over."""
    redis.delete("st:{imap}:turn")


def pause_of(redis: Client) -> float:
    return int(redis.pttl("st:{imap}:turn")) / 1000


def mail(container: Container, number: int = 1) -> bytes:
    to = container.incoming_mail.addresses.write(ReplyTo("turn", "a" * 20, 7, "north"))
    head = f"From: ada@example.org\r\nTo: Ada <{to}>\r\nMessage-ID: <{number}@example.org>\r\n"
    return f"{head}\r\nR7@3\r\n".encode()


def person(container: Container, name: str) -> str:
    email = f"{name.lower()}@example.org"
    player = container.registrations.register(name, email).player.id
    container.players.verify(AddressVerification(player, email, 0))
    for notice in list(container.log.outbox.pending()):
        container.log.outbox.finish(notice.id)
    return player


def kept(container: Container) -> int:
    return len(list(container.log.outbox.pending()))


@pytest.mark.parametrize(
    ("url", "known"),
    [
        (
            "imaps://ada%40example.org:s%2Fx@mail.example.org",
            ("mail.example.org", 993, "ada@example.org", "s/x", "INBOX", "tls", None),
        ),
        (
            "imap://a:b@[::1]:1143/INBOX/Games?starttls=1&move=Done",
            ("::1", 1143, "a", "b", "INBOX/Games", "starttls", "Done"),
        ),
        ("imap://a@host/", ("host", 143, "a", "", "INBOX", "starttls", None)),
        ("imap://a@host/?starttls=0", ("host", 143, "a", "", "INBOX", "none", None)),
        ("imap://a@127.0.0.1/", ("127.0.0.1", 143, "a", "", "INBOX", "none", None)),
    ],
)
def test_a_url_names_a_mailbox(url: str, known: tuple[object, ...]) -> None:
    assert read_imap_url(url) == ImapMailbox(*known)


@pytest.mark.parametrize("url", ["smtp://a:b@host", "imaps://host/INBOX", "imaps:///INBOX"])
def test_other_urls_name_none(url: str) -> None:
    with pytest.raises(ValueError, match="imaps://user:password@host/INBOX"):
        read_imap_url(url)


def test_a_mail_is_kept_and_marked_then(box: Box, clock: Clock) -> None:
    box.server.put(mail(box.container))
    box.server.on_mark = lambda uid: seen.append(kept(box.container))
    seen: list[int] = []

    assert box.fetch()

    assert (seen, box.server.seen) == ([1], {1})
    assert state(box.redis) == (clock.time, None, "", 1, 0)
    assert 0 < pause_of(box.redis) <= PAUSE
    assert not [one for one in box.server.commands if "EXPUNGE" in one]


def test_or_moved_where_a_folder_for_that_is_named(box: Box) -> None:
    box.server.put(mail(box.container))
    box.server.seen = {1}
    assert box.fetch(options="?move=Done")
    assert box.server.moved == {"Done": [1]}
    assert kept(box.container) == 1

    wait_over(box.redis)
    box.server.put(mail(box.container, 2))
    assert box.fetch(options="?move=Done")
    assert [one for one in box.server.commands if one.startswith("CREATE")] == ['CREATE "Done"']


def test_of_several_workers_one_fetches(box: Box) -> None:
    box.server.put(mail(box.container))
    told: list[bool] = []
    box.server.on_fetch = lambda uid: told.append(box.fetch("two"))
    assert box.fetch("one")
    assert not box.fetch("two")
    assert told == [False]
    assert box.server.logins == 1

    wait_over(box.redis)
    assert box.fetch("two")


class Died(BaseException):
    """As if the process ended: nothing catches it."""


def die(*given: object) -> None:
    raise Died


def test_a_worker_that_dies_delays_the_mail_by_less_than_half_a_minute(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.server.put(mail(box.container))
    monkeypatch.setattr(Polling, "_mark", die)
    with pytest.raises(Died):
        box.fetch("one")
    assert not box.fetch("two")
    assert 0 < pause_of(box.redis) < 30


def test_a_slow_mailbox_does_not_cost_a_worker_its_turn(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer_late(uid: int) -> None:
        box.redis.pexpire("st:{imap}:turn", 2000)
        until(lambda: pause_of(box.redis) > 2)
        others.append(box.fetch("two"))

    others: list[bool] = []
    monkeypatch.setattr(polling, "RENEWAL", 0.01)
    box.server.put(mail(box.container))
    box.server.on_fetch = answer_late
    assert box.fetch("one")
    assert (others, kept(box.container), box.server.seen) == ([False], 1, {1})


def test_a_worker_that_has_lost_its_turn_leaves_the_rest_to_its_successor(box: Box) -> None:
    def lose(uid: int) -> None:
        box.server.on_fetch = lambda uid: None
        wait_over(box.redis)
        assert box.fetch("two")

    box.server.put(mail(box.container, 1), mail(box.container, 2))
    box.server.on_fetch = lose
    box.fetch("one")
    assert box.server.fetched == [1, 1, 2]
    assert (kept(box.container), box.server.seen) == (2, {1, 2})
    assert 0 < pause_of(box.redis) <= PAUSE


@pytest.mark.parametrize("where", ["before it is kept", "after it is kept", "as it is marked"])
def test_wherever_a_worker_dies_each_mail_is_read_once(
    box: Box, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    box.server.put(mail(box.container))
    with monkeypatch.context() as broken:
        if where == "before it is kept":
            broken.setattr(box.container.incoming_mail, "accept", die)
        else:
            broken.setattr(Polling, "_mark", die)
        with pytest.raises(Died):
            box.fetch()
    assert box.server.seen == set()
    assert kept(box.container) == (where != "before it is kept")
    (notice,) = [one.id for one in box.container.log.outbox.pending()] or [None]
    if where == "as it is marked":
        box.container.incoming_mail.process(str(notice).partition(".")[0])
        box.container.log.outbox.finish(str(notice))
    assert not box.fetch()

    wait_over(box.redis)
    assert box.fetch()

    assert box.server.seen == {1}
    assert kept(box.container) == (where != "as it is marked")


@pytest.mark.parametrize("dies", [True, False])
def test_a_mail_that_cannot_be_taken_in_is_given_up_and_delays_nothing(
    box: Box, monkeypatch: pytest.MonkeyPatch, dies: bool
) -> None:
    read = box.container.incoming_mail.recipients_of

    def fail(raw: bytes) -> list[str]:
        if b"<1@example.org>" in raw:
            raise Died if dies else ArithmeticError
        return read(raw)

    box.server.put(mail(box.container, 1), mail(box.container, 2))
    monkeypatch.setattr(box.container.incoming_mail, "recipients_of", fail)
    for _ in range(polling.MOST_TRIES):
        if dies:
            with pytest.raises(Died):
                box.fetch()
        else:
            box.fetch()
        assert 1 not in box.server.seen
        wait_over(box.redis)
    box.fetch()
    assert box.server.seen == {1, 2}
    assert kept(box.container) == 1
    assert state(box.redis)[3:] == (1, 1)


def test_an_outage_of_redis_is_not_the_fault_of_a_mail(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*given: object) -> bool:
        raise RedisGone

    box.server.put(mail(box.container))
    with monkeypatch.context() as broken:
        broken.setattr(box.container.incoming_mail._store, "add", away)
        for _ in range(polling.MOST_TRIES + 2):
            with pytest.raises(RedisGone):
                box.fetch()
            wait_over(box.redis)
    box.fetch()
    assert kept(box.container) == 1


def test_a_mail_that_the_mailbox_does_not_give_out_delays_nothing(
    container: Container,
    server: ImapServer,
    fetch: Fetch,
    redis: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    give = polling._raw
    monkeypatch.setattr(polling, "_raw", lambda box, uid: None if uid == "1" else give(box, uid))
    server.put(mail(container, 1), mail(container, 2))
    fetch()
    assert server.seen == {2}
    monkeypatch.undo()
    wait_over(redis)
    fetch()
    assert server.seen == {2}
    redis.delete("st:{imap}:waiting")  # its pause is over
    wait_over(redis)
    fetch()
    assert server.seen == {1, 2}


def test_while_redis_is_away_nothing_is_marked(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*given: object) -> bool:
        raise RedisGone

    box.server.put(mail(box.container))
    monkeypatch.setattr(box.container.incoming_mail._store, "add", away)
    with pytest.raises(RedisGone):
        box.fetch()
    assert box.server.seen == set()


def test_what_is_none_of_ours_is_marked_too_and_delays_nothing(box: Box) -> None:
    box.server.put(
        b"To: ada@example.org\r\n\r\nhello\r\n",
        b"",
        b"x" * (MAX_SIZE + 50),
        b"X: y\r\n" * 20_000,
        mail(box.container) + b"a\rb",
        mail(box.container),
    )
    box.fetch()
    assert box.server.seen == {1, 2, 3, 4, 5, 6}
    assert kept(box.container) == 1
    assert state(box.redis)[3:] == (1, 5)


def test_a_flood_for_one_seat_does_not_hold_up_the_others(box: Box) -> None:
    box.server.put(*(mail(box.container, number) for number in range(70)))
    other = box.container.incoming_mail.addresses.write(ReplyTo("turn", "b" * 20, 7, "north"))
    box.server.put(f"To: {other}\r\nMessage-ID: <other@b>\r\n\r\nx\r\n".encode())
    box.fetch()
    assert pause_of(box.redis) < 0  # more wait: there is no pause
    box.fetch()
    assert len(box.server.seen) == 71
    assert state(box.redis)[3:] == (31, 40)


def test_what_a_player_has_sent_too_much_of_in_all_games_waits_too(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(budget._KINDS, "mail-in", {budget.ACCOUNT: (2, 2)})
    ann, bob = (person(box.container, name) for name in ("Ann", "Bob"))
    for number in range(3):
        made = box.container.games.create(ann, NewGame(opponent=bob, first_player="creator"))
        box.container.games.join(made.id, bob)
        to = box.container.incoming_mail.addresses.write(ReplyTo("turn", made.id, 3, "north"))
        head = f"From: ann@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@a>"
        box.server.put(f"{head}\r\n\r\nshow\r\n".encode())
    box.fetch()
    assert len(box.server.seen) == 2
    assert state(box.redis)[3:] == (2, 0)


def test_what_a_player_has_sent_too_much_of_waits_in_the_mailbox(box: Box, clock: Clock) -> None:
    ann, bob = (person(box.container, name) for name in ("Ann", "Bob"))
    made = box.container.games.create(ann, NewGame(opponent=bob, first_player="creator"))
    box.container.games.join(made.id, bob)
    to = box.container.incoming_mail.addresses.write(ReplyTo("turn", made.id, 3, "north"))
    from_ann = f"From: ann@example.org\r\nTo: {to}\r\nMessage-ID: <%d@a>\r\n\r\nshow\r\n"
    box.server.put(*((from_ann % number).encode() for number in range(65)))
    box.server.put(mail(box.container))
    box.fetch(), box.fetch()
    assert len(box.server.seen) == 61
    assert state(box.redis)[3:] == (61, 0)

    box.server.fetched.clear()
    wait_over(box.redis)
    box.fetch()
    assert box.server.fetched == []
    box.server.validity = 2  # the numbers of mails mean others than before
    wait_over(box.redis)
    box.fetch()
    assert len(box.server.fetched) == 5

    clock.time += 3601
    for key in box.redis.scan_iter("st:{mails}:*:3600"):
        box.redis.delete(key)
    wait_over(box.redis)
    box.fetch()
    assert len(box.server.seen) == 66
    assert state(box.redis)[3:] == (66, 0)


def test_no_more_than_some_wait(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "MOST_WAITING", 2)
    monkeypatch.setitem(budget._KINDS, "mail-of-strangers", {budget.GAME: (1, 1)})
    monkeypatch.setattr(intake, "STRANGERS", budget.GAME)
    box.server.put(*(mail(box.container, number) for number in range(5)))
    box.fetch()
    assert (len(box.server.seen), state(box.redis)[3:]) == (3, (1, 2))


def test_a_mail_that_is_too_large_is_not_fetched(box: Box) -> None:
    box.server.put(b"x" * (MAX_SIZE + 1), mail(box.container))
    box.fetch()
    assert (box.server.fetched, box.server.seen) == ([2], {1, 2})
    assert state(box.redis)[3:] == (1, 1)


LINES, LINE, LITERAL = b"* 1 EXISTS\r\n" * 100, b"* OK " + b"x" * 9000, b"* 1 X {2000000000}\r\n"


@pytest.mark.parametrize(
    ("floods", "flood"),
    [
        *(("greeting", flood) for flood in (LINE, LITERAL)),
        *(("SEARCH", flood) for flood in (LINES, LINE, LITERAL)),
        *((verb, LINES) for verb in ("CAPABILITY", "LOGIN", "FETCH", "STORE")),
    ],
)
def test_a_mailbox_that_says_too_much_is_left(
    box: Box, monkeypatch: pytest.MonkeyPatch, floods: str, flood: bytes
) -> None:
    monkeypatch.setattr(imap, "MOST_BYTES", MAX_SIZE + 1000)
    box.server.put(mail(box.container))
    box.server.floods, box.server.flood = floods, flood
    assert box.fetch()
    assert state(box.redis).error


def test_a_mail_that_was_taken_away_meanwhile_is_passed_over(box: Box) -> None:
    box.server.put(mail(box.container, 1), mail(box.container, 2))
    box.server.on_fetch = lambda uid: box.server.mails.pop(1, None)
    box.fetch()
    assert kept(box.container) == 1


@pytest.mark.parametrize("refused", ["LOGIN", "SELECT", "SEARCH", "FETCH", "STORE", "CAPABILITY"])
def test_a_mailbox_that_refuses_is_asked_more_and_more_rarely(
    box: Box, clock: Clock, refused: str
) -> None:
    box.server.put(mail(box.container))
    box.server.refuses = refused
    began, pauses = clock.time, []
    for _ in range(4):
        assert box.fetch()
        pauses.append(round(pause_of(box.redis)))
        wait_over(box.redis)
        clock.time += 240
    assert pauses == [PAUSE, 240, 480, 720]
    clock.time += 100_000
    box.fetch()
    assert round(pause_of(box.redis)) == LONGEST_PAUSE
    told = state(box.redis)
    assert (told.ok, told.since) == (None, began)
    assert told.error
    assert "ecret" not in told.error

    box.server.refuses = ""
    wait_over(box.redis)
    box.fetch()
    assert state(box.redis)[:3] == (clock.time, None, "")
    assert box.server.seen == {1}


@pytest.mark.parametrize("hangs", ["greeting", "LOGIN", "FETCH", "STORE"])
def test_a_mailbox_that_hangs_is_left(
    box: Box, monkeypatch: pytest.MonkeyPatch, hangs: str
) -> None:
    box.server.put(mail(box.container))
    monkeypatch.setattr(polling, "TIMEOUT", 0.5)
    box.server.hangs = hangs
    assert box.fetch()
    assert "timed out" in state(box.redis).error
    assert kept(box.container) == (hangs == "STORE")


def test_a_mailbox_that_takes_too_long_in_all_is_cut_off(
    server: ImapServer, fetch: Fetch, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "LONGEST", 0.3)
    server.hangs = "SEARCH"
    fetch()
    assert state(redis).error


def test_nobody_listens(container: Container, redis: Client) -> None:
    mailbox = read_imap_url("imap://a:b@127.0.0.1:1/INBOX")
    assert Polling(redis, container.incoming_mail, mailbox, "one", container.now).poll()
    assert "refused" in state(redis).error


def test_no_thread_is_left_over(container: Container, server: ImapServer, fetch: Fetch) -> None:
    def timers() -> set[threading.Thread]:
        return {each for each in threading.enumerate() if isinstance(each, threading.Timer)}

    before = timers()
    fetch()
    until(lambda: timers() <= before)  # one that was called off ends soon
