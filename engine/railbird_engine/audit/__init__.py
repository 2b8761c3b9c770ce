"""Verify a game's history, without input or output: hashes over stored bytes, repeated draws,
replayed rules, and sums of money."""
