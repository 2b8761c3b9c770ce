"""Django's settings. `environment` can be imported without them."""
