"""What the commands of an experiment return: check, sweep, optimize, refine, verify and invariance."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ._errors import BadInput
from ._native import optional
from .bundle import Run, Translated


class Checked(NamedTuple):
    """What a backend would do with the scene: what `pliant check` prints."""
    label: str
    backend: str
    step: float  #: s
    runs: bool  #: False: it refuses the scene
    record: List[Translated]
    warnings: List[str]
    step_limits: List[Tuple[str, float]]  #: what becomes unstable above which step [s]
    findings: List[Dict[str, Any]]
    losses: str
    variant: List[str] = []  #: what is otherwise in its scene, in words; empty: it runs the scene of the experiment
    tables: List[Dict[str, Any]] = []  #: rows on bodies, elements and paths of its variant that differ from the scene's


class Sweep:
    """The result of a sweep: a row for each backend at each point."""

    def __init__(self, made: Dict[str, Any]):
        #: sweep.csv.
        self.csv: str = made["csv"]
        self.folder: str = made["folder"]
        #: label, point, outcome, reason, bundle, kept of each run.
        self.runs: List[Dict[str, Any]] = made["runs"]
        self.problems: List[str] = made["problems"]
        #: Varied keys that have no effect on a backend, whose variant of the scene sets them itself.
        self.warnings: List[str] = made["warnings"]

    @property
    def table(self) -> Any:
        """sweep.csv as a pandas DataFrame; NaN = not defined."""
        return optional("pandas", "a table").read_csv(self.csv, float_precision="round_trip")

    def open(self, point: str, label: str) -> Run:
        """The run of a backend at a point."""
        for one in self.runs:
            if one["point"] == point and one["label"] == label:
                return Run(one["bundle"])
        raise BadInput(f"the sweep has no run of '{label}' at '{point}'")


class Search:
    """The result of optimize: its folder, trials, and motions."""

    def __init__(self, made: Dict[str, Any]):
        self.outcome: str = made["outcome"]  #: completed, cancelled or failed
        self.folder: str = made["folder"]  #: empty when stopped before the first trial
        self.motions: Dict[str, Any] = made.get("motions", {})

    @property
    def history(self) -> Any:
        """Every trial of every search, as a pandas DataFrame."""
        return optional("pandas", "a table").read_csv(os.path.join(self.folder, "history.csv"),
                                                        float_precision="round_trip")

    @property
    def start(self) -> Run:
        """The motion with which the searches began."""
        return Run(os.path.join(self.folder, "start"))

    @property
    def best(self) -> Run:
        """The best motion; its experiment.toml is an experiment of its own, to run, sweep and refine."""
        return Run(os.path.join(self.folder, "best"))

    @property
    def numbers(self) -> Dict[str, Dict[str, float]]:
        """The numbers that were varied, by name: start, best (without it where no trial made a motion), lower, upper."""
        with open(os.path.join(self.folder, "optimization.json"), encoding="utf-8") as file:
            kept = json.load(file)
        found = {name: {"lower": low, "upper": high}
                 for name, low, high in zip(kept["numbers"], kept["lower_bounds"], kept["upper_bounds"])}
        for motion in ("start", "best"):
            for name, value in (kept[motion] or {"numbers": {}})["numbers"].items():
                found[name][motion] = value
        return found

    def __repr__(self) -> str:
        return f"<Search {self.outcome}: {self.folder or 'no trial'}>"


class Refinement(NamedTuple):
    """What a ladder says of the limits."""
    json: str  #: the file with all of it
    text: str  #: as the command line prints it
    problems: List[str]


class Verdicts(NamedTuple):
    """Whether claims hold in the limit."""
    verdicts: List[Tuple[str, str]]  #: claim, and "holds", "fails", "cannot be told apart", …
    text: str
    json: str

    def hold(self) -> bool:
        """Do all of them hold?"""
        return all(verdict == "holds" for _, verdict in self.verdicts)


class SeenOtherwise(NamedTuple):
    """A run of the same scene, seen otherwise."""
    view: str  #: "mirrored in x", …
    sameness: str  #: "same", "chaotic", "explained", "differs", "not seen" (docs/claims.md)
    distance: Optional[float]  #: m, largest of a point at a recorded time; None = not seen
    since: Optional[float]  #: s, first time it is more than rounding
    why: str  #: of what is not seen, and of the cause of what is explained
    cause: Optional[str]  #: of what is explained: "casting", "the tolerance"
    otherwise: Optional[str]  #: what takes the cause away: "casting = nearest"
    without: Optional[float]  #: m, the distance without the cause


class Invariance(NamedTuple):
    """Whether the motion of a formulation depends on how its scene is written down."""
    refused: str  #: why the formulation does not run the scene; empty: it does
    views: List[SeenOtherwise]
    losses: str  #: of the formulation, and …
    warnings: List[str]  #: … of the translation: what may explain a difference

    def holds(self) -> bool:
        """Is no view different?"""
        return all(seen.sameness != "differs" for seen in self.views)
