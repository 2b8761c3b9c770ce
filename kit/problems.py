"""The exception for expected errors: a stable code, the same in every part of the API."""


class Problem(Exception):  # noqa: N818  (the word of RFC 9457)
    """A rejected request.

    `code` is stable snake_case and listed in gameserver/errors.py. Clients may see `data`.
    """

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
