"""Keys in files outside the database that sign acknowledgements."""
