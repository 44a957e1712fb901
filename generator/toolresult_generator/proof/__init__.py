"""The proof: every sample through every revision, measured against what the spec declares."""
