"""Histories over REST: visible bets and transfers, filters, and complete pages."""

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec import structs

from accounts import tokens
from games.models import Bet, Correction, Game, Seat, Settlement
from games.play import corrections
from games.reads import bet_pages, histories
from games.reads.filters import AnyBetFilter
from kit import event_loop
from kit.paging import Rows
from tests.api.histories import placed, player
from tests.api.rest import Caller, take
from tests.builders import NewGame, NewUser


def pages(caller: Caller, path: str, **filters: object) -> Iterator[list[Any]]:
    """Yield every page of a list."""
    cursor = None
    while True:
        asked = urlencode({**filters, **({"cursor": cursor} if cursor else {})})
        answer = caller.get(f"{path}?{asked}")
        assert answer.status == 200, answer
        yield answer.data["items"]
        cursor = answer.data["next"]
        if cursor is None:
            return


def test_a_user_lists_their_own_bets_and_all_bets_of_a_game(new_game: NewGame) -> None:
    game = new_game()
    first, second = player(game), player(game, 1)
    first.play(game.id, take(1))
    second.play(game.id, take(2))
    (own,) = first.get("/bets/").data["items"]
    assert (own["game"], own["slug"], own["number"], own["spot"], own["stake"]) == (
        str(game.id),
        "free_spots",
        1,
        "1",
        1,
    )
    assert (own["outcome"], own["payout"], own["settled_at"]) == ("open", None, None)
    assert (own["user"], own["version"], own["settled_version"]) == (
        str(first.user and first.user.id),
        2,
        None,
    )
    assert [bet["number"] for bet in first.get(f"/games/{game.id}/bets/").data["items"]] == [1, 2]


def test_a_game_that_hides_money_opens_its_ledger_at_the_end(new_game: NewGame) -> None:
    hidden, open_ = (new_game(slug="ascot", private_cash=choice) for choice in (True, False))

    def rows(game: Game) -> tuple[int, int]:
        caller = player(game)
        moved = caller.get(f"/games/{game.id}/transfers/").data["items"]
        return len(moved), len(caller.get(f"/games/{game.id}/purses/?version=1").data)

    assert min(rows(open_)) > 0
    assert rows(hidden) == (0, 0)
    event_loop.call(corrections.void(hidden.id, "To see its ledger."))
    assert min(rows(hidden)) > 0


def test_transfers_of_a_game_come_in_order_and_add_up(new_game: NewGame) -> None:
    game = new_game()
    caller = player(game)
    caller.play(game.id, take(1))
    moved = caller.get(f"/games/{game.id}/transfers/").data["items"]
    assert [(row["number"], row["position"]) for row in moved] == [(1, 0), (1, 1), (2, 0)]
    assert moved[-1]["debit"] == {"book": str(game.id), "key": "seat:0"}
    assert moved[-1]["credit"] == {"book": str(game.id), "key": "bank"}
    assert (moved[-1]["amount"], moved[-1]["unit"], moved[-1]["reason"]) == (1, "chip", "stake")
    assert caller.get("/transfers/").data["items"][0]["reason"] == "opening_grant", (
        "purses of games are not wallets"
    )


def test_pages_neither_miss_nor_repeat_a_row_while_rows_are_added(new_game: NewGame) -> None:
    # All at the same time, as a group commit writes them.
    games, now = [new_game(seats=1), new_game(seats=1)], timezone.now()
    user = Seat.objects.get(lobby=games[0].lobby).user
    rows = [placed(game, number, at=now, user=user) for game in games for number in range(1, 26)]
    Bet.objects.bulk_create(rows)
    caller = player(games[0])
    expected = {(str(bet.game_id), bet.number) for bet in rows}
    found = []
    for added, page in enumerate(pages(caller, "/bets/", limit=7)):
        assert len(page) <= 7
        found += [(bet["game"], bet["number"]) for bet in page]
        Bet.objects.bulk_create(
            [
                placed(games[0], 100 + added, user=user),
                placed(games[1], 100 + added, at=now, user=user),
            ]
        )
    assert len(found) == len(set(found))
    assert expected <= set(found)
    assert [key for key in found if key in expected] == sorted(expected, reverse=True)


