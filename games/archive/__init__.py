"""Months of games that left the database: what is kept of them, and where their bundles are."""
