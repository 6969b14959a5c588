"""Measures: what a run is worth against labels, and how sure that figure is. Sums over samples, and formulas."""
