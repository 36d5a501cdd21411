"""Bytes become text, and text becomes bytes again."""
