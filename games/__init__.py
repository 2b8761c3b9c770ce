"""Everything about games: the kernel, the rules, the event store, the clock and the three faces."""
