"""Runs one program in this interpreter, or serves forks for many.

python start.py ORDER
python start.py SOCKET preload
python start.py SOCKET bare
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from typing import Any

PACKAGE = "_tfgradfix_inside"
HERE = os.path.dirname(os.path.realpath(__file__))


def load(name: str, folder: str) -> Any:
    """The package in ``folder`` under ``name``, which is no name of the user's."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        if spec is None or spec.loader is None:
            raise ImportError(f"{folder} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def inside(module: str) -> Any:
    """A module of this package."""
    load(PACKAGE, HERE)
    return importlib.import_module(f"{PACKAGE}.{module}")


if __name__ == "__main__":
    order = json.loads(sys.argv[1])
    if isinstance(order, int):
        inside("serving").serve(order, sys.argv[2] == "preload")
    else:
        inside("runs").run(order)
