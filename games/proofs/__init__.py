"""Proofs for outside auditors: bundles, verification, fairness, coins, archives of proofs."""
