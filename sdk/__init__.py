"""Client libraries in Python and TypeScript, and their generator."""
