"""Lobbies over REST: visibility, and the way from an empty room to a game."""

import hashlib
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import ledger, people
from games import lobbies
from tests.api.rest import Answer, Caller
from tests.builders import NewUser
from tests.lobbies.scene import seal


@pytest.fixture
def host(new_user: NewUser) -> Caller:
    return Caller(new_user())


@pytest.fixture
def guest(new_user: NewUser) -> Caller:
    return Caller(new_user())


def opened(host: Caller, **choices: object) -> dict[str, Any]:
    answer = host.post("/lobbies/", {"slug": "free_spots", **choices})
    assert answer.status == 201, answer
    found: dict[str, Any] = answer.data
    return found


ENTROPY = bytes(range(32))


def committed(player: Caller, lobby: dict[str, Any], seat: int) -> Answer:
    opened = lobby["opening"]["hash"]
    covered = b"entropy\0" + bytes.fromhex(opened) + seat.to_bytes(2, "big") + ENTROPY
    commitment = {"opened": opened, "commitment": hashlib.sha256(covered).hexdigest()}
    return player.call("PUT", f"/lobbies/{lobby['id']}/commitment/", commitment)


def test_from_an_empty_room_to_a_game(host: Caller, guest: Caller) -> None:
    lobby = opened(host, title="Friday", options={"boards": 2}, commits=True)
    assert (lobby["your_seat"], lobby["capacity"], lobby["status"], lobby["seed"]) == (
        0,
        68,
        "open",
        None,
    )
    joined = guest.post(f"/lobbies/{lobby['id']}/join/", {"commits": True})
    assert joined.status == 200
    assert [seat["number"] for seat in joined.data["seats"]] == [0, 1]
    assert host.post(f"/lobbies/{lobby['id']}/bots/").data["seats"][2]["is_bot"] is True
    for seat, player in enumerate((host, guest)):
        assert committed(player, lobby, seat).status == 200
    assert host.post(f"/lobbies/{lobby['id']}/start/").problem == (409, "not_ready")
    assert guest.call("PUT", f"/lobbies/{lobby['id']}/ready/", {"ready": True}).status == 200
    started = host.post(f"/lobbies/{lobby['id']}/start/")
    assert (started.status, started.data["has_started"]) == (201, False)
    sealed = f"/lobbies/{lobby['id']}/commitments/"
    assert guest.get(sealed).problem == (503, "not_sealed")
    seal()
    fixed = guest.get(sealed).data
    assert [row["place"] for row in fixed["rows"]] == [0, 1, 2]
    reveal = {"committed": fixed["hash"], "entropy": ENTROPY.hex()}
    for player in (guest, host):
        assert player.post(f"/lobbies/{lobby['id']}/reveal/", reveal).status == 200
    seal()
    game = host.get(f"/games/{started.data['id']}/").data
    assert (game["version"], game["ended"], game["unit"]) == (1, "", "chip")
    again = guest.get(f"/lobbies/{lobby['id']}/").data
    assert (again["status"], again["game"], again["seed_hash"]) == (
        "started",
        started.data["id"],
        lobby["seed_hash"],
    )


def test_members_see_the_invite_code_and_others_join_with_it(host: Caller, guest: Caller) -> None:
    hidden = opened(host, visibility="invite")
    assert guest.get(f"/lobbies/{hidden['id']}/").problem == (404, "not_found")
    assert guest.post(f"/lobbies/{hidden['id']}/join/").problem == (404, "not_found")
    joined = guest.post("/lobbies/join/", {"invite_code": str(hidden["invite_code"]).lower()})
    assert joined.status == 200
    assert joined.data["invite_code"] == hidden["invite_code"]
    assert guest.post("/lobbies/join/", {"invite_code": "AAAAAAAAAA"}).problem == (404, "not_found")
    public = opened(host)
    assert guest.get(f"/lobbies/{public['id']}/").data["invite_code"] is None
    assert host.get(f"/lobbies/{public['id']}/").data["invite_code"] == public["invite_code"]


def test_the_seed_is_shown_when_the_lobby_closes_and_matches_its_hash(host: Caller) -> None:
    lobby = opened(host)
    assert host.post(f"/lobbies/{lobby['id']}/leave/").status == 204
    closed = host.get(f"/lobbies/{lobby['id']}/").data
    assert closed["status"] == "closed"
    assert hashlib.sha256(bytes.fromhex(closed["seed"])).hexdigest() == lobby["seed_hash"]


