"""Two players and their games: they move, claim, look, and send some turns twice at once."""

import random
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from bench.faults.checking import Sent, faults, lines_of, view_faults
from bench.faults.clients import Answer, Client, Failed, Run
from bench.population import Player

UNKEYED: Final = 0.2
"""The share of turns that are sent once, without a key: their senders never hear of some."""
TWINS: Final = 0.15
"""The share of turns that are sent twice at once, without a key."""
SPECTATED: Final = 0.1
"""The share of turns at which somebody without a token looks."""
REFUSED: Final = (409, 422)
"""The statuses of a turn that came too late, as an earlier copy of it was carried out."""
MOST_REFUSALS: Final = 5


class Pair:
    """Two players and their games, one after the other."""

    def __init__(self, run: Run, port: int, players: tuple[Player, Player], seed: str) -> None:
        self._run, self._client, self._chance = run, Client(run, port), random.Random(seed)
        self.seats = {"north": players[0], "south": players[1]}
        self.games: dict[str, list[Sent]] = {}
        self.ends: dict[str, int] = {}
        """The last versions of the games that are over."""
        self._seen: list[tuple[str | None, str]] = []
        self._twins = ThreadPoolExecutor(2)

    def play(self) -> None:
        """Play until there were moves enough; each game is resigned at the latest then."""
        try:
            while not self._run.is_over:
                self._game()
        except Failed as failure:
            self._run.faults.append(str(failure))
        finally:
            self._twins.shutdown()

    def _game(self) -> None:
        wanted = {"first_player": "creator", "seat": "north"}
        made = self._insist("POST", "/games", "north", wanted).json
        path, sent = f"/games/{made['id']}", self.games.setdefault(made["id"], [])
        self._seen = []
        self._insist("POST", f"{path}/join", "south", {"invite": made["invite"]})
        seat, refusals = "north", deque([False], MOST_REFUSALS)
        while not self._run.is_over:
            view = self._view(path, seat)
            if view["status"] != "active":
                break
            if view["turn"] != seat:
                seat = view["turn"]
                continue
            after = self._turn(path, sent, view, seat)
            refusals.append(after is None)
            if refusals.count(True) == MOST_REFUSALS:
                raise Failed(0, f"{path}: refused {MOST_REFUSALS} legal turns running")
            seat = after["turn"] or seat if after else seat
        if self._view(path, "north")["status"] == "active":
            self._resign(path)
        self.ends[made["id"]] = self._view(path, "south")["version"]
        self._compare(path)

    def _resign(self, path: str) -> None:
        try:
            self._insist("POST", f"{path}/resignation", "north", {})
        except Failed as failure:  # the last turn had ended it, after its answer was lost
            if failure.status not in REFUSED:
                raise

    def _turn(self, path: str, sent: list[Sent], view: Any, seat: str) -> Any:
        """Act once as the mover; the view after it, {} if no answer came, None if refused."""
        claims = [text for text in view["legal"] if text.startswith("!")]
        action = claims[0] if claims else self._chance.choice(view["legal"])
        if self._chance.random() < SPECTATED:
            self._view(path, None)
        answers = self._send(f"{path}/turns", seat, {"actions": [action]})
        if not (claims or "@" in action):
            return next((each.json for each in answers if each.status == 200), {})
        done = [each.json for each in answers if each.status == 200]
        sent += [Sent(seat, action, each["version"], each["head"]) for each in done]
        for each, answer in zip(done, (a for a in answers if a.status == 200), strict=True):
            self._run.acknowledged()
            self._seen.append((each["seat"], answer.text))
        if done:
            return done[0]
        sent.append(Sent(seat, action))
        return None if all(each.status in REFUSED for each in answers) else {}

    def _send(self, path: str, seat: str, body: Any) -> list[Answer]:
        chance, token = self._chance.random(), self.seats[seat].token
        if chance < TWINS:
            barrier = threading.Barrier(2)

            def one() -> Answer:
                barrier.wait()
                return self._client.once("POST", path, token, body, "")

            return [each.result() for each in [self._twins.submit(one) for _ in range(2)]]
        if chance < TWINS + UNKEYED:
            return [self._client.once("POST", path, token, body, "")]
        try:
            return [self._insist("POST", path, seat, body)]
        except Failed as failure:
            if failure.status not in REFUSED:
                raise
            return [Answer(failure.status, "")]

    def _view(self, path: str, seat: str | None) -> Any:
        answer = self._insist("GET", path, seat)
        self._seen.append((seat, answer.text))
        return answer.json

    def _insist(self, method: str, path: str, seat: str | None, body: Any = None) -> Answer:
        token = self.seats[seat].token if seat else ""
        return self._client.insist(method, path, token, body)

    def _compare(self, path: str) -> None:
        """Hold all views of this game, which is over, against its record."""
        record = self._insist("GET", f"{path}/record", "north").text
        names = {player.id: player.name for player in self.seats.values()}
        players = {seat: player.id for seat, player in self.seats.items()}
        self._run.faults += view_faults(path[7:], record, self._seen, players, names)
        self._run.compared(len(self._seen))

    def check(self, port: int) -> Iterator[str]:
        """What is wrong with the games, read from this port after all is over."""
        for game, sent in self.games.items():
            try:
                asked, path = Client(self._run, port).insist, f"/games/{game}/record"
                record = lines_of(asked("GET", path, self.seats["north"].token).text)
                over = record[-1]["type"] == "game_ended"
                yield from (f"{game}: {fault}" for fault in faults(record, sent, full=over))
                if not over:
                    yield f"{game}: it did not come to its end"
            except Failed as failure:
                yield str(failure)
