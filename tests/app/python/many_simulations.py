"""Makes, uses and drops simulations, for a tool that watches memory: `.ci/sanitize valgrind`.

    python3 many_simulations.py [N]
"""
import gc
import sys

import numpy as np

import pliant

H = 0.0005


def main(n):
    experiment = pliant.load("pendulum")
    kept, total = [], 0.0
    for i in range(n):
        simulation = experiment.translate(("linear-deformation", "position-based")[i % 2])
        simulation.advance(H)
        kept.append((simulation.observe().points, simulation.save()))
        if i % 100 == 0:
            simulation.restore(kept[-1][1])
            first = simulation.hand("lower", "end", (2.0, 0.5))
            second = simulation.hand("upper", 1, (1.0, 0.5))
            simulation.advance(H, 2)
            first.release()
            second.release()
            simulation.arrays("")
            simulation.measure()
            batch = pliant.batch(experiment, 3, "linear-deformation", 2)
            batch.advance(H)
            kept.append((batch.observe()["points"][:, :, 0], batch.states[:, 0]))
            del batch
        try:
            simulation.restore(np.zeros(1))
        except pliant.BadInput:
            pass
        del simulation
        if len(kept) > 50:  # arrays outlive what they show
            gc.collect(0)
            total += sum(float(points.sum() + state.sum()) for points, state in kept)
            kept.clear()
    print(f"{n} simulations made and dropped; {total:.6g}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10000)
