"""Time at equal error of Pliant's finite elements, GetFEM (python3-getfem) and CalculiX (calculix-ccx) on the same scenes.

    python3 bench/peers/finite_elements PROGRAM [--repeats K] [--threads N] [--only CASE] [--finest RUNG]
                                            [--limits FILE]

PROGRAM is a built `pliant`. Every program runs each scene of cases.py on several meshes, in turns, K times (5); medians of the
CPU and wall time of the whole process count. The error of a run is its distance from the limit: the mean of what each program's
kind of elements are extrapolated to from three meshes, C hᵖ away. What is nearer than three times the spread of these is not told apart.
The last table has, at each error of Pliant, the time of the others, interpolated in log(time) over log(error), divided by
Pliant's. About an hour. `--limits FILE` keeps the limits, and takes them from there the next time.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import numpy

from cases import CASES
from programs import CalculiX, GetFEM, Pliant, launch


def run(program, case, rung, threads):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cpu, wall = launch(program.prepare(folder, case, rung), folder, threads)
        values, alone = program.read(folder, case)
    expected = len(case.times) if case.duration > 0.0 else 1
    if len(values) != expected:
        raise RuntimeError(f"{program.name}, {case.name}, rung {rung}: {len(values)} values of {expected}")
    return numpy.array(values), {"cpu": cpu, "wall": wall, "alone": alone.get("wall")}


def extrapolate(rungs, values):
    """v and p with v_k = v + C k^−p at the three rungs, p by least squares in [1, 4]."""
    best = None
    for p in numpy.linspace(1.0, 4.0, 301):
        matrix = numpy.column_stack([numpy.ones(len(rungs)), numpy.array(rungs, float) ** -p])
        fit, *_ = numpy.linalg.lstsq(matrix, numpy.array(values), rcond=None)
        left = numpy.sum((matrix @ fit - values) ** 2)
        if best is None or left < best[0]:
            best = left, fit[0], p
    return best[1], best[2]


def rms(values):
    return float(numpy.sqrt(numpy.mean(numpy.square(values))))


def limit_of(case, programs, threads):
    """GetFEM has the values of Pliant (27 nodes) and of C3D20 (20 nodes) to the digits that these print: one of each will do.
    locking_free comes to the limit from either side, with no order on so few meshes."""
    known = {"27, free": "27", "20": "C3D20"}
    programs = list({known.get(program.element, program.element): program for program in reversed(programs)}.values())
    limits = []
    for program in programs:
        values = [run(program, case, rung, threads)[0] for rung in case.finest]
        limit, order = extrapolate(case.finest, values)
        limits.append(limit)
        print(f"- {program.name}: {', '.join(f'{rms(v):.7g}' for v in values)} → {rms(limit):.7g} m, order {order:.2f}", flush=True)
    mean = numpy.mean(limits, axis=0)
    return mean, max(rms(limit - mean) for limit in limits)


def time_at(error, errors, times):
    """log–log between the rungs; None outside them."""
    order = numpy.argsort(errors)
    x, y = numpy.log(numpy.array(errors)[order]), numpy.log(numpy.array(times)[order])
    if not x[0] <= numpy.log(error) <= x[-1]:
        return None
    return float(numpy.exp(numpy.interp(numpy.log(error), x, y)))


def measure(case, rungs, programs, limit, repeats, threads):
    """{program: {rung: (error, {which: median s})}}"""
    runs = {}
    for _ in range(repeats):
        for rung in rungs:
            for program in programs:
                values, seconds = run(program, case, rung, threads)
                runs.setdefault(program.name, {}).setdefault(rung, []).append((rms(values - limit) / rms(limit), seconds))
    found = {}
    for name, rungs in runs.items():
        for rung, of in rungs.items():
            medians = {which: None if of[0][1][which] is None else statistics.median(s[which] for _, s in of)
                       for which in ("cpu", "wall", "alone")}
            found.setdefault(name, {})[rung] = (of[0][0], medians)
    return found


def text(value, form):
    return "–" if value is None else format(value, form)


def report(case, found, spread):
    print(f"\n| {case.name} | elements | error | CPU [s] | wall [s] | solution alone, wall [s] |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, rungs in found.items():
        for rung, (error, seconds) in rungs.items():
            told = "" if error > 3.0 * spread else " (not told apart)"
            print(f"| {name} | {' × '.join(map(str, case.grid(rung)))} | {100 * error:.3f} %{told} | "
                  + " | ".join(text(seconds[which], ".3f") for which in ("cpu", "wall", "alone")) + " |")
    ours = [name for name in found if name.startswith("Pliant")]
    others = [name for name in found if name not in ours]
    for name in ours:
        ratios(name, others, found, 3.0 * spread)


def ratios(ours, others, found, least):
    print(f"\n| their CPU / wall time over that of {ours}, at its error of | " + " | ".join(others) + " |")
    print("| --- |" + " --- |" * len(others))
    for error, seconds in found[ours].values():
        if error <= least:
            continue
        cells = []
        for name in others:
            errors = [e for e, _ in found[name].values()]
            found_at = [time_at(error, errors, [s[which] for _, s in found[name].values()]) for which in ("cpu", "wall")]
            cells.append(" / ".join(text(None if theirs is None else theirs / seconds[which], ".2f")
                                    for theirs, which in zip(found_at, ("cpu", "wall"))))
        print(f"| {100 * error:.3f} % | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--finest", type=float, default=float("inf"))
    parser.add_argument("--limits", type=pathlib.Path)
    options = parser.parse_args()
    peers = [CalculiX("C3D20"), CalculiX("C3D20R"), GetFEM("20"), GetFEM("27")]
    installed = [peer for peer in peers if not peer.missing()]
    if not installed:
        sys.exit("neither GetFEM nor CalculiX is installed: apt-get install python3-getfem calculix-ccx")
    programs = [Pliant(options.program), Pliant(options.program, locking_free=True), *installed]
    kept = json.loads(options.limits.read_text()) if options.limits and options.limits.exists() else {}
    print(f"Threads: {options.threads}. Medians of {options.repeats} runs of each, in turns.")
    for case in CASES:
        if options.only not in case.name:
            continue
        print(f"\n## {case.name}: {case.law}, {case.youngs_modulus:g} Pa, {case.gravity:g} m/s²\n")
        if case.name not in kept:
            limit, spread = limit_of(case, programs, options.threads)
            kept[case.name] = {"limit": limit.tolist(), "spread": spread}
            if options.limits:
                options.limits.write_text(json.dumps(kept, indent=1))
        rungs = [rung for rung in case.rungs if rung <= options.finest]
        limit = numpy.array(kept[case.name]["limit"])
        spread = kept[case.name]["spread"] / rms(limit)
        print(f"\nThe limit is {rms(limit):.7g} m (rms of the times compared), known to {100 * spread:.4f} %.")
        if options.repeats > 0:
            report(case, measure(case, rungs, programs, limit, options.repeats, options.threads), spread)


main()
