"""What runs in the user's interpreter: it records a program's operations and explains each None gradient.

Only the standard library, NumPy and TensorFlow are imported here; the package is loaded from its folder by ``start``.
"""
