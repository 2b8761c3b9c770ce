"""Scopes: every REST operation with a token of each single scope."""

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Group

from accounts import tokens
from accounts.models import Token, User
from accounts.tokens import Scope
from tests.api.matrix import TABLE, World, operations, world_for
from tests.api.rest import Caller, caller_for
from tests.builders import NewUser

WITHOUT_A_TOKEN = {
    "create_guest",
    "register",
    "sign_in",
    "change_device",
    "ask_for_reset_code",
    "reset_password",
    "restore_user",
    "list_rules",
    "get_rules",
    "get_book",
    "live",
    "ready",
    "get_checkpoint",
    "list_witnesses",
}
WITH_ANY_TOKEN = {"revoke_token"}
SCOPES = {
    Scope.READ: {
        "me",
        "list_lobbies",
        "get_lobby",
        "list_lobby_events",
        "list_games",
        "get_game",
        "get_genesis",
        "list_archived_months",
        "get_view",
        "list_views",
        "list_commits",
        "list_legal_commands",
        "list_bets_in_game",
        "list_transfers_in_game",
        "list_bans",
        "list_mutes",
        "list_vacations",
        "list_notices",
        "list_notice_choices",
        "list_bets",
        "list_accounts",
        "list_transfers",
        "export_bets",
        "export_transfers",
        "get_balance",
        "list_purses",
        "get_bundles",
        "get_bundle",
        "get_receipt",
    },
    Scope.PLAY: {
        *("play", "resign", "agree_to_void", "withdraw_agreement"),
        *("announce_vacation", "end_vacation", "mark_notices_read", "choose_notices"),
    },
    Scope.LOBBY: {
        "create_lobby",
        "join_by_code",
        "join_lobby",
        "leave_lobby",
        "commit",
        "get_commitments",
        "reveal",
        "set_ready",
        "add_bot",
        "remove_seat",
        "take_colour",
        "take_seat",
        "swap_seats",
        "hand_over",
        "ban",
        "unban",
        "rematch",
        "mute",
        "unmute",
        "send_message",
        "quick_match",
        "start_game",
    },
    Scope.AUDIT: {"list_all_bets", "export_all_bets", "export_all_transfers"},
    Scope.ADMIN: {
        "void_game",
        "void_bet",
        "annotate_game",
        "list_operator_actions",
        "list_all_lobbies",
        "list_all_games",
        "watch_game",
        "watch_commits",
        "mute_as_operator",
        "unmute_as_operator",
        "retitle_lobby_as_operator",
        "close_lobby_as_operator",
        "suspend_user",
    },
    Scope.USER: {
        "register_guest",
        "create_device_code",
        "change_password",
        "ask_for_address_code",
        "ask_for_proof_code",
        "confirm_address",
        "create_factor_secret",
        "add_second_factor",
        "remove_second_factor",
        "erase_user",
        "get_personal_data",
        "list_tokens",
        "create_token",
        "revoke_one_token",
        "list_apps",
        "register_app",
        "remove_app",
        "revoke_all_tokens",
        "list_bot_users",
        "create_bot_user",
        "rename_bot_user",
        "delete_bot_user",
        "list_bot_tokens",
        "create_bot_token",
        "revoke_bot_token",
        "prove_second_factor",
        "get_seat_proof",
        "list_links",
        *("get_push_key", "list_push_subscriptions", "subscribe_push", "unsubscribe_push"),
        *("list_webhooks", "create_webhook", "change_webhook", "delete_webhook"),
        *("rotate_webhook_secret", "test_webhook", "list_deliveries", "send_deliveries_again"),
    },
    Scope.NOTICES: set(),
}

SCOPED = sorted(name for names in SCOPES.values() for name in names)


def test_every_operation_requires_a_scope() -> None:
    listed = {name: scope for scope, names in SCOPES.items() for name in names}
    assert {name: declared.scope for name, (_, _, declared) in operations().items()} == {
        **dict.fromkeys(WITHOUT_A_TOKEN | WITH_ANY_TOKEN),
        **listed,
    }


@pytest.fixture(scope="module")
def limited_callers(standing_world: World) -> dict[Scope, Caller]:
    """A client of the standing world's host, who is staff, for each single scope."""
    host = standing_world.user("host")
    User.objects.filter(id=host.id).update(is_staff=True)
    return {scope: caller_for(host, scope) for scope in Scope}


@pytest.mark.parametrize("name", SCOPED)
def test_a_token_allows_no_operation_of_another_scope(
    name: str, standing_world: World, limited_callers: dict[Scope, Caller]
) -> None:
    case, needed = TABLE[name], next(scope for scope, names in SCOPES.items() if name in names)
    others = [scope for scope in Scope if scope != needed]
    other = others[SCOPED.index(name) % len(others)]  # in turn: the check is one for all
    answer = standing_world.request(case, limited_callers[other])
    assert answer.problem == (403, "scope_missing")
    assert answer.data["data"] == {"scope": needed}
    assert (
        answer.headers["WWW-Authenticate"] == f'Bearer error="insufficient_scope", scope="{needed}"'
    )


