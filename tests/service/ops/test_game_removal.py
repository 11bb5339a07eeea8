"""A game that the operator removes is gone for good, with all that was stored for it."""

import zlib

import pytest

from service import container
from service.container import Container
from service.core.errors import RequestRejected
from service.eventlog import Notice, notice_id
from service.games import ChangeContext, NewGame
from service.games.rematches import Wanted
from service.mail_in.store import SentMailWords
from service.ops import operating
from service.ops.integrity import Audit
from service.ops.operating import game_shown, remove_game
from service.ops.restore import restore
from tests.support.backups import backup
from tests.support.stored_games import finished, keep, running
from tests.support.stored_state import stored_text

WORDS = "A court has asked for it."
_STAYS = (
    ":removed",
    "{audit}:after",
    "{operator}:log",
    "st:asked:",
    "st:{mails}",
    "feed:entries",
    ":seals",
)
"""The mark, the log, a place in a walk, and keys that hold no more than the id, for days."""


class FullGame:
    """A game of Ann against Bob with everything that can be stored beside it."""

    def __init__(self, store: Container) -> None:
        self.store = store
        self.ann, self.bob = (
            store.registrations.register(name, f"{name.lower()}@example.org").player.id
            for name in ("Ann", "Bob")
        )
        self.hook = store.channels.add(self.ann, "webhook", {"url": "https://hooks.example.org/"})
        self.id = store.games.create(
            self.ann, NewGame(opponent=self.bob, clock={"days_per_move": 3})
        ).id
        store.games.join(self.id, self.bob)
        talk = store.games.conversations
        talk.write(self.id, self.ann, "Hello Bob.", "web")
        talk.report(self.id, self.bob, 1, "a slur")
        store.games.private_notes.write(self.ann, self.id, "He bluffs.")
        store.mail_preferences.set_game(self.bob, self.id, "off")
        store.feeds.read(self.ann, None, 10)
        notice = notice_id(self.id, 3, self.ann, f"webhook-{self.hook.id}", "turn")
        store.log.outbox.add(Notice(notice, store.now()))
        store.deferred_notices.add(self.ann, notice)
        store.deferred_notices.reserve(self.ann, notice)
        store.dead_letters.add(notice, "550 no")
        store.dead_letters.record_failure(notice)
        store.ledger.record_visit(self.ann, self.id, 3)
        store.games.invitations.keep_address(self.id, "carl@example.org", 3)
        store.games.invitations.record_sent(self.id)
        SentMailWords(store.redis).store(self.id, "north", "It is your turn.")
        Audit(store.redis, store.log.events).check(self.id)
        store.games.analyses.store.begin(self.id)

    def remove(self) -> None:
        remove_game(self.store, "Morag", self.id, "a ruling", WORDS)


@pytest.fixture
def game(store: Container, monkeypatch: pytest.MonkeyPatch) -> FullGame:
    """No writer is late, so that nobody has to wait for one."""
    monkeypatch.setattr(operating, "sleep", lambda seconds: None)
    return FullGame(store)


def keys_naming(store: Container, game_id: str) -> set[str]:
    """All keys of the store that name this game, themselves or in what they hold."""
    lines = stored_text(store.redis).splitlines()
    return {line.split(" ", 1)[0] for line in lines if game_id in line}


def left_of(store: Container, game_id: str) -> set[str]:
    """The keys that name a removed game, and should not."""
    return {key for key in keys_naming(store, game_id) if not any(part in key for part in _STAYS)}


def test_nothing_of_it_stays_but_a_mark(store: Container, game: FullGame) -> None:
    before = keys_naming(store, game.id)
    game.remove()
    assert [key.rpartition(":")[2] for key in left_of(store, game.id)] == [
        "due"
    ]  # the mails to the two players
    assert len(before) > 15


