"""Signing keys in files outside the database. No knowledge of games."""
