"""Find where gradient paths are cut: read a program, follow its values, compare what is asked with what arrives."""

from __future__ import annotations

from tfgradfix.analyse.entry import analyse

__all__ = ["analyse"]
