"""Passes on the messages to other players that stand in mails below what these ask for."""

from dataclasses import dataclass

from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games import Games
from service.mail_in import sentences
from service.mail_in.outcome import VIA
from service.mail_in.wording import PlayerWords


@dataclass(frozen=True, slots=True)
class MessagesByMail:
    """Writes to the other player of a game. Every call is idempotent for its `mail_id`."""

    games: Games
    player_words: PlayerWords

    def pass_on(self, mail_id: str, player: str, text: str, game: str) -> str | None:
        """Write this text to the other player of the game; return the sentence that says why it is
        refused, None if it is not."""
        key = IdempotencyKey(f"{player} mail {mail_id}", ids.digest(text))
        try:
            self.games.conversations.write(game, player, text, VIA, key)
        except RequestRejected as refusal:
            return sentences.of_refusal(self.player_words.of(player), refusal)
        return None

    def told(self, mail_id: str, player: str, text: str, game: str | None) -> tuple[str, ...]:
        """Pass on the text, empty for none, in the game, None if there is none with another player;
        return the sentence that says what became of it, if there was any."""
        if not text:
            return ()
        words = self.player_words.of(player)
        if game is None:
            return (sentences.say(words, sentences.NOBODY_TO_TELL),)
        refusal = self.pass_on(mail_id, player, text, game)
        return (refusal or sentences.say(words, sentences.PASSED_ON),)
