"""Environment variables: their meaning, and invalid values, which are reported in one line."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from structlog.testing import capture_logs

from gameserver.processes import commands, metrics
from gameserver.settings import build, environment
from kit import installation
from tests.processes import ROOT

DEPLOY = ROOT / "gameserver/deploy"
pytestmark = pytest.mark.usefixtures("database")


def test_each_unit_of_systemd_serves_metrics_where_prometheus_looks() -> None:
    monitored = (DEPLOY / "monitoring/prometheus-systemd.yml").read_text()
    enabled = re.findall(
        r"railbird-(\w+)@(\d+)", (ROOT / "docs/operate/deploy.md").read_text().split("## Proc")[0]
    )
    served = set()
    for kind, instance in enabled:
        unit = (DEPLOY / f"systemd/railbird-{kind}@.service").read_text()
        (address,) = re.findall(r"METRICS_ADDRESS=(\S+)", unit)
        served.add((kind, address.replace("%i", instance)))
    scraped = {
        (job["job_name"].removeprefix("railbird-"), target)
        for job in yaml.safe_load(monitored)["scrape_configs"]
        for target in job["static_configs"][0]["targets"]
    }
    assert served == scraped
    assert len({address for _, address in served}) == len(set(enabled)) == 4


def test_tests_share_no_files_with_a_server_of_the_checkout() -> None:
    values = {name: str(getattr(settings, name)) for name in dir(settings)}
    own = str(environment.data_folder())
    assert {"VAPID_KEY_FILE", "ARCHIVE_URL"} <= {name for name in values if own in values[name]}
    assert not [name for name in values if str(ROOT / ".data") in values[name]]


def test_a_process_whose_metrics_port_is_taken_runs_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, capture_logs() as logs:
        monkeypatch.setattr(settings, "METRICS_ADDRESS", taken.getsockname())
        metrics.start("worker")
    assert [it["event"] for it in logs] == ["metrics_not_served"]


@pytest.mark.parametrize("asked", [["--version"], ["version"]])
def test_the_version_is_that_of_the_server(
    capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    commands.run(["railbird", *asked])
    assert capsys.readouterr().out == f"{build.version()}\n"


def test_help_lists_the_commands_of_the_server() -> None:
    listed = subprocess.run(
        [sys.executable, "manage.py", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    names = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert {"serve", "migrate", "keys", "createsuperuser"} <= set(names)
    assert {"flush", "testserver", "startproject"}.isdisjoint(names)
    assert not re.search(r"^  \w+ *$", listed, re.MULTILINE)


def test_a_database_url_is_parsed_as_by_libpq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "DATABASE_URL", "postgresql://ada:p%40ss@db.example.org:5433/games?sslmode=require"
    )
    connection = environment.database()
    assert {name: connection[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")} == {
        "NAME": "games",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": "5433",
    }
    assert connection["OPTIONS"]["sslmode"] == "require"


def test_a_url_of_two_servers_is_read_as_the_page_about_failover_writes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = (ROOT / "docs/operate/failover.md").read_text()
    (url,) = re.findall(r"postgresql://gameserver_app\S+", page)
    for port in ("", ":5432"):
        monkeypatch.setenv("DATABASE_URL", url.replace(":5432", port))
        connection = environment.database()
        assert connection["HOST"] == "10.0.0.11,10.0.0.12"
        assert connection["OPTIONS"]["target_session_attrs"] == "read-write"


def test_a_database_on_a_unix_socket_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://app@/games?host=/tmp/sockets&port=5432")
    assert environment.database()["HOST"] == "/tmp/sockets"


@pytest.mark.parametrize(
    ("variable", "value", "read", "reason"),
    [
        (
            "DATABASE_URL",
            "mysql://somewhere/else",
            environment.database,
            "must look like postgresql://",
        ),
        (
            "DATABASE_URL",
            "postgresql://host:port/database",
            environment.database,
            "an invalid port",
        ),
        ("DATABASE_URL", "postgresql://host", environment.database, "names no database"),
        (
            "DATABASE_URL",
            "postgresql://host/name?nonsense=1",
            environment.database,
            "must look like postgresql://",
        ),
        ("DATABASE_POOL_MAX", "many", environment.database, "must be a whole number"),
        ("DATABASE_POOLING", "statement", environment.pooling, "must be one of session, trans"),
        ("STORE_DATABASE_URL", "nowhere", environment.store_database, "must look like postgresql"),
        ("DATABASE_REPLICA_URL", "nowhere", environment.databases, "must look like postgresql"),
        ("REDIS_URL", "memcached://somewhere", environment.redis_url, "must look like redis://"),
        ("PUBLIC_URL", "games.example.org", environment.public_url, "must look like https://"),
        ("PUBLIC_URL", "https://example.org/?a=b", environment.public_url, "a simple path"),
        ("PUBLIC_URL", "https://example.org/a/../b", environment.public_url, "a simple path"),
        ("PUBLIC_URL", "https://a:b@example.org", environment.public_url, "a simple path"),
        ("OIDC_ISSUER", "http://id.example.org", environment.oidc_issuer, "must begin with https"),
        ("OIDC_ISSUER", "https://id.example.org", environment.oidc_issuer, "needs OIDC_CLIENT_ID"),
        (
            "CORS_ALLOWED_ORIGINS",
            "*",
            lambda: environment.origins("CORS_ALLOWED_ORIGINS"),
            "must be origins like https://",
        ),
        (
            "CORS_ALLOWED_ORIGINS",
            "https://a.b/",
            lambda: environment.origins("CORS_ALLOWED_ORIGINS"),
            "not 'https://a.b/'",
        ),
        ("LOG_LEVEL", "loud", environment.log_level, "must be debug, info, warning or error"),
        (
            "RATE_LIMITS",
            "guest=many",
            lambda: environment.rate_limits({"guest": (1, 60)}),
            "must be words like guest=600/60",
        ),
        (
            "RATE_LIMITS",
            "gust=1/60",
            lambda: environment.rate_limits({"guest": (1, 60)}),
            "one of guest",
        ),
        ("DEBUG", "perhaps", lambda: environment.flag("DEBUG"), "must be true or false"),
        (
            "SECRET_KEY",
            "change-me",
            lambda: environment.secret_key(strict=True),
            "must be 50 random characters or more",
        ),
        (
            "SECRET_KEY",
            "change-me" * 9,
            lambda: environment.secret_key(strict=True),
            "must be 50 random characters or more",
        ),
    ],
)
def test_an_invalid_value_is_reported_in_one_line_with_its_name(
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    read: Callable[[], object],
    reason: str,
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        read()
    assert str(refusal.value).startswith(variable)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("METRICS_ADDRESS", "9464"),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("REQUEST_TIMEOUT_S", "ten"),
                ("CONNECTIONS_PER_ADDRESS", "-1"),
                ("DRAIN_NOTICE_S", "5s"),
                ("FORWARDED_ALLOW_IPS", "10.0.0.0/8x"),
                ("FORWARDED_ALLOW_IPS", "10.0.0.1/8"),
                ("METRICS_ADDRESS", "127.0.0.1:99999"),
            )
        ),
    ],
)
def test_a_web_process_reports_an_invalid_value_in_one_line(variable: str, value: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "gameserver.processes.web", "--port", "0"],
        cwd=installation.FOLDER,
        env={**os.environ, variable: value},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"web: {variable} must ")
    assert refused.stderr.count("\n") == 1


def test_all_addresses_may_be_trusted_as_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    for address in ("203.0.113.7", "2001:db8::7"):
        assert any(ip_address(address) in network for network in environment.proxies())


def test_limits_are_changed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMITS", "guest=600/30, user=0/60")
    limits = environment.rate_limits({"guest": (60, 60), "user": (6000, 60), "token": (3000, 60)})
    assert limits == {"guest": (600, 30), "user": (0, 60), "token": (3000, 60)}


def test_a_secret_is_created_once_and_readable_only_by_its_owner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("GAMESERVER_DATA_DIR", str(tmp_path / "data"))
    secret = environment.secret_key(strict=True)
    assert len(secret) >= environment.SECRET_LENGTH_MIN
    assert environment.secret_key(strict=True) == secret
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("redis://localhost:6379/3", "redis://localhost:6379/3"),
        ("unix:///tmp/valkey.sock", "redis+socket:///tmp/valkey.sock"),
        ("unix:///tmp/valkey.sock?db=3", "redis+socket:///tmp/valkey.sock?virtual_host=3"),
    ],
)
def test_a_unix_socket_is_translated_for_celery(
    monkeypatch: pytest.MonkeyPatch, url: str, broker: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    assert environment.broker_url() == broker


def test_the_manual_lists_exactly_the_variables_in_use() -> None:
    folder = installation.FOLDER / "gameserver"
    source = "".join(
        (folder / name).read_text()
        for name in (
            "settings/environment.py",
            "settings/base.py",
            "settings/build.py",
            "processes/commands.py",
            "processes/tracing.py",
            "processes/web.py",
        )
    )
    read = set(
        re.findall(
            r"""\b(?:flag|text|count|words|origins|networks|key_file|environ|environ\.get)[(\[]"([A-Z_]+)""",
            source,
        )
    )
    manual = (installation.FOLDER / "docs/operate/settings.md").read_text()
    rows = [line.split("|")[1] for line in manual.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    unlisted = {"APPLICATION_ROLE"}  # set by `migrate`
    assert read - listed == unlisted
    assert listed == read - unlisted
    policies = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    assert policies == settings.RATE_LIMITS.keys()


@pytest.mark.parametrize(
    ("url", "cookies"),
    [
        ("https://example.org", "__Host-sessionid __Host-csrftoken /"),
        ("https://example.org/games/", "__Secure-sessionid __Secure-csrftoken /games/"),
    ],
)
def test_cookies_over_tls_have_the_strictest_prefix_that_their_path_allows(
    url: str, cookies: str
) -> None:
    shown = subprocess.run(
        [
            *(sys.executable, "-c"),
            "from gameserver.settings import base as s\n"
            "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.CSRF_COOKIE_PATH)\n"
            "print(*s.CSRF_TRUSTED_ORIGINS)",
        ],
        env={**os.environ, "PUBLIC_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stdout == f"{cookies}\nhttps://example.org\n", shown.stderr


ALL_HELP = """
import sys, runpy
from contextlib import redirect_stdout, suppress
from io import StringIO
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
from gameserver.processes.commands import run
from django.core.management import get_commands

helped = StringIO()
with redirect_stdout(helped):
    with suppress(SystemExit):
        run(["railbird", "check", "--help"])
    for command in sorted(get_commands()):
        with suppress(SystemExit):
            run(["railbird", command, "--help"])
    for module in ("audit.__main__", "check_game", "new_game"):
        sys.argv = [module, "--help"]
        with suppress(SystemExit):
            runpy.run_module(f"railbird_engine.{module}", run_name="__main__", alter_sys=True)
    run(["railbird", "check"])
print(helped.getvalue().count("usage:"), len(get_commands()))
"""


@pytest.mark.slow
def test_help_of_every_command_writes_nothing(tmp_path: Path) -> None:
    unset = {"SECRET_KEY", "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [sys.executable, "-c", ALL_HELP],
        cwd=tmp_path,
        env={
            **kept,
            "GAMESERVER_DATA_DIR": str(tmp_path / ".data"),
            "PYTHONPATH": str(installation.FOLDER),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    helped, commands = map(int, done.stdout.split())
    assert helped == commands + 4
    assert list(tmp_path.iterdir()) == []
