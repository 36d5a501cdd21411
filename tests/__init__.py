"""The tests of tfgradfix."""
