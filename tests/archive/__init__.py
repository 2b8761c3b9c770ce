"""Tests of archived months."""
