"""Texts of commands that clients sign: those that the server writes, and no other command."""

import json

from railbird_client.models import CommandSignature
from railbird_client.signing import Signing
from tests.sdk.scripts import run_script
from tests.sdk.signing import GAMES, Case, cases


def signs(case: Case) -> bool:
    signing = Signing(case.slug, case.command, never)
    refusal = {"reason": "wrong", "command": case.text}
    return signing.goes_on("signature_refused", refusal) and signing.text == case.text


def never(*_: object) -> CommandSignature:
    raise AssertionError("nothing is signed here")


async def test_clients_sign_what_the_server_writes_and_no_other_command() -> None:
    found = [case for slug in GAMES for case in cases(slug)]
    assert sum(case.signs for case in found) > 50
    given = json.dumps([case[:3] for case in found])
    by_typescript = json.loads(await run_script("signing.ts", given))
    for case, by_other in zip(found, by_typescript, strict=True):
        assert (signs(case), by_other) == (case.signs, case.signs), case


def test_commands_of_the_types_of_a_game_are_signed_as_the_server_writes_them() -> None:
    for slug, types in GAMES.items():
        for case in cases(slug):
            if case.signs:
                (command,) = types.commands([case.command])
                assert Signing(slug, command, never).text == case.text


def test_a_command_is_not_signed_again_for_ever() -> None:
    signing = Signing("ascot", {"type": "throw"}, never)
    times = 0
    while signing.goes_on("signature_refused", {"reason": "late"}):
        times += 1
    assert times == 4
    for reason in ("head", "missing", "no_key"):
        assert not Signing("ascot", {}, never).goes_on("signature_refused", {"reason": reason})
