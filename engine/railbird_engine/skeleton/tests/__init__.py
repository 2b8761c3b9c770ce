"""The tests of coin toss."""
