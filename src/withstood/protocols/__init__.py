"""Protocols ask: plain generators that yield batches of asks and are sent the answers."""
