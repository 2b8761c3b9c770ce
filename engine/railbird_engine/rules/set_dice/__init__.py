"""SET Dice (Marsha J. Falco): make SETs of three dice on a board with bonus squares."""
