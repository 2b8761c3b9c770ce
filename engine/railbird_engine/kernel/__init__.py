"""The kernel: the contract of a game's rules, without framework, clock or random numbers.

It uses only the standard library and msgspec. Games import its names from `railbird_engine`.
"""