@pytest.mark.parametrize("limit", [1, 2])
def test_pages_of_filtered_bets_end_however_many_share_a_time(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(bet_pages, "SCANNED", 3)
    game, now = new_game(seats=1), timezone.now()
    wanted = {5: now, 1: now, 9: now - timedelta(seconds=1)}
    together = [placed(game, number, at=now) for number in {*range(1, 9)} - {*wanted}]
    found = [placed(game, number, at=at, spot="wanted") for number, at in wanted.items()]
    Bet.objects.bulk_create(together + found)
    shown = list(islice(pages(player(game), "/bets/", spot="wanted", limit=limit), 20))
    assert len(shown) < 20, "the list ends"
    assert [bet["number"] for page in shown for bet in page] == list(wanted)


@pytest.mark.parametrize("limit", [1, 2])
def test_pages_of_void_bets_end_however_many_share_a_time(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(bet_pages, "SCANNED", 3)
    monkeypatch.setattr(bet_pages, "FEW", 0)
    now = timezone.now()
    earlier, later = now - timedelta(microseconds=1), now + timedelta(microseconds=1)
    others, game = new_game(2, "ready_set_bet"), new_game(1)
    places = [(others, number, now) for number in range(1, 7)]
    places += [(game, 1, now), (game, 2, now), (game, 3, earlier)]
    Bet.objects.bulk_create(placed(g, number, at=at) for g, number, at in places)
    Settlement.objects.bulk_create(
        Settlement(
            game=g,
            number=number,
            version=9,
            outcome="lost" if (g, number) == (game, 2) else "void",
            payout=0,
            drawn=0,
            placed_at=at,
        )
        for g, number, at in places
    )
    Correction.objects.create(game=game, number=2, version=9, payout=2, placed_at=now)
    query = AnyBetFilter(
        outcome="void",
        slug="free_spots",
        placed_after=earlier,
        placed_before=later,
        limit=limit,
    )
    shown: list[Rows] = []
    while len(shown) < 20 and (not shown or shown[-1].next):
        cursor = shown[-1].next if shown else None
        page = structs.replace(query, cursor=cursor)
        shown.append(bet_pages.page_of_all_bets(histories.all_bets(), page))
    assert len(shown) < 20, "the list ends"
    assert [bet.number for page in shown for bet in page.rows] == [2, 1, 3]


def test_every_filter_agrees_with_a_plain_scan(new_game: NewGame) -> None:
    game, other, now = new_game(seats=1), new_game(seats=1), timezone.now()
    user = Seat.objects.get(lobby=game.lobby).user
    rows = [
        placed(g, n, at=now + timedelta(seconds=n), user=user, seat=n % 3)
        for g in (game, other)
        for n in range(1, 13)
    ]
    Bet.objects.bulk_create(rows)
    outcomes = {n: ("open", "won", "lost", "void")[n % 4] for n in range(1, 13)}
    Settlement.objects.bulk_create(
        Settlement(
            game=game,
            number=n,
            version=n,
            outcome=outcome,
            payout=n,
            drawn=0,
            placed_at=now + timedelta(seconds=n),
        )
        for n, outcome in outcomes.items()
        if outcome != "open"
    )
    scan = [
        (str(bet.game_id), bet.number, bet.seat, bet.spot, bet.stake, bet.at)
        for bet in reversed(rows)
    ]

    def fate(row: Any) -> str:
        return outcomes[row[1]] if row[0] == str(game.id) else "open"

    moment = now + timedelta(seconds=6)
    cases: list[tuple[dict[str, object], Callable[[Any], bool]]] = [
        ({"game": str(game.id)}, lambda row: row[0] == str(game.id)),
        ({"slug": "free_spots"}, lambda _: True),
        ({"slug": "ready_set_bet"}, lambda _: False),
        ({"seat": 2}, lambda row: row[2] == 2),
        ({"spot": "7"}, lambda row: row[3] == "7"),
        ({"stake_min": 5, "stake_max": 9}, lambda row: 5 <= row[4] <= 9),
        ({"placed_after": moment.isoformat()}, lambda row: row[5] >= moment),
        ({"placed_before": moment.isoformat()}, lambda row: row[5] < moment),
        ({"outcome": "open"}, lambda row: fate(row) == "open"),
        ({"outcome": "won"}, lambda row: fate(row) == "won"),
        ({"outcome": "lost"}, lambda row: fate(row) == "lost"),
        ({"outcome": "void"}, lambda row: fate(row) == "void"),
        (
            {"outcome": "won", "game": str(game.id), "stake_max": 6},
            lambda row: fate(row) == "won" and row[4] <= 6,
        ),
    ]
    caller = player(game)
    for filters, wanted in cases:
        found = [
            (bet["game"], bet["number"])
            for page in pages(caller, "/bets/", limit=5, **filters)
            for bet in page
        ]
        assert sorted(found) == sorted(row[:2] for row in scan if wanted(row)), filters


def test_auditors_filter_all_bets_by_user(new_game: NewGame, new_user: NewUser) -> None:
    game, auditor = new_game(), new_user()
    auditor.groups.add(Group.objects.get(name=tokens.AUDITORS))
    caller, (first, second) = Caller(auditor), (player(game), player(game, 1))
    first.play(game.id, take(1))
    second.play(game.id, take(2))
    assert first.user
    assert first.get(f"/audit/bets/?game={game.id}").problem == (403, "scope_missing")
    own = first.get("/bets/").data["items"]
    assert caller.get(f"/audit/bets/?user={first.user.id}").data["items"] == own
    assert [
        bet["spot"] for page in pages(caller, "/audit/bets/", game=game.id, limit=1) for bet in page
    ] == ["2", "1"]
    lines = caller.get(
        f"/audit/bets/export/?format=jsonl&game={game.id}&outcome=open"
    ).content.splitlines()
    assert [json.loads(line)["spot"] for line in lines] == ["1", "2"]
    assert caller.get(f"/audit/bets/export/?format=jsonl&user={auditor.id}").content == b""
    assert caller.get("/audit/bets/?user=ann").problem == (400, "malformed")


def test_transfers_are_filtered(new_game: NewGame) -> None:
    game = new_game()
    caller = player(game)
    for spot in range(4):
        caller.play(game.id, take(spot))
    path = f"/games/{game.id}/transfers/"
    assert [
        row["number"] for page in pages(caller, path, limit=3, reason="stake") for row in page
    ] == [2, 3, 4, 5]
    assert len(caller.get(f"{path}?amount_min=2").data["items"]) == 2
    assert len(caller.get(f"{path}?amount_max=1&limit=100").data["items"]) == 4
    assert caller.get(f"{path}?cause={uuid4()}").data["items"] == []
    tomorrow = quote((timezone.now() + timedelta(days=1)).isoformat())
    assert caller.get(f"{path}?posted_after={tomorrow}").data["items"] == []


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "WzFd",
        "W10",
        "bnVsbA",
        "WzEsMiwzXQ",
        "WyJhIiwiYiIsImMiXQ",
        "Wzk5OTk5OTk5OTk5OTk5OTk5OTk5XQ",
        "é",
        "====",
    ],
)
def test_a_made_up_cursor_is_malformed(new_user: NewUser, cursor: str) -> None:
    answer = Caller(new_user()).get(f"/bets/?cursor={quote(cursor)}")
    assert answer.problem == (400, "malformed")
    assert answer.data["data"]["path"] == "$.cursor"


