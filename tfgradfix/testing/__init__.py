"""For the tests of your own project: is a gradient the slope of its function?

`tfgradfix.testing` imports TensorFlow when a check is made, and not before.
"""

from tfgradfix.testing.check import Checked, GradientError, check_gradient

__all__ = ["Checked", "GradientError", "check_gradient"]
