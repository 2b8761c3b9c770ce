"""Notices: what happened to a person, numbered for each of them without gaps.

A notice knows users and the ids of its subject, not why it was made. `inbox.tell` is the only
writer.
"""
