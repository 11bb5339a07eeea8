"""How the letters of `tests/support/letters` are read today.

`python -m tests.service.mail_in.letters_table` prints a table, class by class, and with `--failing`
the letters that are not understood, in the form of `letters_failing.txt`.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from email import message_from_bytes
from email.utils import parseaddr
from typing import Final, NamedTuple

import engine
from engine import RuleBroken
from engine.chain import encode
from service.core.errors import RequestRejected
from service.mail.mailbox import Mailbox
from tests.mail.position import Position, Positions
from tests.service.mail_in.letter_situations import answered, arrange
from tests.support.games import GAME
from tests.support.letters import CLASSES, Letter, letters, of_class
from tests.support.letters.programs import sent
from tests.support.servers import bundled_binary, running
from tests.workers.mail.correspondence import flat, text_of

RIGHT: Final = "right"
REFUSED: Final = "refused"
"""Nothing was done, and the answer says so; but it was clear, or needed another answer."""
IGNORED: Final = "ignored"
"""Nothing was done, and nobody said why: no answer, or one as to another letter."""
WRONG: Final = "wrongly played"
"""Something was done that was not meant, or only a part of it was."""
VERDICTS: Final = (RIGHT, REFUSED, IGNORED, WRONG)

_PLAYED: Final = {"card_played", "ruse_played", "cards_recruited", "cards_returned", "passed"}
_PLAYED |= {"stone_claimed", "resigned", "time_given", "clock_paused"}
_DONE: Final = {"gives": "time_given", "agrees": "clock_paused", "resigns": "resigned"}
_QUESTIONS: Final = {"": "", "R7@3": "Did you mean .?play R7 at 3", "signature": "your signature"}
"""What an answer has to ask."""
_UNDERSTOOD: Final = ("show", "help", "confirm", "said", "declined", "played")
"""Labels of mails that were understood."""


class Seen(NamedTuple):
    """What a letter led to."""

    acts: list[str]
    """Events that somebody decided on, in order, with what they say."""
    said: str
    label: str
    answer: str
    """What was answered, on one line; empty where nothing was."""


def verdict(positions: Positions, letter: Letter) -> str:
    """Which of the `VERDICTS` the letter gets."""
    position = positions.put(letter.situation)
    seen = take_in(position, letter)
    if any(fits(position, seen, outcome) for outcome in letter.outcomes):
        return RIGHT  # whatever is answered
    seen = seen._replace(answer=answer(position))
    if any(fits(position, seen, outcome) for outcome in letter.outcomes):
        return RIGHT
    if seen.acts or seen.said or seen.label == "declined":
        return WRONG
    return REFUSED if seen.answer and seen.label not in _UNDERSTOOD else IGNORED


def hand_in(position: Position, letter: Letter) -> Seen:
    """Hand the letter in; what it leads to."""
    return take_in(position, letter)._replace(answer=answer(position))


def take_in(position: Position, letter: Letter) -> Seen:
    """Hand the letter in; what it leads to before it is answered."""
    raw = sent(letter, answered(position))
    writer = parseaddr(str(message_from_bytes(raw)["From"]))[1]
    try:
        label = position.take_in(str(position.answered["Reply-To"]), writer, raw)
    except RequestRejected as rejection:
        label = rejection.code
    messages = position.context.container.games.conversations.all_of(GAME)
    said = " / ".join(message.text for message in messages).replace("\n", " / ")
    return Seen(played_by(position), said, label, answer="")


def answer(position: Position) -> str:
    """The answer to the mail that came in, on one line; empty where there is none."""
    mailbox = Mailbox(position.context.container.redis)
    before = {mail.id for mail in mailbox.newest()}
    position.answer()
    answers = [mail for mail in mailbox.newest() if mail.id not in before and ".reply-" in mail.id]
    return flat(text_of(answers[0].message)) if answers else ""


def fits(position: Position, seen: Seen, outcome: str) -> bool:
    """Whether this is what was meant."""
    meant, _, said = outcome.partition("says: ")
    word, _, rest = meant.strip().partition(" ")
    if word == "plays":
        return seen.acts == follows(position, rest) and seen.said == said
    if not word:
        return not seen.acts and seen.said == said
    if word in _DONE:
        (act, *others) = seen.acts or [""]
        hours = int(rest.split()[0]) * 3600 if rest else ""
        return not others and not seen.said and act.startswith(_DONE[word]) and str(hours) in act
    if seen.acts or seen.said:
        return False
    match word:
        case "nothing":
            return seen.label not in ("declined", "confirm")
        case "shows" | "helps" | "confirms" | "declines":
            labels = {"shows": "show", "helps": "help", "confirms": "confirm"}
            return seen.label == labels.get(word, "declined")
    asked = re.search(_QUESTIONS[rest], seen.answer)
    return bool(seen.answer and seen.label not in _UNDERSTOOD and asked)


def follows(position: Position, actions: str) -> list[str] | None:
    """What has to happen once Ada takes these actions; None where the rules forbid them."""
    try:
        found = engine.decide(position.before.game, engine.TakeTurn("north", actions.split()))
    except RuleBroken:
        return None
    events = [encode(event) for event in found]
    return _acts(position, [(event.type, event.by, event.data) for event in events])


def played_by(position: Position) -> list[str]:
    """What somebody has decided on since the mail that is answered, as `follows` says it."""
    return _acts(position, position.played())


def _acts(position: Position, events: list[tuple[str, str | None, object]]) -> list[str]:
    """These events without what comes by itself: a draw where there is one deck, the end."""
    chosen = {"card_drawn"} if position.before.game.tactics else set()
    return [
        f"{type_} {json.dumps(data, sort_keys=True)}"
        for type_, by, data in events
        if by and type_ in _PLAYED | chosen
    ]


def failing(positions: Positions, read: Iterable[Letter]) -> dict[str, str]:
    """Which of these letters are not understood, and what becomes of each."""
    found = {each.id: verdict(positions, each) for each in read}
    return {letter: said for letter, said in found.items() if said != RIGHT}


def main() -> None:
    """Print the table."""
    with running(bundled_binary()) as server:
        positions = Positions(server.url, arrange)
        found = {kind: failing(positions, of_class(kind)) for kind in CLASSES}
        positions.close()
    is_list = "--failing" in sys.argv
    sys.stdout.write("\n".join(_list_of(found) if is_list else _table_of(found)) + "\n")


def _list_of(found: dict[str, dict[str, str]]) -> list[str]:
    return [f"{letter} {said}" for kind in found.values() for letter, said in kind.items()]


def _table_of(found: dict[str, dict[str, str]]) -> list[str]:
    total = Counter(letter.kind for letter in letters())
    rows = [("class", "letters", *VERDICTS), ("---",) * (len(VERDICTS) + 2)]
    sums: Counter[str] = Counter()
    for kind in CLASSES:
        counted = Counter(found[kind].values())
        counted[RIGHT] = total[kind] - counted.total()
        sums += counted
        rows.append((kind, str(total[kind]), *(str(counted[each]) for each in VERDICTS)))
    rows.append(("all", str(total.total()), *(str(sums[each]) for each in VERDICTS)))
    meant = [each for each in letters() if each.kind != "traps" and is_turn(each)]
    right = sum(letter.id not in found[letter.kind] for letter in meant)
    share = f"Of {len(meant)} that mean a turn and are no traps, {right} are right"
    return [*(f"| {' | '.join(row)} |" for row in rows), "", share]


def is_turn(letter: Letter) -> bool:
    """Whether its writer wants a turn to be played as it stands there."""
    return letter.outcomes[0].startswith("plays ")


if __name__ == "__main__":
    main()
