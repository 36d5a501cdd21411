"""Wrong repairs: right ones with one change each, to be refused by the proof.

`kinds` and `statements` make them, `programs` finds what they are made of, `choose` keeps those that differ from the
right repair when both are run and writes `chosen.json`, which is what the tests and the benchmark read.
"""
