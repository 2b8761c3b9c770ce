"""What operators do, each act logged before it happens."""
