"""What Python adds to a step and to an observation, and what threads and batches gain: medians.

    ./pliant python bench/python_bench.py [ROUNDS]

The scene is experiments/pendulum.toml: its steps are so short that every microsecond of Python shows.
"""
import os
import statistics
import subprocess
import sys
import threading
import time

import pliant

H = 0.0005
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
N = 20000


def median(work):
    """Median seconds of a call, of ROUNDS."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def start(label):
    """A simulation that is taken back to its start before each measurement."""
    simulation = pliant.load("pendulum").translate(label)
    return simulation, simulation.save()


def main():
    print(f"{'pendulum':<26} {'step in C++':>12} {'from Python':>12} {'added':>8} {'observe':>8}  [µs]   steps/s from Python")
    for label in [checked.label for checked in pliant.load("pendulum").check() if checked.runs]:
        simulation, state = start(label)
        advance, observe = simulation.advance, simulation.observe

        def together():
            simulation.restore(state)
            advance(H, N)

        def singly():
            simulation.restore(state)
            for _ in range(N):
                advance(H)

        def looking():
            for _ in range(N):
                observe()
        one, many, seen = median(together) / N, median(singly) / N, median(looking) / N
        print(f"{label:<26} {1e6 * one:12.3f} {1e6 * many:12.3f} {1e6 * (many - one):8.3f} {1e6 * seen:8.3f}"
              f"         {1 / many:10.0f}")

    label = "linear-deformation"
    pairs = [start(label) for _ in range(2)]

    def alone():
        for simulation, state in pairs:
            simulation.restore(state)
            simulation.advance(H, 100 * N)

    def at_once():
        for simulation, state in pairs:
            simulation.restore(state)
        threads = [threading.Thread(target=simulation.advance, args=(H, 100 * N)) for simulation, _ in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"\ntwo simulations: one after the other {median(alone):.3f} s, in two threads {median(at_once):.3f} s"
          f" ({os.cpu_count()} processors)")

    for threads in (1, 2):
        batch = pliant.batch(pliant.load("pendulum"), 64, label, threads)
        seconds = median(lambda: batch.advance(H, 200))
        print(f"batch of 64, {threads} threads: {64 * 200 / seconds:.0f} steps/s")

    code = "import time; t = time.perf_counter(); import pliant; print(time.perf_counter() - t)"
    imports = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
               for _ in range(ROUNDS)]
    print(f"import pliant: {statistics.median(imports):.3f} s")


if __name__ == "__main__":
    main()
