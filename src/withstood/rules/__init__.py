"""Published tables, one per module. No rule imports another; `rulebook` binds editions and numbers."""
