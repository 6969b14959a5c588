"""The port to a language model, and its adapters. One attempt per call; whoever calls owns the retries."""
