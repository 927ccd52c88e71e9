"""Simulations step by step. Imported when one is made: needs the compiled module."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Sequence, Union

import numpy as np

from ._errors import BadInput
from ._native import native, optional
from .bundle import Event, Translated, Unmet

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from . import _pliant as _module
else:
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
    values: np.ndarray[Any, Any]  #: rows×columns, float64, Fortran order

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

    As a context manager it releases at the end. Several hands may hold points at once.
    """

    def __init__(self, simulation: Simulation, target: np.ndarray[Any, Any], number: int):
        self._simulation = simulation
        self._target = target
        self._number = number

    @property
    def holds(self) -> bool:
        """False once it was released, or its simulation refused it."""
        return self._simulation.holds(self._number)

    def _require_holding(self) -> None:
        if not self.holds:
            raise RuntimeError("this hand holds no point any more")

    @property
    def target(self) -> np.ndarray[Any, Any]:
        """Where it pulls to: 3 coordinates [m], a copy. Set 3, in planar scenes 2 or 3.

        Raises, when it is set:
            BadInput: another number of coordinates, not finite, or out of the plane of a planar scene.
            RuntimeError: it was released.
        """
        return self._target.copy()

    @target.setter
    def target(self, target: ArrayLike) -> None:
        self._require_holding()
        vector = self._simulation._place(target)
        self._simulation.move_hand(self._number, vector)
        self._target = vector

    def release(self) -> None:
        """Lets go: a spring ends, a nail stays where it is. Raises RuntimeError when it was released before."""
        self._require_holding()
        self._simulation.release(self._number)

    def __enter__(self) -> Hand:
        return self

    def __exit__(self, *_: Any) -> None:
        if self.holds:
            self.release()


def _again(toml: str, name: str, label: str, constraint_forces: bool, state: np.ndarray[Any, Any]) -> Simulation:
    """A simulation that another process sent, or the copy of one."""
    from .experiment import loads
    experiment = loads(toml, name)
    simulation = Simulation(experiment._loaded, label, constraint_forces)
    simulation._keep = experiment
    simulation.restore(state)
    return simulation


class Simulation(_module.Simulation):
    """A backend with a state. Made by ``experiment.translate(label)``.

    Nothing resets it: a step that diverges says so, and only restore() leads on from there. It can be copied and
    pickled: what is sent to another process is its experiment and its state.
    """

    _keep: Any = None  # the experiment of a copy

    def __init__(self, loaded: Any, label: str, constraint_forces: bool = False):
        super().__init__(loaded, label, constraint_forces)
        self._made_of = (loaded, label, constraint_forces)
        self._had_hands = False

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

    def _place(self, target: ArrayLike) -> np.ndarray[Any, Any]:
        planar = self._made_of[0].dimension_of(self._made_of[1]) == 2
        coordinates = "3 coordinates [m]" + (", or 2: the scene is planar" if planar else "")
        try:
            given = np.array(target, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"the target is {target!r}; give {coordinates}") from None
        if given.shape != (3,) and not (planar and given.shape == (2,)):
            raise BadInput(f"the target has shape {given.shape}; give {coordinates}")
        vector = np.zeros(3)
        vector[:len(given)] = given
        if planar and vector[2] != 0.0:
            raise BadInput(f"the target is at z = {vector[2]:g} m; the scene is planar: z is 0")
        return vector

    def _take_hold(self, body: str, point: Union[int, str], kind: str, strength: float, target: ArrayLike) -> Hand:
        vector = self._place(target)
        number = self.hold(body, point, kind, strength, vector)
        self._had_hands = True
        return Hand(self, vector, number)

    def hand(self, body: str, point: Union[int, str], target: ArrayLike, stiffness: float = 20.0) -> Hand:
        """A spring between a point and a target that Python moves; it becomes a [[force]] of the scene.

        Args:
            point: its number in the body, or its name.
            target: 3 (planar scenes: 2) coordinates [m].
            stiffness: N/m.

        Raises:
            BadInput: there is no such body or point (did you mean), or the target or stiffness is none; at the next
                step: the formulation refuses the force.

        Each step makes the force longer and translates the scene again: meant for hundreds of steps, not for millions.
        """
        return self._take_hold(body, point, "spring", stiffness, target)

    def nail(self, body: str, point: Union[int, str], target: ArrayLike, lead: float = 0.3) -> Hand:
        """A nail that takes hold within `lead` seconds and then follows the target that much later.

        It becomes a [[nail]] of the scene, which stays where it is when the hand is released. At the next step the
        motion so far is made again with the nail in the scene, once.

        Raises:
            BadInput: as hand(); at the next step: the formulation refuses the nail, or a state was restored before and
                states have another size with a new nail.
        """
        return self._take_hold(body, point, "nail", lead, target)

    def copy(self) -> Simulation:
        """Another simulation in the same state. Raises RuntimeError while a hand holds a point."""
        self._require_no_hand("copy()")
        loaded, label, forces = self._made_of
        if self._had_hands:
            return _again(self.toml(), loaded.name, label, forces, self.save())
        other = Simulation(loaded, label, forces)
        other._keep = self._keep
        other.restore(self.save())
        return other

    def _require_no_hand(self, before: str) -> None:
        if self.holding:
            raise RuntimeError(f"a hand holds a point; release() it before {before}")

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Simulation:
        return self.copy()

    def __reduce__(self) -> Any:
        self._require_no_hand("it is pickled")
        loaded, label, forces = self._made_of
        return _again, (self.toml(), loaded.name, label, forces, self.save())


class Batch(_module.Batch):
    """Many states of one translation. Made by ``pliant.batch(experiment, n)``.

    ``states`` is dof×n (Fortran order): a column is what Simulation.save() gives, and may be written. ``advance(h,
    steps)`` makes steps of all of them and returns n codes: 0 advanced, 1 not converged, 2 diverged. A state that
    diverged is NaN until it is written again. ``observe()`` gives time n, points 3×N×n, velocities 3×N×n and
    elastic_energy n, or None where not defined. The number of threads changes no bit.
    """

    def __repr__(self) -> str:
        return f"<pliant.Batch of {len(self)} states, {self.threads} threads>"
