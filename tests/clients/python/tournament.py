"""Pairs of bots that play whole games with the client, and what must hold afterwards."""

import asyncio
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from scottenbury_client import AsyncBot, AsyncClient, Bot, Client, verify
from scottenbury_client.models import Game, GameEvent

ACTED: Final = {"card_played", "ruse_played", "passed", "stone_claimed", "cards_returned"}
"""Types of events of which each is one action that a bot chose. Draws may happen by themselves."""


class Chooser:
    """Claims what it can, else plays at random; counts what it chose."""

    def __init__(self, seed: int) -> None:
        self.chosen = 0
        self._chance = random.Random(seed)

    def __call__(self, game: Game) -> str:
        legal = game["legal"]
        action = self._chance.choice([text for text in legal if text[0] == "!"] or legal)
        self.chosen += action[0] != "+" and action != "end"
        return action


class PlayedGame:
    """A game between two bots, followed by a third client."""

    def __init__(self, url: str, seed: int, **options: Any) -> None:
        self.clients = [Client(url), Client(url)]
        for side, client in zip("AB", self.clients, strict=True):
            client.register(f"Bot {seed} {side}")
        first, second = self.clients
        made = first.create_game(**options)
        second.join_game(made["id"], invite=made["invite"])
        self.url, self.id = url, made["id"]
        self.choosers = [Chooser(2 * seed), Chooser(2 * seed + 1)]

    def play(self) -> list[GameEvent]:
        """Play it with two bots of this process's threads. Returns what the spectator saw."""
        bots = map(Bot, self.clients, self.choosers)
        with ThreadPoolExecutor(3) as pool:
            ends = [pool.submit(bot.play, self.id) for bot in bots]
            followed = pool.submit(self._follow)
            self.views = [end.result() for end in ends]
            return followed.result()

    def _follow(self) -> list[GameEvent]:
        with Client(self.url) as spectator:
            return list(spectator.follow(self.id))

    def play_async(self) -> list[GameEvent]:
        """The same with asyncio."""
        return asyncio.run(self._play_async())

    async def _play_async(self) -> list[GameEvent]:
        async with (
            AsyncClient(self.url, self.clients[0].token) as first,
            AsyncClient(self.url, self.clients[1].token) as second,
            AsyncClient(self.url) as spectator,
        ):
            bots = map(AsyncBot, (first, second), self.choosers)

            async def follow() -> list[GameEvent]:
                return [event async for event in spectator.follow(self.id)]

            *self.views, followed = await asyncio.gather(
                *(bot.play(self.id) for bot in bots), follow()
            )
            return followed

    def check(self, followed: list[GameEvent], url: str) -> None:
        """No action, event or game was lost or doubled, as the server at `url` itself says."""
        first, second = self.views
        assert first["status"] == second["status"] == "finished"
        with Client(url) as reader:
            record = reader.record(self.id)
        assert [event["seq"] for event in followed] == [line["seq"] for line in record]
        assert verify(record, head=first["head"]).proved_to == len(record)
        acted = Counter(line["by"] for line in record if line["type"] in ACTED)
        seats = (first["seat"], second["seat"])
        chosen = [chooser.chosen for chooser in self.choosers]
        assert [acted[seat] for seat in seats] == chosen
        for client in self.clients:
            assert [game["id"] for game in client.list_games()] == [self.id]
            client.close()
