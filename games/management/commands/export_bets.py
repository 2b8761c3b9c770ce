"""`manage.py export_bets FILE`: write all bets, or those that match the options, to a file."""

from games.api.exports import BETS
from games.management.exporting import ExportCommand
from games.reads.filters import AnyBetExport
from games.reads.histories import all_bets


class Command(ExportCommand):
    help = "Write bets to FILE (- is the standard output), oldest first, in constant memory."
    sheet = BETS
    choice = AnyBetExport
    all_rows = staticmethod(all_bets)
