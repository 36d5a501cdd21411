"""A report becomes text, a patch, JSON or SARIF."""
