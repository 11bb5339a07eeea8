"""One round, with plain lists and dicts, straight from the rulings.

Seats are "north" and "south"; actions are the action texts of the contract.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tests.engine.naive.proof import CLAN, TACTIC, claim

SEATS = ("north", "south")
ELITE = ("JOK", "SPY", "SHB")
MODES = ("BMB", "MUD")
CANONICAL = {card: place for place, card in enumerate(CLAN + TACTIC)}

# As in the contract's game view: number, owner, north, south, modes, completed_first.
Stone = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """The options of the rulings that bear on play."""

    hand: int = 6
    tactics: bool = False
    claim_timing: str = "after_play"
    joker_limit: str = "one_per_game"
    traitor_to: str = "any"
    joker_may_return: bool = False  # after the other one was played, under one_per_game


def other(seat: str) -> str:
    """The seat across the border."""
    return "south" if seat == "north" else "north"


def is_clan(card: str) -> bool:
    """Whether a code is a Clan card's."""
    return card in CLAN


class NaiveGame:
    """One round. `clan` and `tactic` are whole deck orders, top first, before the deal."""

    def __init__(
        self, options: Options, first: str, clan: Sequence[str], tactic: Sequence[str] = ()
    ) -> None:
        self.options = options
        self.first = first
        self.turn: str | None = first
        self.phase: str | None = "play"
        self.stones: list[Stone] = [
            {"number": n, "owner": None, "north": [], "south": [], "modes": []}
            | {"completed_first": None}
            for n in range(1, 10)
        ]
        self.clan_deck = list(clan)
        self.tactic_deck = list(tactic) if options.tactics else []
        self.hands: dict[str, list[str]] = {"north": [], "south": []}
        for _ in range(options.hand):
            for seat in (first, other(first)):
                self.hands[seat].append(self.clan_deck.pop(0))
        self.discard: list[str] = []
        self.tactics_played = {"north": 0, "south": 0}
        self.jokers_played = {"north": 0, "south": 0}
        self.over = False
        self.winner: str | None = None
        self.reason: str | None = None
        self.scores = {"north": 0, "south": 0}
        # When each side last became complete, by (stone number, seat), counted in actions.
        self.completed: dict[tuple[int, str], int] = {}
        self.clock = 0
        # What happened in this turn, and how many turns in a row were idle (ruling 30).
        self.passed = self.claimed = self.drew = False
        self.idle_turns = 0

    # -- what may be done ------------------------------------------------------------------

    def legal(self) -> set[str]:
        """The action texts open to the player to move."""
        if self.over:
            return set()
        if self.phase == "return":
            return self._returns()
        if self.phase == "finish":
            return self._closings() | self._claims_if("after_play", "any_time")
        texts = self._claims_if("before_play", "any_time") | self._clan_plays()
        if self._may_play_a_tactic_card():
            texts |= self._elite_plays() | self._mode_plays() | self._ruses()
        if not self._clan_plays():
            texts.add("pass")
        return texts

    def _hand(self) -> list[str]:
        return self.hands[self._mover()]

    def _mover(self) -> str:
        assert self.turn is not None
        return self.turn

    def _unclaimed(self) -> list[Stone]:
        return [stone for stone in self.stones if stone["owner"] is None]

    def _with_room(self, seat: str) -> list[Stone]:
        return [stone for stone in self._unclaimed() if len(stone[seat]) < room(stone)]

    def _clan_plays(self) -> set[str]:
        return {
            f"{card}@{stone['number']}"
            for card in self._hand()
            if is_clan(card)
            for stone in self._with_room(self._mover())
        }

    def _may_play_a_tactic_card(self) -> bool:
        me = self._mover()
        return self.tactics_played[me] <= self.tactics_played[other(me)]

    def _may_play_a_joker(self) -> bool:
        me = self._mover()
        if self.options.joker_limit == "one_per_game":
            return self.jokers_played[me] == 0
        return not any("JOK" in stone[me] for stone in self.stones)

    def _elite_plays(self) -> set[str]:
        return {
            f"{card}@{stone['number']}"
            for card in self._hand()
            if card in ELITE and (card != "JOK" or self._may_play_a_joker())
            for stone in self._with_room(self._mover())
        }

    def _mode_plays(self) -> set[str]:
        return {
            f"{card}@{stone['number']}"
            for card in self._hand()
            if card in MODES
            for stone in self._unclaimed()
        }

    def _ruses(self) -> set[str]:
        texts: set[str] = set()
        for card, listed in (
            ("REC", self._recruiters),
            ("STR", self._strategists),
            ("BAN", self._banshees),
            ("TRA", self._traitors),
        ):
            if card in self._hand():
                texts |= listed()
        return texts

    def _recruiters(self) -> set[str]:
        cards = min(3, len(self.clan_deck) + len(self.tactic_deck))
        return {
            "REC:" + "C" * clan + "T" * (cards - clan)
            for clan in range(cards + 1)
            if cards and clan <= len(self.clan_deck) and cards - clan <= len(self.tactic_deck)
        }

    def _strategists(self) -> set[str]:
        me = self._mover()
        texts = set()
        for stone in self._unclaimed():
            for card in stone[me]:
                texts.add(f"STR:{card}@{stone['number']}>x")
                for target in self._with_room(me):
                    if target is not stone:
                        texts.add(f"STR:{card}@{stone['number']}>{target['number']}")
        return texts

    def _banshees(self) -> set[str]:
        return {
            f"BAN:{card}@{stone['number']}"
            for stone in self._unclaimed()
            for card in stone[other(self._mover())]
        }

    def _traitors(self) -> set[str]:
        return {
            f"TRA:{card}@{stone['number']}>{target['number']}"
            for stone in self._unclaimed()
            for card in stone[other(self._mover())]
            if is_clan(card)
            for target in self._with_room(self._mover())
            if target is not stone or self.options.traitor_to == "any"
        }

    def _kept(self, card: str) -> bool:
        if card != "JOK" or self.options.joker_may_return:
            return False
        return self.options.joker_limit == "one_per_game" and not self._may_play_a_joker()

    def _returns(self) -> set[str]:
        hand = [card for card in self._hand() if not self._kept(card)]
        hand.sort(key=CANONICAL.__getitem__)
        return {"-" + ",".join(chosen) for chosen in combinations(hand, min(2, len(hand)))}

    def _closings(self) -> set[str]:
        if len(self._hand()) >= self.options.hand:
            return {"end"}
        draws = set()
        if self.clan_deck:
            draws.add("+C")
        if self.tactic_deck:
            draws.add("+T")
        return draws or {"end"}

    def _claims_if(self, *timings: str) -> set[str]:
        if self.options.claim_timing not in timings:
            return set()
        return {f"!{s['number']}" for s in self._unclaimed() if self.judge(s["number"])[0]}

    def judge(self, number: int) -> tuple[bool, tuple[str, ...] | None]:
        """Whether the player to move could prove a claim on a Stone, and what beats it if not."""
        stone = self.stones[number - 1]
        me = self._mover()
        first = "mine" if stone["completed_first"] == me else "theirs"
        return claim(stone[me], stone[other(me)], self.face_up(), first, stone["modes"])

    def face_up(self) -> set[str]:
        """Every Clan card that lies on a side or in the discard (ruling 15)."""
        lying = [card for stone in self.stones for seat in SEATS for card in stone[seat]]
        return {card for card in lying + self.discard if is_clan(card)}

    # -- doing it --------------------------------------------------------------------------

    def do(self, text: str) -> None:
        """Take one action; ValueError when it is not legal now.

        The letters of a Recruiter and the cards of a return may come in any order.
        """
        if canonical(text) not in self.legal():
            raise ValueError(f"not legal now: {text}")
        self._performer(text)(text)
        self.note_completions()
        if self.phase == "finish" and len(self.legal()) == 1:
            (last,) = self.legal()
            self._performer(last)(last)

    def resign(self, seat: str) -> None:
        """The seat gives the round up."""
        self._finish(other(seat), "resignation")

    def time_out(self, seat: str) -> None:
        """The seat ran out of time."""
        self._finish(other(seat), "time-out")

    def _performer(self, text: str) -> Callable[[str], None]:
        by_prefix: dict[str, Callable[[str], None]] = {
            "REC:": self._recruit,
            "STR:": self._strategist,
            "BAN:": self._banshee,
            "TRA:": self._traitor,
            "!": self._claim,
            "+": self._draw,
            "-": self._return,
            "end": self._end,
            "pass": self._pass,
        }
        found = [act for prefix, act in by_prefix.items() if text.startswith(prefix)]
        return found[0] if found else self._play

    def _play(self, text: str) -> None:
        card, number = text.split("@")
        stone = self.stones[int(number) - 1]
        self._hand().remove(card)
        if not is_clan(card):
            self.tactics_played[self._mover()] += 1
        if card == "JOK":
            self.jokers_played[self._mover()] += 1
        stone["modes" if card in MODES else self._mover()].append(card)
        self.phase = "finish"

    def _play_ruse(self, card: str) -> None:
        self._hand().remove(card)
        self.discard.append(card)
        self.tactics_played[self._mover()] += 1
        self.phase = "finish"

    def _recruit(self, text: str) -> None:
        self._play_ruse("REC")
        for deck in text.removeprefix("REC:"):
            self._take_from(deck)
        nothing_to_return = all(self._kept(card) for card in self._hand())
        self.phase = "finish" if nothing_to_return else "return"

    def _take_from(self, deck: str) -> None:
        self._hand().append((self.clan_deck if deck == "C" else self.tactic_deck).pop(0))

    def _return(self, text: str) -> None:
        for card in text.removeprefix("-").split(","):
            self._hand().remove(card)
            (self.clan_deck if is_clan(card) else self.tactic_deck).append(card)
        self.phase = "finish"

    def _strategist(self, text: str) -> None:
        self._play_ruse("STR")
        card, source, target = move_parts(text)
        self.stones[int(source) - 1][self._mover()].remove(card)
        if target == "x":
            self.discard.append(card)
        else:
            self.stones[int(target) - 1][self._mover()].append(card)

    def _banshee(self, text: str) -> None:
        self._play_ruse("BAN")
        card, source = text.removeprefix("BAN:").split("@")
        self.stones[int(source) - 1][other(self._mover())].remove(card)
        self.discard.append(card)

    def _traitor(self, text: str) -> None:
        self._play_ruse("TRA")
        card, source, target = move_parts(text)
        self.stones[int(source) - 1][other(self._mover())].remove(card)
        self.stones[int(target) - 1][self._mover()].append(card)

    def _claim(self, text: str) -> None:
        self.stones[int(text.removeprefix("!")) - 1]["owner"] = self._mover()
        self.claimed = True
        held = self.held(self._mover())
        if any({n, n + 1, n + 2} <= set(held) for n in held):
            self._finish(self._mover(), "three-adjacent")
        elif len(held) >= 5:
            self._finish(self._mover(), "five-stones")

    def _pass(self, _: str) -> None:
        self.passed = True
        self.phase = "finish"

    def _draw(self, text: str) -> None:
        self._take_from(text.removeprefix("+"))
        self.drew = True
        self._end("end")

    def _end(self, _: str) -> None:
        idle = self.passed and not self.claimed and not self.drew
        self.idle_turns = self.idle_turns + 1 if idle else 0
        self.passed = self.claimed = self.drew = False
        self.turn = other(self._mover())
        self.phase = "play"
        if self.idle_turns == 4:
            self._finish(None, "stalemate")

    def _finish(self, winner: str | None, reason: str) -> None:
        self.over = True
        self.winner = winner
        self.reason = reason
        self.turn = None
        self.phase = None
        for seat in SEATS:
            self.scores[seat] = 5 if seat == winner else len(self.held(seat))

    def held(self, seat: str) -> list[int]:
        """The numbers of the Stones a seat has claimed."""
        return [stone["number"] for stone in self.stones if stone["owner"] == seat]

    def note_completions(self) -> None:
        """Bring up to date who completed each side, and when (ruling 10)."""
        self.clock += 1
        for stone in self.stones:
            for seat in SEATS:
                if len(stone[seat]) < room(stone):
                    self.completed.pop((stone["number"], seat), None)
                else:
                    self.completed.setdefault((stone["number"], seat), self.clock)
            complete = [seat for seat in SEATS if (stone["number"], seat) in self.completed]
            moments = {seat: self.completed[stone["number"], seat] for seat in complete}
            stone["completed_first"] = min(complete, key=moments.__getitem__, default=None)


def room(stone: Stone) -> int:
    """How many cards a side of the Stone holds (ruling 4)."""
    return 4 if "MUD" in stone["modes"] else 3


def move_parts(text: str) -> tuple[str, str, str]:
    """Card, source and target of `XXX:CARD@STONE>TARGET`."""
    card, rest = text.split(":")[1].split("@")
    source, target = rest.split(">")
    return card, source, target


def canonical(text: str) -> str:
    """The text as `legal` lists it."""
    if text.startswith("REC:"):
        return "REC:" + "".join(sorted(text.removeprefix("REC:")))
    if text.startswith("-"):
        cards = text.removeprefix("-").split(",")
        return "-" + ",".join(sorted(cards, key=lambda card: CANONICAL.get(card, -1)))
    return text
