"""SET Dice (Marsha J. Falco): SETs of three dice on a board with bonus squares, for 2 to 4
players."""
