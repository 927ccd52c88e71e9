"""Run bundles of Pliant, read with NumPy and h5py.

>>> import pliant
>>> runs = pliant.open("runs/press")
>>> runs["dynamic-ffd"].series["total_energy_J"]

docs/bundles.md describes the files. Lengths are in m, times in s, masses in kg. "Not defined" is None or NaN, never 0.
"""
from ._errors import BadInput, Error
from .runs import Event, Run, Runs, Translated, Unmet, open

__all__ = ["BadInput", "Error", "Event", "Run", "Runs", "Translated", "Unmet", "open"]
