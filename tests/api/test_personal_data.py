"""One file with all data about a person, and that no table is forgotten in it."""

import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import openpyxl
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Field, Model
from django.test import override_settings
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from oauth2_provider.models import AccessToken, Application, DeviceGrant, Grant, RefreshToken

from accounts import bots, tokens
from accounts.models import ExternalIdentity, RecoveryChange, Token, User, Vacation
from games import lobbies
from games.api import exports
from games.models import Lobby, Presence, Reminder
from games.reads import personal
from games.store.operator_log import record_action
from games.store.registry import catalogue
from notices import inbox, webhooks
from notices.kinds import Fact
from notices.models import PushSubscription
from tests.api.rest import Caller, take
from tests.builders import NewGame, NewUser

SECTIONS = {section.name: section for section in personal.SECTIONS}


def file_of(user: User) -> list[dict[str, Any]]:
    answer = Caller(user).get("/auth/data/")
    assert answer.status == 200, answer
    return [json.loads(line) for line in answer.content.splitlines()]


def tables() -> list[type[Model]]:
    return list(apps.get_models(include_auto_created=True))


def columns_about_users() -> list[tuple[str, str]]:
    """All columns that refer to users, by foreign key or by name."""
    found = []
    for model in tables():
        for field in model._meta.concrete_fields:
            refers = field.related_model is User or field.attname in {"user_id", "held_for"}
            if refers or (model is User and field.primary_key):
                found.append((model._meta.label, field.name))
    return found


@pytest.mark.parametrize(("table", "column"), columns_about_users())
def test_every_column_that_refers_to_a_user_is_in_the_file_or_explained(
    table: str, column: str
) -> None:
    looked_up = {
        (section.model._meta.label, section.whose.removesuffix("__contains"))
        for section in personal.SECTIONS
    }
    bots_of_user = ("accounts.User", "owner")  # their data is in their owner's file
    assert (
        (table, column) in {*looked_up, bots_of_user}
        or (table, column.removesuffix("_id")) in looked_up
        or table in personal.NOT_INCLUDED
    )


def test_every_column_of_a_table_in_the_file_is_shown_or_left_out_with_a_reason() -> None:
    known: dict[type[Model], set[str]] = {}
    for section in personal.SECTIONS:
        known.setdefault(section.model, set()).update(section.columns, section.left_out)
    for model, names in known.items():
        columns: list[Field[Any, Any]] = list(model._meta.concrete_fields)
        forgotten = [each.name for each in columns if not {each.name, each.attname} & names]
        assert not forgotten, model
    assert all(reason for each in personal.SECTIONS for reason in each.left_out.values())


def test_every_explained_table_exists() -> None:
    labels = {model._meta.label for model in tables()}
    assert {name for name in personal.NOT_INCLUDED if "." in name} <= labels


def with_sign_in_data(user: User) -> list[str]:
    """Give a user rows of every table about sign-in. Return the secrets in them."""
    User.objects.filter(id=user.id).update(email="ann@example.org", last_login=timezone.now())
    user.groups.add(Group.objects.get_or_create(name="auditors")[0])
    user.user_permissions.add(Permission.objects.all()[0])
    ExternalIdentity.objects.create(user=user, issuer="https://id.example.org", subject=uuid4().hex)
    secrets = [uuid4().hex for _ in range(7)]
    soon = timezone.now() + timedelta(hours=1)
    app = Application.objects.create(user=user, name="an app", client_id=uuid4().hex)
    common = {"user": user, "application": app, "scope": "read"}
    access = AccessToken.objects.create(token=secrets[0], expires=soon, **common)
    RefreshToken.objects.create(
        user=user, application=app, token=secrets[1], access_token=access, token_family=uuid4()
    )
    Grant.objects.create(code=secrets[2], expires=soon, redirect_uri="https://a.example", **common)
    DeviceGrant.objects.create(
        user=user, device_code=secrets[3], user_code=secrets[4], client_id="a", expires=soon
    )
    key = TOTPDevice.objects.create(user=user, name="phone").key
    RecoveryChange.objects.create(
        user=user, email="ann@example.org", password=secrets[6], factors={"codes": secrets[6:]},
        ends_at=soon,
    )  # fmt: skip
    Vacation.objects.create(user=user, starts_at=soon, ends_at=soon)
    recovery = StaticDevice.objects.create(user=user, name="recovery")
    recovery.token_set.create(token=secrets[5][:16])
    users = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=user, object_id=str(user.id), action_flag=CHANGE, content_type=users
    )
    record_action(user, "suspend", f"user {user.id}", "")
    return [
        *secrets[:5],
        secrets[5][:16],
        secrets[6],
        key,
        *Token.objects.values_list("digest", flat=True),
    ]


