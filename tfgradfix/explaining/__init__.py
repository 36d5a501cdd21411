"""The explaining run: a program is run, and each None gradient is explained down to the line."""

from tfgradfix.explaining.explain import explain, explain_version
from tfgradfix.explaining.records import Cause, Explanation, Missing, Reason, Step

__all__ = ["Cause", "Explanation", "Missing", "Reason", "Step", "explain", "explain_version"]
