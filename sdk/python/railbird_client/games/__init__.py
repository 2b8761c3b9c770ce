"""The types of every game, generated from `schema/games/`."""
