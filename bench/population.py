"""Players at many games: they read, move, claim, write, follow, and some answer by mail."""

import asyncio
import json
import random
import time
from collections import Counter, defaultdict
from email.message import EmailMessage
from itertools import count
from typing import Any, Final, NamedTuple

from bench.exchanges import content_length, request
from service.accounts.email_addresses import AddressVerification
from service.container import Container

MAIL_PATIENCE: Final = 20.0
"""Seconds that a player waits for a mail, or for what an answer by mail does."""
PAUSE: Final = 0.5
"""Seconds after a refusal until the next game."""
ASIDE: Final = {"unchanged": 0.5, "list": 0.3, "page": 0.3, "lobby": 0.1, "message": 0.1}
"""How often a turn comes with each of these, besides the reading of the own view."""


class Refused(Exception):
    """A request that a game depends on was refused; it is counted."""


class Player(NamedTuple):
    """A registered player with a verified address."""

    id: str
    token: str
    email: str
    name: str


class Answer(NamedTuple):
    """A whole answer: its status and its body."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Observed:
    """What the players saw; all times are those of the monotonic clock, in seconds."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.refused: Counter[str] = Counter()
        self.sent: dict[tuple[str, int], float] = {}
        """When the request was sent that led to this version of a game."""
        self.news: dict[tuple[str, int], float] = {}
        self.mails: dict[tuple[str, int], tuple[float, str]] = {}
        """When the mail about this version came, and where it is answered."""

    def forget(self) -> None:
        """Begin anew. Where mails are answered is needed later too."""
        for each in (self.times, self.refused, self.sent, self.news):
            each.clear()

    def take_mail(self, mail: EmailMessage) -> None:
        """Message-IDs are `<GAME.VERSION.PLAYER.KIND@…>`; other mails are of no interest."""
        game, _, rest = str(mail["Message-ID"]).strip("<> ").partition(".")
        version = rest.partition(".")[0]
        if version.isdigit() and mail["Reply-To"]:
            self.mails[game, int(version)] = (time.monotonic(), str(mail["Reply-To"]))

    def notice_delays(self) -> list[float]:
        """Seconds from the sending of a turn to the arrival of the mail about it."""
        return [self.mails[key][0] - at for key, at in self.sent.items() if key in self.mails]

    def news_delays(self) -> list[float]:
        """Seconds from the sending of a turn to the news of it on a stream."""
        return [self.news[key] - at for key, at in self.sent.items() if key in self.news]


class Connection:
    """A connection that stays open, and is opened again where the server has closed it."""

    def __init__(self, port: int, observed: Observed) -> None:
        self.port, self.observed = port, observed
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, kind: str, method: str, path: str, headers: dict[str, str], body: str = ""
    ) -> Answer:
        """The answer to one request, whose time and refusal are counted under `kind`."""
        begun = time.monotonic()
        answer = await self._send(request(method, path, headers, body))
        self.observed.times[kind].append(time.monotonic() - begun)
        if answer.status >= 400:
            self.observed.refused[f"{kind} {answer.status}"] += 1
        return answer

    async def _send(self, raw: bytes) -> Answer:
        fresh = self._ends is None
        reader, writer = self._ends = self._ends or await self.opened()
        try:
            writer.write(raw)
            head = await reader.readuntil(b"\r\n\r\n")
            return Answer(int(head[9:12]), await reader.readexactly(content_length(head)))
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            if fresh:
                raise
            return await self._send(raw)

    async def opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    def close(self) -> None:
        if self._ends:
            self._ends[1].close()
        self._ends = None


