"""Queries over GraphQL: visibility, filters, orders and cursors."""

from datetime import timedelta
from operator import attrgetter
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from accounts.tokens import Scope
from games.models import Bet, Game, Head, Lobby, Seat
from tests.api.graphql.client import Client
from tests.api.graphql.scene import player
from tests.api.histories import placed
from tests.api.rest import Caller, take
from tests.builders import NewGame, NewUser
from tests.play.damaged import CHANGES, played
from tests.store.tampering import damage

COMMITS = """query ($id: UUID!, $first: Int, $after: String, $min: Integer, $max: Integer,
  $seat: Integer, $orderBy: [CommitInGameOrder!]) {
    game(id: $id) { commits(first: $first, after: $after, versionMin: $min, versionMax:
      $max, seat: $seat, orderBy: $orderBy) {
        edges { cursor node { version hash events { __typename } } } pageInfo { hasNextPage
          endCursor } } } }"""


def test_commits_come_in_pages_filtered_and_in_either_order(
    address: str, new_game: NewGame
) -> None:
    game = new_game()
    for spot in range(6):
        Caller(player(game, spot % 2)).play(game.id, take(spot))
    client = Client(address, player(game))

    def page(**asked: Any) -> tuple[list[int], str | None]:
        found = client.ask(COMMITS, id=str(game.id), **asked)["game"]["commits"]
        versions = [edge["node"]["version"] for edge in found["edges"]]
        return versions, found["pageInfo"]["endCursor"] if found["pageInfo"][
            "hasNextPage"
        ] else None

    assert page() == ([1, 2, 3, 4, 5, 6, 7], None)
    first, cursor = page(first=4, orderBy=[{"version": "DESC"}])
    assert (first, page(first=4, after=cursor, orderBy=[{"version": "DESC"}])) == (
        [7, 6, 5, 4],
        ([3, 2, 1], None),
    )
    assert page(min=3, max=4) == ([3, 4], None)
    assert page(seat=1) == ([3, 5, 7], None)
    rest = Caller(player(game)).get(f"/games/{game.id}/commits/").data["commits"]
    edges = client.ask(COMMITS, id=str(game.id))["game"]["commits"]["edges"]
    assert [edge["node"]["hash"] for edge in edges] == [commit["hash"] for commit in rest]
    status, code, received = client.error(COMMITS, id=str(game.id), first=101)
    assert (status, code, received["path"]) == (400, "malformed", "$.first")


