"""The REST face: what people may ask of lobbies, games and their histories, under `/api/v1/`."""
