"""Coin toss: see README.md."""
