"""A real server of the S3 protocol, moto, in an environment of its own: it needs sixty packages."""

import os
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.processes import ROOT
from tests.waiting import until

SECRET: Final = "b0x-of-t0kens"
ACCOUNT: Final = {
    "AWS_ACCESS_KEY_ID": "croupier",
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "AWS_REGION": "us-east-1",
}
SERVER: Final = "run --no-project --with moto[s3]==5.2.5 --with flask --with flask-cors"


@contextmanager
def s3(folder: Path) -> Iterator[Mapping[str, str]]:
    """Start the server with a bucket `games`. The environment names it and an account."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with (folder / "s3.log").open("w") as log:
        server = subprocess.Popen(
            [ROOT / "bin/uv", *SERVER.split(), "python", "-m", "moto.server", "-p", str(port)],
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
        )
    environment = {**ACCOUNT, "AWS_ENDPOINT": address}
    try:
        until(lambda: has_bucket(address), "the S3 server")
        with patch.dict(os.environ, environment):
            yield environment
    finally:
        os.killpg(server.pid, 15)
        server.wait()


def has_bucket(address: str) -> bool:
    """Create the bucket, unless the server does not answer yet."""
    credential = "Credential=croupier/20260101/us-east-1/s3/aws4_request"
    headers = {"Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=0"}
    request = Request(f"{address}/games", method="PUT", headers=headers)
    try:
        return bool(urlopen(request).status == 200)
    except (URLError, ConnectionError):
        return False
