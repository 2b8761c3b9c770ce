"""A Django app whose migration is suspended while it runs."""
