"""People who sit at tables of bots, a module for each game: `bench.matches` lets them play."""
