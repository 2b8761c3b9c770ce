"""The error table: every code with its HTTP status and meaning, and the documents for clients."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
import psycopg
import structlog
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from psycopg.errors import ReadOnlySqlTransaction
from rest_framework import exceptions
from rest_framework.response import Response

from games.play.commit import RefusedError
from kit.key_files import UnusableKeyError
from kit.problems import Problem
from kit.rendering import Renderer
from railbird_engine import RuleViolation

log = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 1
NAME: Final = re.compile(r"`(\w+)`")
OPTIONAL: Final = re.compile(r"\[(.*?)\]")


class Meaning(NamedTuple):
    """The HTTP status and title of a code, a template of its detail, and a note for documents.

    The template has the names of the problem's data in backticks. Without data there is none. A
    part in brackets is left out if the problem lacks a value for it.
    """

    status: int
    title: str
    template: str = ""
    note: str = ""

    @property
    def explained(self) -> str:
        """The text about the code in documents."""
        text = OPTIONAL.sub(r"\1", self.template) or self.title
        return f"{text} {self.note}".rstrip()

    def detail(self, data: Mapping[str, Any]) -> str | None:
        """Return the template with these values, or None if there is none."""

        def part(found: re.Match[str]) -> str:
            return found[1] if data.keys() >= {*NAME.findall(found[1])} else ""

        chosen = OPTIONAL.sub(part, self.template)
        return NAME.sub(lambda name: _written(data.get(name[1], name[1])), chosen) or None


def _written(value: object) -> str:
    """Return a value of a problem's data as a sentence has it."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


