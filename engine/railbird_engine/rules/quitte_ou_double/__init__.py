"""Quitte ou double (Dominic Crapuchettes): numeric questions and bets for 4 to 20 players."""
