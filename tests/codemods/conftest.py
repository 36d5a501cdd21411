"""Hypothesis keeps its files out of the checkout, where pytest would take them for tests."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "tfgradfix-hypothesis")
