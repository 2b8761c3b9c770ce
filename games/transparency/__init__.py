"""Data for outside auditors: the sealed log, its tiles, bundles, verification, fairness."""
