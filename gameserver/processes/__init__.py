"""Processes of the server: the supervisor, its children, and the embedded servers."""
