"""The client and the bot, for asyncio. `client.py` is made from this file by client/generate.py."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

import httpx
from httpx_sse import ServerSentEvent, aconnect_sse

from scottenbury_client.async_operations import AsyncOperations
from scottenbury_client.calls import (
    MINE,
    PATIENCE,
    USER_AGENT,
    Call,
    News,
    Patience,
    events_of,
    keyed,
    lines_of,
    newer,
    record_of,
    result,
)
from scottenbury_client.errors import Conflict, Stale
from scottenbury_client.models import Challenge, Game, GameEvent

Choose = Callable[[Game], str | list[str]]
"""Gives the next action of a game that waits for the caller, or several of one turn, as text."""
Accept = Callable[[Challenge | Game], bool]
"""Says whether to begin a game, by a challenge or by the view of a game with a seat that is kept.
Both have `edition`, `tactics`, `expert`, `rounds`, `clock`, `rated` and `private`."""


class AsyncClient(AsyncOperations):
    """A server, asked by the player of a token, or by nobody in particular without one.

    `patience`: the seconds for which a request is sent again while connections break or the server
    is busy. `http`: a client of httpx of your own, such as one with a proxy or a certificate.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = PATIENCE,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = http or httpx.AsyncClient(headers={"User-Agent": USER_AGENT})
        self._http.base_url = httpx.URL(url)
        self._patience = patience
        self.token = token

    @property
    def token(self) -> str | None:
        """The token that is sent with each request."""
        return self._token

    @token.setter
    def token(self, token: str | None) -> None:
        self._token = token
        if token is None:
            self._http.headers.pop("Authorization", None)
        else:
            self._http.headers["Authorization"] = f"Bearer {token}"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def register(self, name: str) -> str:
        """Register a player and act for them from now on. Returns the token: it is shown only once.

        If the name is taken, the one that the server suggests is taken instead.
        """
        try:
            made = await self.register_player(name=name)
        except Conflict as problem:
            if problem.code != "name-taken":
                raise
            made = await self.register_player(name=problem.members["suggestion"])
        self.token = made["token"]
        return self.token

    async def request(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """Send any request, such as one to an operation that this package does not have yet.

        A write gets an idempotency key, so that it can be repeated like a read.
        """
        make = Call if method == "GET" else keyed
        return await self._send(make(method, path, body=body, params=params))

    async def events(self, game_id: str, after: int = 0) -> AsyncIterator[GameEvent]:
        """The events of a game after number `after`, as far as it has come."""
        here: int | None = after
        while here is not None:
            page = await self._send(Call("GET", events_of(game_id), params={"after": here}))
            for event in page["events"]:
                yield event
            here = page["next"]

    async def follow(self, game_id: str, after: int = 0) -> AsyncIterator[GameEvent]:
        """The events of a game after number `after`, each once, as they happen, until it is over.

        Goes on where it was when a connection breaks, and begins again with the first event if the
        server has lost some.
        """
        async for message in self._messages(events_of(game_id), str(after)):
            if message.event != "reset":
                yield json.loads(message.data)

    async def follow_mine(
        self, after: str | None = None, news: str | None = None
    ) -> AsyncIterator[News]:
        """What happens in all the player's games from now on, or after the `place` of earlier news.

        Events alone; with `news` others too: "all", or some of "challenges,messages,offers". News
        of type `reset` says that some is missing: read the games themselves.
        """
        place = after or await self.place()
        async for message in self._messages(MINE, place, news=news):
            yield News(message.id, message.event, json.loads(message.data))

    async def place(self) -> str:
        """The place of now in the stream of all the player's games, for `follow_mine`."""
        # Without `Accept` the answer would be the stream itself, which does not end.
        now = await self._send(Call("GET", MINE, headers={"Accept": "application/json"}))
        return str(now["next"])

    async def record(self, game_id: str) -> list[GameEvent]:
        """The record of a game: complete once it is over, before that what the player may see."""
        return lines_of(await self._send(record_of(game_id)))

    async def changed(self, game: Game) -> Game:
        """The game once it has moved on from `game`; waits for as long as that takes."""
        while (later := await self._send(newer(game))) is None:
            pass
        return later  # type: ignore[no-any-return]

    async def _send(self, call: Call) -> Any:
        patience = Patience(self._patience)
        while True:
            try:
                answer = await self._http.request(call.method, call.path, **call.options())
                pause = patience.after_answer(answer)
            except httpx.TransportError as error:
                pause = patience.after_break(call, error)
            if pause is None:
                return result(answer)
            await asyncio.sleep(pause)

    async def _pages(self, items: str, call: Call) -> AsyncIterator[Any]:
        page: dict[str, Any] = {"next": ""}
        while page["next"] is not None:
            page = await self._send(call.page(page["next"]))
            for item in page[items]:
                yield item

    async def _messages(
        self, path: str, place: str, **params: str | None
    ) -> AsyncIterator[ServerSentEvent]:
        """The messages of a stream after `place`, over as many connections as it takes."""
        patience = Patience(self._patience)
        while True:
            call = Call("GET", path, params=params, headers={"Last-Event-ID": place})
            try:
                async with aconnect_sse(self._http, "GET", path, **call.options()) as source:
                    pause = patience.after_answer(source.response)
                    if pause is None:
                        if source.response.status_code != 200:
                            await source.response.aread()
                            result(source.response)  # raises, unless there is nothing to follow
                            return
                        patience = Patience(self._patience)
                        async for message in source.aiter_sse():
                            place = message.id or place
                            if message.data:  # the first one has none
                                yield message
                        pause = patience.pause()
            except httpx.TransportError as error:
                pause = patience.after_break(call, error)
            await asyncio.sleep(pause)


class AsyncBot:
    """Plays for the client's player: `choose` says what to do in a game that waits for it."""

    def __init__(self, client: AsyncClient, choose: Choose) -> None:
        self.client = client
        self.choose = choose
        self._accept: Accept | None = None
        self._me = ""

    async def play(self, game_id: str) -> Game:
        """Play one game to its end. Returns its last view."""
        game = await self.client.get_game(game_id)
        while game["status"] in ("open", "active"):
            game = await self.move(game) if _waits(game) else await self.client.changed(game)
        return game

    async def run(self, accept: Accept | None = None) -> None:
        """Play all games of the player, those that begin later too, until something is raised.

        `accept` says of each challenge and invitation to the player whether to accept it; the
        others stay open. Without it all do.
        """
        self._accept = accept
        if accept is not None:
            self._me = (await self.client.get_me())["id"]
        place = await self.client.place()
        await self._catch_up()
        async for news in self.client.follow_mine(place, "challenges" if accept else None):
            if news.type == "reset":
                await self._catch_up()
            elif "challenge" in news.data:
                await self._answer(news.data["challenge"])
            elif "game" in news.data:
                await self._move_on(news.data["game"])

    async def move(self, game: Game) -> Game:
        """Do what `choose` says in a game that waits for it. Returns the game afterwards.

        Raises the `Problem` of an action that the server refuses, unless the game has moved on.
        """
        chosen = self.choose(game)
        actions = [chosen] if isinstance(chosen, str) else chosen
        try:
            return await self.client.play_turn(
                game["id"], actions=actions, if_match=game["version"]
            )
        except Stale:
            return await self.client.get_game(game["id"])
        except Conflict:
            later = await self.client.get_game(game["id"])
            if later["version"] == game["version"]:
                raise
            return later

    async def _catch_up(self) -> None:
        if self._accept is not None:
            async for challenge in self.client.list_challenges():
                await self._answer(challenge)
            async for game in self.client.list_games(status="open"):
                await self._move_on(game["id"])
        async for game in self.client.list_games(status="active", turn="me"):
            await self._move_on(game["id"])

    async def _answer(self, challenge: Challenge) -> None:
        is_asked = challenge["status"] == "open" and challenge["to"]["id"] == self._me
        if is_asked and self._accept is not None and self._accept(challenge):
            try:
                game = await self.client.accept_challenge(challenge["id"])
            except Conflict:  # such as one that was withdrawn at this moment
                return
            await self._move_on(game["id"])

    async def _move_on(self, game_id: str) -> None:
        game = await self.client.get_game(game_id)
        is_asked = game["status"] == "open" and game["seat"] is None
        if is_asked and self._accept is not None and self._accept(game):
            try:
                game = await self.client.join_game(game_id)
            except Conflict:
                return
        while _waits(game):
            game = await self.move(game)


def _waits(game: Game) -> bool:
    return game["status"] == "active" and game["turn"] == game["seat"]