def test_datetimes_require_a_time_zone(new_user: NewUser) -> None:
    caller = Caller(new_user())
    for text in ("2026-01-01T00:00:00", "2026-01-01", "1767225600", "yesterday"):
        assert caller.get(f"/bets/?placed_after={text}").problem == (400, "malformed")
    for text in (
        "2026-01-01T00:00:00Z",
        "0670-11-12T12:26:59%2B19:34",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ):
        assert caller.get(f"/bets/?placed_after={text}").status == 200, text
    assert caller.get("/bets/?placed_after=0001-01-01T00:00:00%2B23:59").problem == (
        400,
        "malformed",
    )
    lost = caller.get("/bets/?placed_after=2026-01-01T00:00:00+01:00")
    assert lost.data["data"]["reason"].endswith("in an address + is a space, write %2B")
    odd = base64.urlsafe_b64encode(
        b'["0670-11-12T12:26:59+19:34","01920000-0000-7000-8000-000000000000",1]'
    ).decode()
    assert caller.get(f"/bets/?cursor={odd}").status == 200


class Player(NamedTuple):
    """A client, and a game in which its user has most bets."""

    caller: Caller
    game: Game


@pytest.fixture(scope="module")
def players(new_game: NewGame) -> tuple[Player, Player]:
    """A player of one game and one of five, for tests that only read."""

    def make(games: int) -> Player:
        host = new_game(seats=2)
        user = Seat.objects.get(lobby=host.lobby, number=0).user
        Bet.objects.bulk_create(placed(host, number) for number in range(1, 2 * games))
        for _ in range(games - 1):
            game = new_game(seats=3)
            Seat.objects.filter(lobby=game.lobby, number=2).update(user=user)
        return Player(player(host), host)

    return make(1), make(5)


@pytest.mark.parametrize(
    "path",
    [
        "/lobbies/?mine=true",
        "/games/?mine=true",
        "/bets/",
        "/transfers/",
        "/accounts/",
        "/games/{game}/bets/",
        "/games/{game}/transfers/",
    ],
)
def test_the_number_of_queries_of_a_list_does_not_grow_with_its_rows(
    players: tuple[Player, Player], path: str
) -> None:
    def cost(of: Player) -> int:
        with CaptureQueriesContext(connection) as queries:
            answer = of.caller.get(path.format(game=of.game.id))
        assert answer.status == 200
        return len(queries)

    few, many = map(cost, players)
    assert few == many <= 5
