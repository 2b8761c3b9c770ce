"""Everything about games: the lobbies, the event store, the clock and the APIs."""
