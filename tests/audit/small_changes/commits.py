"""Changes of commits: their bytes, draws, bets, and what the server committed."""

import json
from collections.abc import Sequence

import msgspec

from bench.free_spots import FreeSpotsOptions
from railbird_engine import BetVoided, Event, Intervened, Transfer, VoidedBet
from railbird_engine.audit import bundle
from railbird_engine.audit.bundle import Commit
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import BetRow, SettlementRow
from railbird_engine.kernel.chance import draw_value
from railbird_engine.kernel.server_commands import (
    Annotated,
    SeatReplaced,
    ServerCommand,
    Started,
    Voided,
)
from tests.audit.honest import OPERATOR, Honest, Log, honest_game
from tests.audit.small_changes.files import (
    Case,
    Edit,
    board,
    bundle_of,
    edited,
    stopped,
)
from tests.audit.tampering import first_version, rewritten


def in_bodies() -> dict[str, Case]:
    """Stored bytes that are no commit, with hashes recomputed, in a bundle and in a receipt."""
    game, version = board(), len(board().commits)
    number = game.commits[version - 1].settlements[0].bet
    event = b'"events":[{"type":"bet_settled","bet":%d,"seat":0,"spot":"1",' % number
    event += b'"outcome":"won","payout":1%b},'
    bodies: dict[str, tuple[bytes, bytes]] = {
        "byte-order-mark": (b'{"version"', b'\xef\xbb\xbf{"version"'),
        "no-utf-8-in-an-event": (b'"events":[{"type":"', b'"events":[{"type":"\xff'),
        "lone-surrogate-in-an-event": (b'"events":[{"type":"', b'"events":[{"type":"\\ud800'),
        "no-utf-8-in-a-command": (b'"command":{"type":"', b'"command":{"type":"\xff'),
        "another-field": (b'{"version"', b'{"x":1,"version"'),
        "no-transfers": (b',"transfers":', b',"transferred":'),
        "version-with-a-fraction": (b'"version":%d' % version, b'"version":%d.0' % version),
        "seat-a-text": (b'"seat":', b'"seat":"x","seated":'),
        "draw-of-four": (b'"draws":[', b'"draws":[[0,6,1,0]'),
        "draw-below-0": (b'"draws":[', b'"draws":[[0,0,0]'),
        "transfer-of-five": (b'"transfers":[', b'"transfers":[["bank","seat:0",1,"board","x"],'),
        "transfer-of-nothing": (b'"transfers":[', b'"transfers":[["bank","seat:0",0,"board"],'),
        "event-of-text": (b'"events":[', b'"events":["x",'),
        "event-of-a-list": (b'"events":[', b'"events":[["x"],'),
        "event-without-a-type": (b'"events":[', b'"events":[{},'),
        "event-of-type-1": (b'"events":[', b'"events":[{"type":1},'),
        "settlement-of-another-outcome": (b'"events":[', event.replace(b"won", b"banana") % b""),
        "settlement-of-a-fraction": (b'"events":[', event.replace(b":1%b", b":1.5%b") % b""),
        "settlement-of-a-text": (
            b'"events":[',
            event.replace(b'"bet":%d' % number, b'"bet":"%d"' % number) % b"",
        ),
        "settlement-of-nothing": (b'"events":[', event.replace(b'"bet":%d,' % number, b"") % b""),
        "settlement-with-another-field": (b'"events":[', event % b',"x":1'),
        "settlement-for-null": (b'"events":[', event % b',"only":null'),
        "settlement-for-false": (b'"events":[', event % b',"only":false'),
    }
    forged = {name: rewritten(game, version, *change) for name, change in bodies.items()}
    unseen = rewritten(game, version, b'"events":[', event % b',"only":[]')
    return {
        **{name: (bundle_of(game), 1) for name, game in forged.items()},
        **{
            f"receipt-{name}": (bundle.line(Log([game]).receipt(game, number)), 1)
            for name, game in forged.items()
        },
        "settlement-that-nobody-saw": (bundle.line(Log([unseen]).receipt(unseen, number)), 0),
    }


