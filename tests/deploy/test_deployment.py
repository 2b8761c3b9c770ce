"""The files for containers fit each other, and what the image contains starts without Docker."""

import os
import re
import secrets
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import httpx
import kubernetes_validate
import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.children import Child, free_port
from gameserver.processes.health import SILENT_S
from gameserver.settings import environment
from tests.processes import ROOT, running, worker
from tests.waiting import WITHIN_S

COMPOSE = yaml.safe_load((FILES / "docker-compose.yml").read_text())
KUBERNETES = FILES / "kubernetes"
CONNECTIONS_PER_PROCESS = 20


def default(text: str) -> str:
    """A text of the compose file, with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def test_the_processes_of_the_compose_file_may_all_use_their_connections() -> None:
    settings = " ".join(COMPOSE["services"]["postgres"]["command"])
    (most,) = re.findall(r"max_connections=(\d+)", default(settings))
    processes = sum(COMPOSE["services"][name]["deploy"]["replicas"] for name in ("web", "worker"))
    # A roll runs twice as many, and administrators need some.
    assert 2 * processes * CONNECTIONS_PER_PROCESS + 10 <= int(most)


def test_every_image_is_pinned_by_digest_and_every_log_is_rotated() -> None:
    for service in COMPOSE["services"].values():
        assert service["logging"]["options"]["max-size"]
    images = {default(service["image"]) for service in COMPOSE["services"].values()}
    named = r"^(?:FROM |COPY --from=|# syntax=)(\S*[/:]\S+)"
    for text in (dockerfile(), (FILES / "Dockerfile").read_text()):
        images |= set(re.findall(named, text, re.MULTILINE))
    for image in images - {"${IMAGE:?see env.example}"}:
        assert re.fullmatch(r"[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image


def test_the_image_takes_the_build_arguments_and_extras_that_the_pages_name() -> None:
    pages = "".join(page.read_text() for page in (ROOT / "docs" / "operate").glob("*.md"))
    named = dict(re.findall(r"--build-arg (\w+)=([\w,]+)", pages))
    taken = re.findall(r"^ARG (\w+)", (FILES / "Dockerfile").read_text(), re.MULTILINE)
    assert named.keys() == {*taken}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*named["EXTRAS"].split(",")} <= project["optional-dependencies"].keys()


def test_every_action_is_pinned_by_commit_with_its_version_beside_it() -> None:
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        for line in re.findall(r"uses:.*", workflow.read_text()):
            assert re.fullmatch(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_web_containers_are_reached_through_the_proxy_alone() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == [
        "proxy"
    ]
    networks = COMPOSE["networks"]["default"]["ipam"]["config"]
    trusted = COMPOSE["services"]["web"]["environment"]["FORWARDED_ALLOW_IPS"]
    assert [network["subnet"] for network in networks] == [trusted]


def test_the_manifests_set_only_variables_that_exist() -> None:
    names = re.findall(
        r"(?:- |name: )([A-Z][A-Z_]+)(?:=|, value)",
        "".join(path.read_text() for path in KUBERNETES.glob("*.yaml")),
    )
    manual = (ROOT / "docs/operate/settings.md").read_text()
    assert names
    for name in names:
        assert f"`{name.removesuffix('_FILE')}`" in manual or f"`{name}`" in manual


def test_the_kustomization_lists_every_manifest() -> None:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]
    found = {path.name for path in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(listed) == found


def rendered() -> list[dict[str, Any]]:
    """The manifests as `kubectl kustomize` renders them. Fails for what this does not know."""
    asked = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    assert asked.pop("apiVersion") == "kustomize.config.k8s.io/v1beta1"
    assert asked.pop("kind") == "Kustomization"
    namespace = asked.pop("namespace")
    found = []
    for name in asked.pop("resources"):
        found += list(yaml.safe_load_all((KUBERNETES / name).read_text()))
    names = {}
    for each in asked.pop("configMapGenerator"):
        names[each["name"]] = f"{each['name']}-{'f' * 10}"
        data = dict(literal.split("=", 1) for literal in each.pop("literals"))
        metadata = {"name": names[each.pop("name")]}
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
        assert not each
    images = {each["name"]: f"{each['newName']}:{each['newTag']}" for each in asked.pop("images")}
    assert not asked
    for manifest in found:
        if manifest["kind"] != "Namespace":
            manifest["metadata"]["namespace"] = namespace
        template = manifest.get("spec", {}).get("template", {}).get("spec", {})
        for container in [*template.get("initContainers", []), *template.get("containers", [])]:
            container["image"] = images[container["image"]]
            for source in container.get("envFrom", []):
                source["configMapRef"]["name"] = names[source["configMapRef"]["name"]]
    return found


def test_the_rendered_kustomization_is_valid_and_fits_itself() -> None:
    manifests = rendered()
    for manifest in manifests:
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
    (namespace,) = (each["metadata"]["name"] for each in manifests if each["kind"] == "Namespace")
    assert {each["metadata"]["namespace"] for each in manifests if each["kind"] != "Namespace"} == {
        namespace
    }
    labels = [
        each["spec"]["template"]["metadata"]["labels"].items()
        for each in manifests
        if each["kind"] in {"Deployment", "StatefulSet"}
    ]
    services = [each for each in manifests if each["kind"] == "Service"]
    assert services
    for service in services:
        assert any(service["spec"]["selector"].items() <= each for each in labels)


def test_no_pod_serves_before_the_database_is_migrated() -> None:
    processes = [each for each in rendered() if each["kind"] in {"Deployment", "StatefulSet"}]
    assert processes
    for process in processes:
        pod = process["spec"]["template"]["spec"]
        (check,), (container,) = pod["initContainers"], pod["containers"]
        assert check["command"] == ["railbird", "migrate", "--check"]
        for part in ("image", "envFrom", "securityContext"):
            assert check[part] == container[part]
        assert all(mount in container["volumeMounts"] for mount in check["volumeMounts"])


def test_a_secret_is_read_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a secret of the test\n")
    monkeypatch.setenv("SECRET_KEY", "")
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "key"))
    environment.read_secret_files()
    assert os.environ["SECRET_KEY"] == "a secret of the test"
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY_FILE .*none: No such file"):
        environment.read_secret_files()


def probe(heartbeat: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gameserver.processes.health", "worker"],
        env={**os.environ, "HEARTBEAT_FILE": str(heartbeat)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_probe_of_a_worker_needs_no_server(tmp_path: Path) -> None:
    heartbeat = tmp_path / "heartbeat"
    assert "no heartbeat" in probe(heartbeat).stderr
    heartbeat.write_text(str(time.monotonic()))
    assert probe(heartbeat).returncode == 0
    heartbeat.write_text(str(time.monotonic() - SILENT_S - 1))
    assert "s old" in probe(heartbeat).stderr


@pytest.mark.slow
def test_a_worker_without_its_broker_has_a_heartbeat(tmp_path: Path) -> None:
    heartbeat = tmp_path / "heartbeat"
    away = {"REDIS_URL": "redis://127.0.0.1:1/0", "HEARTBEAT_FILE": str(heartbeat)}
    child = worker(away)
    child.start()
    try:
        deadline = time.monotonic() + 60
        while probe(heartbeat).returncode != 0:
            assert time.monotonic() < deadline
            assert child.exit_code is None
    finally:
        child.stop()


def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text()


def matcher(pattern: str) -> re.Pattern[str]:
    """Match as Docker does: a path from the root, and everything below it."""
    wild = {"**/": "(.*/)?", "*": "[^/]*"}
    parts = re.split(r"(\*\*/|\*)", pattern)
    return re.compile("".join(wild.get(part, re.escape(part)) for part in parts) + "(/.*)?")


def tracked(*paths: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.splitlines()


def build_context() -> list[str]:
    """The tracked files that `.dockerignore` leaves: the last pattern that matches one decides."""
    lines = (ROOT / ".dockerignore").read_text().split()
    patterns = [(matcher(line.removeprefix("!")), line.startswith("!")) for line in lines]
    return [
        name
        for name in tracked()
        if [stays for pattern, stays in patterns if pattern.fullmatch(name)][-1]
    ]


def copied() -> list[list[str]]:
    """The files and folders of the build context that each stage of the Dockerfile copies."""
    stages = re.split(r"^FROM ", dockerfile(), flags=re.MULTILINE)[1:]
    lines = [re.findall(r"^COPY (?!--from)(.+) \S+$", stage, re.MULTILINE) for stage in stages]
    return [" ".join(each).split() for each in lines]


def test_the_build_context_has_what_the_image_copies() -> None:
    context = build_context()
    for source in (source for stage in copied() for source in stage):
        assert any(map(matcher(source).fullmatch, context)), f".dockerignore lacks {source}"


def test_the_image_has_every_package_that_it_runs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]}
    needed = packages - {"bench", "demo"} | {"engine", "manage.py"}
    assert needed <= {*copied()[-1]}
    # All of their files are copied, except the sources of the pages, which are built already.
    files = {name for name in tracked(*needed) if not name.startswith("web/client/")}
    assert files - {*build_context()} == set()


@pytest.mark.slow
@pytest.mark.usefixtures("database")
def test_what_the_image_contains_starts_and_answers(tmp_path: Path) -> None:
    """The steps of the Dockerfile, in a clean folder. The pages of the documentation stay out."""
    app = tmp_path / "app"
    build, _, last = (stage for stage in re.split(r"^FROM ", dockerfile(), flags=re.MULTILINE)[1:])
    for stage in (build, last):
        for sources, target in re.findall(r"^COPY (?!--from)(.+) (\S+)$", stage, re.MULTILINE):
            for source in sources.split():
                into = app / target / (Path(source).name if target.endswith("/") else "")
                if (ROOT / source).is_dir():
                    pruned = shutil.ignore_patterns("__pycache__", "node_modules")
                    shutil.copytree(ROOT / source, into, ignore=pruned, dirs_exist_ok=True)
                else:
                    into.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / source, into)
    (extras,) = re.findall(r'^ARG EXTRAS="(.*)"$', build, re.MULTILINE)
    (installs,) = re.findall(r"uv (sync .*)$", build.replace("\\\n", ""), re.MULTILINE)
    installs = installs.replace("${EXTRAS}", extras)
    clean = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    subprocess.run([ROOT / "bin" / "uv", *installs.split()], cwd=app, env=clean, check=True)
    python, port = str(app / ".venv" / "bin" / "python"), free_port()
    variables = {
        **clean,
        "DJANGO_SETTINGS_MODULE": "gameserver.settings.base",
        "EXTRA_RULES": "",
        "GAMESERVER_DATA_DIR": str(tmp_path / "data"),
        "METRICS_ADDRESS": f"127.0.0.1:{free_port()}",
    }
    assert not list(app.glob(".venv/lib/*/site-packages/pytest"))
    check = subprocess.run(
        [app / "railbird", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=app,
        env={
            **variables,
            "PUBLIC_URL": "https://games.example.org",
            "SECRET_KEY": secrets.token_urlsafe(64),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert check.returncode == 0, check.stderr
    web = [python, "-m", "gameserver.processes.web", "--port", str(port)]
    with running(Child("web", web, environment=variables, folder=app, announces=True)):
        ready = httpx.get(f"http://127.0.0.1:{port}/api/v1/health/ready/", timeout=WITHIN_S)
        metrics = httpx.get(f"http://{variables['METRICS_ADDRESS']}/metrics", timeout=WITHIN_S)
        probed = [python, "-m", "gameserver.processes.health", str(port)]
        assert subprocess.run(probed, cwd=app, check=False).returncode == 0
    assert ready.status_code == 200
    assert "railbird_database_up 1.0" in metrics.text
    start = [python, "-m", "gameserver.processes.worker"]
    with running(Child("worker", start, environment=variables, folder=app, announces=True)):
        pass
