"""What an investigator with a model behind it may do: read-only requests, each with a bounded answer."""
