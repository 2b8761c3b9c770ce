"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from railbird_client import models
from railbird_client.http import part

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
    ) -> models.PageAccount:
        """List your ledger accounts, oldest first."""
        return await self._call(
            "GET",
            "/api/v1/accounts/",
            models.PageAccount,
            query={"cursor": cursor, "limit": limit, "unit": unit, "key": key},
        )

    async def get_balance(self, account: int, *, at: datetime | None = None) -> models.Balance:
        """Get the balance of one of your accounts at a moment, by default now."""
        return await self._call(
            "GET", f"/api/v1/accounts/{part(account)}/balance/", models.Balance, query={"at": at}
        )

    async def list_operator_actions(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        operator: UUID | str | None = None,
        action: Literal[
            "annotate",
            "archive_month",
            "close_lobby",
            "edit",
            "list_games",
            "list_lobbies",
            "mute",
            "restore_history",
            "restore_log",
            "retitle_lobby",
            "search",
            "suspend",
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
    ) -> models.PageOperatorAction:
        """List the actions of operators and their reasons, newest first."""
        return await self._call(
            "GET",
            "/api/v1/admin/actions/",
            models.PageOperatorAction,
            query={
                "cursor": cursor,
                "limit": limit,
                "operator": operator,
                "action": action,
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
        """List everybody's games, newest first. The request is logged."""
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
        """Void one bet, open or settled, during or after its game. Its transfers are reversed."""
        await self._call(
            "POST", f"/api/v1/admin/games/{part(game)}/bets/{part(number)}/void/", None, body=body
        )

    async def watch_commits(
        self,
        game: UUID | str,
        *,
        after: int | None = None,
        limit: int | None = None,
        reason: str | None = None,
    ) -> models.Commits:
        """List the commits of any game after a version, as a spectator may read them. The request and its reason are logged."""
        return await self._call(
            "GET",
            f"/api/v1/admin/games/{part(game)}/commits/",
            models.Commits,
            query={"after": after, "limit": limit, "reason": reason},
        )

    async def annotate_game(self, game: UUID | str, body: models.Why) -> None:
        """Add a note to the log of a game, even of one that has ended."""
        await self._call("POST", f"/api/v1/admin/games/{part(game)}/notes/", None, body=body)

    async def watch_game(
        self, game: UUID | str, *, reason: str | None = None
    ) -> models.ViewAtVersion:
        """Get a spectator's view of any game. The request and its reason are logged."""
        return await self._call(
            "GET",
            f"/api/v1/admin/games/{part(game)}/view/",
            models.ViewAtVersion,
            query={"reason": reason},
        )

    async def void_game(self, game: UUID | str, body: models.Why) -> None:
        """Void a game, even one that has ended: open bets are voided and buy-ins returned."""
        await self._call("POST", f"/api/v1/admin/games/{part(game)}/void/", None, body=body)

    async def list_all_lobbies(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["closed", "open", "started", "starting"] | None = None,
        free_seats_min: int | None = None,
        buy_in_min: int | None = None,
        buy_in_max: int | None = None,
        admits_bot_users: bool | None = None,
        text: str | None = None,
        visibility: Literal["invite", "public", "unlisted"] | None = None,
        host: UUID | str | None = None,
        user: UUID | str | None = None,
    ) -> models.PageLobby:
        """List everybody's lobbies, newest first, without invite codes. The request is logged."""
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
                "admits_bot_users": admits_bot_users,
                "text": text,
                "visibility": visibility,
                "host": host,
                "user": user,
            },
        )

    async def close_lobby_as_operator(self, lobby: UUID | str, body: models.Why) -> None:
        """Close a lobby that has not started. Everybody leaves and gets the buy-in back."""
        await self._call("POST", f"/api/v1/admin/lobbies/{part(lobby)}/close/", None, body=body)

    async def retitle_lobby_as_operator(self, lobby: UUID | str, body: models.NewTitle) -> None:
        """Change the title of a lobby, even of one that has ended."""
        await self._call("POST", f"/api/v1/admin/lobbies/{part(lobby)}/title/", None, body=body)

    async def mute_as_operator(self, lobby: UUID | str, user: UUID | str, body: models.Why) -> None:
        """Mute a user in a lobby, its host included, until an operator lifts it."""
        await self._call(
            "POST", f"/api/v1/admin/lobbies/{part(lobby)}/users/{part(user)}/mute/", None, body=body
        )

    async def unmute_as_operator(
        self, lobby: UUID | str, user: UUID | str, body: models.Why
    ) -> None:
        """Unmute a user in a lobby, even one whom its host muted."""
        await self._call(
            "POST",
            f"/api/v1/admin/lobbies/{part(lobby)}/users/{part(user)}/unmute/",
            None,
            body=body,
        )

    async def suspend_user(self, user: UUID | str, body: models.Suspension) -> None:
        """Suspend a user until a time, or end the suspension. Staff cannot be suspended."""
        await self._call("POST", f"/api/v1/admin/users/{part(user)}/suspend/", None, body=body)

    async def list_archived_months(self) -> list[models.ArchivedMonth]:
        """List the months of games whose histories are archived, oldest first."""
        return await self._call("GET", "/api/v1/audit/archive/", list[models.ArchivedMonth])

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
        """List everybody's bets in all games, newest first (auditors only)."""
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

    async def get_checkpoint(self, *, since: int | None = None) -> models.Checkpoint:
        """Get the newest signed checkpoint of the public log and the keys that sign it."""
        return await self._call(
            "GET", "/api/v1/audit/checkpoint/", models.Checkpoint, query={"since": since}
        )

    async def get_seat_proof(self, game: UUID | str) -> models.SeatProof:
        """Get the proof that the current user sat in a seat of a game."""
        return await self._call("GET", f"/api/v1/audit/games/{part(game)}/seat/", models.SeatProof)

    async def list_links(self, *, after: int | None = None) -> list[models.PersonLink]:
        """List what joins the starts of games that the current user took part in, up to a thousand."""
        return await self._call(
            "GET", "/api/v1/audit/links/", list[models.PersonLink], query={"after": after}
        )

    async def list_witnesses(self) -> list[models.LogWitness]:
        """List the witnesses of the public log, and when each of them cosigned it last."""
        return await self._call("GET", "/api/v1/audit/witnesses/", list[models.LogWitness])

    async def list_apps(self) -> list[models.App]:
        """List the apps that you registered, newest first."""
        return await self._call("GET", "/api/v1/auth/apps/", list[models.App])

    async def register_app(self, body: models.NewApp) -> models.App:
        """Register an app, which may then request access to users by OAuth 2.0."""
        return await self._call("POST", "/api/v1/auth/apps/", models.App, body=body)

    async def remove_app(self, client_id: str) -> None:
        """Remove an app that you registered. All access granted to it ends, and its open sockets close at once."""
        await self._call("DELETE", f"/api/v1/auth/apps/{part(client_id)}/", None)

    async def list_bot_users(self) -> list[models.BotUser]:
        """List your bot users, newest first."""
        return await self._call("GET", "/api/v1/auth/bots/", list[models.BotUser])

    async def create_bot_user(self, body: models.BotName) -> models.BotUser:
        """Create a user for a program, with a name of its own and marked as a bot."""
        return await self._call("POST", "/api/v1/auth/bots/", models.BotUser, body=body)

    async def rename_bot_user(self, bot: UUID | str, body: models.BotName) -> models.BotUser:
        """Rename one of your bot users."""
        return await self._call("PUT", f"/api/v1/auth/bots/{part(bot)}/", models.BotUser, body=body)

    async def delete_bot_user(self, bot: UUID | str) -> None:
        """Delete one of your bot users. Its tokens end, and its open sockets close at once."""
        await self._call("DELETE", f"/api/v1/auth/bots/{part(bot)}/", None)

    async def list_bot_tokens(self, bot: UUID | str) -> list[models.Token]:
        """List the valid tokens of one of your bot users, newest first."""
        return await self._call("GET", f"/api/v1/auth/bots/{part(bot)}/tokens/", list[models.Token])

    async def create_bot_token(
        self, bot: UUID | str, body: models.BotToken
    ) -> models.NewPersonalToken:
        """Create a token with which a program signs in as one of your bot users."""
        return await self._call(
            "POST", f"/api/v1/auth/bots/{part(bot)}/tokens/", models.NewPersonalToken, body=body
        )

    async def revoke_bot_token(self, bot: UUID | str, token: UUID | str) -> None:
        """Revoke a token of one of your bot users. Its open sockets close at once."""
        await self._call("DELETE", f"/api/v1/auth/bots/{part(bot)}/tokens/{part(token)}/", None)

    async def create_device_code(self) -> models.DeviceCode:
        """Create a code with which your guest moves to another device. It is valid for five minutes."""
        return await self._call("POST", "/api/v1/auth/device/", models.DeviceCode)

    async def change_device(self, body: models.DeviceCode) -> models.NewToken:
        """Sign in with a code of another device, whose session ends when you first use the new one. The code is used up then."""
        return await self._call("POST", "/api/v1/auth/device/confirm/", models.NewToken, body=body)

    async def ask_for_address_code(self, body: models.NewAddress) -> None:
        """Send a code to your e-mail address, which counts once the code is confirmed."""
        await self._call("POST", "/api/v1/auth/email/", None, body=body)

    async def confirm_address(self, body: models.AddressCode) -> None:
        """Confirm your e-mail address with the code sent to it. It can then reset a lost password."""
        await self._call("POST", "/api/v1/auth/email/confirm/", None, body=body)

    async def erase_user(self, body: models.ProofOfUser | None = None) -> None:
        """Erase your name, address, password, tokens and bot users."""
        await self._call("POST", "/api/v1/auth/erase/", None, body=body)

    async def create_guest(self, body: models.NewGuest | None = None) -> models.NewToken:
        """Create a guest and sign in."""
        return await self._call("POST", "/api/v1/auth/guest/", models.NewToken, body=body)

    async def register_guest(self, body: models.Registration) -> models.CurrentUser:
        """Register the current guest, who keeps seats, bets and tokens. The wallet opens with a grant."""
        return await self._call(
            "POST", "/api/v1/auth/guest/register/", models.CurrentUser, body=body
        )

    async def me(self) -> models.CurrentUser:
        """Get the current user."""
        return await self._call("GET", "/api/v1/auth/me/", models.CurrentUser)

    async def change_password(self, body: models.NewPassword) -> None:
        """Change the password. All other tokens end, those of your bot users too."""
        await self._call("POST", "/api/v1/auth/password/", None, body=body)

    async def ask_for_proof_code(self) -> None:
        """Send a code to your present e-mail address."""
        await self._call("POST", "/api/v1/auth/proof/", None)

    async def register(self, body: models.Registration) -> models.NewToken:
        """Register a user with a username and a password. The wallet opens with a grant."""
        return await self._call("POST", "/api/v1/auth/register/", models.NewToken, body=body)

    async def ask_for_reset_code(self, body: models.NewAddress) -> None:
        """Send a reset code to each user with this confirmed address. The response is the same if there is none."""
        await self._call("POST", "/api/v1/auth/reset/", None, body=body)

    async def reset_password(self, body: models.ResetCode) -> None:
        """Reset the password with the code from the e-mail. All tokens end; a code works once."""
        await self._call("POST", "/api/v1/auth/reset/confirm/", None, body=body)

    async def restore_user(self, body: models.WayBack) -> None:
        """Undo a change of password, address or second factor, or an erasure, with the code that was mailed to the previous address."""
        await self._call("POST", "/api/v1/auth/restore/", None, body=body)

    async def revoke_token(self) -> None:
        """Revoke the token of this request, whatever its scopes. Its open sockets close at once."""
        await self._call("POST", "/api/v1/auth/revoke/", None)

    async def revoke_all_tokens(self) -> None:
        """Revoke all your tokens and those of your bot users, and close all their sockets."""
        await self._call("POST", "/api/v1/auth/revoke_all/", None)

    async def prove_second_factor(self, body: models.FactorCode) -> None:
        """Prove the second factor for this session."""
        await self._call("POST", "/api/v1/auth/second-factor/", None, body=body)

    async def add_second_factor(self, body: models.NewFactor) -> models.RecoveryCodes:
        """Confirm that your authenticator app has the secret. Signing in takes its codes from then on."""
        return await self._call(
            "POST", "/api/v1/auth/second-factor/add/", models.RecoveryCodes, body=body
        )

    async def remove_second_factor(self, body: models.ProofOfUser | None = None) -> None:
        """Remove your second factor, with a code of it or your password. Staff need the code."""
        await self._call("POST", "/api/v1/auth/second-factor/remove/", None, body=body)

    async def create_factor_secret(self) -> models.FactorSecret:
        """Create a secret for your authenticator app, which replaces an unconfirmed one."""
        return await self._call("POST", "/api/v1/auth/second-factor/secret/", models.FactorSecret)

    async def sign_in(self, body: models.Credentials) -> models.NewToken:
        """Sign in with a username and a password, and the second factor if the user has one."""
        return await self._call("POST", "/api/v1/auth/token/", models.NewToken, body=body)

    async def list_tokens(self) -> list[models.Token]:
        """List your valid tokens, newest first, then the access granted to apps."""
        return await self._call("GET", "/api/v1/auth/tokens/", list[models.Token])

    async def create_token(self, body: models.PersonalToken) -> models.NewPersonalToken:
        """Create a personal token for a program, with some of your scopes."""
        return await self._call("POST", "/api/v1/auth/tokens/", models.NewPersonalToken, body=body)

    async def revoke_one_token(self, token: UUID | str) -> None:
        """Revoke one of your tokens, or an app's access. Its open sockets close at once."""
        await self._call("DELETE", f"/api/v1/auth/tokens/{part(token)}/", None)

    async def list_vacations(self) -> list[models.Vacation]:
        """List your vacations that have not ended, the next first."""
        return await self._call("GET", "/api/v1/auth/vacations/", list[models.Vacation])

    async def announce_vacation(self, body: models.NewVacation) -> models.Vacation:
        """Announce a vacation: up to 30 days in a calendar year (UTC)."""
        return await self._call("POST", "/api/v1/auth/vacations/", models.Vacation, body=body)

    async def end_vacation(self, vacation: UUID | str) -> None:
        """Cancel a vacation, or end it now. Games that it paused keep the time that they show."""
        await self._call("DELETE", f"/api/v1/auth/vacations/{part(vacation)}/", None)

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
        """List your bets in all games, newest first."""
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
        awaits: Literal["me"] | None = None,
    ) -> models.PageGame:
        """List games of public lobbies and your own games, newest first."""
        return await self._call(
            "GET",
            "/api/v1/games/",
            models.PageGame,
            query={
                "cursor": cursor,
                "limit": limit,
                "slug": slug,
                "status": status,
                "mine": mine,
                "awaits": awaits,
            },
        )

    async def get_game(self, game: UUID | str) -> models.GameInFull:
        """Get one game, with its result once it has ended."""
        return await self._call("GET", f"/api/v1/games/{part(game)}/", models.GameInFull)

    async def agree_to_void(self, game: UUID | str) -> None:
        """Agree to void a slow game. It is voided, with refunds, once all players agree who have not left it."""
        await self._call("PUT", f"/api/v1/games/{part(game)}/agreement/", None)

    async def withdraw_agreement(self, game: UUID | str) -> None:
        """Agree no longer to void a slow game."""
        await self._call("DELETE", f"/api/v1/games/{part(game)}/agreement/", None)

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
        """List all bets of a game in the order in which they were placed."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/bets/",
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

    async def play(self, game: UUID | str, body: models.NewCommand) -> models.Committed:
        """Send a command for your seat. An accepted command is committed; a refused one changed nothing."""
        return await self._call(
            "POST", f"/api/v1/games/{part(game)}/commands/", models.Committed, body=body
        )

    async def list_commits(
        self, game: UUID | str, *, after: int | None = None, limit: int | None = None
    ) -> models.Commits:
        """List the commits after a version, oldest first, with the events that you may read."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/commits/",
            models.Commits,
            query={"after": after, "limit": limit},
        )

    async def get_genesis(self, game: UUID | str) -> models.Genesis:
        """Get the genesis of a game: its terms, its seats, and the entropy that players added."""
        return await self._call("GET", f"/api/v1/games/{part(game)}/genesis/", models.Genesis)

    async def list_legal_commands(
        self, game: UUID | str, *, limit: int | None = None
    ) -> models.LegalCommands:
        """List the commands that your seat may send now, or a sample of them."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/legal/",
            models.LegalCommands,
            query={"limit": limit},
        )

    async def list_purses(
        self, game: UUID | str, *, version: int | None = None
    ) -> list[models.Balance]:
        """List the purses of a game with their balances after a version, by default now."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/purses/",
            list[models.Balance],
            query={"version": version},
        )

    async def resign(self, game: UUID | str) -> None:
        """Resign: a bot plays your seat to the end, and your share of the buy-ins is that of the last rank. Resigning again changes nothing."""
        await self._call("POST", f"/api/v1/games/{part(game)}/resign/", None)

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
    ) -> models.PageTransfer:
        """List the transfers of a game by version and position."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/transfers/",
            models.PageTransfer,
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

    async def get_view(
        self, game: UUID | str, *, version: int | None = None
    ) -> models.ViewAtVersion:
        """Get what your seat, or a spectator, sees now, or saw at a version."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/view/",
            models.ViewAtVersion,
            query={"version": version},
        )

    async def list_views(
        self, game: UUID | str, *, from_: int | None = None, to: int | None = None
    ) -> models.Views:
        """List what your seat, or a spectator, saw at up to 100 versions, oldest first."""
        return await self._call(
            "GET",
            f"/api/v1/games/{part(game)}/views/",
            models.Views,
            query={"from": from_, "to": to},
        )

    async def live(self) -> models.Alive:
        """Report that this process responds and need not be restarted."""
        return await self._call("GET", "/api/v1/health/live/", models.Alive)

    async def ready(self) -> models.Health:
        """Report that the database responds and accepts writes, that no loop of this process is stuck, and that requests may be sent here: the process is not about to end."""
        return await self._call("GET", "/api/v1/health/ready/", models.Health)

    async def list_lobbies(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        slug: str | None = None,
        status: Literal["closed", "open", "started", "starting"] | None = None,
        free_seats_min: int | None = None,
        buy_in_min: int | None = None,
        buy_in_max: int | None = None,
        admits_bot_users: bool | None = None,
        text: str | None = None,
        mine: bool | None = None,
    ) -> models.PageLobby:
        """List public lobbies and your own, newest first."""
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
                "admits_bot_users": admits_bot_users,
                "text": text,
                "mine": mine,
            },
        )

    async def create_lobby(self, body: models.NewLobby) -> models.Lobby:
        """Create a lobby and take its first seat. From now on the hash of the game's seed is public."""
        return await self._call("POST", "/api/v1/lobbies/", models.Lobby, body=body)

    async def get_lobby(self, lobby: UUID | str) -> models.Lobby:
        """Get one lobby."""
        return await self._call("GET", f"/api/v1/lobbies/{part(lobby)}/", models.Lobby)

    async def list_bans(self, lobby: UUID | str) -> list[models.BannedUser]:
        """List the users that you banned from this lobby (host only)."""
        return await self._call(
            "GET", f"/api/v1/lobbies/{part(lobby)}/bans/", list[models.BannedUser]
        )

    async def ban(self, lobby: UUID | str, user: UUID | str) -> None:
        """Ban a user from this lobby, whether or not they sit in it (host only). The buy-in is returned. During the game, hosts can ban spectators, who then see nothing more of it."""
        await self._call("PUT", f"/api/v1/lobbies/{part(lobby)}/bans/{part(user)}/", None)

    async def unban(self, lobby: UUID | str, user: UUID | str) -> None:
        """Lift a ban (host only)."""
        await self._call("DELETE", f"/api/v1/lobbies/{part(lobby)}/bans/{part(user)}/", None)

    async def add_bot(self, lobby: UUID | str) -> models.Lobby:
        """Add a bot to a free seat (host only)."""
        return await self._call("POST", f"/api/v1/lobbies/{part(lobby)}/bots/", models.Lobby)

    async def take_colour(self, lobby: UUID | str, colour: int) -> models.Lobby:
        """Give your seat this colour: a place in `seat_colours` of the game's book. A bot that has it gets yours."""
        return await self._call(
            "PUT", f"/api/v1/lobbies/{part(lobby)}/colours/{part(colour)}/", models.Lobby
        )

    async def commit(self, lobby: UUID | str, body: models.NewCommitment) -> models.Lobby:
        """Commit to entropy, which nobody knows before the start."""
        return await self._call(
            "PUT", f"/api/v1/lobbies/{part(lobby)}/commitment/", models.Lobby, body=body
        )

    async def get_commitments(
        self, lobby: UUID | str, *, since: int | None = None
    ) -> models.Commitments:
        """Get the log entry with all seats and commitments of a start, with its proof."""
        return await self._call(
            "GET",
            f"/api/v1/lobbies/{part(lobby)}/commitments/",
            models.Commitments,
            query={"since": since},
        )

    async def list_lobby_events(
        self, lobby: UUID | str, *, after: int | None = None, limit: int | None = None
    ) -> models.LobbyEvents:
        """List lobby events and chat messages after a version, oldest first."""
        return await self._call(
            "GET",
            f"/api/v1/lobbies/{part(lobby)}/events/",
            models.LobbyEvents,
            query={"after": after, "limit": limit},
        )

    async def hand_over(self, lobby: UUID | str, body: models.NewHost) -> models.Lobby:
        """Make another player of this lobby its host (host only)."""
        return await self._call(
            "PUT", f"/api/v1/lobbies/{part(lobby)}/host/", models.Lobby, body=body
        )

    async def join_lobby(
        self, lobby: UUID | str, body: models.SitDown | None = None
    ) -> models.Lobby:
        """Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{part(lobby)}/join/", models.Lobby, body=body
        )

    async def leave_lobby(self, lobby: UUID | str) -> None:
        """Leave a lobby and get the buy-in back. When the host leaves, another player becomes the host; the lobby closes with its last player."""
        await self._call("POST", f"/api/v1/lobbies/{part(lobby)}/leave/", None)

    async def send_message(self, lobby: UUID | str, body: models.NewMessage) -> models.LobbyEvent:
        """Send a chat message to all who can see the lobby, or to your team. Spectators may if `spectators` is `chat`."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{part(lobby)}/messages/", models.LobbyEvent, body=body
        )

    async def list_mutes(self, lobby: UUID | str) -> list[models.MutedUser]:
        """List the users who are muted in this lobby (host only)."""
        return await self._call(
            "GET", f"/api/v1/lobbies/{part(lobby)}/mutes/", list[models.MutedUser]
        )

    async def mute(self, lobby: UUID | str, user: UUID | str) -> None:
        """Mute a user in this lobby: before, during and after its game (host only)."""
        await self._call("PUT", f"/api/v1/lobbies/{part(lobby)}/mutes/{part(user)}/", None)

    async def unmute(self, lobby: UUID | str, user: UUID | str) -> None:
        """Unmute a user in this lobby (host only). An operator's mute is lifted by an operator."""
        await self._call("DELETE", f"/api/v1/lobbies/{part(lobby)}/mutes/{part(user)}/", None)

    async def set_ready(self, lobby: UUID | str, body: models.Readiness) -> models.Lobby:
        """Set whether you are ready to start."""
        return await self._call(
            "PUT", f"/api/v1/lobbies/{part(lobby)}/ready/", models.Lobby, body=body
        )

    async def rematch(self, lobby: UUID | str, body: models.SitDown | None = None) -> models.Lobby:
        """Play again with the same table, after the game has ended."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{part(lobby)}/rematch/", models.Lobby, body=body
        )

    async def reveal(self, lobby: UUID | str, body: models.NewReveal) -> models.Lobby:
        """Reveal your entropy, once the log has all commitments. `your_reveal` of the response is the signed receipt of it."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{part(lobby)}/reveal/", models.Lobby, body=body
        )

    async def take_seat(self, lobby: UUID | str, number: int) -> models.Lobby:
        """Move to this seat, which must be free."""
        return await self._call(
            "PUT", f"/api/v1/lobbies/{part(lobby)}/seats/{part(number)}/", models.Lobby
        )

    async def remove_seat(self, lobby: UUID | str, number: int) -> None:
        """Remove a bot or a player from a seat (host only). The buy-in is returned."""
        await self._call("DELETE", f"/api/v1/lobbies/{part(lobby)}/seats/{part(number)}/", None)

    async def swap_seats(self, lobby: UUID | str, body: models.Swap) -> models.Lobby:
        """Swap two seats (host only). One of them may be empty."""
        return await self._call(
            "POST", f"/api/v1/lobbies/{part(lobby)}/seats/swap/", models.Lobby, body=body
        )

    async def start_game(self, lobby: UUID | str) -> models.Start:
        """Start the game of this lobby (host only)."""
        return await self._call("POST", f"/api/v1/lobbies/{part(lobby)}/start/", models.Start)

    async def join_by_code(self, body: models.Invitation) -> models.Lobby:
        """Take the first free seat of the lobby with this invite code."""
        return await self._call("POST", "/api/v1/lobbies/join/", models.Lobby, body=body)

    async def quick_match(self, body: models.WantedTable) -> models.Lobby:
        """Join a public lobby of this game with these options, or create one that starts when it is full."""
        return await self._call("POST", "/api/v1/lobbies/quick_match/", models.Lobby, body=body)

    async def list_notices(
        self, *, after: int | None = None, limit: int | None = None
    ) -> models.Notices:
        """List your notices after a number, oldest first."""
        return await self._call(
            "GET", "/api/v1/notices/", models.Notices, query={"after": after, "limit": limit}
        )

    async def list_notice_choices(self) -> list[models.NoticeChoice]:
        """List the kinds of notices, each with the channels on which you want it."""
        return await self._call("GET", "/api/v1/notices/choices/", list[models.NoticeChoice])

    async def choose_notices(self, body: models.Wanted) -> models.NoticeChoice:
        """Choose the channels on which you want a kind of notices."""
        return await self._call("PUT", "/api/v1/notices/choices/", models.NoticeChoice, body=body)

    async def list_push_subscriptions(self) -> list[models.PushSubscription]:
        """List your browsers that receive notices by Web Push, newest first."""
        return await self._call("GET", "/api/v1/notices/push/", list[models.PushSubscription])

    async def subscribe_push(self, body: models.NewPushSubscription) -> models.PushSubscription:
        """Let a browser receive your notices. An eleventh one replaces the oldest."""
        return await self._call("POST", "/api/v1/notices/push/", models.PushSubscription, body=body)

    async def unsubscribe_push(self, subscription: UUID | str) -> None:
        """Let a browser receive nothing more."""
        await self._call("DELETE", f"/api/v1/notices/push/{part(subscription)}/", None)

    async def get_push_key(self) -> models.PushKey:
        """Get the key with which a browser subscribes to Web Push."""
        return await self._call("GET", "/api/v1/notices/push/key/", models.PushKey)

    async def mark_notices_read(self, body: models.ReadUpTo) -> None:
        """Mark your notices up to a number as read. A lower number than before changes nothing."""
        await self._call("PUT", "/api/v1/notices/read/", None, body=body)

    async def list_webhooks(self) -> list[models.Webhook]:
        """List your webhooks and those of your apps, oldest first."""
        return await self._call("GET", "/api/v1/notices/webhooks/", list[models.Webhook])

    async def create_webhook(self, body: models.NewWebhook) -> models.WebhookSecret:
        """Create a webhook. The answer has the secret with which you verify what arrives. Then send a test: before it succeeds, the webhook is `unproved` and receives nothing else."""
        return await self._call(
            "POST", "/api/v1/notices/webhooks/", models.WebhookSecret, body=body
        )

    async def change_webhook(
        self, webhook: UUID | str, body: models.ChangedWebhook
    ) -> models.Webhook:
        """Change a webhook, disable or enable it. A disabled one misses what happens meanwhile."""
        return await self._call(
            "PUT", f"/api/v1/notices/webhooks/{part(webhook)}/", models.Webhook, body=body
        )

    async def delete_webhook(self, webhook: UUID | str) -> None:
        """Delete a webhook and the list of its deliveries."""
        await self._call("DELETE", f"/api/v1/notices/webhooks/{part(webhook)}/", None)

    async def list_deliveries(
        self, webhook: UUID | str, *, before: int | None = None, limit: int | None = None
    ) -> list[models.Delivery]:
        """List the deliveries to a webhook, newest first. Those that ended are kept for 30 days."""
        return await self._call(
            "GET",
            f"/api/v1/notices/webhooks/{part(webhook)}/deliveries/",
            list[models.Delivery],
            query={"before": before, "limit": limit},
        )

    async def send_deliveries_again(
        self, webhook: UUID | str, body: models.DeliveryRange
    ) -> models.SentAgain:
        """Send the deliveries of a range to a webhook again, with the ids that they had."""
        return await self._call(
            "POST",
            f"/api/v1/notices/webhooks/{part(webhook)}/deliveries/again/",
            models.SentAgain,
            body=body,
        )

    async def rotate_webhook_secret(self, webhook: UUID | str) -> models.WebhookSecret:
        """Give a webhook another secret. For a day, deliveries have a signature of each of the two."""
        return await self._call(
            "POST", f"/api/v1/notices/webhooks/{part(webhook)}/secret/", models.WebhookSecret
        )

    async def test_webhook(self, webhook: UUID | str) -> models.Delivery:
        """Send a test to a webhook: first with a wrong signature, which it must refuse with a status from 400 to 499, then with the right one. `list_deliveries` says how it ended."""
        return await self._call(
            "POST", f"/api/v1/notices/webhooks/{part(webhook)}/test/", models.Delivery
        )

    async def list_rules(self) -> list[models.Rules]:
        """List the games that can be played here."""
        return await self._call("GET", "/api/v1/rules/", list[models.Rules])

    async def get_rules(self, slug: str) -> models.RulesInFull:
        """Get one game with the JSON Schema of its options, commands, events, views and book."""
        return await self._call("GET", f"/api/v1/rules/{part(slug)}/", models.RulesInFull)

    async def get_book(self, slug: str) -> models.GameBook:
        """Get the book of a game: cards, boards, names, and sentences for its events in English and French."""
        return await self._call("GET", f"/api/v1/rules/{part(slug)}/book/", models.GameBook)

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
    ) -> models.PageTransfer:
        """List the transfers to and from your accounts, newest first."""
        return await self._call(
            "GET",
            "/api/v1/transfers/",
            models.PageTransfer,
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
