"""Django's settings. `environment` is importable without them."""
