"""The demonstration of `manage.py demo`: a guest hosts a game with bots through the public API."""
