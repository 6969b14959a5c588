"""Many machines: jobs are cut into chunks, a durable engine hands them out, each chunk is a run of the store."""
