"""OAuth 2.0: people let apps of others act for them, without telling them a password. The tokens:
`accounts.tokens`."""
