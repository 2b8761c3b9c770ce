"""What is stored of games: commits and heads, loaded games, the rules that are registered."""
