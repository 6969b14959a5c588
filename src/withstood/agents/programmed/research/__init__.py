"""The seats of a research that are always filled by programs: searching, checking and saving are no model's word."""
