"""Runs by label: those below a folder, or those that an experiment made."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, Mapping, Sequence, Union

from ._errors import BadInput, NoSuchKey, nearest
from .bundle import Run


class Runs(Mapping[str, Run]):
    """Runs by label, in the order of their experiment. Attributes of a comparison: see plot()."""

    def __init__(self, runs: Sequence[Run], folder: str = ""):
        self.folder = folder
        self._runs: Dict[str, Run] = {}
        labels = [run.label for run in runs]
        for run in runs:
            unique = labels.count(run.label) == 1
            self._runs[run.label if unique else os.path.relpath(run.path, folder or ".")] = run

    def __getitem__(self, label: str) -> Run:
        try:
            return self._runs[label]
        except KeyError:
            raise NoSuchKey(f"there is no run '{label}'; {nearest(label, self._runs)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __contains__(self, label: object) -> bool:
        return label in self._runs

    def __repr__(self) -> str:
        lines = [f"  {label}: {run.outcome}" for label, run in self._runs.items()]
        return "\n".join([f"<pliant.Runs of {self.folder!r}", *lines]) + ">"

    def verify(self) -> None:
        """Compares every file of every run with its checksum."""
        for run in self.values():
            run.verify()

    def compare(self) -> Any:
        """The table and the plots of these runs: pliant.Comparison."""
        from .experiment import Comparison
        return Comparison(list(self.values()), self.folder)

    def plot(self, what: str = "total_energy_J", ax: Any = None) -> Any:
        """A column of all runs, or a figure of the report by its key ("energy-by-kind"). Returns a Matplotlib figure."""
        return self.compare().plot(what, ax)


def open(path: Union[str, os.PathLike[str]], verify: bool = False) -> Runs:
    """The runs at or below a folder, by label.

    Args:
        path: a run bundle, or a folder of bundles such as ``runs/press``.
        verify: also compare every file with its checksum.

    Raises:
        BadInput: there is no bundle, or one is damaged or of an unknown format.
    """
    folder = os.fspath(path)
    if not os.path.isdir(folder):
        raise BadInput(f"{folder}: there is no such folder")
    found = []
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if "manifest.json" in files:
            found.append(here)
            folders[:] = []
    if not found:
        raise BadInput(f"{folder}: no run bundle at or below it; give the folder that run or compare printed")
    runs = [Run(one, verify) for one in found]
    runs.sort(key=lambda run: (os.path.dirname(run.path), int(run.manifest.get("place", 0))))
    return Runs(runs, folder)