TABLE: Final[Mapping[str, Meaning]] = {
    # The request
    "malformed": Meaning(
        400,
        "The request does not match its schema.",
        "The request does not match its schema at `path`: `reason`",
    ),
    "bad_request": Meaning(400, "Malformed HTTP request."),
    "unauthenticated": Meaning(401, "A valid access token is required."),
    "wrong_credentials": Meaning(401, "Wrong username or password."),
    "suspended": Meaning(
        403,
        "An operator has suspended this user.",
        "An operator has suspended this user until `until`.",
    ),
    "forbidden": Meaning(403, "You are not allowed to do this."),
    "scope_missing": Meaning(
        403,
        "The token lacks a scope.",
        "The token lacks the scope `scope`; staff get admin by proving their second factor.",
    ),
    "not_found": Meaning(404, "Not found, or not visible to you."),
    "method_not_allowed": Meaning(405, "This address does not support the method."),
    "not_acceptable": Meaning(406, "The response is JSON, which the request does not accept."),
    "too_large": Meaning(
        413, "The request body is too large.", "The request body exceeds `most` bytes."
    ),
    "unsupported_media_type": Meaning(415, "The request body must be application/json in UTF-8."),
    "too_many_requests": Meaning(
        429,
        "A rate limit is exhausted.",
        "The rate limit `policy` is exhausted; retry after `retry_after` seconds.",
    ),
    # People
    "name_reserved": Meaning(409, "This name is reserved for the server and its staff."),
    "display_name_taken": Meaning(409, "This display name imitates another user's username."),
    "email_required": Meaning(403, "A buy-in requires a confirmed e-mail address."),
    "username_taken": Meaning(409, "The username is taken."),
    "password_too_weak": Meaning(
        422, "The password is too weak.", "The password is too weak: `reasons`."
    ),
    "wrong_code": Meaning(403, "The code of the second factor is wrong or was used."),
    "second_factor_required": Meaning(
        403, "Prove the second factor in this session first; the proof is valid for ten minutes."
    ),
    "second_factor_exists": Meaning(409, "The user has a second factor; remove it first."),
    "factor_required": Meaning(403, "The user has a second factor; send its code as factor."),
    "wrong_password": Meaning(403, "The current password is wrong."),
    "sign_in_again": Meaning(403, "Sign in at the provider again; that counts for ten minutes."),
    "recovery_changed": Meaning(
        409,
        "Password, address or second factor changed recently.",
        "Password, address or second factor changed recently; the next change is at `until`.",
    ),
    "not_a_guest": Meaning(409, "The user is already registered."),
    "code_invalid": Meaning(422, "The code is wrong or expired; request another."),
    "too_many_tokens": Meaning(
        409,
        "The user has too many personal tokens.",
        "A user can have at most `most` personal tokens; revoke one.",
    ),
    "guests_register_no_apps": Meaning(403, "Guests cannot register apps; register first."),
    "too_many_apps": Meaning(
        409,
        "The user has registered too many apps.",
        "A user can register at most `most` apps; remove one.",
    ),
    "guests_have_no_webhooks": Meaning(403, "Guests cannot have webhooks; register first."),
    "too_many_webhooks": Meaning(
        409,
        "The user or app has too many webhooks.",
        "A user or an app can have `most` webhooks; delete one.",
    ),
    "webhook_disabled": Meaning(409, "The webhook is disabled; enable it, and send a test."),
    "no_push": Meaning(409, "This server sends no Web Push."),
    "guests_own_no_bots": Meaning(403, "Guests cannot own bot users; register first."),
    "too_many_bots": Meaning(
        409,
        "The user owns too many bot users.",
        "A user can own at most `most` bot users; delete one.",
    ),
    "vacation_too_soon": Meaning(
        422,
        "The vacation starts too soon or too late.",
        "A vacation must start at `least` or later, and within a year from now.",
    ),
    "vacation_too_long": Meaning(
        422,
        "The user is on vacation for too many days in a year.",
        "A user can be on vacation for at most `most` days in a year; in `year` it is more.",
    ),
    "vacations_overlap": Meaning(409, "You have announced a vacation for that time; end it first."),
    # Lobbies
    "unknown_game": Meaning(
        404,
        "This server does not have the game.",
        "This server does not have the game; it has `known`.",
    ),
    "wrong_capacity": Meaning(
        422,
        "The game cannot seat this many.",
        "The game cannot seat this many; it seats `least` to `most`.",
    ),
    "too_many_lobbies": Meaning(
        409,
        "The user hosts too many open lobbies.",
        "A user can host at most `most` open lobbies; start or leave one.",
    ),
    "guests_cannot_stake": Meaning(403, "Guests cannot join a lobby with a buy-in."),
    "bots_cannot_stake": Meaning(409, "Bots cannot join a lobby with a buy-in."),
    "bots_not_admitted": Meaning(403, "The host does not admit bot users to this lobby."),
    "request_id_reused": Meaning(422, "The user sent another request under the same id."),
    "not_the_host": Meaning(403, "Only the host of the lobby may do this."),
    "lobby_not_open": Meaning(
        409, "The lobby is not open.", "The lobby is not open: its status is `status`."
    ),
    "lobby_full": Meaning(409, "All seats are taken.", "All `capacity` seats are taken."),
    "banned": Meaning(403, "The host banned this user from the lobby."),
    "too_many_barred": Meaning(
        409,
        "The lobby has banned or muted too many users.",
        "A lobby can ban at most `most` users and mute as many; lift one.",
    ),
    "muted": Meaning(403, "The host or an operator muted this user in this lobby."),
    "no_team": Meaning(
        409, "You play in no team: you have no seat, the game has no teams, or players are missing."
    ),
    "colour_taken": Meaning(409, "Another player has this colour."),
    "seat_taken": Meaning(409, "The seat is taken."),
    "attempt_over": Meaning(
        409, "This attempt to start is over; commit to the lobby's current opening."
    ),
    "commitment_required": Meaning(409, "The seat has not committed to entropy."),
    "commitments_awaited": Meaning(
        409,
        "Not all players have committed to their entropy yet; start again later.",
        "The players in the seats `seats` have not committed to their entropy yet; start again "
        "later.",
    ),
    "wrong_entropy": Meaning(409, "The entropy does not match the seat's commitment."),
    "not_ready": Meaning(
        409, "Not all players are ready.", "The players in the seats `seats` are not ready."
    ),
    "wrong_number_of_seats": Meaning(
        409,
        "The number of players does not suit the game.",
        "The number of players must be between `least` and `most`.",
    ),
    "insufficient_funds": Meaning(409, "Insufficient funds."),
    "prizes_rise": Meaning(422, "A better rank must have at least the prize of a worse one."),
    "forfeit_required": Meaning(
        422, "In a lobby with a buy-in, absent players forfeit; leave out absence."
    ),
    "unfit_for_coins": Meaning(
        422,
        "These options do not suit a buy-in.",
        "These options do not suit a buy-in: `reason` (no_deadline: players who do not move could"
        " keep the coins for ever, so set each time limit; collusion: seats could help one "
        "another to win).",
    ),
    "pace_not_offered": Meaning(
        422,
        "The game is not played at this pace.",
        "The game is not played at this pace, only at `paces`.",
    ),
    "limit_not_slow": Meaning(
        422,
        "A time limit does not suit a slow table.",
        "At a slow table `option` must be between `least` and `most` seconds.",
    ),
    "vacations_need_slow_pace": Meaning(422, "Only slow tables allow vacations."),
    # Games
    "game_not_slow": Meaning(409, "Only games at slow tables are voided by agreement."),
    "rules_refused": Meaning(
        409, "The rules of the game refused the command; the game's schema lists the codes."
    ),
    "not_at_the_table": Meaning(
        409, "The game does not have this seat.", "The game does not have the seat `seat`."
    ),
    "spectators_only_watch": Meaning(403, "Only players with a seat may do this."),
    "seat_forfeited": Meaning(409, "This seat was forfeited; a bot now plays it."),
    "signature_refused": Meaning(
        422,
        "The signature does not count.",
        "The signature does not count: `reason`[; the signed text has the command `command`].",
        "The reason is missing, no_key (the seat has none), wrong, head (another history) or late.",
    ),
    "game_has_ended": Meaning(409, "The game has ended."),
    "too_late": Meaning(
        409,
        "The time that not_after sets has passed; the command was not carried out and never will "
        "be.",
    ),
    "command_id_reused": Meaning(
        422,
        "This seat sent another command under the same id.",
        "This seat sent another command under the same id, at version `version`.",
    ),
    "game_not_ended": Meaning(409, "The game has not ended."),
    "receipt_too_long": Meaning(
        422,
        "Too many bytes of commits follow the bet; download the game's bundle.",
        "More than `most` bytes of commits follow the bet; download the game's bundle.",
    ),
    "game_archived": Meaning(409, "The history of the game is archived and can no longer change."),
    "game_voided": Meaning(409, "The game was voided."),
    "bet_void_already": Meaning(409, "The bet is already void."),
    "bet_not_voidable": Meaning(
        409,
        "The rules of the game cannot void this bet while it is open; void it when it is settled, "
        "or void the game.",
    ),
    "game_stalled": Meaning(503, "The game failed and waits for an operator to void it."),
    "history_damaged": Meaning(
        503,
        "A stored commit of the game is damaged; the game waits for an operator.",
        "The stored commit `version` of the game is damaged; the game waits for an operator.",
    ),
    "history_lost": Meaning(
        503,
        "The database lost commits of the game, or notices; load them again.",
        "The database lost commits of the game, or notices, at least those after `version`; load "
        "them again.",
    ),
    "seed_key_missing": Meaning(
        503, "This server lacks the key that decrypts the game's seed, so it cannot continue it."
    ),
    "rules_missing": Meaning(
        503,
        "This process lacks this version of the rules, or of their cards; retry the same request.",
    ),
    # The server
    "internal_error": Meaning(500, "Internal server error. It has been logged."),
    "format_not_installed": Meaning(
        501,
        "This server lacks the package that writes this format; use csv or jsonl.",
        "This server lacks the package that writes `format`; use csv or jsonl.",
    ),
    "busy": Meaning(503, "The server is overloaded; retry the same request."),
    "unavailable": Meaning(
        503, "A service that the server depends on is unavailable; retry the same request."
    ),
    "archive_damaged": Meaning(
        500,
        "The archived history of a game is missing or was changed. It has been logged.",
        "The archived history of `game` is missing or was changed. It has been logged.",
    ),
    "not_sealed": Meaning(503, "The public log does not contain this yet; retry in a second."),
    "outcome_unknown": Meaning(
        503, "It is not known whether the command was committed; retry with the same id."
    ),
    # GraphQL only
    "not_graphql": Meaning(
        400, "Send one JSON object with a query by POST; forms, lists and GET are not accepted."
    ),
    "query_too_deep": Meaning(
        400, "The query is too deep.", "The query depth `found` exceeds the limit `most`."
    ),
    "query_too_costly": Meaning(
        400,
        "The query costs too much.",
        "The query cost `found` exceeds the limit `most`; a list costs as much as all rows that it "
        "may return.",
    ),
    "too_many_aliases": Meaning(
        400,
        "The query has too many aliases.",
        "The number of aliases `found` exceeds the limit `most`.",
    ),
    "too_many_repeats": Meaning(
        400,
        "The query repeats fields or fragments too often.",
        "The query repeats fields or fragments too often: `found` exceeds the limit `most`.",
    ),
    "too_many_query_tokens": Meaning(
        400, "The query has too many tokens.", "The query has more than `most` tokens."
    ),
    # WebSocket only
    "authenticated_already": Meaning(409, "The connection is already authenticated."),
    "text_frames_only": Meaning(415, "Frames must be text."),
    "too_many_commands": Meaning(429, "Too many commands of this connection await a response."),
    "restarting": Meaning(503, "The server is restarting; reconnect with ?after=."),
    "too_slow": Meaning(408, "The client reads too slowly; reconnect with ?after=."),
    "version_ahead": Meaning(
        409,
        "The version after ?after= is beyond the head.",
        "The version after ?after= is beyond the head, `version`: the database lost the commits "
        "between, or they never existed.",
    ),
    "too_many_frames": Meaning(
        429,
        "The connection sends too many frames, or too large ones.",
        "The connection exceeds `most` frames a second, or their size limit.",
    ),
    "too_many_sockets": Meaning(
        429,
        "The user has too many open connections.",
        "A user can have at most `most` open connections.",
    ),
}

