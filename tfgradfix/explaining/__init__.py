"""The explaining run: a program is run, and each None gradient is explained down to the line."""

from tfgradfix.explaining.explain import explain
from tfgradfix.explaining.records import Cause, Explanation, Missing, Reason, Step

__all__ = ["Cause", "Explanation", "Missing", "Reason", "Step", "explain"]