def test_each_viewer_receives_the_events_that_they_may_read(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game(2, slug="ascot")

    def seen_by(user: User) -> int:
        found = Client(address, user).ask(COMMITS, id=str(game.id))["game"]["commits"]["edges"]
        events = [event for edge in found for event in edge["node"]["events"]]
        rest = Caller(user).get(f"/games/{game.id}/commits/").data["commits"]
        assert len(events) == sum(len(commit["events"]) for commit in rest)
        return len(events)

    assert seen_by(player(game, 0)) == seen_by(player(game, 1)) > seen_by(new_user()), (
        "only the viewer's own hand"
    )


def test_related_objects_are_reached_from_each_other(address: str, new_game: NewGame) -> None:
    game = new_game()
    Caller(player(game)).play(game.id, take(3))
    found = Client(address, player(game)).ask(
        """query ($id: UUID!) { game(id: $id) {
            slug version seats { number name isBot } yourSeat ended unit lobbyId
            lobby { id title options { ... on FreeSpotsOptions { boards } } gameId game { id } }
            view { version seat view { ... on FreeSpotsView { purses { key value } taken { key
              value } } } }
            legal(limit: 2) { version isComplete commands { ... on FreeSpotsTakeSpot { type spot }
              } }
            commits(versionMin: 2) {
                edges { node { version events { ... on BetPlaced { type bet seat spot stake odds
                  only } } } } }
            bets { edges { node { number spot stake outcome payout game { id slug } } cursor }
              pageInfo { hasNextPage } }
            transfers(reason: "stake") { edges { node { amount unit debit { key } credit
              { key } } } }
        } }""",
        id=str(game.id),
    )["game"]
    assert (found["slug"], found["version"], found["yourSeat"], found["ended"], found["unit"]) == (
        "free_spots",
        2,
        0,
        None,
        "chip",
    )
    assert found["lobby"]["game"] == {"id": str(game.id)}
    assert (found["lobbyId"], found["lobby"]["gameId"]) == (str(game.lobby_id), str(game.id))
    assert found["lobby"]["options"] == {"boards": 0}
    assert found["view"]["view"]["taken"] == [{"key": 3, "value": 0}]
    assert sum(purse["value"] for purse in found["view"]["view"]["purses"]) == 0
    assert found["legal"] == {
        "version": 2,
        "isComplete": False,
        "commands": [{"type": "take_spot", "spot": 0}, {"type": "take_spot", "spot": 1}],
    }
    (commit,) = found["commits"]["edges"]
    assert commit["node"]["events"] == [
        {
            "type": "bet_placed",
            "bet": 1,
            "seat": 0,
            "spot": "3",
            "stake": 1,
            "odds": "1x",
            "only": None,
        }
    ]
    (edge,) = found["bets"]["edges"]
    assert edge["node"]["game"] == {"id": str(game.id), "slug": "free_spots"}
    assert edge["node"]["outcome"] == "open"
    assert found["transfers"]["edges"] == [
        {
            "node": {
                "amount": 1,
                "unit": "chip",
                "debit": {"key": "seat:0"},
                "credit": {"key": "bank"},
            }
        }
    ]


def test_a_user_reads_their_own_data(address: str, new_user: NewUser) -> None:
    user = new_user()
    found = Client(address, user).ask(
        """{ me { id displayName isGuest } tokens { isThisOne }
             accounts(unit: "coin", orderBy: [{ key: DESC }]) { edges { node { unit
               balance } } }
             rules { slug title { fr } } rulesOf(slug: "set_dice") { slug jsonSchema }
             transfers { edges { node { reason amount } } } }"""
    )
    assert found["me"]["id"] == str(user.id)
    assert found["accounts"] == {"edges": [{"node": {"unit": "coin", "balance": 1000}}]}
    assert {rules["slug"] for rules in found["rules"]} >= {"ascot", "carcassonne", "set_dice"}
    assert found["rulesOf"]["jsonSchema"]["title"]
    assert found["transfers"]["edges"][0]["node"] == {"reason": "opening_grant", "amount": 1000}


def test_without_a_token_only_the_rules_are_readable(address: str, new_game: NewGame) -> None:
    client = Client(address)
    assert client.ask("{ rules { slug } }")["rules"]
    for query in (
        "{ me { id } }",
        "{ lobbies { edges { cursor } } }",
        "{ bets { edges { cursor } } }",
        "{ accounts { edges { cursor } } }",
    ):
        assert client.error(query)[:2] == (401, "unauthenticated")
    game = new_game()
    assert client.error("query ($id: UUID!) { game(id: $id) { id } }", id=str(game.id))[:2] == (
        401,
        "unauthenticated",
    )


def test_a_token_reads_only_what_its_scopes_allow(address: str, new_game: NewGame) -> None:
    game = new_game()
    session = tokens.caller_with(tokens.begin_session(player(game)).text)
    assert session is not None
    client = Client(address, token=tokens.issue_personal(session, "bot", [Scope.LOBBY], 1).text)
    nested = "mutation ($id: UUID!) { setReady(lobby: $id, ready: true) { ... on Lobby { game { id } } ... on Problem { code } } }"  # noqa: E501
    assert client.do(nested, id=str(game.lobby_id)) == {"code": "lobby_not_open"}
    for query in (
        "{ lobbies { edges { cursor } } }",
        "{ bets { edges { cursor } } }",
        "{ accounts { edges { cursor } } }",
    ):
        assert client.error(query) == (403, "scope_missing", {"scope": "read"})
    for query in ("{ game(id: $id) { id } }", "{ lobby(id: $id) { id } }"):
        assert client.error(f"query ($id: UUID!) {query}", id=str(game.id))[:2] == (
            403,
            "scope_missing",
        )


def test_hidden_and_missing_objects_get_the_same_response(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game()
    Lobby.objects.filter(id=game.lobby_id).update(visibility="invite")
    stranger = Client(address, new_user())
    for what, hidden in (("game", game.id), ("lobby", game.lobby_id)):
        query = f"query ($id: UUID!) {{ {what}(id: $id) {{ id }} }}"
        answers = [stranger.send(query, {"id": str(each)}) for each in (hidden, uuid4())]
        requests = [answer["errors"][0]["extensions"].pop("request_id") for answer in answers]
        assert requests[0] != requests[1]
        assert answers[0] == answers[1]
        assert answers[0]["errors"][0]["extensions"]["code"] == "not_found"
        assert answers[0]["errors"][0]["extensions"]["status"] == 404


def pages(client: Client, field: str, game: Game | None = None, **arguments: str) -> list[Any]:
    """Return every node of a connection, or of one of a game, page by page."""
    found: list[Any] = []
    after = None
    while True:
        asked = ", ".join(f"{name}: {value}" for name, value in arguments.items())
        page_info = "pageInfo { hasNextPage hasPreviousPage endCursor }"
        bets = f"""found: {field}(after: $after, {asked})
            {{ edges {{ cursor node {{ gameId number stake placedAt }} }} {page_info} }}"""
        root = bets if game is None else f'game(id: "{game.id}") {{ {bets} }}'
        answer = client.ask(f"query ($after: String) {{ {root} }}", after=after)
        page = (answer if game is None else answer["game"])["found"]
        found += [edge["node"] for edge in page["edges"]]
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]
        assert after == page["edges"][-1]["cursor"]


@pytest.mark.parametrize("way", [pytest.param("ASC", marks=pytest.mark.slow), "DESC"])
def test_pages_neither_miss_nor_repeat_a_row_in_any_order(
    address: str, new_game: NewGame, way: str
) -> None:
    game, now = new_game(seats=1), timezone.now()
    # Numbers, times and stakes are in different orders, and many share a time or a stake.
    rows = [
        placed(
            game,
            number,
            at=now + timedelta(seconds=number * 7 % 3),
            stake=number * 5 % 4 + 1,
            spot=str(game.id),
        )
        for number in range(1, 24)
    ]
    Bet.objects.bulk_create(rows)
    user = player(game)
    user.groups.add(Group.objects.get(name=tokens.AUDITORS))
    client = Client(address, user)

    def found(field: str, *order: str, of: Game | None = None, **asked: str) -> list[int]:
        columns = ", ".join(f"{{{column}: {way}}}" for column in order)
        nodes = pages(client, field, of, first="5", orderBy=f"[{columns}]", **asked)
        return [node["number"] for node in nodes]

    def wanted(*columns: str) -> list[int]:
        key = attrgetter(*columns, "number")
        return [bet.number for bet in sorted(rows, key=key, reverse=way == "DESC")]

    assert found("bets", "placedAt") == wanted("at")
    assert found("allBets", "placedAt", spot=f'"{game.id}"') == wanted("at")
    assert found("bets", "placedAt", of=game) == wanted("at")
    assert found("bets", "stake", of=game) == wanted("stake")
    assert found("bets", "stake", "placedAt", of=game) == wanted("stake", "at")
    assert found("bets", "placedAt", "stake", of=game) == wanted("at", "stake")
    few = found("bets", "placedAt", stakeMin="3", outcome="open")
    assert few == [number for number in wanted("at") if number * 5 % 4 + 1 >= 3]


@pytest.mark.parametrize(
    "listed",
    [
        "lobbies(orderBy: [{buyIn: DESC}, {createdAt: ASC}]) { edges { cursor } }",
        "transfers(orderBy: [{at: ASC}, {amount: ASC}, {at: DESC}]) { edges { cursor } }",
        'game(id: "ID") { bets(orderBy: [{stake: DESC}, {placedAt: ASC}]) { edges { cursor } } }',
    ],
)
def test_columns_in_opposite_directions_are_refused(
    address: str, new_game: NewGame, listed: str
) -> None:
    game = new_game()
    query = f"{{ {listed} }}".replace("ID", str(game.id))
    assert Client(address, player(game)).error(query) == (
        400,
        "malformed",
        {
            "path": "$.orderBy",
            "reason": "columns have opposite directions; all must have the same",
        },
    )


@pytest.mark.parametrize("listed", ["bets", "allBets"])
def test_bets_of_all_games_have_no_order_by_stake(
    address: str, new_game: NewGame, listed: str
) -> None:
    query = f"{{ {listed}(orderBy: [{{stake: DESC}}]) {{ edges {{ cursor }} }} }}"
    status, code, received = Client(address, player(new_game())).error(query)
    assert (status, code, received["path"]) == (400, "malformed", "$")
    assert "'BetOrder' not to include unknown field 'stake'" in received["reason"]


def test_a_cursor_continues_after_its_row(address: str, new_game: NewGame) -> None:
    game = new_game(seats=1)
    Bet.objects.bulk_create(placed(game, number) for number in range(1, 6))
    client = Client(address, player(game))
    query = (
        "query ($after: String) "
        "{ bets(after: $after, orderBy: [{placedAt: ASC}]) { edges { cursor node { number } } } }"
    )
    edges = client.ask(query)["bets"]["edges"]
    assert [edge["node"]["number"] for edge in edges] == [1, 2, 3, 4, 5]
    rest = client.ask(query, after=edges[1]["cursor"])["bets"]["edges"]
    assert [edge["node"]["number"] for edge in rest] == [3, 4, 5]
    assert client.error(query, after="nonsense") == (
        400,
        "malformed",
        {"path": "$.after", "reason": "not a cursor of this list"},
    )
    assert client.error("{ bets(first: 101) { edges { cursor } } }")[2]["path"] == "$.first"
    assert client.error("{ bets(first: 0) { edges { cursor } } }")[:2] == (400, "malformed")


def test_nested_lists_are_paged_for_each_game(address: str, new_game: NewGame) -> None:
    games = [new_game(seats=1) for _ in range(3)]
    user = player(games[0])
    for count, game in enumerate(games, start=1):
        Seat.objects.filter(lobby=game.lobby).update(user=user)
        Bet.objects.bulk_create(placed(game, number, user=user) for number in range(1, 2 * count))
    query = """{ games(mine: true, orderBy: [{startedAt: ASC}])
        { edges { node { id bets(first: 2) { edges { cursor node { number } } pageInfo {
          hasNextPage } } } } } }"""
    nodes = [edge["node"] for edge in Client(address, user).ask(query)["games"]["edges"]]
    assert [node["id"] for node in nodes] == [str(game.id) for game in games]
    assert [[edge["node"]["number"] for edge in node["bets"]["edges"]] for node in nodes] == [
        [1],
        [1, 2],
        [1, 2],
    ]
    assert [node["bets"]["pageInfo"]["hasNextPage"] for node in nodes] == [False, True, True]


@pytest.mark.parametrize("kind", ["body", "missing"])
def test_commits_end_with_a_problem_at_a_damaged_row(
    address: str, new_game: NewGame, kind: str
) -> None:
    game = played(new_game)
    client = Client(address, player(game))
    assert client.ask(COMMITS, id=str(game.id)), "the process has loaded the game"
    damage(game, CHANGES[kind][0])
    status, code, received = client.error(COMMITS, id=str(game.id), min=3)
    assert (status, code, received["game"]) == (503, "history_damaged", str(game.id))
    head = Head.objects.get(game=game)
    assert (head.damaged, bool(head.stalled)) == (3, True)
