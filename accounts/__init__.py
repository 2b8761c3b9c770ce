"""Who people are and what they own. This floor never hears of games: account keys and causes of
transfers are opaque."""
