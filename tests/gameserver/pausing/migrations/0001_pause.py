"""Stop this process inside a transaction, as a suspended machine does, until somebody goes on."""

import os
import signal
from typing import Any, ClassVar

from django.db import migrations


def pause(_apps: Any, schema_editor: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        os.kill(os.getpid(), signal.SIGSTOP)
        cursor.execute("SELECT 2")


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = []
    operations: ClassVar[list[migrations.RunPython]] = [
        migrations.RunPython(pause, migrations.RunPython.noop)
    ]
