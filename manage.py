#!/usr/bin/env python
"""The server's commands: `manage.py help` lists them, `manage.py serve` starts everything."""

from gameserver.__main__ import main

if __name__ == "__main__":
    main()
