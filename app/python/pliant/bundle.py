"""A run bundle, read with NumPy and h5py alone."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ._errors import BadInput, nearest
from ._native import native, optional
from ._units import unit_of

if TYPE_CHECKING:  # NumPy is most of the time of an import: what needs it imports it
    import numpy as np

FORMAT = 1  # of bundles that this package reads

_FILES = ("experiment.toml", "translation.json", "series.csv", "points.h5", "summary.json")


class Translated(NamedTuple):
    """What a formulation did with an element of the scene."""
    element: str
    fidelity: str  #: exact, approximated, ignored or unsupported
    reason: str


class Event(NamedTuple):
    """Something that happened at one time."""
    time: float  #: s
    what: str


class Unmet(NamedTuple):
    """A constraint that is violated at the end."""
    name: str
    size: float
    unit: str


def _number(value: Any) -> Optional[float]:
    # Numbers that JSON lacks are spelled "inf", "-inf" and "nan"; null = not defined.
    return None if value is None else float(value)


def _json(path: str) -> Any:
    try:
        with open_text(path) as file:
            return json.load(file)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadInput(f"{path}: damaged: {error}") from error


def _field(document: Any, path: str, *keys: str) -> Any:
    """document[keys[0]][keys[1]]…; a sentence where one is missing."""
    for key in keys:
        if not isinstance(document, dict) or key not in document:
            raise BadInput(f"{path}: lacks '{'.'.join(keys)}'; it is damaged, or another version of Pliant wrote it")
        document = document[key]
    return document


def open_text(path: str) -> Any:
    return open(path, encoding="utf-8", newline="")


class Run:
    """A run bundle: the folder that one backend left.

    Args:
        path: the folder.
        verify: also compare every file with its checksum (slow for large runs; see :meth:`verify`).

    Raises:
        BadInput: it is no bundle, is damaged, or is of a format that this version does not read.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], verify: bool = False):
        self.path: str = os.fspath(path)
        manifest = os.path.join(self.path, "manifest.json")
        if not os.path.isfile(manifest):
            raise BadInput(f"{self.path}: is no run bundle: it has no manifest.json")
        #: manifest.json: version, commit, compiler, machine, seed, times, outcome, checksums.
        self.manifest: Dict[str, Any] = _json(manifest)
        written = self.manifest.get("format") if isinstance(self.manifest, dict) else None
        if written != FORMAT:
            raise BadInput(f"{manifest}: is of format {json.dumps(written)}; this version reads format {FORMAT}")
        for key in ("label", "backend", "experiment", "sha256"):
            _field(self.manifest, manifest, key)
        missing = [name for name in _FILES
                   if name not in self.manifest["sha256"] or not os.path.exists(os.path.join(self.path, name))]
        if missing:
            raise BadInput(f"{os.path.join(self.path, missing[0])}: is missing")
        self._h5: Any = None
        self._cache: Dict[str, Any] = {}
        if verify:
            self.verify()

    def __getstate__(self) -> Dict[str, Any]:
        # Another process reads the files itself.
        return {**self.__dict__, "_h5": None, "_cache": {}}

    def __repr__(self) -> str:
        return f"<pliant.Run {self.label!r} of {self.experiment!r}: {self.outcome}>"

    @property
    def label(self) -> str:
        """Of the backend in its experiment."""
        return str(self.manifest["label"])

    @property
    def backend(self) -> str:
        """The formulation."""
        return str(self.manifest["backend"])

    @property
    def experiment(self) -> str:
        """The name of the experiment."""
        return str(self.manifest["experiment"])

    @property
    def outcome(self) -> str:
        """"completed", "diverged", …; see docs/words.md."""
        return str(self._of_summary("outcome", "kind"))

    @property
    def reason(self) -> str:
        """Why it ended so, in words; empty when completed."""
        return str(self._of_summary("outcome", "reason"))

    @property
    def toml(self) -> str:
        """experiment.toml: everything resolved, so that it reproduces the run."""
        with open_text(os.path.join(self.path, "experiment.toml")) as file:
            return str(file.read())

    def _of(self, name: str, *keys: str) -> Any:
        path = os.path.join(self.path, name)
        return _field(self._once(name, lambda: _json(path)), path, *keys)

    def _of_summary(self, *keys: str) -> Any:
        return self._of("summary.json", *keys)

    def _once(self, key: str, make: Any) -> Any:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    @property
    def summary(self) -> Dict[str, Optional[float]]:
        """The headline figures by name, which ends with the unit; None = not defined."""
        return {name: _number(value) for name, value in self._of_summary("figures").items()}

    @property
    def end(self) -> Dict[str, Any]:
        """How the run ended: kind, step, time_s, quantity, reason, seconds of computing."""
        return dict(self._of_summary("outcome"))

    @property
    def events(self) -> List[Event]:
        """What happened on the way."""
        return [Event(float(event["time_s"]), event["what"]) for event in self._of_summary("events")]

    @property
    def unmet(self) -> List[Unmet]:
        """Constraints that are violated at the end, the worst first."""
        return [Unmet(one["name"], float(one["size"]), one["unit"])
                for one in self._of_summary("unmet_constraints")]

    @property
    def translation(self) -> List[Translated]:
        """What the formulation did with each element of the scene."""
        return [Translated(one["element"], one["fidelity"], one["reason"])
                for one in self._of("translation.json", "elements")]

    @property
    def warnings(self) -> List[str]:
        """What the formulation warned of before the run."""
        return list(self._of("translation.json", "warnings"))

    @property
    def findings(self) -> List[Dict[str, Any]]:
        """Tables with title, columns, rows and remark."""
        return list(self._of("translation.json").get("findings", []))

    @property
    def columns(self) -> Dict[str, str]:
        """The columns of the series, in their order, with their units."""
        names, _ = self._table
        return {name: unit_of(name) for name in names}

    @property
    def _table(self) -> Tuple[List[str], np.ndarray[Any, Any]]:
        return self._once("series.csv", self._read_table)  # type: ignore[no-any-return]

    def _read_table(self) -> Tuple[List[str], np.ndarray[Any, Any]]:
        import csv

        import numpy as np
        path = os.path.join(self.path, "series.csv")
        try:
            with open_text(path) as file:
                rows = csv.reader(file)
                names = next(rows)
                numbers = [[float(cell) if cell else np.nan for cell in row] for row in rows]
            table = np.array(numbers, dtype=np.float64).reshape(len(numbers), len(names))
        except (OSError, ValueError, StopIteration) as error:
            raise BadInput(f"{path}: damaged: {error}") from error
        return names, table

    @property
    def series(self) -> Any:
        """One row for each recorded time.

        A pandas DataFrame whose ``attrs["units"]`` has the unit of each column; without pandas a NumPy record array
        with the same columns. NaN = not defined. Names carry units: ``total_energy_J``.
        """
        return self._once("series", self._make_series)

    def _make_series(self) -> Any:
        names, table = self._table
        try:
            import pandas
        except ImportError:
            return self.records
        frame = pandas.DataFrame(table, columns=names)
        frame.attrs["units"] = self.columns
        return frame

    @property
    def records(self) -> Any:
        """The series as a NumPy record array, with or without pandas."""
        import numpy as np
        names, table = self._table
        return np.rec.fromarrays(list(table.T.copy()), dtype=[(name, np.float64) for name in names])

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """The values of one column; NaN = not defined. Raises BadInput with a did-you-mean."""
        names, table = self._table
        if name not in names:
            raise BadInput(f"{self.path}: the series has no column '{name}'; "
                           f"{nearest(name, names) or 'run.columns lists them'}")
        return table[:, names.index(name)]

    @property
    def h5(self) -> Any:
        """points.h5 as an open h5py.File, for slices that read no more than they need."""
        if self._h5 is None:
            h5py = optional("h5py", "reading points")
            try:
                self._h5 = h5py.File(os.path.join(self.path, "points.h5"), "r")
            except OSError as error:
                raise BadInput(f"{os.path.join(self.path, 'points.h5')}: damaged: {error}") from error
        return self._h5

    def _data(self, name: str) -> Any:
        if name not in self.h5:
            raise BadInput(f"{os.path.join(self.path, 'points.h5')}: damaged: it has no data set '{name}'")
        return self.h5[name]

    def _mapped(self, name: str) -> np.ndarray[Any, Any]:
        """The data set as a read-only array in mapped memory.

        Bundles are compressed: the first use decompresses into a file without a name in the folder of temporary files,
        which the system removes with the array. One that is not compressed is mapped as it lies in points.h5.
        """
        import tempfile

        import numpy as np
        data = self._data(name)
        if 0 in data.shape:
            return np.zeros(data.shape)
        offset = data.id.get_offset()
        if offset is not None and not data.compression:
            return np.memmap(data.file.filename, data.dtype, "r", offset, data.shape)
        with tempfile.TemporaryFile() as file:
            target = np.memmap(file, data.dtype, "w+", 0, data.shape)
            data.read_direct(target)
            target.flush()
            return np.memmap(file, data.dtype, "r", 0, data.shape)

    @property
    def time(self) -> np.ndarray[Any, Any]:
        """T, the recorded times [s]."""
        return self._once("time", lambda: self._data("time")[:])  # type: ignore[no-any-return]

    @property
    def points(self) -> np.ndarray[Any, Any]:
        """T×n×3, world positions [m]: read-only, in mapped memory, not in the heap of Python."""
        return self._once("points", lambda: self._mapped("points"))  # type: ignore[no-any-return]

    @property
    def velocities(self) -> Optional[np.ndarray[Any, Any]]:
        """T×n×3 [m/s], as points; None where the formulation has none."""
        if "velocities" not in self.h5:
            return None
        return self._once("velocities", lambda: self._mapped("velocities"))  # type: ignore[no-any-return]

    @property
    def state(self) -> np.ndarray[Any, Any]:
        """T×dof: what Simulation.save() gives; restore() goes on from a row of it."""
        return self._once("state", lambda: self._mapped("state"))  # type: ignore[no-any-return]

    @property
    def arrays(self) -> Dict[str, Any]:
        """Arrays of the formulation that [run] record kept: "group/name" → h5py data set, T×rows×columns."""
        found: Dict[str, Any] = {}
        for group, item in self.h5.items():
            if hasattr(item, "items"):
                for name, data in item.items():
                    found[f"{group}/{name}"] = data
        return found

    def verify(self) -> None:
        """Compares every file with the SHA-256 in the manifest. Raises BadInput for the first that differs."""
        import hashlib
        for name, digest in self.manifest["sha256"].items():
            path = os.path.join(self.path, name)
            sha = hashlib.sha256()
            try:
                with open(path, "rb") as file:
                    for block in iter(lambda: file.read(1 << 20), b""):
                        sha.update(block)
            except OSError as error:
                raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
            if sha.hexdigest() != digest:
                raise BadInput(f"{path}: differs from what was written: its SHA-256 is not that of manifest.json")

    def inspect(self, time: Optional[float] = None) -> Any:
        """The vectors and matrices of the formulation at the recorded time nearest to `time` (default: the last).

        Returns:
            pliant.Inspection: ``.time`` [s], and pliant.Array by "group/name", as `pliant inspect` prints them.
        """
        require_time(time)
        from .simulation import Inspection, arrays_of
        at, arrays = native().inspect(self.path, time)
        return Inspection(at, arrays_of(arrays))

    def reproduce(self, progress: bool = False) -> str:
        """Runs it again: "identical", "within tolerance" or "different"."""
        from ._progress import listener_of
        return str(native().reproduce(self.path, listener_of(progress))["verdict"])

    def export(self, format: str, out: Optional[str] = None) -> str:
        """Writes all frames for another program ("vtk", "xdmf", "obj", "csv"); returns the file to open."""
        return str(native().export(self.path, format, out or f"{self.path.rstrip('/')}-{format}"))

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Columns over time in the colour of the formulation. Returns the Matplotlib axes."""
        from .show import plot_run
        return plot_run(self, columns or ("total_energy_J",), ax)

    def frame(self, time: Optional[float] = None, ax: Any = None) -> Any:
        """The scene at the recorded time nearest to `time` [s] (default: the last). Returns the axes."""
        from .show import draw_frame
        return draw_frame(self, time, ax)

    def animate(self, speed: float = 1.0, fps: int = 25) -> Any:
        """The motion as a matplotlib.animation.FuncAnimation; `speed` 1 is real time."""
        from .show import animate
        return animate(self, speed, fps)


def require_time(time: Optional[float]) -> None:
    import math
    if time is not None and not math.isfinite(time):
        raise BadInput(f"the time is {time}; give a time in s, or None for the last")