@pytest.mark.parametrize("name", sorted(SCOPES[Scope.AUDIT] | SCOPES[Scope.ADMIN]))
def test_a_token_of_staff_allows_the_operations_of_its_scope(
    request: pytest.FixtureRequest, name: str
) -> None:
    """Those of other scopes are allowed to their tokens in the matrix of roles."""
    world = world_for(name, request)
    host = world.user("host")
    User.objects.filter(id=host.id).update(is_staff=True)
    caller = caller_for(host, Scope.AUDIT if name in SCOPES[Scope.AUDIT] else Scope.ADMIN)
    answer = world.request(TABLE[name], caller)
    assert answer.status == TABLE[name].staff, answer


@pytest.mark.parametrize("scope", Scope)
def test_any_token_can_revoke_itself(new_user: NewUser, scope: Scope) -> None:
    caller = caller_for(new_user(), scope)
    assert caller.post("/auth/revoke/").status == 204
    assert caller.post("/auth/revoke/").problem == (401, "unauthenticated")


def test_a_session_has_the_current_scopes_of_its_user(new_user: NewUser) -> None:
    user = new_user()
    caller = Caller(user)

    def scopes() -> set[str]:
        (session,) = caller.get("/auth/tokens/").data
        assert session["kind"] == "session"
        return set(session["scopes"])

    plain = {"read", "play", "lobby", "notices", "user"}
    assert scopes() == plain
    user.groups.add(Group.objects.get(name=tokens.AUDITORS))
    assert scopes() == plain | {"audit"}
    user.groups.clear()
    assert scopes() == plain
    User.objects.filter(id=user.id).update(is_staff=True)
    assert scopes() == {scope.value for scope in Scope}


def test_a_personal_token_has_a_name_scopes_and_an_expiry(new_user: NewUser) -> None:
    caller = Caller(new_user())
    made = caller.post(
        "/auth/tokens/", {"name": "my notebook", "scopes": ["read", "play"], "days": 7}
    ).data
    assert made["token"].startswith("gst_")
    about = made["about"]
    assert (about["kind"], about["name"], about["scopes"]) == (
        "personal",
        "my notebook",
        ["play", "read"],
    )
    program = Caller(token=made["token"])
    assert program.get("/auth/me/").status == 200
    assert program.get("/auth/tokens/").problem == (403, "scope_missing")
    assert caller.get("/auth/tokens/").data[0] == about
    assert caller.call("DELETE", f"/auth/tokens/{about['id']}/").status == 204
    assert program.get("/auth/me/").problem == (401, "unauthenticated")
    assert caller.call("DELETE", f"/auth/tokens/{about['id']}/").problem == (404, "not_found")


@pytest.mark.parametrize("scope", ["audit", "admin"])
def test_a_token_cannot_grant_scopes_that_it_lacks(new_user: NewUser, scope: str) -> None:
    answer = Caller(new_user()).post(
        "/auth/tokens/", {"name": "a program", "scopes": ["read", scope]}
    )
    assert answer.problem == (403, "scope_missing")
    assert answer.data["data"] == {"scope": scope}


@pytest.mark.parametrize(
    "body",
    [
        {"name": "", "scopes": ["read"]},
        {"name": "a", "scopes": []},
        {"name": "a", "scopes": ["user"]},
        {"name": "a", "scopes": ["write"]},
        {"name": "a", "scopes": ["read"], "days": 0},
        {"name": "a", "scopes": ["read"], "days": 367},
        {"name": "a" * 61, "scopes": ["read"]},
    ],
)
def test_the_fields_of_a_personal_token_are_bounded(new_user: NewUser, body: object) -> None:
    assert Caller(new_user()).post("/auth/tokens/", body).problem == (400, "malformed")


def test_the_number_of_personal_tokens_is_limited(new_user: NewUser) -> None:
    user = new_user()
    Token.objects.bulk_create(
        Token(
            user=user, digest=uuid4().hex, kind=Token.Kind.PERSONAL, expires_at="2100-01-01T00:00Z"
        )
        for _ in range(tokens.PERSONAL_MAX)
    )
    caller = Caller(user)
    answer = caller.post("/auth/tokens/", {"name": "one more", "scopes": ["read"]})
    assert answer.problem == (409, "too_many_tokens")
    assert answer.data["data"] == {"most": tokens.PERSONAL_MAX}
    assert caller.get("/auth/me/").status == 200


def test_tokens_of_others_cannot_be_revoked(new_user: NewUser) -> None:
    victim, attacker = Caller(new_user()), Caller(new_user())
    number = UUID(victim.get("/auth/tokens/").data[0]["id"])
    assert attacker.call("DELETE", f"/auth/tokens/{number}/").problem == (404, "not_found")
    assert victim.get("/auth/me/").status == 200
