"""`manage.py export_transfers FILE`: all money that moved, or what the options choose of it, as a
file."""

from games.api.exports import TRANSFERS
from games.management.exporting import ExportCommand
from games.reads import selectors
from games.reads.filters import TransferExport


class Command(ExportCommand):
    help = "Write transfers to FILE (- is the standard output), oldest first, in memory that does not grow with them."
    sheet = TRANSFERS
    choice = TransferExport
    all_rows = staticmethod(selectors.all_transfers)
