"""`manage.py export_bets FILE`: everybody's bets, or those that the options choose, as a file."""

from games import selectors
from games.api.exports import BETS
from games.filters import AnyBetExport
from games.management.exporting import ExportCommand


class Command(ExportCommand):
    help = "Write bets to FILE (- is the standard output), oldest first, in memory that does not grow with them."
    sheet = BETS
    choice = AnyBetExport
    all_rows = staticmethod(selectors.all_bets)
