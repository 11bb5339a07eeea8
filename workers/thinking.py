"""Runs slow bots, and weighs turns, in processes of their own, with a low priority.

Each is `python -m workers.thinking NICE`. It reads pickled questions and writes lines of text, and
ends with its parent. If it dies while thinking, it is started again, once for each question.
"""

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from io import BufferedReader
from random import Random
from typing import Any, BinaryIO, Final

from engine import View
from service.bots import BOTS, Bot, analysis
from service.bots.analysis import PlayedTurn

LONGEST: Final = 15.0
LONGEST_WEIGHING: Final = 60.0
"""Seconds after which a bot's thought, or the weighing of a turn, is given up. It is never cut
short: its budget is a number of games played out, so that the same view gives the same result."""
THINKING: Final = 2
WEIGHING: Final = 10
"""The niceness of the processes for bots and for analyses: how far they give way to others."""


class Thinker:
    """Asks questions of one thinking process, for one thread at a time."""

    def __init__(self, nice: int = THINKING, longest: float = LONGEST) -> None:
        self._nice = nice
        self._longest = longest
        self.process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def choose(self, bot: Bot, view: View, rng: Random) -> str:
        """Return the bot's action. Raises OSError if its process dies twice or takes too long."""
        return self._answer(_choose, bot.name, view, rng.getstate())

    def weigh(self, turn: PlayedTurn) -> str:
        """Return the worth of a turn, as JSON. Raises as `choose` does."""
        return self._answer(_weigh, turn)

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _answer(self, think: Callable[..., str], *about: object) -> str:
        # By name: in the process, this module has another.
        question = pickle.dumps((think.__name__, about))
        with self._lock:
            answer = self._ask(question) or self._ask(question)
        if answer is None:
            raise OSError("a bot could not think to the end")
        return answer

    def _ask(self, question: bytes) -> str | None:
        if self.process is None:
            command = [sys.executable, "-m", "workers.thinking", str(self._nice)]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        process = self.process
        assert process.stdin is not None, "it has a pipe"
        assert process.stdout is not None, "it has a pipe"
        watch = threading.Timer(self._longest, process.kill)
        watch.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            answer = process.stdout.readline().decode().strip()
        except BrokenPipeError:
            answer = ""
        finally:
            watch.cancel()
        if not answer:
            self.close()
        return answer or None


def answer_all(questions: BufferedReader, answers: BinaryIO) -> None:
    """Read what to think about from `questions`, and write the choice or weight of each to
    `answers`; return once `questions` is closed."""
    while questions.peek(1):
        name, about = pickle.load(questions)
        answers.write(f"{_THOUGHTS[name](*about)}\n".encode())
        answers.flush()


def _choose(name: str, view: View, state: Any) -> str:
    rng = Random()
    rng.setstate(state)
    return BOTS[name].choose(view, rng)


def _weigh(turn: PlayedTurn) -> str:
    return json.dumps(analysis.weigh(turn).to_data(), separators=(",", ":"))


_THOUGHTS: Final[dict[str, Callable[..., str]]] = {
    think.__name__: think for think in (_choose, _weigh)
}


if __name__ == "__main__":
    os.nice(int(sys.argv[1]))
    assert isinstance(sys.stdin.buffer, BufferedReader), "a pipe is buffered"
    answer_all(sys.stdin.buffer, sys.stdout.buffer)