def test_the_file_has_all_data_about_a_user_and_no_secret(
    new_user: NewUser, new_game: NewGame
) -> None:
    game = new_game(2)
    user = game.lobby.host
    bot = bots.create(user, "Robot")
    secrets = with_sign_in_data(user)
    assert Caller(user).play(game.id, take(3)).status == 201
    Presence.objects.create(
        lobby_id=game.lobby_id, user_id=user.id, process=uuid4(), connected=True,
        seen_at=timezone.now(),
    )  # fmt: skip
    Reminder.objects.create(game=game, user=user, kind="your_turn", alarm=1, at=timezone.now())
    PushSubscription.objects.create(user=user, url="https://push.example/", p256dh=b"", auth=b"")
    _, secret = webhooks.create(user, webhooks.Wish("https://example.org/", []))
    secrets.append(secret)
    with transaction.atomic():
        inbox.tell([Fact(user.id, "table_full", game.lobby_id, 1, {"lobby": str(game.lobby_id)})])
    request = uuid4()
    other = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots", buy_in=5))
    lobbies.create(user, lobbies.LobbyChoices(slug="free_spots", buy_in=5), request=request)
    lobbies.join(user, other.id)
    lobbies.leave(user, other.id)
    lobbies.mute(other.host, other.id, user.id)
    lobbies.send_message(user, game.lobby_id, uuid4(), "I am Ann from Ambleside")
    lobbies.ban(other.host, other.id, user.id)
    Lobby.objects.filter(id=other.id).update(
        held_for=[None, user.id], held_until=timezone.now() + timedelta(hours=1)
    )
    secrets += [bytes(seat.salt).hex() for seat in game.lobby.seats.all() if seat.salt]
    lines = file_of(user)
    assert lines[0]["type"] == "about"
    assert lines[-1] == {"type": "end", "lines": len(lines)}
    by_type: dict[str, list[dict[str, Any]]] = {}
    for line in lines[1:-1]:
        by_type.setdefault(line.pop("type"), []).append(line)
    assert by_type.keys() == SECTIONS.keys()
    me, robot = by_type["user"]
    assert (me["email"], robot["display_name"]) == ("ann@example.org", bot.display_name)
    (bet,) = by_type["bet"]
    assert (bet["game_id"], bet["seat"], bet["outcome"]) == (str(game.id), 0, "open")
    texts = [row["body"].get("text") for row in by_type["lobby_event"]]
    assert "I am Ann from Ambleside" in texts
    assert {row["reason"] for row in by_type["transfer_received"]} == {
        "opening_grant", "buy_in_returned"
    }  # fmt: skip
    assert [row["request"] for row in by_type["lobby_request"]] == [str(request)]
    text = json.dumps(lines)
    assert not [secret for secret in secrets if secret in text]


def test_the_file_has_nothing_about_others(new_game: NewGame) -> None:
    game = new_game(2)
    host, guest = (seat.user for seat in game.lobby.seats.order_by("number"))
    assert host is not None
    assert guest is not None
    lobbies.send_message(guest, game.lobby_id, uuid4(), "a stranger's words")
    text = json.dumps(file_of(host))
    assert str(guest.id) not in text
    assert "a stranger's words" not in text


