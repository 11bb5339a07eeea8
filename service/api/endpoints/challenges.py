"""Challenges: invite a certain player to a game."""

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.headers import idempotency_key
from service.api.responses import Created, PageOf
from service.api.schemas import inputs, outputs
from service.container import get_container
from service.games import StoredGame, shapes
from service.games.challenge import Challenge
from service.games.reading.views import challenge_view

blueprint = Blueprint("challenges", __name__, description="Challenging a player")

CHALLENGE = "/challenges/<challenge:challenge_id>"
_UNANSWERED = "challenge-not-found not-challenged challenge-closed"
_IMPOSSIBLE = (
    "unknown-opponent unknown-edition no-such-combination bad-clock already-asked"
    " challenges-off too-many-mails unknown-seal seal-used"
)


@blueprint.operation(
    "POST /challenges",
    "challengePlayer",
    # `challenge-closed`: the key's game ended, and was compacted, long ago.
    f"own-game ambiguous-name challenge-closed {_IMPOSSIBLE}",
    headers="IdempotencyKey",
)
def make(body: inputs.ChallengeInput) -> Created[shapes.ChallengeShape]:
    """Challenge a player

    By id or by name, to a game with these options. The player gets a mail, and may accept, decline
    or make a counter-offer for 14 days, or `invitation_days`. Between two players only one
    challenge or invitation can be open; another is rejected with `already-asked`. From now on
    `commitment` and `salt` are fixed, before anybody knows the accepter's salt. With a `seal` the
    commitment is fixed even before your own.
    """
    player, challenges = caller(), get_container().games.challenges
    to = body["player"] if "player" in body else challenges.by_name(body["name"])
    key = idempotency_key(player)
    return _made(challenges.make(player, to, inputs.new_game(body), key))


@blueprint.operation("GET /challenges", "listChallenges", headers="IfNoneMatch")
def list_open(query: inputs.PageQuery) -> PageOf[outputs.ChallengeListShape]:
    """List my open challenges

    Those I made and those made to me, newest first. `next` is the `cursor` of the next page.
    """
    challenges, following = get_container().games.challenges.open_of(
        caller(), query.get("cursor"), query["limit"]
    )
    return PageOf(shown(challenges), following)


@blueprint.operation(f"GET {CHALLENGE}", "getChallenge", "challenge-not-found")
def show(challenge_id: str) -> shapes.ChallengeShape:
    """Show a challenge

    Only its two players may see it, with its outcome for 14 days.
    """
    return _shown(get_container().games.challenges.find(challenge_id, caller()))


@blueprint.operation(f"DELETE {CHALLENGE}", "withdrawChallenge", _UNANSWERED)
def withdraw(challenge_id: str) -> shapes.ChallengeShape:
    """Withdraw my challenge"""
    return _shown(get_container().games.challenges.withdraw(challenge_id, caller()))


@blueprint.operation(
    f"POST {CHALLENGE}/acceptance", "acceptChallenge", f"{_UNANSWERED} too-many-games stale-version"
)
def accept(body: inputs.SeatInput, challenge_id: str) -> StoredGame:
    """Accept a challenge

    The game starts at once. It has the id of the challenge. Repeating the request returns the same
    game.
    """
    visited = inputs.day(body["visited_scotland"])
    return get_container().games.challenges.accept(
        challenge_id, caller(), salt=body["salt"], visited=visited
    )


@blueprint.operation(f"POST {CHALLENGE}/decline", "declineChallenge", _UNANSWERED)
def decline(body: inputs.EmptyInput, challenge_id: str) -> shapes.ChallengeShape:
    """Decline a challenge

    The challenger gets a mail.
    """
    return _shown(get_container().games.challenges.decline(challenge_id, caller()))


@blueprint.operation(
    f"POST {CHALLENGE}/counter-offer", "makeCounterOffer", f"{_UNANSWERED} {_IMPOSSIBLE}"
)
def counter(body: inputs.CounterOfferInput, challenge_id: str) -> Created[shapes.ChallengeShape]:
    """Make a counter-offer

    It replaces the challenge by one to the challenger. Whatever you leave out stays as it was: the
    same options, and the same seat and first move for each player. `seal`, `salt` and
    `visited_scotland` belong to each player; the challenger may give the last two again when
    accepting. A challenge has one counter-offer; repeating the request returns the same.
    """
    changes = inputs.options(body)
    return _made(get_container().games.challenges.counter(challenge_id, caller(), changes))


def shown(challenges: list[Challenge]) -> list[shapes.ChallengeShape]:
    """These challenges as the API shows them to their players."""
    players = {player for challenge in challenges for player in (challenge.by, challenge.to)}
    names = get_container().players.names(players)
    return [challenge_view(challenge, names) for challenge in challenges]


def _shown(challenge: Challenge) -> shapes.ChallengeShape:
    return shown([challenge])[0]


def _made(challenge: Challenge) -> Created[shapes.ChallengeShape]:
    return Created(_shown(challenge), f"/v1/challenges/{challenge.id}")
