"""Faults against a running server: `python -m tests.faults --help`.

Seeded rounds of faults hit real web and worker processes, PostgreSQL and Valkey while people play
many games. Every connection goes through a proxy that can cut, delay or silence it. Afterwards
each answer that a player received is compared with the database.
"""
