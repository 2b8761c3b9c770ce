"""The example game, which `railbird-new-game` copies, and its tests. No server offers it."""
