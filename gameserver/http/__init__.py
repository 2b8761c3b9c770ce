"""What stands before Django's views: limits, static files, GraphQL."""
