"""`manage.py export_transfers FILE`: write transfers to a file, all or those that match options."""

from games.api.exports import TRANSFERS
from games.management.exporting import ExportCommand
from games.reads.filters import TransferExport
from games.reads.histories import all_transfers


class Command(ExportCommand):
    help = "Write transfers to FILE (- is the standard output), oldest first, in constant memory."
    sheet = TRANSFERS
    choice = TransferExport
    all_rows = staticmethod(all_transfers)
