"""Commands whose arguments and output fill a file of their own."""
