"""No secret reaches a log, whichever way it comes."""

import json
import logging
import logging.config

import pytest
import structlog

from gameserver.settings import logs

SECRETS = ["c0ffee" * 8, "hunter2"]


@pytest.mark.parametrize("as_json", [True, False])
def test_secrets_are_redacted_from_names_texts_and_arguments(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logging.config.dictConfig(
            {**logs.configuration(as_json=as_json, level="INFO"), "incremental": False}
        )
        structlog.get_logger("a").info("login", token=SECRETS[0], password=SECRETS[1], player="ada")
        logging.getLogger("b").warning("GET /ws/?ticket=%s&after=3", SECRETS[0])
        logging.getLogger("b").warning("Authorization: Bearer %s", SECRETS[0])
    finally:
        structlog.configure(**before)
        root.handlers[:], root.level = handlers, level
    written = capsys.readouterr().err
    assert "ada" in written
    assert "after=3" in written
    assert not [secret for secret in SECRETS if secret in written]
    if as_json:
        assert [json.loads(line)["level"] for line in written.splitlines()] == [
            "info",
            "warning",
            "warning",
        ]
