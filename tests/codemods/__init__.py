"""The tests of the codemods, one file each."""
