"""``python -m tfgradfix``."""

from tfgradfix.cli import main

if __name__ == "__main__":
    main()
