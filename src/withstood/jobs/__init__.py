"""One module per job: what a run is made of, put together. The command line and Python both call here."""
