"""Pliant from Python: read runs, run experiments, step simulations.

>>> import pliant
>>> runs = pliant.open("runs/press")                     # read what `pliant run` left
>>> experiment = pliant.load("press")                    # change and run
>>> simulation = experiment.translate("dynamic-ffd")     # step

docs/python.md is the tutorial. Lengths are in m, times in s, masses in kg; arrays of points are 3×n (simulations) or
T×n×3 (bundles), float64. "Not defined" is None or NaN, never 0.
"""
from typing import TYPE_CHECKING, Any, List

from ._errors import BadInput, Error, NoSuchKey, StorageError, Unsupported, nearest
from .bundle import Event, Run, Translated, Unmet
from .experiment import Experiment, backends, batch, experiments, load, loads, parameters
from .results import Checked, Invariance, Refinement, Search, SeenOtherwise, Sweep, Verdicts
from .runs import Comparison, Runs, open

if TYPE_CHECKING:
    from .simulation import Array, Batch, Hand, Inspection, Observation, Simulation, StateBlock

_OF_SIMULATION = ("Array", "Batch", "Hand", "Inspection", "Observation", "Simulation", "StateBlock")

__all__ = ["BadInput", "Checked", "Comparison", "Error", "Event", "Experiment", "Invariance", "NoSuchKey", "Refinement",
           "Run", "Runs", "Search", "SeenOtherwise", "StorageError", "Sweep", "Translated", "Unmet", "Unsupported", "Verdicts", "backends", "batch",
           "experiments", "load", "loads", "open", "parameters",
           "Array", "Batch", "Hand", "Inspection", "Observation", "Simulation", "StateBlock"]


def __getattr__(name: str) -> Any:
    # What needs the compiled module is imported when it is asked for.
    if name in _OF_SIMULATION:
        from . import simulation
        return getattr(simulation, name)
    if name == "__version__":
        from ._native import native
        return native().version
    mend = "" if name.startswith("_") else f"; {nearest(name, __all__)}"
    raise AttributeError(f"module 'pliant' has no attribute '{name}'{mend}")


def __dir__() -> List[str]:
    return sorted([*globals(), *_OF_SIMULATION])
