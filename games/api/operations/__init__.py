"""What the API does about lobbies, games, histories and the audit, one module per subject."""
