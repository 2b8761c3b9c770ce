"""The API: operations, and REST, GraphQL and WebSockets that serve them."""
