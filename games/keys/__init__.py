"""Signing keys, kept in files outside the database. Knows no game."""
