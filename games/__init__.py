"""Everything about games: the engine, the rules, the event store, the clock and the APIs."""
