"""Keys in files outside the database: of acknowledgements, and of seeds at rest."""
