"""Runs one program and explains its None gradients: the half of the explaining run that lives in the child process.

    python start.py ORDER

ORDER is JSON: ``script``, ``arguments``, ``folder``, ``report`` (a file descriptor), ``seed``, ``eager`` (run
tf.functions eagerly) and ``harness`` (the file whose channel, places and script runner are used here, too).
One JSON record a line goes to the descriptor: ``start``, ``unusable``, ``hooks`` (what the self-test found missing),
``missing`` (a None gradient with its cause), ``call`` (a gradient call), ``error``, ``broken`` and ``end``.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from typing import Any

PACKAGE = "_tfgradfix_inside"
HERE = os.path.dirname(os.path.abspath(__file__))


def load(name: str, file: str, folder: str | None = None) -> Any:
    """The module in ``file`` under ``name``; a package when ``folder`` is given."""
    places = [folder] if folder else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Import TensorFlow, put the hooks in place, run the program."""
    order = json.loads(sys.argv[1])
    harness = load("_tfgradfix_harness", order["harness"])
    load(PACKAGE, os.path.join(HERE, "__init__.py"), HERE)
    if os.path.realpath(sys.path[0]) == os.path.realpath(HERE):  # not so under PYTHONSAFEPATH
        sys.path[0] = os.path.dirname(order["script"])
    channel = harness.Channel(order["report"])
    try:
        tensorflow, numpy = importlib.import_module("tensorflow"), importlib.import_module("numpy")
    except Exception as error:  # noqa: BLE001  # a broken TensorFlow raises anything at all
        channel.send("unusable", message=f"{type(error).__name__}: {error}"[:2000])
        sys.exit(3)
    places = harness.Places(order["folder"], order["script"], tensorflow)
    places.known.update({os.path.join(HERE, name): "machinery" for name in os.listdir(HERE)})
    session = importlib.import_module(f"{PACKAGE}.session").Session(channel, places, tensorflow, numpy)
    channel.send("hooks", missing=session.install())
    harness.watch_ends(session)
    if order["eager"]:
        tensorflow.config.run_functions_eagerly(True)
    harness.seed_all(order["seed"], tensorflow, numpy)
    versions = {"python": sys.version.split()[0], "tensorflow": tensorflow.__version__, "numpy": numpy.__version__}
    channel.send("start", **versions)
    harness.run_script(order["script"], order["arguments"], session)


if __name__ == "__main__":
    main()
