"""Findings and texts in, rewritten texts out."""
