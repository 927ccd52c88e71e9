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
from pliant._native import native

H = 0.0005
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
N = 20000


def median(work, clock=time.thread_time):
    """Median seconds of a call, of ROUNDS: of this thread on a processor, whatever else the machine does."""
    times = []
    for _ in range(ROUNDS):
        began = clock()
        work()
        times.append(clock() - began)
    return statistics.median(times)


def medians(*works):
    """Median µs of one of the N pieces of each work, of ROUNDS: one after the other in each round, so that what else the
    machine does falls on all of them."""
    times = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, took in zip(works, times):
            began = time.thread_time()
            work()
            took.append(1e6 * (time.thread_time() - began) / N)
    return [statistics.median(took) for took in times]


def start(label):
    """A simulation that is taken back to its start before each measurement."""
    simulation = pliant.load("pendulum").translate(label)
    return simulation, simulation.save()


def clocks():
    """Wall time and the time that this thread waited for a processor that others had [s]."""
    with open(f"/proc/self/task/{threading.get_native_id()}/schedstat") as file:
        return time.perf_counter(), 1e-9 * int(file.read().split()[1])


def undisturbed(work):
    """Seconds that a call takes when no other program wants the processors: waits for locks count."""
    began = clocks()
    work()
    ended = clocks()
    return (ended[0] - began[0]) - (ended[1] - began[1])


def two_threads():
    """What two threads with a simulation each gain, by how the steps are asked for."""
    print(f"\ntwo simulations, one after the other / in two threads, without the load of others ({os.cpu_count()} processors)")
    print(f"{'scene':<10} {'backend':<20} {'step':>8}  {'advance(h, n)':>14} {'advance(h)':>11} {'and observe()':>14}")
    for scene, label, h, n in (("pendulum", "linear-deformation", H, 400000), ("pendulum", "dynamic-ffd", H, 200000),
                               ("press", "linear-deformation", 1e-3, 8000), ("hang", "linear-deformation", 1e-3, 2000)):
        experiment = pliant.load(scene)
        pairs = [(simulation, simulation.save()) for simulation in [experiment.translate(label) for _ in range(2)]]

        def together(simulation):
            simulation.advance(h, n)

        def singly(simulation):
            for _ in range(n):
                simulation.advance(h)

        def looking(simulation):
            for _ in range(n):
                simulation.advance(h)
                simulation.observe()
        gains = []
        for work in (together, singly, looking):
            ratios = []
            for _ in range(min(ROUNDS, 5)):
                for simulation, state in pairs:
                    simulation.restore(state)
                alone = [undisturbed(lambda: work(simulation)) for simulation, _ in pairs]
                at_once = []
                for simulation, state in pairs:
                    simulation.restore(state)
                threads = [threading.Thread(target=lambda s=simulation: at_once.append(undisturbed(lambda: work(s))))
                           for simulation, _ in pairs]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                ratios.append(sum(alone) / max(at_once))
                if work is together:
                    step = 1e6 * alone[0] / n
            gains.append(statistics.median(ratios))
        print(f"{scene:<10} {label:<20} {step:5.1f} µs  {gains[0]:13.2f}× {gains[1]:10.2f}× {gains[2]:13.2f}×", flush=True)


def main():
    print(f"{'pendulum':<26} {'step in C++':>12} {'from Python':>12} {'added':>8} {'observe in C++':>15} {'from Python':>12} {'added':>8}"
          "  [µs]   steps/s from Python")
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

        def natively():
            native().observe_natively(simulation._made_of[0], label, N)
        one, many, in_cpp, seen = medians(together, singly, natively, looking)
        print(f"{label:<26} {one:12.3f} {many:12.3f} {many - one:8.3f} {in_cpp:15.3f} {seen:12.3f} {seen - in_cpp:8.3f}"
              f"         {1e6 / many:10.0f}")

    two_threads()
    label = "linear-deformation"
    print()
    for threads in (1, 2):
        batch = pliant.batch(pliant.load("pendulum"), 64, label, threads)
        seconds = median(lambda: batch.advance(H, 20000), time.perf_counter)
        print(f"batch of 64, {threads} threads: {64 * 20000 / seconds:.0f} steps/s")

    code = "import time; t = time.process_time(); import pliant; print(time.process_time() - t)"
    imports = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
               for _ in range(ROUNDS)]
    print(f"import pliant: {statistics.median(imports):.3f} s")


if __name__ == "__main__":
    main()
