"""Whether this process is about to end: it finishes its work, and should get no more."""

import threading
from typing import Final

draining: Final = threading.Event()

DRAIN_WITHIN_S: Final = 15
"""The limit of a drain after its notice: 3 s to close sockets, 8 s for commands, and some more."""
