"""Runs slow bots in a process of their own, with the lowest priority.

The process is `python -m workers.thinking`. It reads pickled questions and writes action texts, and
ends with its parent. If it dies while thinking, it is started again, once for each question.
"""

import os
import pickle
import subprocess
import sys
import threading
from io import BufferedReader
from random import Random
from typing import BinaryIO, Final

from engine import View
from service.bots import BOTS, Bot

LONGEST: Final = 15.0
"""Seconds after which a thought is given up. It is never cut short: a bot's budget is a number of
games played out, so that the same view and seed give the same move."""
_NICE: Final = 2


class Thinker:
    """Asks the process, for one thread at a time."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def choose(self, bot: Bot, view: View, rng: Random) -> str:
        """The bot's action. Raises OSError if its process dies twice or takes too long."""
        question = pickle.dumps((bot.name, view, rng.getstate()))
        with self._lock:
            action = self._ask(question) or self._ask(question)
        if action is None:
            raise OSError(f"the bot {bot.name} could not think to the end")
        return action

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _ask(self, question: bytes) -> str | None:
        if self.process is None:
            command, pipe = [sys.executable, "-m", "workers.thinking"], subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        process = self.process
        assert process.stdin is not None, "it has a pipe"
        assert process.stdout is not None, "it has a pipe"
        watch = threading.Timer(LONGEST, process.kill)
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
    """Answer each question, until there are no more."""
    while questions.peek(1):
        name, view, state = pickle.load(questions)
        rng = Random()
        rng.setstate(state)
        answers.write(f"{BOTS[name].choose(view, rng)}\n".encode())
        answers.flush()


if __name__ == "__main__":
    os.nice(_NICE)
    assert isinstance(sys.stdin.buffer, BufferedReader), "a pipe is buffered"
    answer_all(sys.stdin.buffer, sys.stdout.buffer)
