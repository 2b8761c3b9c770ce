"""Carcassonne, the base game, with the mini expansion The Bets (Les Paris)."""
