"""Experiments: loaded, changed as a dict, checked, run, and everything else that the command line does with them."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import BadInput, NoSuchKey, Unsupported, nearest
from ._native import home, native
from ._progress import Listener, listener_of
from ._tables import Elements, Path, Table, plain, spelled
from .bundle import Run, Translated
from .results import Checked, Invariance, Refinement, Search, SeenOtherwise, Sweep, Verdicts
from .runs import Comparison, Runs

if TYPE_CHECKING:
    from .simulation import Batch, Simulation

Progress = Union[bool, Listener]
Out = Union[str, os.PathLike[str]]


class Experiment(Table):
    """A scene, backends and what is recorded, as a dict that can be changed, run and stepped.

    Keys are those of the file, with the scene in place: ``experiment["run"]["step"] = 0.001``,
    ``experiment["scene"]["obstacle"]["floor"]["friction"] = 0``.
    """

    def __init__(self, file: Union[str, os.PathLike[str]], overrides: Sequence[str] = (),
                 _keep: Any = None):
        self._keep = _keep  # the folder of a file that was written for this experiment
        self._load(os.fspath(file), list(overrides))
        super().__init__(self, ())

    def _load(self, file: str, overrides: List[str]) -> None:
        loaded = native().Experiment(file, overrides)
        self._loaded = loaded
        self._tree: Any = None

    def _value(self, path: Path) -> Any:
        if self._tree is None:
            self._tree = self._loaded.tree
        value = self._tree
        for i, part in enumerate(path):
            if isinstance(value, dict) and part in value:
                value = value[part]
                continue
            if isinstance(value, list):
                named = [one for one in value if isinstance(one, dict) and one.get("name") == part]
                if named:
                    value = named[0]
                    continue
                if part.isdigit() and int(part) < len(value):
                    value = value[int(part)]
                    continue
            known = list(value) if isinstance(value, dict) else [
                one.get("name", str(n)) for n, one in enumerate(value) if isinstance(one, dict)
            ] if isinstance(value, list) else []
            raise NoSuchKey(f"{spelled(path[:i])} has no '{part}'; {nearest(part, known)}".rstrip("; "))
        return value

    def _view(self, path: Path) -> Any:
        value = self._value(path)
        if isinstance(value, dict):
            return Table(self, path)
        if isinstance(value, list):
            return Elements(self, path)
        return value

    def _change(self, changes: Mapping[Path, Any], removed: Sequence[Path] = ()) -> None:
        """All of these at once: what is wrong only until the last of them is no mistake. A mistake changes nothing."""
        values = {path: plain(value) for path, value in changes.items()}
        # A table replaces a table, and a new backend is none of the file: no --set can do that.
        if removed or any(self._replaces(path, value) for path, value in values.items()):
            self._rewrite([list(path) for path in removed], [(list(path), value) for path, value in values.items()])
            return
        kept = list(self._loaded.overrides)
        for path, value in values.items():
            override = self._loaded.override(list(path), value)
            key = override.split("=", 1)[0]
            # What this change overwrites is left out, so that many changes of one value stay one.
            kept = [one for one in kept if one.split("=", 1)[0] != key and not one.startswith(key + ".")] + [override]
        try:
            self._load(self._loaded.file, kept)
        except BadInput as error:
            raise _in_python(error, list(values)) from None

    def _replaces(self, path: Path, value: Any) -> bool:
        if not path:
            raise TypeError("give the place of a value: experiment.set(\"run.step\", 0.001)")
        parent = self._value(path[:-1])
        if not isinstance(parent, (dict, list)):
            raise BadInput(f"{spelled(path[:-1])} is {parent!r}, which has no '{path[-1]}'")
        return isinstance(value, dict) or isinstance(parent, list) or any(set(".[]") & set(part) for part in path)

    def _rewrite(self, removed: List[List[str]], changes: List[Tuple[List[str], Any]]) -> None:
        try:
            other = loads(self._loaded.changed(removed, changes), self.name)
        except BadInput as error:
            raise _in_python(error, [tuple(path) for path in removed] + [tuple(path) for path, _ in changes]) from None
        self._keep, self._loaded, self._tree = other._keep, other._loaded, None

    def set(self, key: str, value: Any) -> None:
        """Changes one value by its dotted key, as after --set: ``experiment.set("run.step", 0.001)``."""
        self._change(_dotted({key: value}))

    @property
    def name(self) -> str:
        """Of the experiment: of its folder of bundles."""
        return str(self._loaded.name)

    @property
    def title(self) -> str:
        """One line."""
        return str(self._loaded.title)

    @property
    def description(self) -> str:
        """What the file says of itself."""
        return str(self._loaded.description)

    @property
    def file(self) -> str:
        """The file that it was read from, or the temporary one that holds its changes."""
        return str(self._loaded.file)

    @property
    def labels(self) -> List[str]:
        """The labels of the backends."""
        return list(self._loaded.labels)

    @property
    def bodies(self) -> List[Dict[str, Any]]:
        """Name, first column of its points, size, masses [kg], edges, faces and named points of each body."""
        return list(self._loaded.bodies)

    def bodies_of(self, label: str) -> List[Dict[str, Any]]:
        """The same of the scene that this backend runs, which may be a variant: the columns of its points.

        Raises:
            BadInput: there is no such backend; did you mean.
        """
        return list(self._loaded.bodies_of(label))

    def __repr__(self) -> str:
        return f"<pliant.Experiment {self.name!r}: {', '.join(self.labels)}>"

    def copy(self, name: Optional[str] = None) -> Experiment:
        """Another experiment that is the same and changes apart from this one.

        Args:
            name: another name, and so another folder of bundles.
        """
        if name is not None and name != self.name:
            return loads(self.toml(), name)
        return Experiment(self._loaded.file, self._loaded.overrides, self._keep)

    def __copy__(self) -> Experiment:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Experiment:
        return self.copy()

    def __reduce__(self) -> Any:
        # For another process: one text, with scene and data included.
        return loads, (self.toml(), self.name)

    def toml(self) -> str:
        """The whole experiment as one TOML text, scene and data included."""
        return str(self._loaded.toml())

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes toml() to a file that the command line reads."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.toml())

    def check(self) -> List[Checked]:
        """Validates everything and translates the scene for each backend; writes nothing.

        Raises:
            BadInput: with file, line and column.
        """
        return [Checked(one["label"], one["backend"], one["step"], one["runs"],
                        [Translated(*entry) for entry in one["record"]], one["warnings"],
                        [(what, step) for what, step in one["step_limits"]], one["findings"], one["losses"], one["variant"],
                        one["tables"])
                for one in self._loaded.check()]

    def run(self, backends: Union[str, Sequence[str]] = (), out: Optional[Out] = None, progress: Progress = True,
            load_steps: Optional[int] = None, overwrite: bool = False) -> Runs:
        """Runs backends one after the other and leaves their bundles, as `pliant run` does.

        Args:
            backends: their labels; all when empty.
            out: folder for the bundles: ``out/NAME/LABEL`` (default: runs). Where other runs of that name would be lost,
                of another experiment or another program, NAME gets a number (press-2): Runs.folder is what was written,
                and the bar says so.
            progress: a bar, or a function of (kind, text, fraction).
            load_steps: no motion: equilibria of finite-elements while the loads rise in so many steps, as
                `pliant run --static --load-steps N` does; `backends` has no meaning then.
            overwrite: replace other runs of the name instead.

        Returns:
            The runs by label. A run that diverged or refuses the scene is a result: see Run.outcome.

        Raises:
            BadInput: a wrong parameter, before anything runs.
            StorageError: a bundle could not be written.
            KeyboardInterrupt: Ctrl-C; the run under way has left a bundle whose outcome is "cancelled".
        """
        made = native().run(self._loaded, _labels(backends), _out(out), load_steps, overwrite, listener_of(progress))
        return Runs([Run(one["bundle"]) for one in made["runs"] if one["bundle"]], made["folder"])

    def compare(self, backends: Union[str, Sequence[str]] = (), out: Optional[Out] = None, progress: Progress = True,
                refined: bool = False, overwrite: bool = False) -> Comparison:
        """Runs backends as run() does, and compares them: the table and plots of `pliant compare`.

        Args:
            refined: also run the ladder of [refine], and put the limit of each figure beside it in the text.
        """
        runs = self.run(backends, out, progress, overwrite=overwrite)
        limits = native().limits(self._loaded, _labels(backends), os.path.join(_out(out), "refined"),
                                 listener_of(progress)) if refined else None
        return Comparison(list(runs.values()), runs.folder, limits)

    def sweep(self, backends: Union[str, Sequence[str]] = (), out: Optional[Out] = None, jobs: int = 1,
              resume: bool = False, progress: Progress = True, overwrite: bool = False) -> Sweep:
        """Runs every point of [sweep], `jobs` runs at a time, as `pliant sweep` does.

        Args:
            resume: keep whole bundles of points that have not changed, and replace the others.
            overwrite: replace all. With neither, nothing that is there is lost: see run().
        """
        return Sweep(native().sweep(self._loaded, _labels(backends), _out(out), jobs, resume, overwrite,
                                    listener_of(progress)))

    def optimize(self, out: Optional[Out] = None, threads: Optional[int] = None, resume: bool = False,
                 progress: Progress = True, overwrite: bool = False) -> Search:
        """Searches the numbers of [optimize], as `pliant optimize` does.

        Args:
            resume: go on where the search of this name was stopped.
            overwrite: replace it. With neither, a new search gets a name of its own: Search.folder.
        """
        return Search(native().optimize(self._loaded, _out(out), threads, resume, overwrite, listener_of(progress)))

    def refine(self, axes: Sequence[str] = (), joint: bool = False, levels: Optional[int] = None,
               coarser: Optional[int] = None, ratio: Optional[float] = None, backends: Union[str, Sequence[str]] = (),
               out: Optional[Out] = None, jobs: Optional[int] = None,
               progress: Progress = True) -> Dict[str, Refinement]:
        """Runs ladders of finer runs, as `pliant refine` does; what each says, by axis."""
        choice = native().LadderChoice(_labels(axes, "axes"), joint, levels, coarser, ratio)
        made = native().refine(self._loaded, _labels(backends), _out(out, os.path.join("runs", "refined")), choice,
                               jobs, listener_of(progress))
        return {axis: Refinement(**one) for axis, one in made.items()}

    def verify(self, quick: bool = False, axes: Sequence[str] = (), joint: bool = False,
               levels: Optional[int] = None, coarser: Optional[int] = None, ratio: Optional[float] = None,
               out: Optional[Out] = None, jobs: Optional[int] = None, progress: Progress = True) -> Verdicts:
        """Says of each [[claim]] whether it holds in the limit, as `pliant verify` does."""
        choice = native().LadderChoice(_labels(axes, "axes"), joint, levels, coarser, ratio)
        made = native().verify(self._loaded, _out(out, os.path.join("runs", "refined")), choice, quick, jobs,
                               listener_of(progress))
        return Verdicts(made["verdicts"], made["text"], made["json"])

    def invariance(self, backends: Union[str, Sequence[str]] = (), short: bool = False,
                   progress: Progress = True) -> Dict[str, Invariance]:
        """Whether the motion is the same where the scene is mirrored, rotated, renumbered, in other units and so on.

        What `pliant verify --invariance` says, by label; `short`: of the first few records only.
        """
        made = native().invariance(self._loaded, _labels(backends), short, listener_of(progress))
        return {label: Invariance(one["refused"], [SeenOtherwise(*view) for view in one["views"]], one["losses"],
                                  one["warnings"]) for label, one in made.items()}

    def yardstick(self, out: Optional[Out] = None, jobs: Optional[int] = None,
                  progress: Progress = True) -> Dict[str, Any]:
        """The converged solution by finite elements, as `pliant yardstick` keeps it."""
        return dict(native().yardstick(self._loaded, _out(out), jobs, listener_of(progress)))

    def translate(self, label: str, constraint_forces: bool = False) -> Simulation:
        """The scene as a simulation of one backend, to be advanced step by step: pliant.Simulation.

        Args:
            label: of the backend in this experiment.
            constraint_forces: keep at each step what constraint_forces() needs.

        Raises:
            Unsupported: the formulation refuses the scene.
            BadInput: there is no such backend, or a parameter does not fit the scene.
        """
        from .simulation import Simulation
        if not isinstance(label, str):
            raise TypeError(f"the label of a backend is a text, one of {self.labels}, not {label!r}")
        simulation = Simulation(self._loaded, label, constraint_forces)
        if simulation.refused:
            raise Unsupported(f"{simulation.backend} refuses {self.name}: {simulation.why_refused}")
        return simulation


def _labels(labels: Any, what: str = "labels of backends") -> List[str]:
    given = [labels] if isinstance(labels, str) else list(labels) if isinstance(labels, Iterable) else [labels]
    if not all(isinstance(one, str) for one in given):
        raise TypeError(f"{what} are texts: one, or a list of them; not {labels!r}")
    return given


def _out(out: Optional[Out], default: str = "runs") -> str:
    return default if out is None else os.fspath(out)


def _in_python(error: BadInput, paths: Sequence[Path]) -> BadInput:
    """The sentence for a change in Python instead of one after --set; several changes name no one of them."""
    text, set_by = str(error), ""
    if text.startswith("--set "):
        set_by, _, text = text.partition(": ")
    else:
        text = error.what
    if text.startswith("experiment"):
        return BadInput(text)
    key = set_by[len("--set "):].split("=", 1)[0]
    named = [path for path in paths if ".".join(path) == key] or list(paths)
    place = named[0] if len(named) == 1 else _common(named)
    return BadInput(f"{spelled(place)}: {text}")


def _common(paths: Sequence[Path]) -> Path:
    return tuple(os.path.commonprefix([list(path[:-1]) for path in paths]))


def _dotted(changes: Mapping[str, Any]) -> Dict[Path, Any]:
    """Keys as after --set: "run.step"."""
    if not isinstance(changes, Mapping):
        raise TypeError(f"changes are a dict such as {{'run.step': 0.001}}, not {type(changes).__name__}")
    for key in changes:
        if not isinstance(key, str):
            raise TypeError(f"a dotted key is a text such as 'run.step', not {key!r}")
    return {tuple(key.split(".")): value for key, value in changes.items()}


def load(file: Union[str, os.PathLike[str]], set: Optional[Mapping[str, Any]] = None) -> Experiment:
    """Reads and validates an experiment.

    Args:
        file: a TOML file, or the name of an experiment that ships: "press".
        set: changes by dotted key, as after --set: ``{"run.step": 0.001}``.

    Raises:
        BadInput: with file, line and column of the mistake.
    """
    experiment = Experiment(native().find_experiment(os.fspath(file), home()))
    if set:
        experiment._change(_dotted(set))
    return experiment


def loads(toml: str, name: str = "experiment") -> Experiment:
    """An experiment from TOML text. Names of files in it are relative to the present folder.

    Raises:
        BadInput: with the line and column in the text; ``error.file`` is `name`.
    """
    for what, value in (("TOML", toml), ("the name of an experiment", name)):
        if not isinstance(value, str):
            raise TypeError(f"{what} is a text, not {type(value).__name__}; load() reads files")
    if not name or "/" in name or name.startswith("."):
        raise BadInput(f"the name is '{name}'; it is that of a folder of bundles: not empty, without '/', no '.' first")
    whole = native().self_contained(toml, name, os.getcwd())
    folder = _Folder()
    file = os.path.join(folder.path, f"{name}.toml")
    with open(file, "w", encoding="utf-8") as target:
        target.write(whole)
    return Experiment(file, (), folder)


class _Folder:
    """A temporary folder, removed with this object by the process that made it (not by a fork of it)."""

    def __init__(self) -> None:
        import tempfile
        import weakref
        self.path = tempfile.mkdtemp(prefix="pliant-")
        weakref.finalize(self, _remove, self.path, os.getpid())


def _remove(folder: str, made_by: int) -> None:
    if os.getpid() == made_by:
        import shutil
        shutil.rmtree(folder, ignore_errors=True)


def experiments() -> Dict[str, str]:
    """The experiments that ship: what each shows, by name."""
    return {name: summary for name, _, _, summary in native().experiments(home())}


def backends() -> Dict[str, str]:
    """The formulations: how each deforms, by name."""
    return dict(native().backends())


def parameters(backend: str) -> List[Dict[str, Any]]:
    """Name, unit, meaning, default and choices of each parameter of a formulation."""
    return list(native().parameters(backend))


def batch(experiment: Experiment, n: int, backend: Optional[str] = None,
          threads: Optional[int] = None) -> Batch:
    """`n` states of one translation, advanced by one call over the processors: pliant.Batch.

    Args:
        backend: its label (default: the first of the experiment).
        threads: default: as many as the machine has. Their number changes no result.
    """
    from .simulation import Batch
    if not isinstance(experiment, Experiment):
        raise TypeError(f"a batch is made of an experiment that load() gave, not of {type(experiment).__name__}")
    made = Batch(experiment._loaded, backend or experiment.labels[0], n, threads)
    if made.why_refused:
        raise Unsupported(f"{backend or experiment.labels[0]} refuses {experiment.name}: {made.why_refused}")
    return made