def test_nor_of_what_a_late_writer_lists_or_rates(
    store: Container, game: FullGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = store.games.load(keep(store, "b", finished(seed=2)))
    going_on = store.games.load(game.id)

    def write_late(seconds: float) -> None:
        store.games.index.apply(going_on, over)
        store.games.ratings.apply(over)

    monkeypatch.setattr(operating, "sleep", write_late)
    game.remove()
    assert store.games.index.unfinished(game.ann) == []
    remove_game(store, "Morag", over.id, "a ruling")
    assert store.games.ratings.rated(over.id) is None


def test_its_players_get_one_mail_each_and_a_game_that_is_over_sends_none(
    store: Container, game: FullGame
) -> None:
    game.remove()
    about = [notice.id.split(".") for notice in store.log.outbox.pending() if game.id in notice.id]
    assert sorted((player, kind) for _, _, player, _, kind in about) == sorted(
        [(game.ann, "game-removed"), (game.bob, "game-removed")]
    )
    over = keep(store, "b", finished(seed=2))
    remove_game(store, "Morag", over, "a ruling")
    assert not [notice for notice in store.log.outbox.pending() if over in notice.id]


def test_whoever_asks_for_it_reads_why(store: Container, game: FullGame) -> None:
    other = container.Container(store.settings, store.redis, store.now)
    other.games.load(game.id)  # another process has it in its cache
    game.remove()
    for process in (store, other):
        with pytest.raises(RequestRejected) as refusal:
            process.games.read(game.id, game.ann)
        assert refusal.value.code == "game-removed"
        assert refusal.value.detail.endswith(WORDS)
        with pytest.raises(RequestRejected, match="removed"):
            process.snapshots.read(game.id, game.ann)
        with pytest.raises(RequestRejected, match="removed"):
            process.games.resign(game.id, game.ann)
    assert store.games.lists.of_player(game.ann) == ([], None)


def test_a_feed_goes_on_without_it(store: Container, game: FullGame) -> None:
    begun = store.feeds.read(game.ann, None, 10).begin
    store.games.resign(game.id, game.bob)
    game.remove()
    page = store.feeds.read(game.ann, begun, 10)
    assert (page.news, page.games) == ([], frozenset())


def test_it_leaves_the_archive(store: Container) -> None:
    over = keep(store, "b", finished(seed=2))
    assert list(store.games.index.candidates("0", "9", 10))
    remove_game(store, "Morag", over, "a ruling")
    assert not list(store.games.index.candidates("0", "9", 10))


def test_a_compacted_and_a_damaged_game_go_too(store: Container) -> None:
    over, damaged = keep(store, "b", finished(seed=2)), keep(store, "c", running(seed=3))
    assert store.log.events.compact(over)
    (key,) = store.redis.scan_iter(f"*{damaged}:log")
    store.redis.xtrim(key, maxlen=5)
    other = container.Container(store.settings, store.redis, store.now)
    for game_id in (over, damaged):
        shown = game_shown(other, game_id)
        assert shown is not None
        assert shown.removed is None
        remove_game(other, "Morag", game_id, "a ruling")
        assert {key.rpartition(":")[2] for key in keys_naming(other, game_id)} == {"removed", "log"}


@pytest.mark.parametrize("survived", range(6))
def test_a_removal_that_died_is_done_by_the_next(
    store: Container, game: FullGame, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    class Killed(Exception):
        pass

    steps = [
        (store.log.events, "remove"),
        (store.games.index, "forget"),
        (store.deferred_notices, "forget_game"),
        (store.games.conversations.moderation, "forget_game"),
        (store.dead_letters, "forget_game"),
        (store.log.events, "finish_removal"),
    ]

    def die(*_args: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        part, step = steps[survived]
        patched.setattr(type(part), step, die)
        with pytest.raises(Killed):
            game.remove()
    assert store.log.events.exists(game.id) == (survived == 0)
    game.remove()
    assert [key.rpartition(":")[2] for key in left_of(store, game.id)] == ["due"]


def test_it_is_logged_once_with_a_name_and_a_reason(store: Container, game: FullGame) -> None:
    game.remove()
    game.remove()
    (entry,) = operating.entries(store)
    assert (entry.by, entry.act, entry.player, entry.reason) == (
        *("Morag", "remove-game", game.id),
        "a ruling",
    )


def test_a_move_made_meanwhile_does_not_bring_it_back(
    store: Container, game: FullGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, moved = store.log.events.remove, []

    def remove_after_a_move(*args: object) -> bool:
        if not moved:
            moved.append(store.games.resign(game.id, game.bob))
        return remove(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(store.log.events, "remove", remove_after_a_move)
    game.remove()
    assert not store.log.events.exists(game.id)
    kinds = {notice.id.rpartition(".")[2] for notice in store.log.outbox.pending()}
    assert "game-removed" not in kinds  # the game was over by then


def test_nothing_begins_again_under_its_id(store: Container) -> None:
    ann, bob = (store.registrations.register(name).player.id for name in ("Ann", "Bob"))
    old = store.games.create(ann, NewGame(opponent=bob)).id
    store.games.join(old, bob)
    store.games.resign(old, ann)
    remove_game(store, "Morag", store.games.rematches.ask(old, ann).id, "a ruling")
    with pytest.raises(RequestRejected) as refusal:
        store.games.rematches.ask(old, ann)
    assert refusal.value.code == "game-removed"


def test_a_game_that_never_was_is_refused(store: Container) -> None:
    assert game_shown(store, "a" * 20) is None
    with pytest.raises(RequestRejected, match="no game"):
        remove_game(store, "Morag", "a" * 20, "a ruling")


@pytest.mark.parametrize("marks_first", [True, False])
def test_an_older_backup_brings_it_back_only_where_no_mark_is_restored(
    store: Container, game: FullGame, elsewhere: Container, marks_first: bool
) -> None:
    older = backup(store)
    game.remove()
    assert restore(store, older).refused == []
    assert not store.log.events.exists(game.id)

    marks = backup(store, marks_only=True)
    for lines in (marks, older) if marks_first else (older, marks):
        assert elsewhere.log.events.exists(game.id) == (lines is marks and not marks_first)
        assert restore(elsewhere, lines).refused == []
    assert not elsewhere.log.events.exists(game.id)
    assert elsewhere.log.events.removal(game.id) == store.log.events.removal(game.id)
    assert elsewhere.games.lists.of_player(game.ann) == ([], None)

    elsewhere.redis.flushall()
    restore(elsewhere, older)
    assert game.ann in elsewhere.games.load(game.id).players


def test_a_rated_game_is_taken_out_of_the_ratings(store: Container) -> None:
    over = keep(store, "r", finished(seed=4))
    stored = store.games.load(over)
    store.games.ratings.apply(stored)
    assert store.games.ratings.rated(over)
    remove_game(store, "Morag", over, "a ruling", WORDS)
    assert store.games.ratings.rated(over) is None
    assert store.redis.zscore("st:{ratings}:order", over) is None
    assert store.games.ratings.of(stored.players[0], reader=None).forms[False].games == 0


class TestPracticeOfIt:
    """Practice games with moves of the game are removed with it."""

    EVE = "eve" + "2" * 13

    @pytest.fixture
    def source(self, store: Container, monkeypatch: pytest.MonkeyPatch) -> str:
        monkeypatch.setattr(operating, "sleep", lambda seconds: None)
        store.players.ensure_exists(self.EVE, "Eve")
        return keep(store, "b", finished(seed=2))

    def begin(self, store: Container, source: str) -> str:
        return store.games.practice.begin(source, self.EVE, Wanted(9), ChangeContext()).id

    def test_they_go_with_it_and_others_stay(self, store: Container, source: str) -> None:
        other = self.begin(store, keep(store, "c", finished(seed=3)))
        practice = [self.begin(store, source) for _ in range(3)]
        remove_game(store, "Morag", source, "a ruling", WORDS)
        for game_id in practice:
            with pytest.raises(RequestRejected, match="removed") as refusal:
                store.games.load(game_id)
            assert refusal.value.detail.endswith(WORDS)
            (mark,) = store.redis.scan_iter(f"*{game_id}*")
            assert mark.endswith(":removed")
        assert not [due for due in store.log.outbox.pending() if due.id[:20] in practice]
        assert [game["id"] for game in store.games.lists.of_player(self.EVE)[0]] == [other]

    def test_so_do_packed_ones_and_practice_of_practice(
        self, store: Container, source: str
    ) -> None:
        packed, other = (
            self.begin(store, game_id) for game_id in (source, keep(store, "c", finished(seed=3)))
        )
        for practice in (packed, other):
            store.games.resign(practice, self.EVE)
            assert store.log.events.compact(practice)
        again = self.begin(store, packed)
        remove_game(store, "Morag", source, "a ruling")
        assert [*map(store.log.events.exists, (packed, again, other))] == [False, False, True]

    def test_so_do_those_that_a_restore_has_copied(
        self, store: Container, elsewhere: Container, source: str
    ) -> None:
        over, going_on = (self.begin(store, source) for _ in range(2))
        store.games.resign(over, self.EVE)
        assert restore(elsewhere, backup(store)).refused == []
        remove_game(elsewhere, "Morag", source, "a ruling")
        assert not any(map(elsewhere.log.events.exists, (over, going_on)))

    def test_a_log_that_only_a_later_version_can_read_holds_nothing_up(
        self, store: Container, source: str
    ) -> None:
        practice, later = self.begin(store, source), keep(store, "c", finished(seed=3))
        (key,) = store.redis.scan_iter(f"*{later}:log")
        store.redis.set(key, b"9 60 " + zlib.compress(b"practice"))
        remove_game(store, "Morag", source, "a ruling")
        assert not store.log.events.exists(practice)

    def test_one_that_was_begun_meanwhile_goes_too(
        self, store: Container, source: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun: list[str] = []
        removed = store.log.events.remove

        def after_a_beginning(game_id: str, *args: object) -> bool:
            if game_id == source:
                begun.append(self.begin(store, source))
            return removed(game_id, *args)  # type: ignore[arg-type]

        monkeypatch.setattr(store.log.events, "remove", after_a_beginning)
        remove_game(store, "Morag", source, "a ruling")
        (practice,) = begun
        assert not store.log.events.exists(practice)
        assert store.games.index.unfinished(self.EVE) == []

    def test_a_removal_from_a_file_of_marks_takes_them_along(
        self, store: Container, source: str
    ) -> None:
        before = {key: store.redis.dump(key) for key in store.redis.scan_iter("st:*")}
        practice = self.begin(store, source)
        remove_game(store, "Morag", source, "a ruling")
        marks = backup(store, marks_only=True)
        store.redis.flushall()
        for key, value in before.items():
            store.redis.restore(key, 0, value)
        other = container.Container(store.settings, store.redis, store.now)
        again = self.begin(other, source)
        assert restore(other, marks[:-1]).refused == []
        assert not any(map(other.log.events.exists, (source, again, practice)))
