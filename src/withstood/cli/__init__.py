"""Arguments in, text and exit code out. Nothing is decided here."""
