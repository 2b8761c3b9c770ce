"""The public log: its entries, the sealer, witnesses, tiles, and the log after a restore."""
