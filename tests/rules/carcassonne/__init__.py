"""Tests of Carcassonne and its expansion The Bets."""