def in_draws() -> dict[str, Case]:
    """A receipt is checked without rules: any bound is allowed if the draw fits."""
    game = stopped()
    number = game.commits[-1].settlements[0].bet
    draw = next(
        draw for commit in game.commits[-10:] for draw in chain.decode_body(commit.body).draws
    )
    version = first_version(game, msgspec.json.encode(draw))
    key = game.key()

    def with_draw(bound: int, value: int | None = None) -> bytes:
        value = draw_value(key, draw.number, bound) if value is None else value
        forged = rewritten(
            game,
            version,
            msgspec.json.encode(draw),
            msgspec.json.encode([draw.number, bound, value]),
        )
        return bundle.line(Log([forged]).receipt(forged, number))

    return {
        "below-2^53-1": (with_draw(2**53 - 1), 0),
        "below-2^53": (with_draw(2**53), 1),
        "below-1": (with_draw(1), 0),
        "another-value": (with_draw(draw.bound, (draw.value + 1) % draw.bound), 1),
    }


def chained(game: Honest, commits: Sequence[Commit]) -> Honest:
    """Return the game with these commits, with hashes and rows recomputed."""
    previous, fitted = chain.genesis_hash(game.genesis), []
    for commit in commits:
        content = json.loads(commit.body[chain.BLIND_LENGTH :])
        received = [event for event in content["events"] if "only" not in event]
        placed = [event for event in received if event["type"] == "bet_placed"]
        settled = [event for event in received if event["type"] in {"bet_settled", "bet_voided"}]
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(commit.body))
        rows = {
            "bets": tuple(
                BetRow(*(event[name] for name in ("bet", "seat", "spot", "stake", "odds")))
                for event in placed
            ),
            "settlements": tuple(
                SettlementRow(event["bet"], event.get("outcome", "void"), event["payout"])
                for event in sorted(settled, key=lambda event: event["bet"])
            ),
            "transfers": tuple(Transfer(*row) for row in content["transfers"]),
        }
        fitted.append(msgspec.structs.replace(commit, hash=previous, **rows))
    return game._replace(commits=fitted)


def retold(game: Honest, version: int, edit: Edit) -> bytes:
    """Return the bundle of a game with one commit changed."""
    commits = list(game.commits)
    body = commits[version - 1].body
    content = edited(body[chain.BLIND_LENGTH :], edit)
    commits[version - 1] = msgspec.structs.replace(
        commits[version - 1], body=body[: chain.BLIND_LENGTH] + content
    )
    return bundle_of(chained(game, commits))


def carried_on(
    game: Honest, command: ServerCommand, *events: Event, how: bundle.Ended | None = None
) -> bytes:
    """Return the bundle of a game with another commit of the server at the end."""
    version = len(game.commits) + 1
    ended = chain.decode_body(game.commits[-1].body).ranking
    ranking = None if isinstance(command, Voided) else ended
    body = chain.encode_body(game.key(), version, None, command, (), events, (), ranking)
    commits = [*game.commits, Commit(version=version, body=body, hash=b"")]
    return bundle_of(chained(game, commits)._replace(how=how or game.how))


def in_bets() -> dict[str, Case]:
    """The events of bets must be consistent under any rules."""
    game, last = board(), len(board().commits)
    placed = next(bet for commit in game.commits for bet in commit.bets)
    settled_at = next(commit.version for commit in game.commits if commit.settlements)
    settled = {
        "type": "bet_settled",
        "bet": game.commits[settled_at - 1].settlements[0].bet,
        "seat": 0,
        "spot": "x",
        "outcome": "won",
        "payout": 1,
    }
    again = {
        "type": "bet_placed",
        "bet": placed.bet,
        "seat": 0,
        "spot": "x",
        "stake": 1,
        "odds": "",
    }

    def happening(version: int, event: object) -> bytes:
        return retold(game, version, lambda content: content["events"].append(event))

    return {
        "settled-twice": (happening(last, settled), 1),
        "settled-before-it-was-placed": (happening(2, settled), 1),
        "settled-and-never-placed": (happening(last, {**settled, "bet": 777}), 1),
        "settled-as-something-else": (
            happening(last, {**settled, "bet": 777, "outcome": "banana"}),
            1,
        ),
        "placed-twice": (happening(last, again), 1),
    }


