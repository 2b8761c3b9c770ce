"""From commit to socket: hubs of games, rooms of lobbies, presence."""