class Pair:
    """Two players and their game; another one begins when it is over.

    `think`: the mean of the seconds between two turns. Where `by_mail` holds, the one who sits
    south answers the mails (with `mail_token`); where `streams` does, one of them follows the game.
    """

    _numbers = count()

    def __init__(
        self,
        connection: Connection,
        players: tuple[Player, Player],
        think: float,
        *,
        mail_token: str = "",
        by_mail: bool = False,
        streams: bool = False,
    ) -> None:
        self._connection, self._observed = connection, connection.observed
        self._players, self.think, self._mail_token = players, think, mail_token
        self._by_mail, self._streams = by_mail, streams
        self._chance = random.Random(next(self._numbers))

    async def play(self) -> None:
        """Play until it is cancelled."""
        try:
            while True:
                try:
                    await self._game()
                except Refused:
                    await asyncio.sleep(PAUSE)
        finally:
            self._connection.close()

    async def _game(self) -> None:
        north, south = self._players
        wanted = {"first_player": "creator", "seat": "north"}
        made = await self._needed("create", "POST", "/v1/games", north, **wanted)
        path, invite = f"/v1/games/{made['id']}", made["invite"]
        view = await self._needed("join", "POST", f"{path}/join", south, invite=invite)
        following = asyncio.create_task(self._follow(view["id"])) if self._streams else None
        try:
            while view["status"] == "active":
                await asyncio.sleep(self._chance.expovariate(1 / self.think) if self.think else 0)
                view = await self._turn(path, south if view["turn"] == "south" else north)
        finally:
            if following:
                following.cancel()

    async def _turn(self, path: str, mover: Player) -> Any:
        """The mover reads the game and acts once; the view after it."""
        view = await self._needed("read", "GET", path, mover)
        for aside, often in ASIDE.items():
            if self._chance.random() < often:
                await self._do_aside(aside, path, mover, view["version"])
        claims = [text for text in view["legal"] if text.startswith("!")]
        action = claims[0] if claims else self._chance.choice(view["legal"])
        if self._by_mail and mover is self._players[1]:
            answered = await self._answer_mail(path, mover, view, action)
            if answered is not None:
                return answered
        begun, kind = time.monotonic(), "claim" if claims else "move"
        answer = await self._ask(kind, "POST", f"{path}/turns", mover, actions=[action])
        if answer.status == 200:
            self._observed.sent[view["id"], answer.json["version"]] = begun
            return answer.json
        return view

    async def _do_aside(self, aside: str, path: str, mover: Player, version: int) -> None:
        match aside:
            case "unchanged":
                known = {**_bearer(mover), "If-None-Match": f'"{version}"'}
                await self._connection.ask(aside, "GET", path, known)
            case "list":
                await self._ask(aside, "GET", "/v1/games?status=active", mover)
            case "lobby":
                await self._ask(aside, "GET", "/v1/lobby", mover)
            case "page":
                await self._connection.ask(aside, "GET", path.removeprefix("/v1"), {})
            case "message":
                await self._ask(aside, "POST", f"{path}/messages", mover, text="Good luck.")

    async def _answer_mail(self, path: str, mover: Player, view: Any, action: str) -> Any:
        """Answer the mail about this turn; the view after it, None where no mail came in time."""
        here = (view["id"], view["version"])
        if not await _came_true(lambda: here in self._observed.mails):
            self._observed.refused["no turn mail in time"] += 1
            return None
        to = self._observed.mails[here][1]
        mail = f"From: {mover.email}\nTo: {to}\nMessage-ID: <{'.'.join(map(str, here))}@bench>\n"
        head = {"Authorization": f"Bearer {self._mail_token}", "Content-Type": "message/rfc822"}
        begun = time.monotonic()
        where = f"/mail-in?to={to}&from={mover.email}".replace("+", "%2B")
        await self._connection.ask("mail in", "POST", where, head, f"{mail}\n{action}\n")
        while time.monotonic() < begun + MAIL_PATIENCE:
            await asyncio.sleep(0.1)
            after = await self._needed("read", "GET", path, mover)
            if after["version"] != view["version"]:
                self._observed.times["turn by mail, done"].append(time.monotonic() - begun)
                return after
        self._observed.refused["mail not carried out in time"] += 1
        return None

    async def _follow(self, game: str) -> None:
        reader, writer = await self._connection.opened()
        try:
            wanted = {**_bearer(self._players[0]), "Accept": "text/event-stream"}
            writer.write(request("GET", f"/v1/games/{game}/events", wanted))
            async for line in reader:
                if line.startswith(b"id: ") and line[4:].strip().isdigit():
                    self._observed.news[game, int(line[4:])] = time.monotonic()
        finally:
            writer.close()

    async def _needed(self, kind: str, method: str, path: str, by: Player, **body: Any) -> Any:
        """The answer, without which the game cannot go on. Raises `Refused`."""
        answer = await self._ask(kind, method, path, by, **body)
        if answer.status >= 400:
            raise Refused
        return answer.json

    async def _ask(self, kind: str, method: str, path: str, by: Player, **body: Any) -> Answer:
        sent = json.dumps(body) if body else ""
        return await self._connection.ask(kind, method, path, _bearer(by), sent)


def registered(container: Container, number: int) -> list[Player]:
    """So many new players with verified addresses."""
    players = []
    stem = f"{time.time_ns() // 1_000_000 % 10**9:x}"
    for index in range(number):
        email = f"p{stem}.{index}@example.org"
        player, token = container.registrations.register(f"P {stem} {index}", email)[:2]
        assert container.players.verify(AddressVerification(player.id, email, expires=0))
        players.append(Player(player.id, token, email, player.name))
    return players


def _bearer(player: Player) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.token}"}


async def _came_true(condition: Any) -> bool:
    end = time.monotonic() + MAIL_PATIENCE
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return bool(condition())
