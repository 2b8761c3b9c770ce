"""The protections of histories in the database. Django imports this module before its models."""

from typing import Final

from kit.table_protection import (
    BEFORE,
    ROW,
    UPDATE,
    Function,
    Trigger,
    append_only,
    permanent,
    read_only,
    written_by_owner,
)

ATTEMPT_STAYS: Final = Function(
    "attempt_stays",
    """
BEGIN
    IF NOT EXISTS (SELECT 1 FROM games_abandonedattempt WHERE name = OLD.log_name) THEN
        RAISE EXCEPTION USING ERRCODE = '42501',
            MESSAGE = 'the terms and the seed of a game change when an attempt is abandoned';
    END IF;
    RETURN NEW;
END
""",
)
HISTORIES: Final = (
    *("game", "commit", "bet", "settlement", "correction", "operatoraction", "abandonedattempt"),
    *("logkey", "logentry", "logtile", "logcheckpoint", "logcosignature"),
)

PROTECTIONS: Final = (
    *(append_only(f"games_{history}") for history in HISTORIES),
    written_by_owner("games_detachedmonth"),
    written_by_owner("games_archivedgame"),
    # The admin notes what operators do on its own pages.
    append_only("django_admin_log"),
    permanent(
        "games_lobby",
        *("id", "slug", "options", "buy_in", "prizes"),  # people paid under these terms
        more=[
            Trigger(
                "attempt_stays",
                ROW | BEFORE | UPDATE,
                ("seed_hash", "log_name", "terms"),
                ATTEMPT_STAYS,
            )
        ],
    ),
    permanent("games_head", "game_id"),
    read_only("django_migrations"),
)
