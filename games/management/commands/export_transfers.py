"""`manage.py export_transfers FILE`: all money that moved, or what the options choose of it, as a
file."""

from games import selectors
from games.api.exports import TRANSFERS
from games.filters import TransferExport
from games.management.exporting import ExportCommand


class Command(ExportCommand):
    help = "Write transfers to FILE (- is the standard output), oldest first, in memory that does not grow with them."
    sheet = TRANSFERS
    choice = TransferExport
    all_rows = staticmethod(selectors.all_transfers)
