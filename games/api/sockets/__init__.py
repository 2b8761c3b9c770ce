"""The WebSockets: their common base, and the sockets of games and lobbies."""
