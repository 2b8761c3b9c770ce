"""The proof of a game's history, pure: hashes over stored bytes, dice drawn again, rules replayed,
money added up."""
