"""What outsiders check: the sealed log, its tiles, bundles, verification, fairness."""
