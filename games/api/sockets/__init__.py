"""What all sockets share, and each socket: games, lobbies, the feed."""