def test_a_buy_in_is_paid_and_returned(host: Caller, guest: Caller) -> None:
    lobby = opened(host, buy_in=300)
    assert host.get("/accounts/").data["items"][0]["balance"] == 700
    assert guest.post(f"/lobbies/{lobby['id']}/join/").status == 200
    assert host.post(f"/lobbies/{lobby['id']}/bots/").problem == (409, "bots_cannot_stake")
    assert host.call("DELETE", f"/lobbies/{lobby['id']}/seats/1/").status == 204
    assert [moved["reason"] for moved in guest.get("/transfers/").data["items"]] == [
        "buy_in_returned",
        "buy_in",
        "opening_grant",
    ]
    assert guest.get("/accounts/").data["items"][0]["balance"] == 1000


def test_a_buy_in_without_funds_is_rejected(host: Caller) -> None:
    assert host.post("/lobbies/", {"slug": "free_spots", "buy_in": 1001}).problem == (
        409,
        "insufficient_funds",
    )
    visitor = people.new_guest()
    answer = Caller(visitor).post("/lobbies/", {"slug": "free_spots", "buy_in": 1})
    assert answer.problem == (403, "guests_cannot_stake")
    assert not visitor.seats.exists()
    assert ledger.wallet_of(host.user).balance == 1000  # type: ignore[arg-type]  # hosts have users


@pytest.mark.parametrize(
    ("choices", "path"),
    [
        ({"options": {"boards": "2"}}, "$.options.boards"),
        ({"options": {"boards": 2.0}}, "$.options.boards"),
        ({"options": {"bords": 2}}, "$.options"),
        ({"options": []}, "$.options"),
        ({"capacity": 0}, "$.capacity"),
        ({"capacity": True}, "$.capacity"),
        ({"buy_in": -1}, "$.buy_in"),
        ({"buy_in": 2**53}, "$.buy_in"),
        ({"prizes": []}, "$.prizes"),
        ({"prizes": [3, 0]}, "$.prizes[1]"),
        ({"title": "x" * 61}, "$.title"),
        ({"title": "a\nb"}, "$.title"),
        ({"visibility": "secret"}, "$.visibility"),
        ({"commits": "yes"}, "$.commits"),
        ({"seed": "00"}, "$"),
        ({"status": "closed"}, "$"),
        ({"host": "me"}, "$"),
    ],
)
def test_an_invalid_setting_is_rejected_with_its_path(
    host: Caller, choices: dict[str, object], path: str
) -> None:
    answer = host.post("/lobbies/", {"slug": "free_spots", **choices})
    assert answer.problem == (400, "malformed")
    assert answer.data["data"]["path"] == path
    assert host.get("/lobbies/?mine=true").data["items"] == []


def test_unknown_games_and_impossible_tables_are_refused(host: Caller) -> None:
    assert host.post("/lobbies/", {"slug": "chess"}).problem == (404, "unknown_game")
    assert host.post("/lobbies/", {"slug": "free_spots", "capacity": 69}).problem == (
        422,
        "wrong_capacity",
    )


def test_lists_are_filtered(host: Caller, guest: Caller) -> None:
    mine = opened(host)
    other = opened(guest)
    listed = [
        lobby["id"]
        for lobby in host.get("/lobbies/?slug=free_spots&status=open&mine=true").data["items"]
    ]
    assert listed == [mine["id"]]
    assert other["id"] in [lobby["id"] for lobby in host.get("/lobbies/?mine=false").data["items"]]
    assert host.get("/lobbies/?mine=true&status=closed").data["items"] == []
    for query in (
        "mine=1",
        "status=",
        "status=open&status=closed",
        "color=red",
        "slug=a%00b",
        "limit=0",
        "limit=101",
        "limit=1.0",
    ):
        assert host.get(f"/lobbies/?{query}").problem == (400, "malformed"), query


def test_lobbies_are_searched_by_free_seats_buy_in_and_title(host: Caller, guest: Caller) -> None:
    word = uuid4().hex[:12]
    small = opened(host, title=f"Small {word}", capacity=2)
    large = opened(host, title=f"large {word.upper()}", capacity=3, buy_in=5)
    opened(host, title="another", capacity=3)
    guest.post(f"/lobbies/{small['id']}/join/")
    for query, expected in (
        (f"text={word}", [large["id"], small["id"]]),
        (f"text=SMALL%20{word}", [small["id"]]),
        (f"text={word}&free_seats_min=1", [large["id"]]),
        (f"text={word}&free_seats_min=2", [large["id"]]),
        (f"text={word}&free_seats_min=3", []),
        (f"text={word}&buy_in_max=4", [small["id"]]),
        (f"text={word}&buy_in_min=5", [large["id"]]),
        (f"text={word}%25", []),
    ):
        assert [
            lobby["id"] for lobby in guest.get(f"/lobbies/?{query}").data["items"]
        ] == expected, query
    assert guest.get("/lobbies/?free_seats_min=-1").problem == (400, "malformed")


