"""What runs in the user's interpreter for a driver: standard library, NumPy and TensorFlow only."""
