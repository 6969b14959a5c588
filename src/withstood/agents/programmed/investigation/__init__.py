"""Programmed investigators and a programmed challenger: what they say of a code base is found by code."""
