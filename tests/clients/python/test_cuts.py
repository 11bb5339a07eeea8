"""The client against a server whose connections break, and which starts again."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import active_count

import pytest
from scottenbury_client import calls

from tests.clients.python.tournament import PlayedGame
from tests.support.cutting_proxy import CuttingProxy
from tests.support.ports import free_port
from tests.support.processes import Running
from tests.support.waiting import until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path, SCOTTENBURY_RATE_LIMITS="off")
    try:
        yield running.ready()
    finally:
        running.kill_all()


def test_the_proxy_leaves_no_thread_that_turns_on_its_closed_socket() -> None:
    before = active_count()
    with CuttingProxy(free_port()):
        pass
    until(lambda: active_count() <= before)


def test_bots_play_on_through_cuts_and_a_restart(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "_LONGEST_PAUSE", 0.05)
    with CuttingProxy(server.port) as proxy, ThreadPoolExecutor(2) as pool:
        games = [PlayedGame(proxy.url, seed, tactics=True) for seed in range(2)]
        played = [pool.submit(games[0].play), pool.submit(games[1].play_async)]
        until(lambda: proxy.cuts > 10 or any(one.done() for one in played))
        server.interrupt()
        again = Running(tmp_path, SCOTTENBURY_RATE_LIMITS="off", SCOTTENBURY_PORT=str(server.port))
        try:
            for game, followed in zip(games, played, strict=True):
                game.check(followed.result(), server.url)
        finally:
            again.kill_all()
        assert proxy.cuts > 10
