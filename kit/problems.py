"""What may go wrong for a caller: one exception with a stable code, answered the same on every face
of the API."""


class Problem(Exception):
    """A request was not carried out. `code` is stable snake_case and listed in
    docs/protocol/errors.md; `data` is safe to show."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
