"""HTTP layers before Django's views: limits, static files, GraphQL."""
