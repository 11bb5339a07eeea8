"""One method for each operation of the API. Generated from openapi.yaml by client/generate.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Unpack

from scottenbury_client import models
from scottenbury_client.calls import Call, keyed, place


class AsyncOperations:
    """The operations, by their names in the document."""

    async def _send(self, call: Call) -> Any:
        raise NotImplementedError

    def _pages(self, items: str, call: Call) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def register_player(self, *, idempotency_key: str | None = None, **body: Unpack[models.PlayerInput]) -> models.RegisteredPlayer:
        """Register a player."""
        call = keyed("POST", "/v1/players", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    def find_players(self, *, name: str | None = None, limit: int | None = None) -> AsyncIterator[models.Player]:
        """Find players by name."""
        call = Call("GET", "/v1/players", params={"name": name, "limit": limit})
        return self._pages("players", call)

    async def get_player(self, player_id: str, /) -> models.PlayerProfile:
        """Show a player."""
        call = Call("GET", f"/v1/players/{place(player_id)}")
        return await self._send(call)

    async def get_me(self) -> models.Me:
        """Show who I am."""
        call = Call("GET", "/v1/me")
        return await self._send(call)

    async def update_me(self, *, idempotency_key: str | None = None, **body: Unpack[models.AccountInput]) -> models.Account:
        """Change my name, my address, which mail I get, my language, or whether my games may be studied."""
        call = keyed("PATCH", "/v1/me", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def delete_me(self, *, idempotency_key: str | None = None) -> None:
        """Delete my account."""
        call = keyed("DELETE", "/v1/me", idempotency_key=idempotency_key)
        return await self._send(call)

    async def export_me(self) -> models.AccountExport:
        """Export everything stored about me."""
        call = Call("GET", "/v1/me/export")
        return await self._send(call)

    async def create_token(self, *, idempotency_key: str | None = None, **body: Unpack[models.TokenInput]) -> models.CreatedToken:
        """Create a token."""
        call = keyed("POST", "/v1/me/tokens", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    def list_tokens(self, *, limit: int | None = None) -> AsyncIterator[models.Token]:
        """List my tokens."""
        call = Call("GET", "/v1/me/tokens", params={"limit": limit})
        return self._pages("tokens", call)

    async def sign_in(self, *, idempotency_key: str | None = None, **body: Unpack[models.SignInInput]) -> models.RegisteredPlayer:
        """Sign in with a code."""
        call = keyed("POST", "/v1/sign-ins", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def revoke_token(self, token_id: str, /, *, idempotency_key: str | None = None) -> None:
        """Revoke a token."""
        call = keyed("DELETE", f"/v1/me/tokens/{place(token_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def register_bot(self, *, idempotency_key: str | None = None, **body: Unpack[models.OwnBotInput]) -> models.RegisteredPlayer:
        """Register a bot of mine."""
        call = keyed("POST", "/v1/me/bots", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def list_own_bots(self) -> models.OwnBotList:
        """List my bots."""
        call = Call("GET", "/v1/me/bots")
        return await self._send(call)

    async def end_bot(self, bot_id: str, /, *, idempotency_key: str | None = None) -> None:
        """End a bot of mine."""
        call = keyed("DELETE", f"/v1/me/bots/{place(bot_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def renew_bot_token(self, bot_id: str, /, *, idempotency_key: str | None = None) -> models.CreatedToken:
        """Make a new token for a bot of mine."""
        call = keyed("POST", f"/v1/me/bots/{place(bot_id)}/token", idempotency_key=idempotency_key)
        return await self._send(call)

    async def get_settings(self) -> models.Settings:
        """Show my settings."""
        call = Call("GET", "/v1/me/settings")
        return await self._send(call)

    async def update_settings(self, *, idempotency_key: str | None = None, **body: Unpack[models.SettingsInput]) -> models.Settings:
        """Change my settings."""
        call = keyed("PATCH", "/v1/me/settings", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def get_game_settings(self, game_id: str, /) -> models.GameSettings:
        """Show my settings for a game, and my note about it."""
        call = Call("GET", f"/v1/games/{place(game_id)}/settings")
        return await self._send(call)

    async def update_game_settings(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.GameSettingsInput]) -> models.GameSettings:
        """Change my settings for a game, or my note about it."""
        call = keyed("PATCH", f"/v1/games/{place(game_id)}/settings", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def block_player(self, player_id: str, /, *, idempotency_key: str | None = None) -> None:
        """Block a player."""
        call = keyed("PUT", f"/v1/me/blocked/{place(player_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def unblock_player(self, player_id: str, /, *, idempotency_key: str | None = None) -> None:
        """Unblock a player."""
        call = keyed("DELETE", f"/v1/me/blocked/{place(player_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def get_calendar(self) -> models.Calendar:
        """Show my calendar."""
        call = Call("GET", "/v1/me/calendar")
        return await self._send(call)

    async def set_calendar(self, *, idempotency_key: str | None = None, **body: Unpack[models.CalendarInput]) -> models.Calendar:
        """Replace my calendar."""
        call = keyed("PUT", "/v1/me/calendar", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def create_channel(self, body: models.ChannelInput, /, *, idempotency_key: str | None = None) -> models.CreatedChannel:
        """Add a channel."""
        call = keyed("POST", "/v1/me/channels", body=body, idempotency_key=idempotency_key)
        return await self._send(call)

    async def list_channels(self) -> models.ChannelList:
        """List my channels."""
        call = Call("GET", "/v1/me/channels")
        return await self._send(call)

    async def update_channel(self, channel_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.ChannelChangeInput]) -> models.Channel:
        """Change a channel."""
        call = keyed("PATCH", f"/v1/me/channels/{place(channel_id)}", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def delete_channel(self, channel_id: str, /, *, idempotency_key: str | None = None) -> None:
        """Delete a channel."""
        call = keyed("DELETE", f"/v1/me/channels/{place(channel_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def get_server(self) -> models.Server:
        """Show which program answers here."""
        call = Call("GET", "/v1")
        return await self._send(call)

    async def list_editions(self) -> models.EditionList:
        """List the editions."""
        call = Call("GET", "/v1/editions")
        return await self._send(call)

    async def list_bots(self) -> models.BotList:
        """List the bots."""
        call = Call("GET", "/v1/bots")
        return await self._send(call)

    async def challenge_player(self, body: models.ChallengeInput, /, *, idempotency_key: str | None = None) -> models.Challenge:
        """Challenge a player."""
        call = keyed("POST", "/v1/challenges", body=body, idempotency_key=idempotency_key)
        return await self._send(call)

    def list_challenges(self, *, limit: int | None = None) -> AsyncIterator[models.Challenge]:
        """List my open challenges."""
        call = Call("GET", "/v1/challenges", params={"limit": limit})
        return self._pages("challenges", call)

    async def get_challenge(self, challenge_id: str, /) -> models.Challenge:
        """Show a challenge."""
        call = Call("GET", f"/v1/challenges/{place(challenge_id)}")
        return await self._send(call)

    async def withdraw_challenge(self, challenge_id: str, /, *, idempotency_key: str | None = None) -> models.Challenge:
        """Withdraw my challenge."""
        call = keyed("DELETE", f"/v1/challenges/{place(challenge_id)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def accept_challenge(self, challenge_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeatInput]) -> models.Game:
        """Accept a challenge."""
        call = keyed("POST", f"/v1/challenges/{place(challenge_id)}/acceptance", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def decline_challenge(self, challenge_id: str, /, *, idempotency_key: str | None = None) -> models.Challenge:
        """Decline a challenge."""
        call = keyed("POST", f"/v1/challenges/{place(challenge_id)}/decline", idempotency_key=idempotency_key)
        return await self._send(call)

    async def make_counter_offer(self, challenge_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.CounterOfferInput]) -> models.Challenge:
        """Make a counter-offer."""
        call = keyed("POST", f"/v1/challenges/{place(challenge_id)}/counter-offer", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def create_game(self, *, idempotency_key: str | None = None, **body: Unpack[models.GameInput]) -> models.CreatedGame:
        """Create a game."""
        call = keyed("POST", "/v1/games", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    def list_games(self, *, limit: int | None = None, status: str | None = None, turn: str | None = None, mine: bool | None = None, public: bool | None = None, opponent: str | None = None, edition: str | None = None, ended_after: str | None = None) -> AsyncIterator[models.GameSummary]:
        """List my games, or public ones."""
        call = Call("GET", "/v1/games", params={"limit": limit, "status": status, "turn": turn, "mine": mine, "public": public, "opponent": opponent, "edition": edition, "ended_after": ended_after})
        return self._pages("games", call)

    async def get_game(self, game_id: str, /, *, at: int | None = None, invite: str | None = None, wait: int | None = None) -> models.Game:
        """Show a game."""
        call = Call("GET", f"/v1/games/{place(game_id)}", params={"at": at, "invite": invite, "wait": wait})
        return await self._send(call)

    async def call_off_game(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Call off a game before it starts."""
        call = keyed("DELETE", f"/v1/games/{place(game_id)}", if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def join_game(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None, **body: Unpack[models.JoinInput]) -> models.Game | models.GuestGame:
        """Take the free seat."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/join", if_match=if_match, idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def create_seal(self, *, idempotency_key: str | None = None) -> models.Seal:
        """Ask for a seal."""
        call = keyed("POST", "/v1/seals", idempotency_key=idempotency_key)
        return await self._send(call)

    def get_lobby(self, *, limit: int | None = None) -> AsyncIterator[models.OpenGame]:
        """List the games that anyone may join."""
        call = Call("GET", "/v1/lobby", params={"limit": limit})
        return self._pages("games", call)

    async def request_rematch(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.RematchInput]) -> models.Game:
        """Ask for a rematch."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/rematch", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def practise_game(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.PracticeInput]) -> models.Game:
        """Play the deal of a finished game again."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/practice", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def change_clock(self, game_id: str, body: models.ClockChangeInput, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Give the opponent time, or end a pause."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/clock", body=body, if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def claim_time_out(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Claim a win on time."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/time-out", if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def list_offers(self, game_id: str, /) -> models.OfferList:
        """List the open offers of a game."""
        call = Call("GET", f"/v1/games/{place(game_id)}/offers")
        return await self._send(call)

    async def make_offer(self, game_id: str, body: models.OfferInput, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.OfferList:
        """Make an offer, or agree to one."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/offers", body=body, if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def withdraw_offer(self, game_id: str, offer_kind: str, /, *, idempotency_key: str | None = None) -> models.OfferList:
        """Withdraw or decline an offer."""
        call = keyed("DELETE", f"/v1/games/{place(game_id)}/offers/{place(offer_kind)}", idempotency_key=idempotency_key)
        return await self._send(call)

    async def play_move(self, game_id: str, body: models.MoveInput, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Play a card or pass."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/moves", body=body, if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def claim_stone(self, game_id: str, body: models.ClaimsInput, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Claim Stones."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/claims", body=body, if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def play_turn(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None, **body: Unpack[models.TurnInput]) -> models.Game:
        """Take a turn in action text."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/turns", if_match=if_match, idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def resign_game(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None) -> models.Game:
        """Resign the round."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/resignation", if_match=if_match, idempotency_key=idempotency_key)
        return await self._send(call)

    async def get_orders(self, game_id: str, /) -> models.Orders:
        """Show my standing orders."""
        call = Call("GET", f"/v1/games/{place(game_id)}/orders")
        return await self._send(call)

    async def set_orders(self, game_id: str, /, *, if_match: int | None = None, idempotency_key: str | None = None, **body: Unpack[models.OrdersInput]) -> models.Orders:
        """Give standing orders."""
        call = keyed("PUT", f"/v1/games/{place(game_id)}/orders", if_match=if_match, idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    def list_messages(self, game_id: str, /, *, limit: int | None = None) -> AsyncIterator[models.Message]:
        """List the messages of a game."""
        call = Call("GET", f"/v1/games/{place(game_id)}/messages", params={"limit": limit})
        return self._pages("messages", call)

    async def send_message(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.MessageInput]) -> models.Message:
        """Write to my opponent."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/messages", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def mark_messages_read(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.ReadMarkInput]) -> None:
        """Mark messages as read."""
        call = keyed("PUT", f"/v1/games/{place(game_id)}/messages/read", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def report_message(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.MessageReportInput]) -> None:
        """Report a message of my opponent's."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/messages/reports", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    def list_records(self, *, ended_after: str | None = None, limit: int | None = None) -> AsyncIterator[models.ArchivedGame]:
        """Fetch finished games to study."""
        call = Call("GET", "/v1/records", params={"ended_after": ended_after, "limit": limit})
        return self._pages("records", call)

    async def list_proofs(self, game_id: str, /) -> models.ProofList:
        """Show which of my Stones a claim would win."""
        call = Call("GET", f"/v1/games/{place(game_id)}/proofs")
        return await self._send(call)

    async def get_analysis(self, game_id: str, /) -> models.Analysis:
        """Show what each turn and draw of a finished game was worth."""
        call = Call("GET", f"/v1/games/{place(game_id)}/analysis")
        return await self._send(call)

    async def analyse_game(self, game_id: str, /, *, idempotency_key: str | None = None) -> models.Analysis:
        """Have a finished game analysed."""
        call = keyed("POST", f"/v1/games/{place(game_id)}/analysis", idempotency_key=idempotency_key)
        return await self._send(call)

    def list_seasons(self, *, limit: int | None = None) -> AsyncIterator[models.SeasonSummary]:
        """List the seasons."""
        call = Call("GET", "/v1/seasons", params={"limit": limit})
        return self._pages("seasons", call)

    async def announce_season(self, *, idempotency_key: str | None = None, **body: Unpack[models.SeasonInput]) -> models.Season:
        """Announce a season."""
        call = keyed("POST", "/v1/seasons", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def get_season(self, season_id: str, /) -> models.Season:
        """Show a season."""
        call = Call("GET", f"/v1/seasons/{place(season_id)}")
        return await self._send(call)

    async def enter_season(self, season_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.SeasonEntryInput]) -> models.Season:
        """Enter a season."""
        call = keyed("PUT", f"/v1/seasons/{place(season_id)}/entry", idempotency_key=idempotency_key, body=body)
        return await self._send(call)

    async def leave_season(self, season_id: str, /, *, idempotency_key: str | None = None) -> models.Season:
        """Leave a season."""
        call = keyed("DELETE", f"/v1/seasons/{place(season_id)}/entry", idempotency_key=idempotency_key)
        return await self._send(call)

    async def challenge_on_ladder(self, season_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[models.ChallengedInput]) -> models.Game:
        """Challenge a player of a ladder."""
        call = keyed("POST", f"/v1/seasons/{place(season_id)}/challenges", idempotency_key=idempotency_key, body=body)
        return await self._send(call)
