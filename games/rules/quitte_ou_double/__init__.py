"""Quitte ou double (Dominic Crapuchettes): numeric questions and bets between the answers, for 4 to
20 players in teams."""
