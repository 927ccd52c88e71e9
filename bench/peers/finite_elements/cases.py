"""The scenes: a block of (nx, ny, nz) quadratic hexahedra along x, clamped at x = 0, under its weight along −z."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    size: tuple                # m
    elements: tuple            # of rung 1; rung k has k times as many each way
    youngs_modulus: float      # Pa
    gravity: float             # m/s²
    law: str                   # linear or st-venant-kirchhoff: the two that all three programs have
    rungs: tuple
    finest: tuple              # three for the limit, run once
    duration: float = 0.0      # s; 0: statics
    steps: int = 0             # of rung 1; rung k has k times as many
    poisson_ratio: float = 0.3
    density: float = 1000.0    # kg/m³

    def grid(self, k):
        return tuple(round(k * n) for n in self.elements)

    def step_count(self, k):
        return round(k * self.steps)

    @property
    def tip(self):
        """A corner of the free face, whose displacement along z is compared."""
        return (self.size[0], 0.0, 0.0)

    @property
    def times(self):
        """Where motions are compared."""
        return tuple(self.duration * (i + 1) / 8 for i in range(8))


CASES = (
    Case("sag", (1.0, 0.25, 0.2), (5, 2, 2), 1e6, 1e-3, "linear", rungs=(1, 2, 3, 4), finest=(2, 4, 6)),
    Case("bend", (1.0, 0.05, 0.05), (10, 2, 2), 1e6, 2.0, "st-venant-kirchhoff", rungs=(1, 2, 3), finest=(1, 2, 3)),
    Case("swing", (1.0, 0.25, 0.2), (4, 2, 2), 1e6, 2.0, "st-venant-kirchhoff", rungs=(1, 1.5, 2), finest=(1, 2, 2.5),
         duration=1.0, steps=32),
)
