#!/usr/bin/python3
"""Recomputes what a run bundle states from its points and its scene, and says where the bundle is wrong.

The auditor shares no code with Pliant: it reads the files of the bundle as docs/experiment-file.md and the header
of series.csv describe them, and computes energies, momenta, strain, gaps, penetration and headline figures by itself.

    audit_bundle.py BUNDLE…        one line for each disagreement; exit status 1 if there is any, or nothing was checked

What it cannot recompute (elastic energy, work, condition numbers belong to a formulation) it leaves alone; the last line
says how many numbers of how many kinds were compared.
"""

import csv
import json
import math
import sys
import tomllib
from pathlib import Path

import h5py
import numpy as np

from audit_contact import audit_contact, audit_pairs, audit_passages
from audit_files import audit_manifest, audit_units
from audit_lamp import audit_lamp
from audit_ledger import audit_classes, audit_ledger, audit_stake, undefined
from audit_outcome import audit_outcome, audit_verdict
from audit_probes import LENGTHS, audit_probes
from scene import Scene

class Audit:
    def __init__(self):
        self.faults = []
        self.checked = {}

    def fault(self, text):
        self.faults.append(text)

    def equal(self, name, stated, expected):
        self.checked[name] = self.checked.get(name, 0) + 1
        if stated != expected:
            self.fault(f"{name}: states {stated!r}, expected {expected!r}")

    def compare(self, name, stated, computed, scale, tolerance=1e-9):
        """Both per record; `scale` is the size of what is summed up, so that cancellation is no fault."""
        stated = np.atleast_1d(np.asarray(stated, dtype=float))
        computed = np.atleast_1d(np.asarray(computed, dtype=float))
        if stated.shape != computed.shape:
            self.fault(f"{name}: {stated.size} values stated, {computed.size} computed")
            return
        self.checked[name] = self.checked.get(name, 0) + stated.size
        defined = ~np.isnan(computed)
        if np.any(np.isnan(stated) & defined):
            self.fault(f"{name}: not defined in the bundle, but it can be computed")
            return
        wrong = np.abs(stated - computed) > tolerance * scale + 1e-300
        wrong &= defined
        if np.any(wrong):
            i = int(np.argmax(np.abs(stated - computed) * defined))
            self.fault(f"{name}: record {i} states {stated[i]!r}, computed {computed[i]!r} ({wrong.sum()} differ)")


class Bundle:
    """What the auditor reads of one."""

    def __init__(self, path):
        self.path = path
        self.experiment = tomllib.loads((path / "experiment.toml").read_text())
        self.summary = json.loads((path / "summary.json").read_text())
        self.manifest = json.loads((path / "manifest.json").read_text())
        self.translation = json.loads((path / "translation.json").read_text())
        self.label = self.manifest["label"]
        self.backend = self.experiment["backends"][self.label]
        self.step = self.backend.get("step", self.experiment["run"]["step"])
        self.series = series_of(path)
        with h5py.File(path / "points.h5") as h5:
            self.times, self.points = h5["time"][:], h5["points"][:]
            self.velocities = h5["velocities"][:] if "velocities" in h5 else None
        self.scene = None
        try:
            self.scene = Scene(self.experiment["scene"])
        except (NotImplementedError, KeyError) as reason:
            print(f"{path}: points are not audited: {reason}")

    def fidelity(self, element):
        found = [e["fidelity"] for e in self.translation["elements"] if e["element"] == element]
        return found[0] if found else None

    def own_columns(self):
        """Those that only this formulation has."""
        columns = list(self.series)
        return columns[columns.index("step_cpu_time_s") + 1:]

    def probe_columns(self):
        return [p["name"] + LENGTHS[p["measure"]] for p in self.experiment.get("probe", [])]

    def all_exact(self, kind):
        """Whether every element of [[scene.KIND]] is represented exactly."""
        return all(self.fidelity(f"{kind}.{e['name']}") == "exact" for e in self.experiment["scene"].get(kind, []))


def series_of(path):
    with open(path / "series.csv", newline="") as file:
        rows = list(csv.reader(file))
    columns = {name: [] for name in rows[0]}
    for row in rows[1:]:
        for name, value in zip(rows[0], row):
            columns[name].append(float(value) if value != "" else math.nan)
    return {name: np.array(values) for name, values in columns.items()}


