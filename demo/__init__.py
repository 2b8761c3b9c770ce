"""The demonstration behind `manage.py demo`: a guest who hosts one game with bots, through the
public API alone."""
