"""A whole repository in one command: planned and proven in memory, written as one transaction, taken back on demand."""
