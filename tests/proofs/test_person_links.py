"""Links between the starts of a user, who shows with them that a list of games has no gap."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from accounts.models import User
from games import lobbies
from games.api import types
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, PersonLink
from games.play import corrections
from games.proofs import bundles
from games.proofs.person_links import links_of
from games.proofs.verification import verify_game
from games.reads.games import own_seat
from kit import event_loop
from railbird_engine.audit import bundle, person_links
from railbird_engine.audit.seat_proofs import SeatProof
from tests.builders import NewUser, start_game
from tests.lobbies.scene import committed, current, refused, revealed
from tests.moves import take_in_turn
from tests.proofs.scene import bundled, python, read, typescript

TABLE = lobbies.LobbyChoices(slug="free_spots")
Link = dict[str, Any]


def started(host: User, guest: User, *, abandoned: bool) -> Game:
    """Start a game to which the host adds entropy, in the second attempt if one is abandoned."""
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    entropy = committed(host, lobby)
    lobbies.start(host, lobby.id)
    if abandoned:
        lobbies.leave(guest, lobby.id)
        lobbies.join(guest, lobby.id)
        lobbies.set_ready(guest, lobby.id, ready=True)
        entropy = committed(host, current(lobby))
        lobbies.start(host, lobby.id)
    return revealed(lobby, {host: entropy})


def altered(links: Sequence[Link], place: int, **fields: object) -> list[Link]:
    return [{**link, **(fields if at == place else {})} for at, link in enumerate(links)]


def test_both_verifiers_find_a_start_that_is_left_out(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    host, guest = new_user(), new_user()
    alone = start_game(host, lobbies.create(host, TABLE).id)
    games = [alone, *(started(host, guest, abandoned=each) for each in (True, False))]
    take_in_turn(games[1], 0)
    for game in games:
        event_loop.call(corrections.void(game.id, "The test is over."))
    Sealer().seal()
    assert [each for game in games for each in verify_game(game.id).findings] == []
    (tmp_path / "games").write_bytes(bundled(*games))
    (tmp_path / "receipt").write_bytes(bundle.line(bundles.receipt(read(games[1]), 1)))
    links = [msgspec.to_builtins(types.PersonLink.of(each)) for each in links_of(host.id, 0)]
    assert [link["count"] for link in links] == [1, 2, 3, 4]
    assert links[2:] == msgspec.to_builtins(
        [types.PersonLink.of(each) for each in links_of(host.id, 2)]
    )
    of_guest = [msgspec.to_builtins(types.PersonLink.of(each)) for each in links_of(guest.id, 0)]
    said = "verified: starts {} of {}: {} games, 1 abandoned, none is missing"
    named, unnamed = f"user {host.id}", "one user, whom no --person names"
    last = msgspec.convert(links[-1], person_links.PersonLink)
    made_up = {**links[1], "count": 5, "previous": last.hash}
    cases = {
        "all": (links, said.format("1 to 4", named, 3)),
        "the last": (links[1:], said.format("2 to 4", named, 2)),
        "guest": (of_guest, said.format("1 to 3", unnamed, 2)),
        "an abandoned one after the last": (
            [*links, made_up],
            f"{said.format('1 to 4', named, 3)}; nothing proves 1 later abandoned ones",
        ),
        "an abandoned one alone": ([links[1]], "needs a later start that became a game"),
        "a gap": ([links[0], *links[2:]], ": link: expected start 2 after "),
        "renumbered": (
            [links[0], *altered(links[2:], 0, count=2, previous=links[1]["previous"])],
            ": link: expected start 3 after ",
        ),
        "another first": (altered(links, 0, previous="11" * 32), ": link: expected start 1 after "),
        "another salt": (altered(links, 3, salt="11" * 32), ": link: expected "),
        "another game": (altered(links, 3, game=links[0]["game"]), ": link: expected a start of "),
        "of nobody": (altered(links, 1, opened="11" * 32), ": link: expected start 3 after "),
        "no file": (
            altered(links, 3, game=str(UUID(int=1))),
            f"needs a file of game {UUID(int=1)}",
        ),
        "none": ([], "cannot be read: "),
        "malformed": (altered(links, 0, count=0), "cannot be read: "),
    }
    seat, salt = own_seat(host, games[2].id)
    proof = SeatProof(game=games[2].id, seat=seat, user=host.id, salt=salt.hex())
    (tmp_path / "person").write_bytes(msgspec.json.encode(proof))
    given = ["--key", tiles.verifiers()[0], "games", "receipt", "--person", "person"]
    for name, (content, _) in cases.items():
        (tmp_path / name).write_text(json.dumps(content))
        given += ["--links", name]
    found = [each(tmp_path, given) for each in (python, typescript)]
    for code, printed in found:
        assert code == 1, printed
        lines = dict(line.split(": ", 1) for line in printed.splitlines())
        for name, (_, expected) in cases.items():
            assert expected in f": {lines[name]}", name
    assert len({printed.split("a gap: ")[1].split("none: ")[0] for _, printed in found}) == 1
    (tmp_path / "abandoned").write_text(json.dumps([links[1]]))
    for each in (python, typescript):
        code, printed = each(tmp_path, ["receipt", "--links", "abandoned"])
        assert (code, f"needs a bundle of game {games[1].id}" in printed) == (3, True), printed
    lobbies.forget_salts_of(host)
    assert not PersonLink.objects.filter(user=host).exists()


def test_the_seats_of_users_need_keys_where_the_terms_say_so(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, msgspec.structs.replace(TABLE, keys=True))
    assert refused(lambda: lobbies.start(host, lobby.id)) == "commitments_awaited"
    assert refused(lambda: committed(host, lobby)) == "signature_refused"
    other = lobbies.quick_match(new_user(), lobbies.TableChoices(slug="free_spots"))
    assert other.id != lobby.id
