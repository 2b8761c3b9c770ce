"""Users, tokens and the money ledger. Account keys and transfer causes are opaque here."""
