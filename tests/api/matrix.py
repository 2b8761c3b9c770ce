"""Every operation of REST with the status that each role gets, and how to call it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import tokens
from accounts.models import User
from accounts.rest import operation_of
from games import lobbies
from games.models import Game, Lobby, Seat
from games.store import seeds
from kit.operations import Operation
from tests.api.rest import Answer, Caller, take
from tests.builders import NewUser, start_game

METHODS = ("get", "post", "put", "patch", "delete")
ROLES = ("anonymous", "revoked", "stranger", "seated", "host")


class World:
    """An invite-only lobby and an invite-only game with the same two users.

    Each part is made when a request first needs it.
    """

    def __init__(self, new_user: NewUser) -> None:
        self._new_user = new_user
        self._users: dict[str, User] = {}
        self._callers: dict[str, Caller] = {}

    def user(self, role: str) -> User:
        """The user of a role; only `anonymous` has none."""
        if role not in self._users:
            self._users[role] = self._new_user()
        return self._users[role]

    def caller(self, role: str) -> Caller:
        """The client of a role, signed in unless it is `anonymous`."""
        if role not in self._callers:
            self._callers[role] = Caller(None if role == "anonymous" else self.user(role))
            if role == "revoked":
                tokens.revoke_all(self.user(role))
        return self._callers[role]

    @cached_property
    def lobby(self) -> Lobby:
        """A lobby that could start, in which the revoked user has a seat, too."""
        lobby = lobbies.create(
            self.user("host"), lobbies.LobbyChoices(slug="free_spots", visibility="invite")
        )
        lobbies.join_by_code(self.user("seated"), lobby.invite_code)
        lobbies.set_ready(self.user("seated"), lobby.id, ready=True)
        Seat.objects.create(lobby=lobby, number=2, colour=2, user=self.user("revoked"), ready=True)
        return lobby

    @cached_property
    def game(self) -> Game:
        """The game of a second lobby of the same users."""
        other = World(self._new_user)
        other._users = self._users
        return start_game(self.user("host"), other.lobby.id)

    @cached_property
    def seeds(self) -> list[bytes]:
        """The seeds of the lobby and of the running game, as a response might show them."""
        shown = [seeds.seed_of(lobby).hex().encode() for lobby in (self.lobby, self.game.lobby)]
        assert len({*shown}) == 2
        return shown

    def request(self, case: "Case", caller: Caller) -> Answer:
        """Send the request of a case."""
        path, body = case.path, case.body(self) if callable(case.body) else case.body
        if "{lobby}" in path:
            path = path.replace("{lobby}", str(self.lobby.id))
        if "{game}" in path:
            path = path.replace("{game}", str(self.game.id))
        return caller.call(case.method, path, body)


class Case(NamedTuple):
    """A request, and the expected status for each of ROLES; `staff` is for a host who is staff."""

    method: str
    path: str
    statuses: str
    body: Any = None
    staff: int | None = None


def play_body(world: World) -> dict[str, object]:
    return {"id": str(uuid4()), "command": take(world.lobby.id.int % 68)}


def code(world: World) -> dict[str, object]:
    return {"invite_code": world.lobby.invite_code}


def seated_person(world: World) -> dict[str, object]:
    return {"user": str(world.user("seated").id)}


def registration(_: World) -> dict[str, object]:
    return {"username": uuid4().hex[:20], "password": "correct horse battery", "display_name": "A"}


def line(_: World) -> dict[str, object]:
    return {"id": str(uuid4()), "text": "Good evening"}


def vacation(_: World) -> dict[str, object]:
    first = datetime.now(UTC) + timedelta(days=2)
    last = first + timedelta(days=2)
    return {"starts_at": first.isoformat(), "ends_at": last.isoformat()}


def mailbox(_: World) -> dict[str, object]:
    return {"email": f"{uuid4().hex}@example.org"}


REASON = {"reason": "two tables were mixed up"}
TABLE: dict[str, Case] = {
    "create_guest": Case("POST", "/auth/guest/", "201 201 201 201 201"),
    "register": Case("POST", "/auth/register/", "201 201 201 201 201", registration),
    "sign_in": Case(
        "POST", "/auth/token/", "401 401 401 401 401", {"username": "nobody", "password": "x"}
    ),
    "prove_second_factor": Case(
        "POST", "/auth/second-factor/", "401 401 403 403 403", {"code": "aaaaaaaa"}
    ),
    "create_factor_secret": Case("POST", "/auth/second-factor/secret/", "401 401 201 201 201"),
    "add_second_factor": Case(
        "POST", "/auth/second-factor/add/", "401 401 403 403 403", {"code": "000000"}
    ),
    "remove_second_factor": Case("POST", "/auth/second-factor/remove/", "401 401 403 403 403", {}),
    "me": Case("GET", "/auth/me/", "401 401 200 200 200"),
    "register_guest": Case("POST", "/auth/guest/register/", "401 401 409 409 409", registration),
    "create_device_code": Case("POST", "/auth/device/", "401 401 409 409 409"),
    "change_device": Case("POST", "/auth/device/confirm/", "422 422 422 422 422", {"code": "x"}),
    "change_password": Case(
        "POST",
        "/auth/password/",
        "401 401 403 403 403",
        {"current": "", "new": "correct horse battery"},
    ),
    "ask_for_address_code": Case("POST", "/auth/email/", "401 401 202 202 202", mailbox),
    "confirm_address": Case("POST", "/auth/email/confirm/", "401 401 422 422 422", {"code": "x"}),
    "ask_for_reset_code": Case("POST", "/auth/reset/", "202 202 202 202 202", mailbox),
    "reset_password": Case(
        "POST",
        "/auth/reset/confirm/",
        "422 422 422 422 422",
        {"code": "x", "password": "correct horse battery"},
    ),
    "ask_for_proof_code": Case("POST", "/auth/proof/", "401 401 202 202 202"),
    "restore_user": Case("POST", "/auth/restore/", "422 422 422 422 422", {"code": "x"}),
    "erase_user": Case("POST", "/auth/erase/", "401 401 403 403 403", {}),
    "get_personal_data": Case("GET", "/auth/data/", "401 401 200 200 200"),
    "list_archived_months": Case("GET", "/audit/archive/", "401 401 200 200 200"),
    "list_tokens": Case("GET", "/auth/tokens/", "401 401 200 200 200"),
    "create_token": Case(
        "POST", "/auth/tokens/", "401 401 201 201 201", {"name": "a program", "scopes": ["play"]}
    ),
    "revoke_one_token": Case("DELETE", f"/auth/tokens/{uuid4()}/", "401 401 404 404 404"),
    "list_apps": Case("GET", "/auth/apps/", "401 401 200 200 200"),
    "register_app": Case(
        "POST",
        "/auth/apps/",
        "401 401 201 201 201",
        {"name": "A robot", "redirect_uris": ["https://app.example/"]},
    ),
    "remove_app": Case("DELETE", f"/auth/apps/{uuid4().hex}/", "401 401 404 404 404"),
    "list_notices": Case("GET", "/notices/", "401 401 200 200 200"),
    "mark_notices_read": Case("PUT", "/notices/read/", "401 401 204 204 204", {"number": 0}),
    "list_notice_choices": Case("GET", "/notices/choices/", "401 401 200 200 200"),
    "choose_notices": Case(
        "PUT", "/notices/choices/", "401 401 200 200 200", {"kind": "your_turn", "channels": []}
    ),
    "get_push_key": Case("GET", "/notices/push/key/", "401 401 200 200 200"),
    "list_push_subscriptions": Case("GET", "/notices/push/", "401 401 200 200 200"),
    "subscribe_push": Case(
        "POST",
        "/notices/push/",
        "401 401 409 409 409",
        {"url": "https://push.example/", "p256dh": "AAAA", "auth": "AAAA"},
    ),
    "unsubscribe_push": Case("DELETE", f"/notices/push/{uuid4()}/", "401 401 404 404 404"),
    "list_webhooks": Case("GET", "/notices/webhooks/", "401 401 200 200 200"),
    "create_webhook": Case(
        "POST", "/notices/webhooks/", "401 401 201 201 201", {"url": "https://example.org/"}
    ),
    "change_webhook": Case(
        "PUT",
        f"/notices/webhooks/{uuid4()}/",
        "401 401 404 404 404",
        {"url": "https://example.org/"},
    ),
    "delete_webhook": Case("DELETE", f"/notices/webhooks/{uuid4()}/", "401 401 404 404 404"),
    "rotate_webhook_secret": Case(
        "POST", f"/notices/webhooks/{uuid4()}/secret/", "401 401 404 404 404"
    ),
    "test_webhook": Case("POST", f"/notices/webhooks/{uuid4()}/test/", "401 401 404 404 404"),
    "list_deliveries": Case(
        "GET", f"/notices/webhooks/{uuid4()}/deliveries/", "401 401 404 404 404"
    ),
    "send_deliveries_again": Case(
        "POST",
        f"/notices/webhooks/{uuid4()}/deliveries/again/",
        "401 401 404 404 404",
        {"first": 1, "last": 1},
    ),
    "list_vacations": Case("GET", "/auth/vacations/", "401 401 200 200 200"),
    "announce_vacation": Case("POST", "/auth/vacations/", "401 401 201 201 201", vacation),
    "end_vacation": Case("DELETE", f"/auth/vacations/{uuid4()}/", "401 401 404 404 404"),
    "list_bot_users": Case("GET", "/auth/bots/", "401 401 200 200 200"),
    "create_bot_user": Case(
        "POST", "/auth/bots/", "401 401 201 201 201", {"display_name": "Robbie"}
    ),
    "rename_bot_user": Case(
        "PUT", f"/auth/bots/{uuid4()}/", "401 401 404 404 404", {"display_name": "Robbie"}
    ),
    "delete_bot_user": Case("DELETE", f"/auth/bots/{uuid4()}/", "401 401 404 404 404"),
    "list_bot_tokens": Case("GET", f"/auth/bots/{uuid4()}/tokens/", "401 401 404 404 404"),
    "create_bot_token": Case(
        "POST",
        f"/auth/bots/{uuid4()}/tokens/",
        "401 401 404 404 404",
        {"name": "a", "scopes": ["play"]},
    ),
    "revoke_bot_token": Case(
        "DELETE", f"/auth/bots/{uuid4()}/tokens/{uuid4()}/", "401 401 404 404 404"
    ),
    "revoke_token": Case("POST", "/auth/revoke/", "401 401 204 204 204"),
    "revoke_all_tokens": Case("POST", "/auth/revoke_all/", "401 401 204 204 204"),
    "list_rules": Case("GET", "/rules/", "200 200 200 200 200"),
    "get_rules": Case("GET", "/rules/free_spots/", "200 200 200 200 200"),
    "get_book": Case("GET", "/rules/free_spots/book/", "200 200 200 200 200"),
    "live": Case("GET", "/health/live/", "200 200 200 200 200"),
    "ready": Case("GET", "/health/ready/", "200 200 200 200 200"),
    "list_lobbies": Case("GET", "/lobbies/", "401 401 200 200 200"),
    "create_lobby": Case("POST", "/lobbies/", "401 401 201 201 201", {"slug": "free_spots"}),
    "join_by_code": Case("POST", "/lobbies/join/", "401 401 200 200 200", code),
    "quick_match": Case(
        "POST", "/lobbies/quick_match/", "401 401 200 200 200", {"slug": "free_spots"}
    ),
    "get_lobby": Case("GET", "/lobbies/{lobby}/", "401 401 404 200 200"),
    "join_lobby": Case("POST", "/lobbies/{lobby}/join/", "401 401 404 200 200"),
    "leave_lobby": Case("POST", "/lobbies/{lobby}/leave/", "401 401 404 204 204"),
    "commit": Case(
        "PUT",
        "/lobbies/{lobby}/commitment/",
        "401 401 404 409 409",
        {"opened": "00" * 32, "commitment": "00" * 32},
    ),
    "get_commitments": Case("GET", "/lobbies/{lobby}/commitments/", "401 401 404 409 409"),
    "reveal": Case(
        "POST",
        "/lobbies/{lobby}/reveal/",
        "401 401 404 409 409",
        {"committed": "00" * 32, "entropy": "00" * 32},
    ),
    "set_ready": Case("PUT", "/lobbies/{lobby}/ready/", "401 401 404 200 200", {"ready": False}),
    "add_bot": Case("POST", "/lobbies/{lobby}/bots/", "401 401 404 403 201"),
    "take_seat": Case("PUT", "/lobbies/{lobby}/seats/5/", "401 401 404 200 200"),
    "take_colour": Case("PUT", "/lobbies/{lobby}/colours/1/", "401 401 404 404 404"),
    "swap_seats": Case(
        "POST", "/lobbies/{lobby}/seats/swap/", "401 401 404 403 200", {"seats": [0, 1]}
    ),
    "hand_over": Case("PUT", "/lobbies/{lobby}/host/", "401 401 404 403 200", seated_person),
    "list_bans": Case("GET", "/lobbies/{lobby}/bans/", "401 401 404 403 200"),
    "ban": Case("PUT", f"/lobbies/{{lobby}}/bans/{UUID(int=1)}/", "401 401 404 403 404"),
    "unban": Case("DELETE", f"/lobbies/{{lobby}}/bans/{UUID(int=1)}/", "401 401 404 403 204"),
    "list_mutes": Case("GET", "/lobbies/{lobby}/mutes/", "401 401 404 403 200"),
    "mute": Case("PUT", f"/lobbies/{{lobby}}/mutes/{UUID(int=1)}/", "401 401 404 403 404"),
    "unmute": Case("DELETE", f"/lobbies/{{lobby}}/mutes/{UUID(int=1)}/", "401 401 404 403 204"),
    "list_lobby_events": Case("GET", "/lobbies/{lobby}/events/", "401 401 404 200 200"),
    "send_message": Case("POST", "/lobbies/{lobby}/messages/", "401 401 404 201 201", line),
    "remove_seat": Case("DELETE", "/lobbies/{lobby}/seats/1/", "401 401 404 403 204"),
    "rematch": Case("POST", "/lobbies/{lobby}/rematch/", "401 401 404 404 404"),
    "start_game": Case("POST", "/lobbies/{lobby}/start/", "401 401 404 403 201"),
    "list_games": Case("GET", "/games/", "401 401 200 200 200"),
    "get_game": Case("GET", "/games/{game}/", "401 401 404 200 200"),
    "get_genesis": Case("GET", "/games/{game}/genesis/", "401 401 404 200 200"),
    "get_view": Case("GET", "/games/{game}/view/", "401 401 404 200 200"),
    "list_views": Case("GET", "/games/{game}/views/?from=1&to=1", "401 401 404 200 200"),
    "list_commits": Case("GET", "/games/{game}/commits/", "401 401 404 200 200"),
    "list_legal_commands": Case("GET", "/games/{game}/legal/", "401 401 404 200 200"),
    "agree_to_void": Case("PUT", "/games/{game}/agreement/", "401 401 404 409 409"),
    "withdraw_agreement": Case("DELETE", "/games/{game}/agreement/", "401 401 404 409 409"),
    "resign": Case("POST", "/games/{game}/resign/", "401 401 404 204 204"),
    "play": Case("POST", "/games/{game}/commands/", "401 401 404 201 201", play_body),
    "list_bets_in_game": Case("GET", "/games/{game}/bets/", "401 401 404 200 200"),
    "list_transfers_in_game": Case("GET", "/games/{game}/transfers/", "401 401 404 200 200"),
    "list_bets": Case("GET", "/bets/", "401 401 200 200 200"),
    "export_bets": Case("GET", "/bets/export/", "401 401 200 200 200"),
    "get_balance": Case("GET", "/accounts/1/balance/", "401 401 404 404 404"),
    "list_purses": Case("GET", "/games/{game}/purses/", "401 401 404 200 200"),
    "list_accounts": Case("GET", "/accounts/", "401 401 200 200 200"),
    "list_transfers": Case("GET", "/transfers/", "401 401 200 200 200"),
    "export_transfers": Case("GET", "/transfers/export/", "401 401 200 200 200"),
    "export_all_transfers": Case(
        "GET", "/audit/transfers/export/?cause={game}", "401 401 403 403 403", staff=200
    ),
    "list_all_bets": Case("GET", "/audit/bets/", "401 401 403 403 403", staff=200),
    "export_all_bets": Case(
        "GET", "/audit/bets/export/?game={game}", "401 401 403 403 403", staff=200
    ),
    "void_game": Case(
        "POST", "/admin/games/{game}/void/", "401 401 403 403 403", REASON, staff=204
    ),
    "void_bet": Case(
        "POST", "/admin/games/{game}/bets/1/void/", "401 401 403 403 403", REASON, staff=404
    ),
    "annotate_game": Case(
        "POST", "/admin/games/{game}/notes/", "401 401 403 403 403", REASON, staff=204
    ),
    "list_all_lobbies": Case("GET", "/admin/lobbies/", "401 401 403 403 403", staff=200),
    "list_all_games": Case("GET", "/admin/games/", "401 401 403 403 403", staff=200),
    "watch_game": Case(
        "GET", "/admin/games/{game}/view/?reason=a+complaint", "401 401 403 403 403", staff=200
    ),
    "watch_commits": Case(
        "GET", "/admin/games/{game}/commits/?reason=a+complaint", "401 401 403 403 403", staff=200
    ),
    "mute_as_operator": Case(
        "POST",
        f"/admin/lobbies/{{lobby}}/users/{UUID(int=1)}/mute/",
        "401 401 403 403 403",
        REASON,
        staff=404,
    ),
    "unmute_as_operator": Case(
        "POST",
        f"/admin/lobbies/{{lobby}}/users/{UUID(int=1)}/unmute/",
        "401 401 403 403 403",
        REASON,
        staff=204,
    ),
    "retitle_lobby_as_operator": Case(
        "POST",
        "/admin/lobbies/{lobby}/title/",
        "401 401 403 403 403",
        {"title": "A table", **REASON},
        staff=204,
    ),
    "close_lobby_as_operator": Case(
        "POST", "/admin/lobbies/{lobby}/close/", "401 401 403 403 403", REASON, staff=204
    ),
    "suspend_user": Case(
        "POST",
        f"/admin/users/{UUID(int=1)}/suspend/",
        "401 401 403 403 403",
        {"until": None, **REASON},
        staff=404,
    ),
    "list_operator_actions": Case("GET", "/admin/actions/", "401 401 403 403 403", staff=200),
    "get_checkpoint": Case("GET", "/audit/checkpoint/", "200 200 200 200 200"),
    "list_witnesses": Case("GET", "/audit/witnesses/", "200 200 200 200 200"),
    "get_bundles": Case("GET", "/audit/bundle/?games={game}", "401 401 404 409 409"),
    "get_bundle": Case("GET", "/audit/games/{game}/bundle/", "401 401 404 409 409"),
    "get_receipt": Case("GET", "/audit/games/{game}/bets/1/receipt/", "401 401 404 404 404"),
    "get_seat_proof": Case("GET", "/audit/games/{game}/seat/", "401 401 404 200 200"),
    "list_links": Case("GET", "/audit/links/", "401 401 200 200 200"),
}


def views(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All routes of URL patterns, with their view classes."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, route)
        else:
            yield route, getattr(pattern.callback, "cls", None)


@cache
def operations() -> dict[str, tuple[str, str, Operation]]:
    """The served operations by name."""
    found: dict[str, tuple[str, str, Operation]] = {}
    for route, view in views(get_resolver().url_patterns):
        if route.startswith("api/v1/"):
            for method in METHODS:
                if getattr(view, method, None) is not None:
                    declared = operation_of(view, method)
                    assert declared is not None, f"{method} {route} is no operation"
                    assert declared.name not in found, f"two operations are called {declared.name}"
                    found[declared.name] = (method.upper(), route, declared)
    return found


def reads_the_log(name: str) -> bool:
    """Whether an operation reads the sealed log."""
    return "not_sealed" in operations()[name][2].problems


def world_for(name: str, request: pytest.FixtureRequest) -> World:
    """The cheapest world for an operation.

    Sealed in its own log only for operations that read the log, shared by requests that change
    nothing.
    """
    if reads_the_log(name):
        found: World = request.getfixturevalue("world")
        return found
    if TABLE[name].method == "GET":
        shared: World = request.getfixturevalue("standing_world")
        return shared
    return World(request.getfixturevalue("new_user"))
