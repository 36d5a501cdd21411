"""The table of library functions against NumPy itself."""
