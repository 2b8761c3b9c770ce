"""The error table: every code that a caller may meet, with its HTTP status and meaning; and the
documents that tell it."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
import psycopg
import structlog
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from games.engine import RuleViolation
from games.play.service import Refused
from kit import validation
from kit.problems import Problem
from kit.rendering import Renderer

log = structlog.get_logger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 1


class Meaning(NamedTuple):
    """What a code says, and as which HTTP status."""

    status: int
    title: str


TABLE: Final[Mapping[str, Meaning]] = {
    # The request
    "malformed": Meaning(
        400, "The request does not have the shape that was asked for; `path` names the place."
    ),
    "bad_request": Meaning(400, "The request makes no sense as HTTP."),
    "unauthenticated": Meaning(401, "This needs a token that holds."),
    "wrong_credentials": Meaning(401, "There is nobody with this username and password."),
    "forbidden": Meaning(403, "This is not for you to do."),
    "scope_missing": Meaning(
        403, "The token is not for this: it lacks the scope that `scope` names."
    ),
    "not_found": Meaning(404, "There is no such thing, or it is not yours to see."),
    "method_not_allowed": Meaning(405, "This address does not know the method."),
    "not_acceptable": Meaning(406, "The answer is JSON, which the request does not accept."),
    "too_large": Meaning(413, "The request carries more than `most` bytes."),
    "unsupported_media_type": Meaning(415, "A body has to be application/json in UTF-8."),
    "too_many_requests": Meaning(
        429,
        "Too many requests of one `policy`: come back in `retry_after` seconds, as Retry-After says too.",
    ),
    # People
    "username_taken": Meaning(409, "Somebody else has this username."),
    "password_too_weak": Meaning(422, "The password is too easy to guess; `reasons` says why."),
    "wrong_password": Meaning(403, "This is not the current password."),
    "not_a_guest": Meaning(409, "This account has its credentials already."),
    "code_invalid": Meaning(422, "The code is not right, or not any more: have another mailed."),
    "too_many_tokens": Meaning(409, "One person holds at most `most` personal tokens: revoke one."),
    "guests_register_no_apps": Meaning(
        403, "Guests cannot register apps: claim the account first."
    ),
    "too_many_apps": Meaning(409, "One person registers at most `most` apps: remove one."),
    "guests_own_no_bots": Meaning(403, "Guests own no bot accounts: claim the account first."),
    "too_many_bots": Meaning(409, "One person owns at most `most` bot accounts: delete one."),
    # Lobbies
    "unknown_game": Meaning(
        404, "This server has no game of this name; `known` lists those it has."
    ),
    "wrong_capacity": Meaning(
        422, "The game does not seat this many; `least` and `most` say how many it does."
    ),
    "too_many_lobbies": Meaning(
        409, "One person hosts at most `most` open lobbies: start or leave one."
    ),
    "guests_cannot_stake": Meaning(403, "Guests cannot sit down where a buy-in is asked."),
    "bots_cannot_stake": Meaning(409, "Bots cannot sit down where a buy-in is asked."),
    "bots_not_admitted": Meaning(403, "The host lets no bot accounts sit down in this lobby."),
    "not_the_host": Meaning(403, "Only the host of the lobby may do this."),
    "lobby_not_open": Meaning(409, "The lobby has started or closed; `status` says which."),
    "lobby_full": Meaning(409, "All `capacity` seats are taken."),
    "banned": Meaning(403, "The host lets this person neither sit down nor talk in this lobby."),
    "too_many_barred": Meaning(
        409, "One lobby bans at most `most` people, and mutes as many: lift one."
    ),
    "muted": Meaning(403, "The host or an operator does not let this person talk in this lobby."),
    "seat_taken": Meaning(409, "Somebody sits there already."),
    "not_ready": Meaning(409, "Somebody is not ready; `seats` lists who."),
    "wrong_number_of_seats": Meaning(
        409, "Too few or too many have sat down; `least` and `most` are the bounds."
    ),
    "insufficient_funds": Meaning(409, "There is not enough money for this."),
    # Games
    "rules_refused": Meaning(
        409, "The rules of the game refuse; the code is the game's own, and named in its reference."
    ),
    "not_at_the_table": Meaning(409, "The game does not have this seat; `seat` names it."),
    "spectators_only_watch": Meaning(403, "This is for those who have a seat at the game."),
    "seat_forfeited": Meaning(
        409, "The seat was left alone for too long: a bot plays it to the end."
    ),
    "command_id_reused": Meaning(
        422, "This seat gave another command under the same id, at `version`."
    ),
    "game_not_ended": Meaning(409, "The game goes on: this is for when it has ended."),
    "receipt_too_long": Meaning(
        422, "More than `most` bytes of commits follow the bet: ask for the game's bundle."
    ),
    "game_voided": Meaning(409, "The game was called off."),
    "bet_void_already": Meaning(409, "The bet was called off before."),
    "bet_not_voidable": Meaning(
        409, "The rules of the game have no way to call this bet off while it is open."
    ),
    "game_stalled": Meaning(503, "The game has failed and waits to be called off."),
    "rules_missing": Meaning(
        501,
        "This server has not, or no more, this version of the rules or `edition` of their cards.",
    ),
    # The server
    "internal_error": Meaning(500, "The server is at fault, and has noted it."),
    "busy": Meaning(503, "Too much at once: send the same request again."),
    "unavailable": Meaning(
        503, "The server cannot reach what it needs: send the same request again."
    ),
    "not_sealed": Meaning(503, "The log does not have this yet: ask again in a second."),
    "outcome_unknown": Meaning(
        503, "Whether the command was carried out is not known: send it again with the same id."
    ),
    # GraphQL only
    "query_too_deep": Meaning(
        400, "The document nests its fields `found` deep; `most` is what may be."
    ),
    "query_too_costly": Meaning(
        400,
        "The document costs `found`, where pages multiply what is asked of a row; `most` may be.",
    ),
    "too_many_aliases": Meaning(400, "The document has `found` aliases; `most` is what may be."),
    "too_many_query_tokens": Meaning(400, "The document has more than `most` tokens."),
    # WebSocket only
    "authenticated_already": Meaning(409, "The connection knows already who this is."),
    "text_frames_only": Meaning(415, "Frames have to be text."),
    "too_many_commands": Meaning(
        429, "Too many commands of this connection wait for their answer."
    ),
    "too_slow": Meaning(
        408, "The connection does not read as fast as the game goes on: come back with `after`."
    ),
    "version_ahead": Meaning(409, "`after` is further than the game, which stands at `version`."),
    "too_many_frames": Meaning(
        429, "The connection sends more than `most` frames a second, or too much in them."
    ),
    "too_many_sockets": Meaning(429, "One person holds more than `most` connections."),
}

# What the frameworks below the views find fault with.
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
}


def meaning_of(code: str) -> Meaning:
    """What a code means. One that is not in the table is a game's own."""
    return TABLE.get(code, TABLE["rules_refused"])


class ProblemDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a request was not carried out. `code` is stable, `data` is what a client needs to know
    about it.

    `version` is where the game stood when it refused.
    """

    type: str
    title: str
    status: int
    code: str
    version: int | None = None
    data: dict[str, Any] = {}


def document(problem: Problem) -> ProblemDocument:
    """The document that tells of a problem."""
    meaning = meaning_of(problem.code)
    return ProblemDocument(
        type=f"urn:problem:{problem.code}",
        title=meaning.title,
        status=meaning.status,
        code=problem.code,
        version=problem.version if isinstance(problem, Refused) else None,
        data=problem.data,
    )


def problem_of(error: Exception) -> Problem | None:
    """The problem that an exception stands for, if it is not our own fault."""
    match error:
        case Problem():
            return error
        case RuleViolation():
            return Problem(error.code, **error.data)
        case msgspec.MsgspecError():
            return validation.malformed(error)
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)
    return None if code is None else Problem(code)


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. What is not a problem of the caller is left to Django, which logs
    it."""
    problem = problem_of(error)
    if problem is None:
        return None
    if problem.code == "unavailable" and not isinstance(error, Problem):
        log.warning("unavailable", error=type(error).__name__, detail=str(error))
    found = document(problem)
    # In JSON, also where a page or a file was asked for, which has no place for it.
    asked = context["request"]
    asked.accepted_renderer, asked.accepted_media_type = Renderer(), Renderer.media_type
    return Response(found, found.status, headers=_headers(found), content_type=MEDIA_TYPE)


def _headers(found: ProblemDocument) -> dict[str, str]:
    if found.code == "scope_missing":
        return {
            "WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{found.data["scope"]}"'
        }
    if found.status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if found.status == 503:
        return {"Retry-After": str(RETRY_AFTER_S)}
    if found.code == "too_many_requests":
        return {"Retry-After": str(found.data["retry_after"])}
    return {}


# Django's own pages, where no view was reached


def page(problem: Problem) -> HttpResponse:
    """A problem, told where no view was reached."""
    found = document(problem)
    return HttpResponse(
        msgspec.json.encode(found),
        status=found.status,
        headers=_headers(found),
        content_type=MEDIA_TYPE,
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400"""
    return page(Problem("bad_request"))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403"""
    return page(Problem("forbidden"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404"""
    return page(Problem("not_found"))


def internal_error(request: HttpRequest) -> HttpResponse:
    """handler500"""
    return page(Problem("internal_error"))
