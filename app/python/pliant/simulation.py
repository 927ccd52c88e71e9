"""Simulations step by step. Imported when one is made: needs the compiled module."""
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence

import numpy as np

from ._native import native, optional
from .runs import Event, Translated, Unmet

_module = native()
Observation = _module.Observation


class Array(NamedTuple):
    """A vector or matrix of a formulation, as `pliant inspect` prints it."""
    group: str
    name: str
    unit: str
    meaning: str
    rows: List[str]  #: labels; empty where numbers say enough
    columns: List[str]
    values: "np.ndarray[Any, Any]"  #: rows×columns, float64, Fortran order

    @property
    def sparse(self) -> Any:
        """The entries that are not zero, as a scipy.sparse.csc_matrix."""
        return optional("scipy.sparse", "a sparse matrix").csc_matrix(self.values)


class Inspection(NamedTuple):
    time: float  #: s
    arrays: Dict[str, Array]  #: by "group/name"


def arrays_of(arrays: Sequence[Mapping[str, Any]]) -> Dict[str, Array]:
    return {f"{one['group']}/{one['name']}": Array(**one) for one in arrays}


class StateBlock(NamedTuple):
    """A part of the state that save() gives."""
    first: int
    size: int
    unit: str
    name: str


class Hand:
    """A hand on a point. ``hand.target = x, y, z`` is where it pulls to from the next step on; release() lets go.

    As a context manager it releases at the end.
    """

    def __init__(self, simulation: "Simulation", target: "np.ndarray[Any, Any]"):
        self._simulation = simulation
        self._target = np.array(target, dtype=np.float64)

    @property
    def target(self) -> "np.ndarray[Any, Any]":
        return self._target.copy()

    @target.setter
    def target(self, target: Sequence[float]) -> None:
        self._simulation.move_hand(_vector(target))
        self._target = np.array(target, dtype=np.float64)

    def release(self) -> None:
        self._simulation.release()

    def __enter__(self) -> "Hand":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._simulation.holding:
            self.release()


def _vector(target: Sequence[float]) -> "np.ndarray[Any, Any]":
    vector = np.zeros(3)
    vector[:len(target)] = target
    return vector


class Simulation(_module.Simulation):  # type: ignore[misc, name-defined]
    """A backend with a state. Made by ``experiment.translate(label)``.

    Nothing resets it: a step that diverges says so, and only restore() leads on from there.
    """

    def __init__(self, loaded: Any, label: str, constraint_forces: bool = False):
        super().__init__(loaded, label, constraint_forces)
        self._made_of = (loaded, label, constraint_forces)
        self._hands = 0

    def __repr__(self) -> str:
        return f"<pliant.Simulation {self.label!r} at {self.time:g} s>"

    @property
    def record(self) -> List[Translated]:
        """What the formulation does with each element of the scene."""
        return [Translated(*entry) for entry in super().record]

    @property
    def events(self) -> List[Event]:
        """What happened so far: a body collapsed, an edge broke."""
        return [Event(*event) for event in super().events]

    @property
    def unmet(self) -> List[Unmet]:
        """Constraints that the present state violates beyond the tolerance, the worst first."""
        return [Unmet(*one) for one in super().unmet]

    @property
    def state_layout(self) -> List[StateBlock]:
        """What the numbers of save() are."""
        return [StateBlock(*block) for block in super().state_layout]

    def arrays(self, group: str = "") -> Dict[str, Array]:
        """The matrices and vectors of the present state (M, Q, h, S, λ, transfer operators …) by "group/name".

        Args:
            group: one of the groups that `pliant list backends` names; all when empty.

        Raises:
            BadInput: there is no such group; did you mean.
        """
        return arrays_of(super().arrays(group))

    def hand(self, body: str, point: Any, target: Sequence[float], stiffness: float = 20.0) -> Hand:
        """A spring between a point and a target that Python moves; it becomes a [[force]] of the scene.

        Args:
            point: its number in the body, or its name.
            target: 3 (planar scenes: 2) coordinates [m].
            stiffness: N/m.

        Each step makes the force longer and translates the scene again: meant for hundreds of steps, not for millions.
        """
        self.hold(body, point, "spring", stiffness, _vector(target))
        self._hands += 1
        return Hand(self, _vector(target))

    def nail(self, body: str, point: Any, target: Sequence[float], lead: float = 0.3) -> Hand:
        """A nail that takes hold within `lead` seconds and then follows the target that much later.

        It becomes a [[nail]] of the scene, which stays where it is when the hand is released. At the next step the
        motion so far is made again with the nail in the scene, once.

        Raises:
            BadInput (at the next step): the formulation refuses the nail, or a state was restored before and states
                have another size with a new nail.
        """
        self.hold(body, point, "nail", lead, _vector(target))
        self._hands += 1
        return Hand(self, _vector(target))

    def copy(self) -> "Simulation":
        """Another simulation in the same state."""
        if self.holding:
            raise RuntimeError("a hand holds a point; release() it before copy()")
        loaded, label, forces = self._made_of
        if self._hands:
            from .experiment import loads
            experiment = loads(self.toml(), loaded.name)
            other = Simulation(experiment._loaded, label, forces)
            other._keep = experiment
        else:
            other = Simulation(loaded, label, forces)
        other.restore(self.save())
        return other


class Batch(_module.Batch):  # type: ignore[misc, name-defined]
    """Many states of one translation. Made by ``pliant.batch(experiment, n)``.

    ``states`` is dof×n (Fortran order): a column is what Simulation.save() gives, and may be written. ``advance(h,
    steps)`` makes steps of all of them and returns n codes: 0 advanced, 1 not converged, 2 diverged. A state that
    diverged is NaN until it is written again. ``observe()`` gives time n, points 3×N×n, velocities 3×N×n and
    elastic_energy n, or None where not defined. The number of threads changes no bit.
    """
