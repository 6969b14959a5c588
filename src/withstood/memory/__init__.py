"""Episodes of earlier reviews: a store of them, and what one run recalls from it and adds to it."""