def audit_points(audit, bundle):
    scene, series, x, v, times = bundle.scene, bundle.series, bundle.points, bundle.velocities, bundle.times
    m = scene.masses
    total = m.sum()
    size = np.abs(x).max() + 1.0
    if bundle.fidelity("notice") is None:
        fresh = not any(bundle.fidelity(f"body.{b.name}.stretch") in ("ignored", "approximated") for b in scene.bodies)
        if fresh and bundle.manifest["backend"] in ("linear-deformation", "position-based"):
            audit.compare("start of /points", x[0], scene.start, size, 0.05)
    centre = np.einsum("i,tij->tj", m, x) / total
    for axis, letter in enumerate("xyz"):
        audit.compare(f"centre_{letter}_m", series[f"centre_{letter}_m"], centre[:, axis], size)
    weight = -np.einsum("i,tij,j->t", m, x, scene.gravity)
    absent = not np.any(scene.gravity) and undefined(series["gravitational_energy_J"])
    if bundle.fidelity("gravity") == "ignored" or absent:
        audit.equal("gravitational_energy_J where gravity is ignored", undefined(series["gravitational_energy_J"]), True)
    else:
        audit.compare("gravitational_energy_J", series["gravitational_energy_J"], weight,
                      total * np.linalg.norm(scene.gravity) * size)
    if v is None:
        for name in ["kinetic_energy_J", "total_energy_J", *(f"momentum_{a}_kg_m_s" for a in "xyz"),
                     *(f"spin_{a}_kg_m2_s" for a in "xyz"), *(f"angular_momentum_{a}_kg_m2_s" for a in "xyz")]:
            audit.equal(f"{name} without velocities", (undefined(series[name])), True)
    else:
        speed = np.abs(v).max() + 1e-12
        audit.compare("kinetic_energy_J", series["kinetic_energy_J"], 0.5 * np.einsum("i,tij,tij->t", m, v, v),
                      total * speed**2)
        momentum = np.einsum("i,tij->tj", m, v)
        about_origin = np.einsum("i,tij->tj", m, np.cross(x, v))
        spin = np.einsum("i,tij->tj", m, np.cross(x - centre[:, None, :], v))
        for axis, letter in enumerate("xyz"):
            audit.compare(f"momentum_{letter}", series[f"momentum_{letter}_kg_m_s"], momentum[:, axis], total * speed)
            audit.compare(f"angular_momentum_{letter}", series[f"angular_momentum_{letter}_kg_m2_s"],
                          about_origin[:, axis], total * speed * size)
            audit.compare(f"spin_{letter}", series[f"spin_{letter}_kg_m2_s"], spin[:, axis], total * speed * size)
    audit_shapes(audit, scene, series, x, times, bundle.summary["events"])
    audit_sunk(audit, bundle)
    audit_pairs(audit, scene, series, v, times)
    audit_holds(audit, bundle)


def audit_shapes(audit, scene, series, x, times, events):
    strains = np.array([scene.strains(points) for points in x])
    if strains.size:
        size = 1.0 + np.abs(strains).max()
        audit.compare("edge_strain_max", series["edge_strain_max"], np.abs(strains).max(axis=1), size)
        audit.compare("edge_strain_rms", series["edge_strain_rms"], np.sqrt((strains**2).mean(axis=1)), size)
    else:
        audit.equal("edge_strain_max without edges", (undefined(series["edge_strain_max"])), True)
    ratios = [scene.extent_ratio(points) for points in x]
    if any(b.faces for b in scene.bodies):
        audit.compare("extent_ratio", series["extent_ratio"], ratios, 1.0 + np.abs(ratios).max())
    else:
        audit.equal("extent_ratio without faces", (undefined(series["extent_ratio"])), True)
    audit_contact(audit, scene, series, x, times)
    audit_passages(audit, scene, events)
    if not scene.obstacles:
        audit.equal("penetration_m without obstacles", (undefined(series["penetration_m"])), True)
        return
    depths = [scene.depths(t, points) for t, points in zip(times, x)]
    if any(d is None for d in depths):
        return
    depths = np.array(depths)
    audit.compare("penetration_m", series["penetration_m"], depths.max(axis=1), 1.0)
    audit.compare("penetration_rms_m", series["penetration_rms_m"], np.sqrt((depths**2).mean(axis=1)), 1.0)


