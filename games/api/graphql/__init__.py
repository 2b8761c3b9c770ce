"""GraphQL: types from the structs of the API, queries and mutations from its operations."""