def test_long_histories_are_read_in_batches(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(1)
    user = game.lobby.host
    for spot in range(7):
        assert Caller(user).play(game.id, take(spot)).status == 201
    monkeypatch.setattr(personal, "BATCH", 3)
    bets = [line["number"] for line in file_of(user) if line["type"] == "bet"]
    assert len(bets) == len(set(bets)) == 7


def test_the_file_needs_a_session_and_has_a_limit_of_its_own(new_user: NewUser) -> None:
    user = new_user()
    caller = Caller(user)
    session = tokens.caller_with(str(caller.token))
    assert session is not None
    reader = Caller(token=tokens.issue_personal(session, "a", [tokens.Scope.READ], 1).text)
    assert reader.get("/auth/data/").problem == (403, "scope_missing")
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "personal_data": (2, 3600)}):
        assert [caller.get("/auth/data/").status for _ in range(3)] == [200, 200, 429]


def test_a_workbook_loses_no_row_and_marks_a_text_that_it_cuts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exports, "ROWS_MAX", 3)
    rows: list[tuple[str, dict[str, object]]]
    rows = [("bet", {"text": letter * exports.TEXT_MAX}) for letter in "abcd"]
    rows += [("bet", {"text": "e" * (exports.TEXT_MAX + 1)}), ("end", {"lines": 5})]
    file = b"".join(exports.book_of(iter([rows[:3], rows[3:]]), None))
    book = openpyxl.load_workbook(io.BytesIO(file))
    assert book.sheetnames == ["bet", "bet (2)", "bet (3)", "end"]
    texts = [text for sheet in book.worksheets[:3] for (text,) in list(sheet.values)[1:]]
    assert texts[:4] == [values["text"] for _, values in rows[:4]]
    assert texts[4] == f"{'e' * (exports.TEXT_MAX - len(exports.CUT))}{exports.CUT}"


def test_a_spreadsheet_opens_the_file(new_game: NewGame) -> None:
    game = new_game(1)
    user = game.lobby.host
    assert Caller(user).play(game.id, take(1)).status == 201
    User.objects.filter(id=user.id).update(display_name="=HYPERLINK(1)")
    asked = "format=xlsx&names=true&time_zone=Asia/Kolkata"
    book = openpyxl.load_workbook(io.BytesIO(Caller(user).get(f"/auth/data/?{asked}").content))
    sheets = {
        sheet.title: [dict(zip(header, row, strict=True)) for row in rows]
        for sheet in book.worksheets
        for header, *rows in [list(sheet.values)]
    }
    lines = file_of(user)
    assert sheets["end"][0]["lines"] == sum(map(len, sheets.values()))
    (bet,), (line,) = sheets["bet"], (line for line in lines if line["type"] == "bet")
    assert bet["user_name"] == "=HYPERLINK(1)"
    assert bet["game_name"] == catalogue()[game.slug].title["en"]
    local = datetime.fromisoformat(line["at"]) + timedelta(hours=5, minutes=30)
    assert isinstance(bet["at"], datetime)
    assert abs(bet["at"] - local.replace(tzinfo=None)) < timedelta(seconds=1)
    assert {cell.data_type for sheet in book for line in sheet for cell in line} <= {*"sndb"}


def test_an_operator_writes_the_same_file(new_user: NewUser, tmp_path: Path) -> None:
    user = new_user()
    for name in (user.username, str(user.id)):
        call_command("person_data", name, output=tmp_path / "file")
        lines = [json.loads(line) for line in (tmp_path / "file").read_bytes().splitlines()]
        seen = file_of(user)
        # The session that reads the file over REST is in it.
        assert [x for x in lines[1:-1] if x["type"] != "token"] == [
            x for x in seen[1:-1] if x["type"] != "token"
        ]
    book_file = tmp_path / "file.xlsx"
    call_command(
        "person_data", user.username, output=book_file, names=True, time_zone="Asia/Kolkata"
    )
    book = openpyxl.load_workbook(book_file)
    assert [*book["end"].values][1] == (sum(sheet.max_row - 1 for sheet in book),)
    with pytest.raises(CommandError, match="--time-zone Atlantis: is no time zone"):
        call_command("person_data", user.username, time_zone="Atlantis")
    with pytest.raises(CommandError, match="There is no user nobody-here"):
        call_command("person_data", "nobody-here")
