"""The faces of the server: REST and WebSocket over the same services and types."""
