"""Commands of `manage.py` in the process of the test, which starts in no time."""

import io
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

from django.core.management import CommandError, call_command


def managed(*arguments: str) -> CompletedProcess[str]:
    """Run a command on the servers of the test, and return what a process would."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in range(2))
    code = 0
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            call_command(*arguments)
        except CommandError as error:
            errors.write(f"CommandError: {error}\n")
            code = error.returncode
        except SystemExit as stopped:
            code = int(stopped.code or 0)
    return CompletedProcess(arguments, code, *(_text(each) for each in (output, errors)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
