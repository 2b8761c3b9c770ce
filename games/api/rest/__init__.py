"""REST: the addresses of the operations under `/api/v1/`, and of the public log."""
