#!/usr/bin/python3
"""Holds error bars of a yardstick, and distances to it, against the runs of its ladders.

    audit_yardstick.py FOLDER COMPARED PRINTED.txt

FOLDER: what `pliant yardstick` left (…/yardsticks/ADDRESS); COMPARED: the bundles of `pliant compare`; PRINTED: its table.
The law of docs/yardstick.md is computed from the points and series of all rungs.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np

from audit_bundle import Audit, Bundle, series_of
from audit_report import agree, distances, number

MEASURED, SPREAD, LEAST_ORDER, HIGHEST_ORDER, RATIO = 1.25, 3.0, 0.5, 2.0, 2.0
POINTS = ["points_rms", "points_max", "points_shape", "points_placement"]
DISTANCES = ["rms_m", "max_m", "shape_m", "placement_m"]


def rungs(folder):
    """Bundles by (elements, length of the step), both against the coarsest."""
    found = {}
    for path in folder.glob("mesh=*/yardstick/summary.json"):
        mesh, step = re.fullmatch(r"mesh=(\d+)_step=(\S+)x", path.parent.parent.name).groups()
        found[int(mesh), float(step)] = Bundle(path.parent)
    return found


def order_of(differences, rounding):
    """Slope of log rms against the number of the rung, of what is above rounding."""
    places = [k for k, d in enumerate(differences) if d > rounding]
    if len(places) < 2:
        return None
    return -np.polyfit(places, np.log([differences[k] for k in places]), 1)[0] / np.log(RATIO)


def error_bar(differences, rounding):
    """By time: of d_k(t), an array for each pair of neighbouring rungs."""
    bars, rms = [], lambda d, a, b: np.sqrt(np.mean(d[a:b + 1]**2))
    for t in range(len(differences[0])):
        largest = differences[-1][:t + 1].max()
        whole = order_of([rms(d, 0, t) for d in differences], rounding)
        late = order_of([rms(d, (t + 1) // 2, t) for d in differences], rounding)
        order = min((o for o in (whole, late) if o is not None), default=None)
        if largest <= rounding:
            bar = largest
        elif order is not None and order >= LEAST_ORDER:
            bar = MEASURED * largest / (RATIO**min(order, HIGHEST_ORDER) - 1.0)
        else:
            bar = SPREAD * sum(d[:t + 1] for d in differences).max()
        bars.append(max([bar] + bars[-1:]))
    return np.array(bars)


def ladder_of(found, pairs):
    return [found[pair] for pair in pairs]


def audit_bars(audit, folder, kept):
    found = rungs(folder)
    meshes, steps = sorted({m for m, _ in found}), sorted({s for _, s in found}, reverse=True)
    along_mesh = [(m, 1.0) for m in meshes if (m, 1.0) in found]
    along_step = [(1, s) for s in steps if (1, s) in found]
    last = min(len(along_mesh), len(along_step), 3)
    joint = list(zip([m for m, _ in along_mesh][-last:], [s for _, s in along_step][-last:]))
    finest = found[joint[-1]]
    audit.equal("yardstick: the finest run is kept", kept["bundle"], f"{finest.path.parent.name}/yardstick")
    stated = series_of_errors(folder)
    audit.compare("yardstick: times", stated["time_s"], finest.times, 1.0, 1e-12)
    of = {one["name"]: one for one in kept["observables"]}
    for name in list(of):
        place = POINTS.index(name.removesuffix("_m")) if name.removesuffix("_m") in POINTS else None
        scale = of[name]["scale"]

        def bar(pairs):
            runs = ladder_of(found, pairs)
            if place is not None:
                apart = [distances(a, b)[1 + place] for a, b in zip(runs, runs[1:])]
            else:
                apart = [np.abs(b.series[name] - a.series[name]) for a, b in zip(runs, runs[1:])]
            rounding = 1e-12 * max(scale, max(np.abs(r.series[name]).max() for r in runs) if place is None else scale)
            return error_bar(apart, rounding)

        total = np.maximum(bar(along_mesh) + bar(along_step), bar(joint))
        column = POINTS[place] + "_error_m" if place is not None else name + "_error"
        if of[name]["judged"]:
            audit.compare(f"yardstick: error of {name}", stated[column], total, total.max() + 1e-9 * scale, 1e-6)
        audit.equal(f"yardstick: error at the end of {name}", agree(of[name]["error"], stated[column][-1], 15), True)
    return finest, stated


def series_of_errors(folder):
    lines = (folder / "yardstick.csv").read_text().splitlines()
    names = lines[0].split(",")
    return {n: np.array([float(l.split(",")[i]) for l in lines[1:]]) for i, n in enumerate(names)}


def audit_distances(audit, finest, errors, compared, printed):
    labels, table = None, {}
    for line in printed.read_text().splitlines():
        words = line.split()
        if labels is None and words and sorted(words) == sorted(b.label for b in compared):
            labels = words
        elif labels and len(words) == len(labels) + 1:
            table[words[0]] = dict(zip(labels, words[1:]))
    for bundle in compared:
        parts = distances(bundle, finest)[1:]
        for part, values, error in zip(DISTANCES, parts, POINTS):
            name, bar = "distance_to_reference_" + part, errors[error + "_error_m"][len(values) - 1]
            cell = table[name][bundle.label]
            shown, apart = number(cell.strip("()")), not cell.startswith("(")
            audit.equal(f"table: {name} of {bundle.label}", agree(shown, float(values.max()), 4), True)
            audit.equal(f"table: {name} of {bundle.label} told apart", apart, bool(values.max() >= 3.0 * bar))
            own = table["yardstick_error_" + part][bundle.label]
            audit.equal(f"table: yardstick_error_{part} of {bundle.label}", agree(number(own), float(bar), 4), True)


def audit_sums(audit, bundle):
    """A continuum has mass between its points, of which a record has the sums only: they must agree among themselves."""
    series, mass = bundle.series, bundle.scene.masses.sum()
    centre, momentum, about_origin, spin = (
        np.stack([series[f"{name}_{axis}_{unit}"] for axis in "xyz"], axis=1)
        for name, unit in (("centre", "m"), ("momentum", "kg_m_s"), ("angular_momentum", "kg_m2_s"), ("spin", "kg_m2_s")))
    scale = np.abs(about_origin).max() + np.abs(np.cross(centre, momentum)).max()
    audit.compare("sums: spin", spin.ravel(), (about_origin - np.cross(centre, momentum)).ravel(), scale, 1e-9)
    # Of the parabola through three records the middle one has the slope of the chord.
    chord = mass * (centre[2:] - centre[:-2]) / (bundle.times[2:] - bundle.times[:-2])[:, None]
    audit.compare("sums: momentum", momentum[1:-1].ravel(), chord.ravel(), np.abs(momentum).max(), 0.05)


def main():
    folder, compared, printed = map(Path, sys.argv[1:])
    audit = Audit()
    kept = json.loads((folder / "yardstick.json").read_text())
    finest, errors = audit_bars(audit, folder, kept)
    bundles = [Bundle(p.parent) for p in sorted(compared.glob("*/summary.json"))]
    audit.equal("yardstick: compared runs", len(bundles) >= 2, True)
    audit_sums(audit, finest)
    audit_distances(audit, finest, errors, bundles, printed)
    for fault in audit.faults:
        print(f"{folder}: {fault}")
    print(f"{folder}: {sum(audit.checked.values())} values of {len(audit.checked)} kinds, {len(audit.faults)} faults")
    return 1 if audit.faults else 0


if __name__ == "__main__":
    sys.exit(main())
