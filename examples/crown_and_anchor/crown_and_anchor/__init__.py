"""Crown and Anchor, a dice game of sailors."""
