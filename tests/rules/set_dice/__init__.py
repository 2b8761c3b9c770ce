"""SET Dice."""
