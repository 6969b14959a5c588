"""Labelled texts in each layout that is usual: one module a family, read and written."""
