"""Reads by subject, and the filters of lists."""
