"""What is run for a proof: scripts, tests, what the user names, and calls with generated inputs.

Every driver is one script in the scratch copy, which both versions run alike (docs/drivers.md).
"""
