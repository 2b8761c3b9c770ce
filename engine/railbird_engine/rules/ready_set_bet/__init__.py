"""Ready Set Bet (John D. Clair, AEG 2022; French edition IELLO 2023): bets on horses while they
run."""
