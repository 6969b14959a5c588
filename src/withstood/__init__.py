"""A deliberation engine: a verdict is a pure function of recorded answers, verified evidence and a rulebook."""

from withstood.__about__ import __version__ as __version__