def audit_sunk(audit, bundle):
    """What lies deepest in an obstacle, by its share of the size of its body."""
    scene, stated = bundle.scene, bundle.summary["outcome"].get("sunk")
    if not scene.obstacles:
        audit.equal("sunk without obstacles", stated, None)
        return
    depths = [scene.depths(t, points) for t, points in zip(bundle.times, bundle.points)]
    if any(d is None for d in depths) or any("went through obstacle" in e["what"] for e in bundle.summary["events"]):
        return
    depths, found = np.array(depths), None
    for body in scene.bodies:
        first = int(scene.offsets[body.name])
        own = depths[:, first:first + body.count].max(axis=1)
        size = float(np.linalg.norm(np.ptp(scene.start[first:first + body.count], axis=0)))
        if size > 0.0 and (found is None or own.max() / size > found[1]):
            found = (body.name, own.max() / size, own.max(), bundle.times[int(own.argmax())])
    deep = found is not None and found[1] > 0.1
    audit.equal("sunk", stated is not None, deep)
    if stated is not None and deep:
        audit.equal("sunk: body", stated["body"], found[0])
        audit.compare("sunk: share", stated["share_of_size"], found[1], found[1], 1e-9)
        audit.compare("sunk: depth", stated["depth_m"], found[2], found[2], 1e-9)
        audit.compare("sunk: time", stated["time_s"], found[3], 1.0, 1e-9)


def audit_holds(audit, bundle):
    """Springs of the scene, and the gaps of nails and attachments."""
    scene, series, backend = bundle.scene, bundle.series, bundle.manifest["backend"]
    moving = any("drag" in n.get("path", {}) for n in scene.table.get("nail", []))
    if any(scene.table.get(key) for key in ("behaviour", "morph")) or moving:
        return
    gaps = [scene.largest_gap(t, x) for t, x in zip(bundle.times, bundle.points)]
    others = any(scene.table.get(key) for key in ("slider", "combination", "limit"))
    error = series["constraint_error_m"]
    if gaps[0] is not None and not undefined(error):
        gaps = np.array([g or 0.0 for g in gaps])
        if backend in ("linear-deformation", "dynamic-ffd") and not others:
            audit.compare("constraint_error_m", error, gaps, 1.0)
        else:  # of lengths, joints and contacts too
            audit.equal("constraint_error_m holds the gaps", bool(np.all(error >= gaps - 1e-9)), True)
    energy = np.array([scene.spring_energy(x) for x in bundle.points])
    if not bundle.all_exact("spring"):
        return
    if backend == "dynamic-ffd":
        stiffness = bundle.backend["constraint_stiffness"]
        held = np.array([scene.hold_energy(t, x, stiffness) for t, x in zip(bundle.times, bundle.points)])
        if others or bundle.backend.get("contact", "penalty") != "penalty":
            return
        if scene.table.get("nail") or scene.table.get("attachment"):
            audit.compare("constraint_energy_J", series["constraint_energy_J"], held, 1e-12 + held.max())
    if scene.table.get("spring"):
        audit.compare("spring_energy_J", series["spring_energy_J"], energy, 1e-12 + energy.max())


