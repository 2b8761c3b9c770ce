"""A web process and a worker with lively bots, for clients that play whole games."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from packages import build
from sdk import node
from tests.builders import end_games
from tests.processes import running, web_process, worker


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(autouse=True)
def _games_end() -> Iterator[None]:
    """Void the games of each test, which bots would play on to the end."""
    yield
    end_games()


@pytest.fixture(scope="package", autouse=True)
def _packages() -> None:
    """Install the packages of the TypeScript client."""
    node.TYPESCRIPT.install()


@pytest.fixture(scope="package")
def csharp(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of the C# client, as a release publishes them."""
    folder = tmp_path_factory.mktemp("csharp")
    shutil.unpack_archive(build.csharp_sources(folder), folder)
    return [*folder.glob("**/*.cs")]


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The URL of a running server.

    It stops after these tests, because its worker would play and seal games of other tests.
    """
    quick = {"BOT_DELAY_PERCENT": "3"}
    with web_process() as (_, address), running(worker(quick)):
        yield f"http://{address}"


@pytest.fixture(scope="package")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key with a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    day = timedelta(days=1)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - day)
        .not_valid_after(datetime.now(UTC) + day)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    path.write_bytes(secret + signed.public_bytes(pem))
    return path
