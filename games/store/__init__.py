"""Storage of games: commits, heads, seeds, loaded games, and the registry of rules."""
