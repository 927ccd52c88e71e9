"""Runs by label: those below a folder, or those that an experiment made; and their comparison."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ._errors import BadInput, NoSuchKey, nearest
from ._native import native, optional
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

    def compare(self) -> Comparison:
        """The table and the plots of these runs: pliant.Comparison."""
        return Comparison(list(self.values()), self.folder)

    def plot(self, what: str = "total_energy_J", ax: Any = None) -> Any:
        """A column of all runs, or a figure of the report by its key ("energy-by-kind"). Returns a Matplotlib figure."""
        return self.compare().plot(what, ax)


class Comparison(Runs):
    """Runs side by side, with the table of `pliant compare`."""

    def __init__(self, runs: Sequence[Run], folder: str = "", limits: Any = None):
        super().__init__(runs, folder)
        self._made: Any = None
        self._limits = limits

    @property
    def _table_of_runs(self) -> Dict[str, Any]:
        if self._made is None:
            self._made = native().table([run.path for run in self.values()], self._limits)
        return self._made  # type: ignore[no-any-return]

    @property
    def text(self) -> str:
        """The table as the command line prints it."""
        return str(self._table_of_runs["text"])

    @property
    def csv(self) -> str:
        """The table as CSV; empty = not defined."""
        return str(self._table_of_runs["csv"])

    @property
    def problems(self) -> List[str]:
        """Figures that could not be measured: a table with problems is no reliable result."""
        return list(self._table_of_runs["problems"])

    @property
    def figures(self) -> Dict[str, Dict[str, Optional[float]]]:
        """The headline figures by name, then by label; None = not defined."""
        table = self._table_of_runs
        return {name: {row["label"]: row["values"][i] for row in table["rows"]}
                for i, (name, _, _) in enumerate(table["columns"])}

    @property
    def table(self) -> Any:
        """The figures as a pandas DataFrame, a row for each run; NaN = not defined."""
        pandas = optional("pandas", "a table of figures")
        frame = pandas.DataFrame(self.figures, dtype=float)
        frame.attrs["units"] = {name: unit for name, unit, _ in self._table_of_runs["columns"]}
        return frame

    def compare(self) -> Comparison:
        return self

    def plots(self, all: bool = False) -> List[Dict[str, Any]]:
        """What the figures of the report show, as data. `all`: with those that it shows another way."""
        return list(native().plots([run.path for run in self.values()], all))

    def plot(self, what: str = "total_energy_J", ax: Any = None) -> Any:
        """A column of all runs, or a figure of the report by its key. Returns a Matplotlib figure."""
        from .show import plot_comparison
        return plot_comparison(self, what, ax)

    def __repr__(self) -> str:
        return self.text


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
