"""Client libraries, one folder for each language, and their generators."""
