"""`python -m withstood`."""

from withstood.cli.main import main

main()
