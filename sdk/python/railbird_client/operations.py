"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from railbird_client import models

T = TypeVar("T")


class Operations(ABC):
    """Every operation of the API."""

    @abstractmethod
    async def _call(
        self,
        method: str,
        path: str,
        answer: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> T: ...

    async def list_accounts(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        unit: str | None = None,
        key: str | None = None,
    ) -> models.PageWallet:
        """One's own accounts, in the order in which they were opened."""
        return await self._call(
            "GET",
            "/api/v1/accounts/",
            models.PageWallet,
            query={"cursor": cursor, "limit": limit, "unit": unit, "key": key},
        )

    async def get_balance(self, account: int, *, at: datetime | None = None) -> models.Balance:
        """What was in one of one's own accounts at a moment; without one, what is in it now."""
        return await self._call(
            "GET", f"/api/v1/accounts/{account}/balance/", models.Balance, query={"at": at}
        )

    async def list_operator_acts(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        operator: UUID | str | None = None,
        act: Literal[
            "annotate",
            "edit",
            "list_games",
            "list_lobbies",
            "mute",
            "unmute",
            "void_bet",
            "void_game",
            "watch",
        ]
        | None = None,
        game: UUID | str | None = None,
        lobby: UUID | str | None = None,
        asked_after: datetime | None = None,
        asked_before: datetime | None = None,
    ) -> models.PageOperatorAct:
        """What operators asked for, and why, newest first; what came of it, the logs of the games say."""
        return await self._call(
            "GET",
            "/api/v1/admin/acts/",
            models.PageOperatorAct,
            query={
                "cursor": cursor,
                "limit": limit,
                "operator": operator,
                "act": act,
                "game": game,
                "lobby": lobby,
                "asked_after": asked_after,
                "asked_before": asked_before,
            },
        )

    async def list_all_games(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["finished", "running", "voided"] | None = None,
        visibility: Literal["invite", "public", "unlisted"] | None = None,
        user: UUID | str | None = None,
        is_stalled: bool | None = None,
        started_after: datetime | None = None,
        started_before: datetime | None = None,
    ) -> models.PageGame:
        """Everybody's games, newest first. It is written down."""
        return await self._call(
            "GET",
            "/api/v1/admin/games/",
            models.PageGame,
            query={
                "cursor": cursor,
                "limit": limit,
                "slug": slug,
                "status": status,
                "visibility": visibility,
                "user": user,
                "is_stalled": is_stalled,
                "started_after": started_after,
                "started_before": started_before,
            },
        )

    async def void_bet(self, game: UUID | str, number: int, body: models.Why) -> None:
        """Call one bet off, open or settled, in a game that runs or has ended: what it moved goes back."""
        await self._call("POST", f"/api/v1/admin/games/{game}/bets/{number}/void/", None, body=body)

    async def watch_commits(
        self,
        game: UUID | str,
        *,
        after: int | None = None,
        limit: int | None = None,
        reason: str | None = None,
    ) -> models.Commits:
        """The commits of any game after a version, as a spectator may read them. That one looked, and why, is written down."""
        return await self._call(
            "GET",
            f"/api/v1/admin/games/{game}/commits/",
            models.Commits,
            query={"after": after, "limit": limit, "reason": reason},
        )

    async def annotate_game(self, game: UUID | str, body: models.Why) -> None:
        """Add a note to the log of a game, even of one that has ended."""
        await self._call("POST", f"/api/v1/admin/games/{game}/notes/", None, body=body)

    async def watch_game(self, game: UUID | str, *, reason: str | None = None) -> models.ViewAtHead:
        """What a spectator of any game sees now, were there one. That one looked, and why, is written down."""
        return await self._call(
            "GET", f"/api/v1/admin/games/{game}/view/", models.ViewAtHead, query={"reason": reason}
        )

    async def void_game(self, game: UUID | str, body: models.Why) -> None:
        """Call a game off, even one that has ended: open bets are void, buy-ins go back."""
        await self._call("POST", f"/api/v1/admin/games/{game}/void/", None, body=body)

    async def list_all_lobbies(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["closed", "open", "started"] | None = None,
        free_seats_min: int | None = None,
        buy_in_min: int | None = None,
        buy_in_max: int | None = None,
        admits_bot_accounts: bool | None = None,
        text: str | None = None,
        visibility: Literal["invite", "public", "unlisted"] | None = None,
        host: UUID | str | None = None,
        user: UUID | str | None = None,
    ) -> models.PageLobby:
        """Everybody's lobbies, newest first, as a stranger sees public ones: without invite codes. It is written down."""
        return await self._call(
            "GET",
            "/api/v1/admin/lobbies/",
            models.PageLobby,
            query={
                "cursor": cursor,
                "limit": limit,
                "slug": slug,
                "status": status,
                "free_seats_min": free_seats_min,
                "buy_in_min": buy_in_min,
                "buy_in_max": buy_in_max,
                "admits_bot_accounts": admits_bot_accounts,
                "text": text,
                "visibility": visibility,
                "host": host,
                "user": user,
            },
        )

    async def mute_as_operator(self, lobby: UUID | str, user: UUID | str, body: models.Why) -> None:
        """Let a person talk no more in a lobby, its host too, until an operator lifts it."""
        await self._call(
            "POST", f"/api/v1/admin/lobbies/{lobby}/people/{user}/mute/", None, body=body
        )

    async def unmute_as_operator(
        self, lobby: UUID | str, user: UUID | str, body: models.Why
    ) -> None:
        """Let a person talk again in a lobby, whoever muted them."""
        await self._call(
            "POST", f"/api/v1/admin/lobbies/{lobby}/people/{user}/unmute/", None, body=body
        )

    async def list_all_bets(
        self,
        *,
        game: UUID | str | None = None,
        slug: str | None = None,
        seat: int | None = None,
        spot: str | None = None,
        spot_prefix: str | None = None,
        outcome: Literal["lost", "open", "void", "won"] | None = None,
        stake_min: int | None = None,
        stake_max: int | None = None,
        placed_after: datetime | None = None,
        placed_before: datetime | None = None,
        user: UUID | str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.PageBet:
        """Everybody's bets in all games, newest first: for auditors."""
        return await self._call(
            "GET",
            "/api/v1/audit/bets/",
            models.PageBet,
            query={
                "game": game,
                "slug": slug,
                "seat": seat,
                "spot": spot,
                "spot_prefix": spot_prefix,
                "outcome": outcome,
                "stake_min": stake_min,
                "stake_max": stake_max,
                "placed_after": placed_after,
                "placed_before": placed_before,
                "user": user,
                "cursor": cursor,
                "limit": limit,
            },
        )

    async def get_checkpoint(self) -> models.Checkpoint:
        """The newest signed head of the log, and the keys that sign it. Keep one now and then: it is what proofs start from."""
        return await self._call("GET", "/api/v1/audit/checkpoint/", models.Checkpoint)

    async def get_receipt(self, game: UUID | str, number: int, *, since: int | None = None) -> str:
        """A bet's place in the log as a file. While the game goes on it shows hashes; afterwards, all that decided the bet."""
        return await self._call(
            "GET", f"/api/v1/audit/games/{game}/bets/{number}/receipt/", str, query={"since": since}
        )

    async def list_apps(self) -> list[models.App]:
        """The apps that one registered, newest first."""
        return await self._call("GET", "/api/v1/auth/apps/", list[models.App])

    async def register_app(self, body: models.NewApp) -> models.App:
        """Register an app, which may then ask people to let it act for them, by OAuth 2.0."""
        return await self._call("POST", "/api/v1/auth/apps/", models.App, body=body)

    async def remove_app(self, client_id: str) -> None:
        """Forget an app that one registered. All that people lent it ends, and its open sockets are closed at once."""
        await self._call("DELETE", f"/api/v1/auth/apps/{client_id}/", None)

    async def list_bot_accounts(self) -> list[models.BotAccount]:
        """One's bot accounts, newest first."""
        return await self._call("GET", "/api/v1/auth/bots/", list[models.BotAccount])

    async def create_bot_account(self, body: models.BotName) -> models.BotAccount:
        """Make an account for a program, which plays under a name of its own and is marked as a bot."""
        return await self._call("POST", "/api/v1/auth/bots/", models.BotAccount, body=body)

    async def rename_bot_account(self, bot: UUID | str, body: models.BotName) -> models.BotAccount:
        """Call one of one's bot accounts otherwise."""
        return await self._call("PUT", f"/api/v1/auth/bots/{bot}/", models.BotAccount, body=body)

    async def delete_bot_account(self, bot: UUID | str) -> None:
        """Delete one of one's bot accounts, for good. Its tokens end, and its open sockets are closed at once."""
        await self._call("DELETE", f"/api/v1/auth/bots/{bot}/", None)

    async def list_bot_tokens(self, bot: UUID | str) -> list[models.Token]:
        """The tokens of a bot account of one's own that hold, newest first."""
        return await self._call("GET", f"/api/v1/auth/bots/{bot}/tokens/", list[models.Token])

    async def create_bot_token(
        self, bot: UUID | str, body: models.BotToken
    ) -> models.NewPersonalToken:
        """Get a token with which a program is one of one's bot accounts."""
        return await self._call(
            "POST", f"/api/v1/auth/bots/{bot}/tokens/", models.NewPersonalToken, body=body
        )

    async def revoke_bot_token(self, bot: UUID | str, token: UUID | str) -> None:
        """End a token of one of one's bot accounts. Its open sockets are closed at once."""
        await self._call("DELETE", f"/api/v1/auth/bots/{bot}/tokens/{token}/", None)

    async def claim_account(self, body: models.Registration) -> models.Person:
        """A guest registers, and keeps seats, bets and tokens."""
        return await self._call("POST", "/api/v1/auth/claim/", models.Person, body=body)

    async def ask_for_address_code(self, body: models.NewAddress) -> None:
        """Have a code mailed to one's address, which counts once the code has come back."""
        await self._call("POST", "/api/v1/auth/email/", None, body=body)

    async def confirm_address(self, body: models.AddressCode) -> None:
        """Prove that one reads the address to which this code was mailed. From now on it can replace a lost password."""
        await self._call("POST", "/api/v1/auth/email/confirm/", None, body=body)

    async def erase_account(self, body: models.Farewell | None = None) -> None:
        """Have one's name, address, password, tokens and bot accounts forgotten, for good."""
        await self._call("POST", "/api/v1/auth/erase/", None, body=body)

    async def come_in_as_guest(self, body: models.NewGuest | None = None) -> models.NewToken:
        """Come in as a guest."""
        return await self._call("POST", "/api/v1/auth/guest/", models.NewToken, body=body)

    async def me(self) -> models.Person:
        """Who one is."""
        return await self._call("GET", "/api/v1/auth/me/", models.Person)

    async def change_password(self, body: models.NewPassword) -> None:
        """Set another password. All tokens end but the one that asks, those of one's bot accounts too."""
        await self._call("POST", "/api/v1/auth/password/", None, body=body)

    async def register(self, body: models.Registration) -> models.NewToken:
        """Register with a username and a password."""
        return await self._call("POST", "/api/v1/auth/register/", models.NewToken, body=body)

    async def ask_for_reset_code(self, body: models.NewAddress) -> None:
        """Have a code mailed to everybody who proved to read this address. The answer is the same when there is nobody."""
        await self._call("POST", "/api/v1/auth/reset/", None, body=body)

    async def reset_password(self, body: models.ResetCode) -> None:
        """Set another password with the code from the mail. All tokens end; the code is good for once."""
        await self._call("POST", "/api/v1/auth/reset/confirm/", None, body=body)

    async def revoke_token(self) -> None:
        """End the token that asks, whatever its scopes. Its open sockets are closed at once."""
        await self._call("POST", "/api/v1/auth/revoke/", None)

    async def revoke_all_tokens(self) -> None:
        """End all of one's tokens and those of one's bot accounts, and close all their sockets."""
        await self._call("POST", "/api/v1/auth/revoke_all/", None)

    async def sign_in(self, body: models.Credentials) -> models.NewToken:
        """Get a token for a username and a password."""
        return await self._call("POST", "/api/v1/auth/token/", models.NewToken, body=body)

    async def list_tokens(self) -> list[models.Token]:
        """One's tokens that hold, newest first; then what one lent to apps."""
        return await self._call("GET", "/api/v1/auth/tokens/", list[models.Token])

    async def create_token(self, body: models.PersonalToken) -> models.NewPersonalToken:
        """Get a personal token for a program, with some of one's own scopes."""
        return await self._call("POST", "/api/v1/auth/tokens/", models.NewPersonalToken, body=body)

    async def revoke_one_token(self, token: UUID | str) -> None:
        """End one of one's tokens, or take back what an app was lent. Its open sockets are closed at once."""
        await self._call("DELETE", f"/api/v1/auth/tokens/{token}/", None)

    async def list_bets(
        self,
        *,
        game: UUID | str | None = None,
        slug: str | None = None,
        seat: int | None = None,
        spot: str | None = None,
        spot_prefix: str | None = None,
        outcome: Literal["lost", "open", "void", "won"] | None = None,
        stake_min: int | None = None,
        stake_max: int | None = None,
        placed_after: datetime | None = None,
        placed_before: datetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.PageBet:
        """One's own bets in all games, newest first."""
        return await self._call(
            "GET",
            "/api/v1/bets/",
            models.PageBet,
            query={
                "game": game,
                "slug": slug,
                "seat": seat,
                "spot": spot,
                "spot_prefix": spot_prefix,
                "outcome": outcome,
                "stake_min": stake_min,
                "stake_max": stake_max,
                "placed_after": placed_after,
                "placed_before": placed_before,
                "cursor": cursor,
                "limit": limit,
            },
        )

    async def list_games(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["finished", "running", "voided"] | None = None,
        mine: bool | None = None,
    ) -> models.PageGame:
        """The games that one may watch, newest first: those of public lobbies and one's own."""
        return await self._call(
            "GET",
            "/api/v1/games/",
            models.PageGame,
            query={"cursor": cursor, "limit": limit, "slug": slug, "status": status, "mine": mine},
        )

    async def get_game(self, game: UUID | str) -> models.GameInFull:
        """One game, with its result once it is finished."""
        return await self._call("GET", f"/api/v1/games/{game}/", models.GameInFull)

    async def list_bets_in_game(
        self,
        game: UUID | str,
        *,
        slug: str | None = None,
        seat: int | None = None,
        spot: str | None = None,
        spot_prefix: str | None = None,
        outcome: Literal["lost", "open", "void", "won"] | None = None,
        stake_min: int | None = None,
        stake_max: int | None = None,
        placed_after: datetime | None = None,
        placed_before: datetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.PageBet:
        """Everybody's bets in a game, in the order in which they were placed."""
        return await self._call(
            "GET",
            f"/api/v1/games/{game}/bets/",
            models.PageBet,
            query={
                "slug": slug,
                "seat": seat,
                "spot": spot,
                "spot_prefix": spot_prefix,
                "outcome": outcome,
                "stake_min": stake_min,
                "stake_max": stake_max,
                "placed_after": placed_after,
                "placed_before": placed_before,
                "cursor": cursor,
                "limit": limit,
            },
        )

    async def play(self, game: UUID | str, body: models.NewCommand) -> models.Commit:
        """Give a command for one's seat. What is answered is committed; what is refused changed nothing."""
        return await self._call("POST", f"/api/v1/games/{game}/commands/", models.Commit, body=body)

    async def list_commits(
        self, game: UUID | str, *, after: int | None = None, limit: int | None = None
    ) -> models.Commits:
        """The commits after a version, in order, with the events that one may read."""
        return await self._call(
            "GET",
            f"/api/v1/games/{game}/commits/",
            models.Commits,
            query={"after": after, "limit": limit},
        )

    async def list_legal_commands(
        self, game: UUID | str, *, limit: int | None = None
    ) -> models.LegalCommands:
        """The commands that one's seat may give now, or some of them."""
        return await self._call(
            "GET", f"/api/v1/games/{game}/legal/", models.LegalCommands, query={"limit": limit}
        )

    async def list_purses(
        self, game: UUID | str, *, version: int | None = None
    ) -> list[models.Balance]:
        """What was in the purses of a game after a version; without one, what is in them now."""
        return await self._call(
            "GET", f"/api/v1/games/{game}/purses/", list[models.Balance], query={"version": version}
        )

    async def list_transfers_in_game(
        self,
        game: UUID | str,
        *,
        cause: UUID | str | None = None,
        reason: str | None = None,
        amount_min: int | None = None,
        amount_max: int | None = None,
        posted_after: datetime | None = None,
        posted_before: datetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.PageMoved:
        """What moved between the purses of a game, in order of version and position."""
        return await self._call(
            "GET",
            f"/api/v1/games/{game}/transfers/",
            models.PageMoved,
            query={
                "cause": cause,
                "reason": reason,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "posted_after": posted_after,
                "posted_before": posted_before,
                "cursor": cursor,
                "limit": limit,
            },
        )

    async def get_view(self, game: UUID | str) -> models.ViewAtHead:
        """What one's seat, or a spectator, sees now."""
        return await self._call("GET", f"/api/v1/games/{game}/view/", models.ViewAtHead)

    async def live(self) -> models.Alive:
        """This process answers: there is no need to restart it."""
        return await self._call("GET", "/api/v1/health/live/", models.Alive)

    async def ready(self) -> models.Alive:
        """Database and Valkey can be reached: requests may be sent here."""
        return await self._call("GET", "/api/v1/health/ready/", models.Alive)

    async def list_lobbies(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["closed", "open", "started"] | None = None,
        free_seats_min: int | None = None,
        buy_in_min: int | None = None,
        buy_in_max: int | None = None,
        admits_bot_accounts: bool | None = None,
        text: str | None = None,
        mine: bool | None = None,
    ) -> models.PageLobby:
        """The lobbies that one may see, newest first: public ones and one's own."""
        return await self._call(
            "GET",
            "/api/v1/lobbies/",
            models.PageLobby,
            query={
                "cursor": cursor,
                "limit": limit,
                "slug": slug,
                "status": status,
                "free_seats_min": free_seats_min,
                "buy_in_min": buy_in_min,
                "buy_in_max": buy_in_max,
                "admits_bot_accounts": admits_bot_accounts,
                "text": text,
                "mine": mine,
            },
        )

    async def create_lobby(self, body: models.NewLobby) -> models.Lobby:
        """Open a lobby and take its first seat. From here on the hash of the seed is public."""
        return await self._call("POST", "/api/v1/lobbies/", models.Lobby, body=body)

    async def get_lobby(self, lobby: UUID | str) -> models.Lobby:
        """One lobby."""
        return await self._call("GET", f"/api/v1/lobbies/{lobby}/", models.Lobby)

    async def list_bans(self, lobby: UUID | str) -> list[models.BannedPerson]:
        """Whom one has banned as the host."""
        return await self._call("GET", f"/api/v1/lobbies/{lobby}/bans/", list[models.BannedPerson])

    async def ban(self, lobby: UUID | str, user: UUID | str) -> None:
        """Send a person away for good, as the host; or before they come. A buy-in goes back."""
        await self._call("PUT", f"/api/v1/lobbies/{lobby}/bans/{user}/", None)

    async def unban(self, lobby: UUID | str, user: UUID | str) -> None:
        """Let a person come again, as the host."""
        await self._call("DELETE", f"/api/v1/lobbies/{lobby}/bans/{user}/", None)

    async def add_bot(self, lobby: UUID | str) -> models.Lobby:
        """Sit a bot down, as the host."""
        return await self._call("POST", f"/api/v1/lobbies/{lobby}/bots/", models.Lobby)

    async def list_room_events(
        self, lobby: UUID | str, *, after: int | None = None, limit: int | None = None
    ) -> models.RoomEvents:
        """What happened in a room after a version of its lobby, and what was said, in order."""
        return await self._call(
            "GET",
            f"/api/v1/lobbies/{lobby}/events/",
            models.RoomEvents,
            query={"after": after, "limit": limit},
        )

    async def hand_over(self, lobby: UUID | str, body: models.Heir) -> models.Lobby:
        """Let another person who sits here host, as the host."""
        return await self._call("PUT", f"/api/v1/lobbies/{lobby}/host/", models.Lobby, body=body)

    async def join_lobby(
        self, lobby: UUID | str, body: models.SitDown | None = None
    ) -> models.Lobby:
        """Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing."""
        return await self._call("POST", f"/api/v1/lobbies/{lobby}/join/", models.Lobby, body=body)

    async def leave_lobby(self, lobby: UUID | str) -> None:
        """Stand up and take the buy-in back. A host who leaves hands over; the last person closes the lobby."""
        await self._call("POST", f"/api/v1/lobbies/{lobby}/leave/", None)

    async def say(self, lobby: UUID | str, body: models.NewLine) -> models.Happened:
        """Say something to everybody who may look into the room, before the game, at it and after. Without a seat one may where `spectators` may `talk`."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{lobby}/lines/", models.Happened, body=body
        )

    async def list_mutes(self, lobby: UUID | str) -> list[models.MutedPerson]:
        """Who may not talk, for the host."""
        return await self._call("GET", f"/api/v1/lobbies/{lobby}/mutes/", list[models.MutedPerson])

    async def mute(self, lobby: UUID | str, user: UUID | str) -> None:
        """Let a person talk no more, before the game, at it and after, as the host."""
        await self._call("PUT", f"/api/v1/lobbies/{lobby}/mutes/{user}/", None)

    async def unmute(self, lobby: UUID | str, user: UUID | str) -> None:
        """Let a person talk again, as the host, unless it was an operator who muted them."""
        await self._call("DELETE", f"/api/v1/lobbies/{lobby}/mutes/{user}/", None)

    async def set_ready(self, lobby: UUID | str, body: models.Readiness) -> models.Lobby:
        """Say whether one is ready to start."""
        return await self._call("PUT", f"/api/v1/lobbies/{lobby}/ready/", models.Lobby, body=body)

    async def rematch(self, lobby: UUID | str, body: models.SitDown | None = None) -> models.Lobby:
        """Play again at the same table, when the game has ended."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{lobby}/rematch/", models.Lobby, body=body
        )

    async def take_seat(self, lobby: UUID | str, number: int) -> models.Lobby:
        """Move to this seat, which is free."""
        return await self._call("PUT", f"/api/v1/lobbies/{lobby}/seats/{number}/", models.Lobby)

    async def remove_seat(self, lobby: UUID | str, number: int) -> None:
        """Send a bot or a person away, as the host. A buy-in goes back."""
        await self._call("DELETE", f"/api/v1/lobbies/{lobby}/seats/{number}/", None)

    async def swap_seats(self, lobby: UUID | str, body: models.Swap) -> models.Lobby:
        """Have two seats change places, as the host. One of them may be empty."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{lobby}/seats/swap/", models.Lobby, body=body
        )

    async def start_game(self, lobby: UUID | str) -> models.Game:
        """Turn the lobby into a running game, as the host."""
        return await self._call("POST", f"/api/v1/lobbies/{lobby}/start/", models.Game)

    async def join_by_code(self, body: models.Invitation) -> models.Lobby:
        """Take the first free seat of the lobby with this invite code."""
        return await self._call("POST", "/api/v1/lobbies/join/", models.Lobby, body=body)

    async def quick_match(self, body: models.WantedTable) -> models.Lobby:
        """Sit down at a public table of this game with these options, or open one that starts when it is full."""
        return await self._call("POST", "/api/v1/lobbies/quick_match/", models.Lobby, body=body)

    async def list_rules(self) -> list[models.Rules]:
        """The games that can be played here, by slug."""
        return await self._call("GET", "/api/v1/rules/", list[models.Rules])

    async def get_rules(self, slug: str) -> models.RulesInFull:
        """One game, with the JSON Schema of its options, commands, events, views and book."""
        return await self._call("GET", f"/api/v1/rules/{slug}/", models.RulesInFull)

    async def get_book(self, slug: str) -> models.GameBook:
        """What a game prints and says: cards, boards, names, and words for events in English and French."""
        return await self._call("GET", f"/api/v1/rules/{slug}/book/", models.GameBook)

    async def list_transfers(
        self,
        *,
        cause: UUID | str | None = None,
        reason: str | None = None,
        amount_min: int | None = None,
        amount_max: int | None = None,
        posted_after: datetime | None = None,
        posted_before: datetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.PageMoved:
        """What came to and left one's own accounts, newest first."""
        return await self._call(
            "GET",
            "/api/v1/transfers/",
            models.PageMoved,
            query={
                "cause": cause,
                "reason": reason,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "posted_after": posted_after,
                "posted_before": posted_before,
                "cursor": cursor,
                "limit": limit,
            },
        )
