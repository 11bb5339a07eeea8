"""Actions that need both players: challenges and invitations, and offers about a running game."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from scottenbury_client import Client, News, Problem
from scottenbury_client.models import Challenge, CreatedGame, Game, GuestGame, Message, OfferList

from letters.days import AnyDay
from letters.wishes import ADDRESS, BeginGame, Offered
from service.bots import bot_at
from service.core.words import ENGLISH
from service.mail_in.sentences import end_of_pause
from service.text.game_terms import BOT_DECLINES, end_offered

_WORDS: Final[Mapping[Offered, str]] = {
    "pause": "to pause the clock",
    "abandonment": "to end the game without a winner",
}


class OpenOffer(NamedTuple):
    """An open offer of a game: the seat that makes it, and its number."""

    about: Offered
    by: str
    number: int
    until: str | None = None

    def sentence(self, names: Mapping[str, str], seat: str | None) -> str:
        """A sentence about the offer, with the commands that answer it."""
        what = _WORDS[self.about]
        if self.about == "pause":
            until = self.until and end_of_pause(ENGLISH, self.until)
            what += f" until {until}" if until else " without an end"
        if self.by == seat:
            return f"You offer {what}. Say decline to take the offer back."
        return f"{names[self.by]} offers {what}. Say agree or decline."


def offers_in(client: Client, game: Game) -> list[OpenOffer]:
    """The open offers of a game that the reader plays."""
    if game["status"] != "active" or game["seat"] is None:
        return []
    return [
        OpenOffer(kind, offer["by"], offer["number"], offer["until"])
        for offer in client.list_offers(game["id"])["offers"]
        for kind in _WORDS
        if kind == offer["kind"]
    ]


def offer_meant(client: Client, game: Game, about: Offered | None, *, agrees: bool) -> OpenOffer:
    """The offer that the player agrees to, or declines or withdraws. Raises `Problem` if no offer
    fits, or several do."""
    offers = offers_in(client, game)
    meant = [
        offer
        for offer in offers
        if about in (None, offer.about) and not (agrees and offer.by == game["seat"])
    ]
    if not meant:
        raise refusal("Nothing of that kind is offered to you in this game.")
    if len(meant) > 1:
        raise refusal("Two things are offered. Say pause or abandonment behind it.")
    return meant[0]


def agree(client: Client, game: Game, offer: OpenOffer) -> object:
    """Agree to this offer, and to no later one."""
    return client.make_offer(game["id"], {"kind": offer.about, "number": offer.number})


def decline(client: Client, game: Game, about: Offered | None) -> object:
    """Decline an offer, or withdraw one's own. Raises `Problem` as `offer_meant` does."""
    offer = offer_meant(client, game, about, agrees=False)
    return client.withdraw_offer(game["id"], offer.about)


def ending_offered(game: Mapping[str, Any]) -> str:
    """What follows an offer to end this game without a winner, and a question. Raises `Problem` if
    a bot would decline it."""
    to_bot = any(player and bot_at(player["id"]) for player in game["players"].values())
    if to_bot and game["rated"]:
        raise refusal(BOT_DECLINES)
    follows = end_offered(ENGLISH, to_bot=to_bot, rounds=game["rounds"])
    return f"offer an end? {follows} Say yes to offer it."


def offer_pause(client: Client, game: Game, last: AnyDay | None) -> OfferList:
    """Offer to pause the clock up to the end of a day here; None: until one of the two ends it."""
    if last is None:
        return client.make_offer(game["id"], {"kind": "pause"})
    today = datetime.now().astimezone()
    day = last.after(today.date()) + timedelta(days=1)
    until = datetime(day.year, day.month, day.day).astimezone()
    return client.make_offer(game["id"], {"kind": "pause", "until": until.isoformat()})


def begin(client: Client, wish: BeginGame) -> CreatedGame | Challenge:
    """Create the game or challenge that the player wishes for, and return it."""
    options = dict(wish.options)
    if wish.days is not None:
        options["clock"] = {"days_per_move": wish.days} if wish.days else None
    if bot := options.pop("bot", None):
        return client.create_game(opponent={"bot": bot}, **options)
    if wish.whom is None:
        return client.create_game(**options)
    if ADDRESS.fullmatch(wish.whom):
        return client.create_game(opponent={"email": wish.whom}, **options)
    wanted: Any = {"name": wish.whom, **options}
    return client.challenge_player(wanted)


def begun(made: Mapping[str, Any]) -> str:
    """A sentence about a new game or challenge that does not begin at once."""
    if "to" in made:
        return f"You challenged {made['to']['name']}. It begins when they accept."
    if made["invited"]:
        return "An invitation is on its way by mail."
    return f"Give this link to whoever is to play: {made['invite_url']}"


def challenge_line(challenge: Challenge, me: str) -> str:
    """A line about an open challenge, with the commands that answer it; `NUMBER` stands for its
    number."""
    days = (challenge["clock"] or {}).get("days_per_move")
    pace = "no clock" if challenge["clock"] is None else f"{days} days a turn" if days else "a bank"
    kind = f"{challenge['edition']}, {'with' if challenge['tactics'] else 'without'} Tactic cards"
    rounds = f", {challenge['rounds']} rounds" if challenge["rounds"] > 1 else ""
    terms = f"{kind}{rounds}, {pace}"
    if challenge["from"]["id"] == me:
        return f"You challenged {challenge['to']['name']}: {terms}. Say decline NUMBER to end it."
    return f"{challenge['from']['name']} challenges you: {terms}. Say accept or decline NUMBER."


def answer_challenge(client: Client, challenge: Challenge, me: str, word: str) -> Game | Challenge:
    """Accept a challenge, or decline or withdraw it."""
    if word == "accept":
        return client.accept_challenge(challenge["id"])
    if challenge["from"]["id"] == me:
        return client.withdraw_challenge(challenge["id"])
    return client.decline_challenge(challenge["id"])


def join(client: Client, link: str) -> Game | GuestGame:
    """Take the free seat of a game, by a link with an invite or by the game's id."""
    address = urlsplit(link)
    invite = next(iter(parse_qs(address.query).get("invite", [])), None)
    return client.join_game(address.path.rpartition("/")[2], invite=invite)


def refusal(detail: str, code: str = "not-here") -> Problem:
    """A refusal of this program's own, in the form of the server's."""
    return Problem(0, {"code": code, "detail": detail})


def news_lines(news: News, names: Mapping[str, str], seat: str | None) -> Iterator[str]:
    """News of a game other than events: the other player's messages and offers."""
    shown = news.data[news.type]
    if shown["by"] == seat:
        return
    if news.type == "message":
        yield message_line(shown, names)
    else:
        if shown["state"] == "offered" and shown["kind"] in _WORDS:
            offer = OpenOffer(shown["kind"], shown["by"], shown["number"], shown["until"])
            yield offer.sentence(names, seat)
        else:
            yield f"An offer was {shown['state']}."


def message_line(message: Message, names: Mapping[str, str]) -> str:
    return f"{names[message['by']]} writes: {' '.join(message['text'].split())}"
