"""The record: append-only and hash-chained. What stands here can be judged again; what does not never happened."""
