"""Keys in files outside the database: of the log, and of seeds at rest. No knowledge of games."""
