"""Paths become Python files, and files become dotted module names."""
