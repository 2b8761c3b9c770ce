"""The book of Quitte ou double."""

from games.engine import Book


class QuitteOuDoubleBook(Book, frozen=True, kw_only=True):
    """The texts of Quitte ou double. The questions stay secret, and there are no other cards."""