def in_what_the_server_commits() -> dict[str, Case]:
    """Some consequences of a server command are the same in every game."""
    game, void, last = board(), stopped(), len(stopped().commits)
    corrected = honest_game(
        "free_spots", 4, options=FreeSpotsOptions(boards=1, spots=12), void=2, corrected=1
    )
    voided_at = next(
        commit.version for commit in corrected.commits if b'"voided_bet"' in commit.body
    )
    note, noted = Annotated("a note", OPERATOR), Intervened(by=OPERATOR, reason="a note")
    off, intervened = Voided("a fire", OPERATOR), Intervened(by=OPERATOR, reason="a fire")
    assert len(void.commits[-1].settlements) > 1

    def voided(edit: Edit) -> Case:
        return retold(void, last, edit), 1

    def ranked(edit: Edit) -> Case:
        return retold(game, len(game.commits), edit), 1

    def voided_bet(edit: Edit) -> Case:
        return retold(corrected, voided_at, edit), 1

    correction = json.loads(corrected.commits[-1].body[chain.BLIND_LENGTH :])["command"]
    again = msgspec.convert(correction, VoidedBet)
    told_again = BetVoided(bet=again.bet, payout=0, reason=again.reason)
    return {
        "note-after-the-end": (carried_on(game, note, noted), 0),
        "note-by-another": (carried_on(game, note, Intervened(by=None, reason="a note")), 1),
        "note-that-nobody-reads": (carried_on(game, note), 1),
        "note-that-does-more": (carried_on(game, note, noted, noted), 1),
        "seat-replaced": (carried_on(game, SeatReplaced(0, forfeits=False)), 0),
        "seat-replaced-with-a-note": (carried_on(game, SeatReplaced(0, forfeits=False), noted), 1),
        "voided-after-the-end": (carried_on(game, off, intervened, how="voided"), 0),
        "voided-after-the-end-and-finished": (carried_on(game, off, intervened), 1),
        "voided-twice": (carried_on(void, off, intervened), 1),
        "note-after-it-was-voided": (carried_on(void, note, noted), 1),
        "ranking-dropped": ranked(lambda content: content.pop("ranking")),
        "ranking-of-a-seat-twice": ranked(lambda content: content["ranking"].append([0])),
        "ranking-of-a-seat-below-zero": ranked(lambda content: content["ranking"].append([-1])),
        "ranking-of-a-voided-game": voided(lambda content: content.update(ranking=[[0]])),
        "dealt-twice": (carried_on(game, Started()), 1),
        "not-dealt": (
            retold(
                game,
                1,
                lambda content: content["command"].update(
                    type="annotated", reason="", by=str(OPERATOR)
                ),
            ),
            1,
        ),
        "command-of-another-kind": (
            retold(game, 1, lambda content: content["command"].update(type="rolled_back")),
            1,
        ),
        "command-with-another-field": (
            retold(game, 1, lambda content: content["command"].update(x=1)),
            1,
        ),
        "voided-with-a-bet-left-open": voided(lambda content: content["events"].pop()),
        "voided-in-another-order": voided(
            lambda content: content["events"].append(content["events"].pop(1))
        ),
        "voided-for-another-reason": voided(
            lambda content: content["events"][-1].update(reason="another")
        ),
        "voided-with-a-payout": voided(lambda content: content["events"][-1].update(payout=5)),
        "voided-by-another": voided(lambda content: content["events"][0].update(by=str(OPERATOR))),
        "voided-with-a-draw": voided(
            lambda content: content["transfers"].append(["bank", "seat:0", 1, "gift"])
        ),
        "bets-voided": (bundle_of(corrected), 0),
        "bet-voided-of-another-seat": voided_bet(
            lambda content: content["command"].update(seat=17)
        ),
        "bet-voided-of-another-stake": voided_bet(
            lambda content: content["command"].update(stake=17)
        ),
        "bet-voided-as-if-settled": voided_bet(
            lambda content: content["command"].update(payout=17)
        ),
        "bet-voided-without-a-word": voided_bet(lambda content: content["events"].pop(0)),
        "bet-voided-for-another-reason": voided_bet(
            lambda content: content["events"][-1].update(reason="another")
        ),
        "another-bet-voided": voided_bet(lambda content: content["events"][-1].update(bet=3)),
        "no-bet-voided": voided_bet(lambda content: content["events"].pop()),
        "bet-voided-twice": (
            carried_on(corrected, again, Intervened(by=again.by, reason=again.reason), told_again),
            1,
        ),
    }
