"""Quitte ou double."""
