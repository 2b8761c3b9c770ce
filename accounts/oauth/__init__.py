"""OAuth 2.0: users authorize apps without giving them a password. Tokens: `accounts.tokens`."""
