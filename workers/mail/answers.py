"""Which mails can be answered, what an answer to each is about, and how they say so.

Every word that an answer may hold stands in quotation marks: no line of ours may be read as one.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.eventlog import NoticeParts
from service.mail_in.addresses.reply_addresses import (
    Offered,
    OffersShown,
    Purpose,
    ReplyTo,
    name_mark,
)
from service.mail_in.outcome import Outcome
from service.mail_in.words.help import RUSES
from workers.mail.game import GameMail


def reply_to(notice: NoticeParts, variables: Mapping[str, Any]) -> ReplyTo | None:
    """What an answer to this mail is about; None where it cannot be answered."""
    if notice.kind == "challenge":
        return ReplyTo("challenge", notice.game, 1)
    if notice.kind == "invitation":
        return ReplyTo("invitation", notice.game, 1)
    game: GameMail | None = variables.get("game")
    if game is None or game.seat is None:
        return None
    if game.is_over and notice.kind != "message":
        return None
    return _of_table("turn", game)


def of_outcome(outcome: Outcome, game: GameMail | None) -> ReplyTo | None:
    """What an answer to our answer is about: an offer, or the game that it shows."""
    if outcome.name is not None:
        return ReplyTo("naming", outcome.about, 1, head=name_mark(outcome.name))
    if outcome.offer is not None:
        return ReplyTo(outcome.offer, outcome.about, 1)
    if game is None or game.is_over:
        return None
    return _of_table(outcome.confirms or "turn", game)


def _of_table(purpose: Purpose, game: GameMail) -> ReplyTo | None:
    if game.seat is None:
        return None
    stored, pause, abandonment = game.stored, game.pause_offer, game.offer
    numbers: dict[Offered, int] = {"pause": pause.offer.number} if pause else {}
    if abandonment is not None:
        numbers["abandonment"] = abandonment.number
    shown = OffersShown(tuple(numbers), max(numbers.values())) if numbers else None
    return ReplyTo(purpose, stored.id, stored.version, game.seat, stored.head, shown)


def ways_to_answer(answered: ReplyTo | None, game: GameMail | None) -> list[str]:
    """What the mail says about answering it, in paragraphs."""
    if answered is None:
        return []
    if answered.purpose in _SINGLE_WORDS:
        return [_SINGLE_WORDS[answered.purpose]]
    assert game is not None, "only a game has turns"
    return [*_of_time(game), *_of_offers(game), _of_turn(game)]


def _of_time(game: GameMail) -> Iterator[str]:
    if game.can_claim_time:
        yield (
            f"Or answer this mail with a single line: “claim the win”, and we ask you once more"
            f" before it counts; or “give 2 days”, or any other number of days or hours, and"
            f" {game.opponent} has so much more time."
        )


def _of_offers(game: GameMail) -> Iterator[str]:
    pause, other = game.offered_pause, game.opponent
    both = pause is not None and game.has_offer
    if pause is not None:
        yield (
            f"{other} offers to pause the clock {pause}. Answer this mail with the single line"
            f" “agree{' to the pause' if both else ''}” or “decline{' the pause' if both else ''}”."
        )
    if game.has_offer:
        yield (
            f"{other} offers to abandon the game. Answer this mail with the single line"
            f" “agree{' to abandon it' if both else ''}”, and we ask you once more, or with"
            f" “decline{' the abandonment' if both else ''}”."
        )


def _of_turn(game: GameMail) -> str:
    step, phase = game.stored.version + 1, game.stored.game.phase
    if not game.is_to_move:
        begin = "“say: well played” on the first line would send these words to the other player"
        return f"Or answer this mail: {begin}, and {_HELP}"
    if phase == "play":
        return (
            f"Or answer this mail to play step {step}: “play R7 at 3” on the first line would play"
            f" that card there, “claim 3” on a line of its own would claim that Stone, and {_HELP}"
            f"{_of_ruses(game)}"
        )
    if phase == "return":
        return (
            f"Or answer this mail to go on with step {step}: “-R1,JOK” on the first line would put"
            f" those two cards back, and {_HELP}"
        )
    return (
        f"Or answer this mail to go on with step {step}: “claim 3” would claim that Stone, “draw"
        f" clan” would take a Clan card, each on a line of its own, and {_HELP}"
    )


def _of_ruses(game: GameMail) -> str:
    """How the cards are written that are not put on a Stone, where the reader can play some."""
    begun = {action.partition(":")[0] for action in game.view["legal"]}
    ways = [way for ruse, way in RUSES.items() if ruse in begun]
    return " ".join(["", "Such cards are written like this:", *ways]) if ways else ""


_HELP: Final = "“help” tells everything that can be written."
_ELSE: Final = "Until then the game goes on, and this mail can be answered like any other."
_ANSWER: Final = "Or answer this mail with the single word “accept” or “decline”."
_SINGLE_WORDS: Final[Mapping[Purpose, str]] = {
    "resign": f"To confirm it, answer this mail with the single word “resign” again. {_ELSE}",
    "win": f"To confirm it, answer this mail with the single line “claim the win” again. {_ELSE}",
    "abandonment": f"To confirm it, answer this mail with the single word “agree” again. {_ELSE}",
    "invitation": _ANSWER,
    "naming": "Answer this mail with the single word “accept” or “decline”, or as told above.",
    "challenge": _ANSWER,
}
