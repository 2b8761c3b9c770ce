"""The game that `manage.py new_game` copies, and its tests. No server offers it."""
