"""Operator actions. Each is logged before it takes effect."""