def test_a_repeated_quick_match_takes_one_seat(guest: Caller) -> None:
    wanted = {"slug": "free_spots", "options": {"boards": 9}, "capacity": 7}
    first = guest.post("/lobbies/quick_match/", wanted)
    assert (first.status, first.data["start_when_full"], first.data["your_seat"] is None) == (
        200,
        True,
        False,
    )
    assert guest.post("/lobbies/quick_match/", wanted).data["id"] == first.data["id"]
    bad = guest.post("/lobbies/quick_match/", {"slug": "free_spots", "options": {"boards": "9"}})
    assert (bad.problem, bad.data["data"]["path"]) == ((400, "malformed"), "$.options.boards")


def test_removed_seats_and_the_host_are_shown_over_rest(host: Caller, guest: Caller) -> None:
    lobby = opened(host, start_when_full=True, spectators="none")
    assert (lobby["spectators"], lobby["teams"], lobby["bots_due_at"]) == ("none", None, None)
    me = guest.get("/auth/me/").data["id"]
    path = f"/lobbies/{lobby['id']}"
    guest.post(f"{path}/join/")
    assert guest.call("PUT", f"{path}/seats/0/").problem == (409, "seat_taken")
    assert guest.call("PUT", f"{path}/seats/67/").data["your_seat"] == 67
    assert host.post(f"{path}/seats/swap/", {"seats": [0, 67]}).data["your_seat"] == 67
    assert host.call("PUT", f"{path}/bans/{me}/").status == 204
    assert guest.post(f"{path}/join/").problem == (403, "banned")
    assert host.call("DELETE", f"{path}/bans/{me}/").status == 204
    assert guest.post(f"{path}/join/").status == 200
    assert host.call("PUT", f"{path}/host/", {"user": me}).data["host"] == me


def test_a_host_lists_and_lifts_bans_and_mutes(host: Caller, guest: Caller) -> None:
    path = f"/lobbies/{opened(host)['id']}"
    stranger, heckler = people.new_guest("Stranger"), people.new_guest("Heckler")
    for _ in range(2):
        assert host.call("PUT", f"{path}/bans/{stranger.id}/").status == 204
        assert host.call("PUT", f"{path}/mutes/{heckler.id}/").status == 204
    lobbies.mute_by_operator(UUID(path.rpartition("/")[2]), stranger.id)
    banned = {"user": str(stranger.id), "name": "Stranger"}
    muted = [
        {"user": str(heckler.id), "name": "Heckler", "by_operator": False},
        {**banned, "by_operator": True},
    ]
    assert (host.get(f"{path}/bans/").data, host.get(f"{path}/mutes/").data) == ([banned], muted)
    guest.post(f"{path}/join/")
    assert (
        guest.get(f"{path}/bans/").problem
        == guest.get(f"{path}/mutes/").problem
        == (403, "not_the_host")
    )
    for _ in range(2):
        assert host.call("DELETE", f"{path}/bans/{stranger.id}/").status == 204
        assert host.call("DELETE", f"{path}/mutes/{heckler.id}/").status == 204
    assert (host.get(f"{path}/bans/").data, host.get(f"{path}/mutes/").data) == ([], muted[1:])
    received = [
        (event["event"]["type"], event["name"])
        for event in guest.get(f"{path}/events/?after=2").data["events"]
    ]
    assert [one for one in received if one[0] != "seat_taken"] == [
        ("banned", "Stranger"),
        ("muted", "Heckler"),
        ("muted", "Stranger"),
        ("unbanned", "Stranger"),
        ("unmuted", "Heckler"),
    ]


def test_a_longer_list_of_lobbies_takes_no_more_queries(host: Caller) -> None:
    counted = []
    for _ in range(2):
        for _ in range(3):
            opened(host, capacity=5)
        with CaptureQueriesContext(connection) as queries:
            assert host.get("/lobbies/?mine=true&free_seats_min=1").status == 200
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 3
