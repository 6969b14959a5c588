"""Nouns: what agents bring and what tables look at. Frozen, small, pure."""
