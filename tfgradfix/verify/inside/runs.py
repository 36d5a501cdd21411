"""One run of a program, of the kind that its order asks for."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

from .caps import install_caps
from .channel import Channel
from .checker import check_numbers
from .counters import compiled
from .datasets import Datasets
from .kept_gradients import Gradients
from .lenient import Lenient
from .places import HERE, Places
from .program import plainly, run_script, watch_ends
from .recorder import Recorder
from .seeds import Seeds
from .start import load
from .traces import Traces
from .values import Values
from .ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable

EXPLAINING = "_tfgradfix_explaining"


def run(order: dict[str, Any]) -> None:
    """Import TensorFlow, put the wrappers in place, run the program."""
    channel = Channel(order["report"])
    if os.path.realpath(sys.path[0]) == HERE:  # the folder of the file that was started
        sys.path[0] = os.path.dirname(order["script"])
    try:
        tensorflow, numpy = importlib.import_module("tensorflow"), importlib.import_module("numpy")
    except Exception as error:  # noqa: BLE001  # a broken TensorFlow raises anything at all
        channel.send("unusable", message=f"{type(error).__name__}: {error}"[:2000])
        sys.exit(3)
    places = Places(order["folder"], order["script"], tensorflow)
    if order.get("probe"):
        channel.send("start", tensorflow=tensorflow.__version__)
        channel.send("numbers", **check_numbers(order, places, tensorflow, numpy))
        return
    seeds = Seeds(tensorflow, numpy)
    if order.get("explaining"):
        watching = explainer(order, channel, places, tensorflow, numpy)
    else:
        watching = recorder(order, channel, places, Values(tensorflow, numpy), seeds)
    watch_ends(watching)
    if order["eager"]:
        tensorflow.config.run_functions_eagerly(True)
    seeds.seed_all(order["seed"])
    versions = {"python": sys.version.split()[0], "tensorflow": tensorflow.__version__, "numpy": numpy.__version__}
    channel.send("start", **versions)
    run_script(order["script"], order["arguments"], watching, compiled if order.get("capped") else plainly)


def recorder(order: dict[str, Any], channel: Channel, places: Places, values: Values, seeds: Seeds) -> Recorder:
    """What records the gradient calls of a run, in place."""
    folder, give = order.get("keep") or order.get("given"), bool(order.get("given"))
    gradients = Gradients(values.tf, values.np, folder, give) if folder else None
    tells: dict[str, Callable[[], Any]] = {}
    if order.get("capped"):
        tells["capped"] = install_caps(places, values.tf).told
    datasets, traces = Datasets(values.tf, values.np), Traces(places, values.tf)
    tells["stand_ins"], tells["traces"] = datasets.told, traces.told
    datasets.install()
    traces.install()
    watching = Recorder(channel, places, values, seeds, order["stop_after"], gradients, tells)
    watching.install()
    if order.get("lenient"):
        Lenient(values.tf, values.np).install()
    return watching


def explainer(order: dict[str, Any], channel: Channel, places: Places, tensorflow: Any, numpy: Any) -> Any:
    """What explains the None gradients of a run, in place."""
    folder = order["explaining"]
    load(EXPLAINING, folder)
    places.known.update({os.path.join(folder, name): "machinery" for name in os.listdir(folder)})
    if order["lenient"]:
        Lenient(tensorflow, numpy).install()
    sessions = importlib.import_module(f"{EXPLAINING}.session")
    session = sessions.Session(channel, places, tensorflow, numpy, ways(tensorflow))
    channel.send("hooks", missing=session.install())
    return session