def audit_figures(audit, bundle, stake):
    figures, series, outcome = bundle.summary["figures"], bundle.series, bundle.summary["outcome"]

    def figure(name, computed, scale=None, tolerance=1e-12):
        if name not in figures:
            return
        stated = figures[name]
        if computed is None or math.isnan(computed):
            audit.equal(f"figure {name}", stated, None)
        elif stated is None:
            audit.fault(f"figure {name}: not defined, computed {computed}")
        else:
            audit.compare(f"figure {name}", stated, computed, abs(computed) if scale is None else scale, tolerance)

    def reduce(column, how):
        values = series[column][~np.isnan(series[column])]
        return None if values.size == 0 else float(how(values))

    largest = lambda a: np.abs(a).max()
    residual, made = reduce("residual_energy_J", largest), reduce("made_energy_J", np.max)
    diverged = outcome["kind"] == "diverged"
    for name, value in (("residual_energy_relative", residual), ("made_energy_relative", made)):
        figure(name, value / stake if stake and value is not None and not diverged else None)
    figure("energy_at_stake_J", None if diverged else stake)
    quartile = lambda quarter: lambda a: np.percentile(a, 25 * quarter)
    for name, column, how in [
        ("residual_energy_max_J", "residual_energy_J", largest),
        ("made_energy_max_J", "made_energy_J", np.max),
        ("numerical_energy_min_J", "numerical_energy_J", np.min),
        ("numerical_energy_max_J", "numerical_energy_J", np.max),
        ("momentum_residual_max_kg_m_s", "momentum_residual_kg_m_s", np.max),
        ("angular_momentum_residual_max_kg_m2_s", "angular_momentum_residual_kg_m2_s", np.max),
        ("constraint_error_max_m", "constraint_error_m", largest),
        ("constraint_rate_max_m_s", "constraint_rate_m_s", largest),
        ("penetration_max_m", "penetration_m", np.max),
        ("obstacle_depth_max_m", "obstacle_depth_m", np.max),
        ("body_depth_max_m", "body_depth_m", np.max),
        ("self_crossings_max", "self_crossings", np.max),
        ("body_crossings_max", "body_crossings", np.max),
        ("signed_extent_ratio_min", "signed_extent_ratio", np.min),
        ("cell_ratio_min", "cell_ratio_min", np.min),
        ("edge_strain_max", "edge_strain_max", np.max),
        ("extent_ratio_min", "extent_ratio", np.min),
        ("extent_ratio_max", "extent_ratio", np.max),
        ("condition_number_start", "condition_number", lambda a: a[0]),
        ("condition_number_min", "condition_number", np.min),
        ("condition_number_max", "condition_number", np.max),
        ("regularisation_max", "regularisation", np.max),
        ("iterations_total", "iterations", lambda a: a[-1]),
        ("step_time_quartile_1_s", "step_cpu_time_s", quartile(1)),
        ("step_time_median_s", "step_cpu_time_s", np.median),
        ("step_time_quartile_3_s", "step_cpu_time_s", quartile(3)),
        ("step_wall_time_max_s", "step_time_s", np.max),
    ]:
        figure(name, reduce(column, how))
    steps, before = outcome["steps_cpu_s"], outcome["preparation_cpu_s"]
    figure("preparation_time_s", before or None)
    figure("real_time_factor", outcome["time_s"] / steps if steps > 0.0 else None)
    figure("real_time_factor_overall", outcome["time_s"] / (steps + before) if steps > 0.0 else None)
    for column in bundle.own_columns():
        if column.startswith("plan_"):  # of the plan that is followed: one value throughout
            values = bundle.series[column][~np.isnan(bundle.series[column])]
            audit.equal(f"{column} stays the same", len(set(values)) <= 1, True)
            figure(column, values[-1] if len(values) else None)
            continue
        for statistic, how in (("min", np.min), ("max", np.max)):
            if f"{column}_{statistic}" in figures:
                figure(f"{column}_{statistic}", reduce(column, how))
                continue
            named = [f for f in figures if f != column and f.replace(f"_{statistic}_", "_", 1) == column]
            audit.equal(f"figures of the {statistic} of {column}", len(named), 1)
            for name in named:
                figure(name, reduce(column, how))
    audit_drift(audit, bundle, figure)


def audit_drift(audit, bundle, figure):
    if bundle.scene is None:
        return
    for name, columns in [
        ("momentum_drift_kg_m_s", [f"momentum_{a}_kg_m_s" for a in "xyz"]),
        ("angular_momentum_drift_kg_m2_s", [f"angular_momentum_{a}_kg_m2_s" for a in "xyz"]),
    ]:
        vectors = np.array([bundle.series[c] for c in columns])
        if not bundle.scene.is_isolated() or np.any(np.isnan(vectors)):
            figure(name, None)
        else:
            figure(name, np.linalg.norm(vectors - vectors[:, :1], axis=0).max(), np.abs(vectors).max() + 1e-300)


def audit_bundle(path, program=None):
    audit, bundle = Audit(), Bundle(path)
    audit_manifest(audit, bundle, program)
    audit_units(audit, bundle)
    audit_outcome(audit, bundle)
    if bundle.summary["outcome"]["kind"] == "unsupported":
        audit.equal("records of a refused run", len(bundle.series["time_s"]), 0)
        return audit
    audit.compare("time_s", bundle.series["time_s"], bundle.times, 1.0, 0.0)
    if bundle.scene is not None:
        audit.equal("points of the scene", len(bundle.scene.masses), bundle.points.shape[1])
        audit_points(audit, bundle)
        audit_probes(audit, bundle)
        audit_classes(audit, bundle)
        audit_lamp(audit, bundle)
    stake = audit_ledger(audit, bundle)
    audit_stake(audit, bundle, stake)
    audit_verdict(audit, bundle, stake)
    audit_figures(audit, bundle, stake)
    return audit


def main():
    program = None
    arguments = sys.argv[1:]
    if arguments[:1] == ["--program"]:
        program, arguments = Path(arguments[1]), arguments[2:]
    status = 0
    for argument in arguments:
        audit = audit_bundle(Path(argument), program)
        for fault in audit.faults:
            print(f"{argument}: {fault}")
        print(f"{argument}: checked {sum(audit.checked.values())} numbers of {len(audit.checked)} kinds")
        if audit.faults or not audit.checked:
            status = 1
    return status if arguments else 2


if __name__ == "__main__":
    sys.exit(main())
