"""Two linters find nothing in the OpenAPI document. The rules that are off are argued there."""

import shutil
from pathlib import Path

import pytest

from kit.installation import FOLDER as ROOT
from sdk.node import Packages

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "linters"
LINTERS = {
    "@stoplight/spectral-cli/dist/index.js": ["--ruleset=spectral.yaml", "--fail-severity=info"],
    "@redocly/cli/bin/cli.js": ["--config=redocly.yaml"],
}


@pytest.mark.parametrize("linter", LINTERS)
def test_the_document_has_no_errors_and_no_warnings(tmp_path: Path, linter: str) -> None:
    folder = tmp_path / "linters"
    shutil.copytree(FOLDER, folder)
    document = str(ROOT / "schema" / "openapi.yaml")
    Packages(folder).run(linter, "lint", document, *LINTERS[linter])
