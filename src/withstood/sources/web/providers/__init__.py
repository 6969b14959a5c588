"""Search providers: each takes a query and gives addresses, as plain requests and answers in JSON."""
