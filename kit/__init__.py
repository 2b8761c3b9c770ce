"""Shared helpers without domain knowledge: problems, validation, rate limits, paging, batching."""
