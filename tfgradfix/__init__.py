"""Finds the line that cuts a TensorFlow gradient, rewrites it, and proves the repair by running it."""

__version__ = "0.1.0"