# Codes for exceptions of the frameworks below the views.
_CODES: Final[Mapping[type[Exception], str]] = {
    Http404: "not_found",
    PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotAuthenticated: "unauthenticated",
    exceptions.AuthenticationFailed: "unauthenticated",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.ParseError: "bad_request",
    OperationalError: "unavailable",
    InterfaceError: "unavailable",
    psycopg.OperationalError: "unavailable",
    TimeoutError: "unavailable",
    UnusableKeyError: "unavailable",
}


def meaning_of(code: str) -> Meaning:
    """Return the meaning of a code. A code outside the table belongs to a game's rules."""
    return TABLE.get(code, TABLE["rules_refused"])


class ProblemDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error response. `code` is stable; `data` has the details that a client needs, and `detail`
    says them in a sentence.

    `version` is the version of the game that rejected a command. `request_id` is that of the header
    `X-Request-ID`, by which operators find the request in their logs.
    """

    type: str
    title: str
    detail: str | None = None
    status: int
    code: str
    version: int | None = None
    request_id: str | None = None
    data: dict[str, Any] = {}


def document(problem: Problem) -> ProblemDocument:
    """Return the error document of a problem."""
    meaning = meaning_of(problem.code)
    version = problem.version if isinstance(problem, RefusedError) else None
    return ProblemDocument(
        type=f"urn:problem:{problem.code}",
        title=meaning.title,
        detail=meaning.detail({"version": version, **problem.data}),
        status=meaning.status,
        code=problem.code,
        version=version,
        request_id=structlog.contextvars.get_contextvars().get("request_id"),
        data=problem.data,
    )


def problem_of(error: Exception) -> Problem | None:
    """Return the problem that an exception means; None for an internal error."""
    match error:
        case Problem():
            return error
        case RuleViolation():
            return Problem(error.code, **error.data)
    if isinstance(error.__cause__, ReadOnlySqlTransaction):  # a standby, or fenced
        return Problem("unavailable")
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)
    return None if code is None else Problem(code)


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. Django handles and logs everything that is not a problem."""
    problem = problem_of(error)
    if problem is None:
        return None
    if problem.code == "unavailable" and not isinstance(error, Problem):
        log.warning("unavailable", error=type(error).__name__, detail=str(error))
    found = document(problem)
    # Always JSON, even if the client requested a page or a file.
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = Renderer(), Renderer.media_type
    return Response(found, found.status, headers=_headers(found), content_type=MEDIA_TYPE)


def _headers(found: ProblemDocument) -> dict[str, str]:
    if found.code == "scope_missing":
        return {
            "WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{found.data["scope"]}"'
        }
    if found.status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if found.status in {429, 503}:
        return {"Retry-After": str(found.data.get("retry_after", RETRY_AFTER_S))}
    return {}


# Django's error handlers, for requests that reach no view


def page(problem: Problem) -> HttpResponse:
    """Return a problem as a plain Django response."""
    found = document(problem)
    return HttpResponse(
        msgspec.json.encode(found),
        status=found.status,
        headers=_headers(found),
        content_type=MEDIA_TYPE,
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response for handler400."""
    return page(Problem("bad_request"))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response for handler403."""
    return page(Problem("forbidden"))


def internal_error(request: HttpRequest) -> HttpResponse:
    """Return the response for handler500."""
    return page(Problem("internal_error"))
