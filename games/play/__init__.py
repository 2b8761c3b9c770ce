"""Playing: the one service behind every transport."""
