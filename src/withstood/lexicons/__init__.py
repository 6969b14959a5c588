"""What code knows of a language, from data files that a user can extend or replace, and which language a text is in."""

from withstood.lexicons.agreed import conventions
from withstood.lexicons.languages import detect
from withstood.lexicons.lexicon import Lexicon, Meaning, load
from withstood.lexicons.taxonomy import Taxonomy, taxonomies

__all__ = ["Lexicon", "Meaning", "Taxonomy", "conventions", "detect", "load", "taxonomies"]
