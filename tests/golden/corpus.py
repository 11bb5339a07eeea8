"""The golden corpus: complete records that have to verify for ever.

`*.txt` are records in text form, whose head seals every byte of every event; `*.jsonl` are whole
records, one at least for each version that a type of event ever had. Nothing here is ever edited:
new versions of events and rules bring records of their own (`*-rules2-*`; those of version 1 do not
say so in their names).

`python -m tests.golden.corpus` adds what is missing of the games listed below; it never overwrites.
"""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from engine import (
    SEATS,
    Abandon,
    Command,
    CreateGame,
    Game,
    JoinGame,
    Resign,
    TakeTurn,
    TimeOut,
    advance,
    legal,
)
from engine.cards import TACTIC_CARDS
from engine.chain import NO_HASH, StoredEvent, encode, seal
from engine.commands import (
    AdjustClock,
    ChangeCalendar,
    GiveTime,
    HoldFlag,
    MoveClock,
    PauseClock,
    ResumeClock,
)
from engine.options import RULES_VERSION
from engine.record import to_jsonl, to_text
from tests.engine.games import KINDS, Kind

FOLDER = Path(__file__).parent
ENDINGS = ("played", "resigned", "timed-out", "abandoned", "aborted")
CLOCKED = "clocked"
"""Played to the end, with every event of a clock but those of a sandbox."""
MOVED = "moved"
"""Played to the end in a sandbox, whose clocks can be moved."""
VIAS = ("api", "web", "mail", "order", "bot")
FIRST = ("creator", "opponent", "random", "scotland")


def main() -> None:
    """Write the records of the corpus that are not there yet."""
    for kind in KINDS:
        for ending in ENDINGS:
            for number in range(8 if ending == "played" else 1):
                write(kind._replace(rounds=1 + number % 3, rules_version=1), ending, number)
    for kind in KINDS:
        for number in range(8 if kind.tactics else 1):
            write(kind._replace(rounds=1 + number % 3), "played", number)
    for ending in (*ENDINGS[1:], CLOCKED, MOVED):
        write(Kind("bga", tactics=True), ending, 0)


def _name(kind: Kind, ending: str, number: int) -> str:
    rules = "" if kind.rules_version == 1 else f"-rules{kind.rules_version}"
    return f"{kind._replace(rules_version=RULES_VERSION)}{rules}-{ending}-{number}"


def write(kind: Kind, ending: str, number: int) -> None:
    """One game, as text, and the first of each kind and ending as JSON Lines too."""
    name = _name(kind, ending, number)
    text, whole = FOLDER / f"{name}.txt", FOLDER / f"{name}.jsonl"
    lines = list(_record(kind, ending, random.Random(name)))
    if not text.exists():
        text.write_text(to_text(lines), encoding="utf-8")
    wanted = number == 0 and kind.edition in ("bga", "community")
    wanted = wanted and (kind.expert if kind.rules_version == 1 else kind.tactics)
    if wanted and not whole.exists():
        whole.write_text(to_jsonl(lines), encoding="utf-8")


def _record(kind: Kind, ending: str, rng: random.Random) -> Iterator[StoredEvent]:
    game: Game | None = None
    secret, clock, seq, previous = rng.randbytes(32).hex(), 1_790_000_000, 0, NO_HASH
    for next_command in _commands(kind, ending, secret, rng):
        command = next_command(game)
        game, events = advance(game, command)
        clock += rng.randrange(60, 200_000)
        via = "clock" if isinstance(command, TimeOut) else rng.choice(VIAS)
        at, encoded = _timestamp(clock), map(encode, events)
        for line in seal(encoded, after=seq, at=at, via=via, secret=secret, previous=previous):
            seq, previous = line["seq"], line["hash"]
            yield line
        if game.over:
            return


def _timestamp(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


NextCommand = Callable[[Game | None], Command]


def _commands(kind: Kind, ending: str, secret: str, rng: random.Random) -> Iterator[NextCommand]:
    yield lambda _: CreateGame(
        player="aaaaaaaaaaaaaaaa",
        seat=rng.choice(["north", "south"]),
        edition=kind.edition,
        tactics=kind.tactics,
        expert=kind.expert,
        rounds=kind.rounds,
        first_player=rng.choice(FIRST),
        secret=secret,
        salt=rng.choice(["", "salt", 'a "quoted" salt', "ß→\n\\"]),
        visited=rng.choice([None, "2019-05-31"]),
        terms={
            "clock": CLOCK if ending in (CLOCKED, MOVED) else None,
            "private": rng.random() < 0.5,
        },
        rules_version=kind.rules_version,
    )
    if ending == "aborted":
        yield lambda game: Abandon(game.creator)
    yield lambda _: JoinGame("bbbbbbbbbbbbbbbb", "joiner's salt", rng.choice([None, "2021-01-01"]))
    last = rng.randrange(20, 60)
    to_the_end = ending in ("played", CLOCKED, MOVED)
    for number in range(100_000):
        if ending == CLOCKED and number % 3 == 0:
            yield _of_the_clock(number // 3)
        if ending == MOVED and number % 20 == 0:
            yield lambda _: MoveClock("north", 86_400)
        yield _ending(ending) if number > last and not to_the_end else _turn(rng)
        last += 30 if number > last else 0


CLOCK = {
    "bank_days": 14,
    "increment_hours": 12,
    "cap_days": 21,
    "weekends_off": True,
    "sleeping_hours": True,
    "vacations": True,
    "time_out": "claim",
}
ONE_DAY = ("2026-12-24T00:00:00Z", "2026-12-25T00:00:00Z")


def _of_the_clock(number: int) -> NextCommand:
    seat, until = SEATS[number % 2], "2027-02-28T23:59:59Z"
    return [
        lambda _: ChangeCalendar(seat, "Asia/Kathmandu", ("23:00", "07:30"), (ONE_DAY,)),
        lambda _: ChangeCalendar(seat, "Etc/GMT+5"),
        lambda _: GiveTime(seat, 86_400),
        lambda _: PauseClock(seat, until if number % 4 else None),
        lambda _: ResumeClock(None if number % 4 else seat),
        lambda _: AdjustClock(None, "outage", *ONE_DAY),
        lambda _: AdjustClock(seat, "untold", *ONE_DAY),
        lambda game: HoldFlag(game.turn, until),
    ][number % 8]


def _ending(ending: str) -> NextCommand:
    return {
        "resigned": lambda game: Resign("north" if game.version % 2 else "south"),
        "timed-out": lambda game: TimeOut(game.turn),
        "abandoned": lambda game: Abandon(None),
    }[ending]


def _turn(rng: random.Random) -> NextCommand:
    def take(game: Game) -> Command:
        possible = legal(game)
        if game.rules_version > 1:
            # What the versions differ in is seldom met by rng: Tactic cards go first.
            tactics = [t for t in possible if t[:3] in TACTIC_CARDS or t == "+T"]
            possible = tactics if tactics and rng.random() < 0.7 else possible
        return TakeTurn(game.turn, [rng.choice(possible)])

    return take


if __name__ == "__main__":
    main()
