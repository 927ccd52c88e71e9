#!/usr/bin/python3
"""Recomputes what a run bundle states from its points and its scene, and says where the bundle is wrong.

The auditor shares no code with Pliant: it reads the files of the bundle as docs/experiment-file.md and the header
of series.csv describe them, and computes energies, momenta, strain, penetration and headline figures by itself.

    audit_bundle.py BUNDLE…        one line for each disagreement; exit status 1 if there is any, or nothing was checked

What it cannot recompute (elastic energy, work, condition numbers belong to a formulation) it leaves alone; the line
"checked" lists how many numbers of each column were compared.
"""

import csv
import json
import math
import sys
import tomllib
from pathlib import Path

import h5py
import numpy as np

WORKS = ["force", "impulse", "contact", "constraint", "control", "damping"]


class Audit:
    def __init__(self, bundle):
        self.bundle = bundle
        self.faults = []
        self.checked = {}

    def compare(self, name, stated, computed, scale, tolerance=1e-9):
        """Both per record; `scale` is the size of what is summed up, so that cancellation is no fault."""
        stated = np.atleast_1d(np.asarray(stated, dtype=float))
        computed = np.atleast_1d(np.asarray(computed, dtype=float))
        if stated.shape != computed.shape:
            self.faults.append(f"{name}: {stated.size} values stated, {computed.size} computed")
            return
        self.checked[name] = self.checked.get(name, 0) + stated.size
        defined = ~np.isnan(computed)
        if np.any(np.isnan(stated) & defined):
            self.faults.append(f"{name}: not defined in the bundle, but it can be computed")
            return
        wrong = np.abs(stated - computed) > tolerance * scale + 1e-300
        wrong &= defined
        if np.any(wrong):
            i = int(np.argmax(np.abs(stated - computed) * defined))
            self.faults.append(f"{name}: record {i} states {stated[i]!r}, computed {computed[i]!r} ({wrong.sum()} differ)")


# ---------------------------------------------------------------- the scene, from experiment.toml


def vector(values, dimension):
    """[x, y, z]; a planar scene may leave out z."""
    values = [float(v) for v in values]
    return np.array(values + [0.0] * (3 - len(values)))


def grid_edges(counts):
    """Neighbours along each axis; point (i, j, k) has index i + nx (j + ny k)."""
    nx, ny, nz = counts
    index = lambda i, j, k: i + nx * (j + ny * k)
    edges = []
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                if i + 1 < nx:
                    edges.append((index(i, j, k), index(i + 1, j, k)))
                if j + 1 < ny:
                    edges.append((index(i, j, k), index(i, j + 1, k)))
                if k + 1 < nz:
                    edges.append((index(i, j, k), index(i, j, k + 1)))
    return edges


class Body:
    """masses [kg], and edges with their lengths at rest where the shape is simple enough to rebuild."""

    def __init__(self, table, points_in_file):
        self.name = table["name"]
        self.edges, self.lengths, self.faces, self.rest = None, None, None, None
        shape = table["shape"]
        if shape == "chain":
            n = int(table["points"])
            a, b = vector(table["from"], 3), vector(table["to"], 3)
            self.rest = np.array([a + (b - a) * i / (n - 1) for i in range(n)])
            self.edges = [(i, i + 1) for i in range(n - 1)]
        elif shape in ("sheet", "block"):
            counts = [int(c) for c in table["points"]] + [1] * (3 - len(table["points"]))
            sizes = [float(s) for s in table["size"]] + [0.0] * (3 - len(table["size"]))
            axes = {"xy": (0, 1, 2), "xz": (0, 2, 1), "yz": (1, 2, 0)}[table.get("plane", "xy")]
            rest = []
            for k in range(counts[2]):
                for j in range(counts[1]):
                    for i in range(counts[0]):
                        p = np.zeros(3)
                        for axis, at, n, size in zip(axes, (i, j, k), counts, sizes):
                            p[axis] = size * at / max(n - 1, 1)
                        rest.append(p)
            self.rest = np.array(rest)
            self.edges = grid_edges(counts)
        elif shape == "profile" and "points" in table:
            self.rest = np.array([vector(p, 2) for p in table["points"]])
            self.edges = [tuple(e) for e in table.get("edges", [])]
            self.faces = [tuple(f) for f in table.get("faces", [])]
        elif shape == "ring":
            n = int(table["points"])
            angle = 2.0 * np.pi * np.arange(n) / n
            self.rest = table["radius"] * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
            self.edges = [(i, (i + 1) % n) for i in range(n)]
        self.count = len(self.rest) if self.rest is not None else points_in_file
        if "masses" in table:
            masses = np.array(table["masses"], dtype=float)
            if "mass" in table:
                masses *= table["mass"] / masses.sum()
        else:
            masses = np.full(self.count, table["mass"] / self.count)
        self.masses = masses
        if self.edges is not None:
            self.lengths = np.array([np.linalg.norm(self.rest[b] - self.rest[a]) for a, b in self.edges])


class Path1:
    """A path through keys: clamped cubic spline, or straight lines; it rests before and after."""

    def __init__(self, table, dimension):
        self.times = np.array(table["times"], dtype=float)
        self.keys = np.array([vector(k, dimension) for k in table["keys"]])
        self.linear = table.get("interpolation", "cubic") == "linear"
        n = len(self.times)
        if n > 1 and not self.linear:
            # Slopes s of the clamped C² spline: s_0 = s_{n-1} = 0 and, between, equal second derivatives.
            matrix, right = np.zeros((n, n)), np.zeros((n, 3))
            matrix[0, 0] = matrix[n - 1, n - 1] = 1.0
            for i in range(1, n - 1):
                h0, h1 = self.times[i] - self.times[i - 1], self.times[i + 1] - self.times[i]
                matrix[i, i - 1], matrix[i, i], matrix[i, i + 1] = 1 / h0, 2 / h0 + 2 / h1, 1 / h1
                right[i] = 3 * (self.keys[i] - self.keys[i - 1]) / h0**2 + 3 * (self.keys[i + 1] - self.keys[i]) / h1**2
            self.slopes = np.linalg.solve(matrix, right)

    def at(self, time):
        if time <= self.times[0]:
            return self.keys[0]
        if time >= self.times[-1]:
            return self.keys[-1]
        i = int(np.searchsorted(self.times, time, side="right")) - 1
        h = self.times[i + 1] - self.times[i]
        s = (time - self.times[i]) / h
        if self.linear:
            return (1 - s) * self.keys[i] + s * self.keys[i + 1]
        return (
            (1 + 2 * s) * (1 - s) ** 2 * self.keys[i]
            + s * (1 - s) ** 2 * h * self.slopes[i]
            + s * s * (3 - 2 * s) * self.keys[i + 1]
            - s * s * (1 - s) * h * self.slopes[i + 1]
        )


def rotation_matrix(value):
    if isinstance(value, (int, float)):
        axis, angle = np.array([0.0, 0.0, 1.0]), float(value)
    else:
        axis, angle = vector(value["axis"], 3), float(value["angle"])
    axis = axis / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def depth_in(obstacle, origin, points):
    """How deep each point is inside [m], 0 outside; None for a shape that is not rebuilt here."""
    x = points - origin
    shape = obstacle["shape"]
    if shape == "plane":
        if "slope" in obstacle:
            normal = np.array([-math.sin(obstacle["slope"]), math.cos(obstacle["slope"]), 0.0])
        else:
            normal = vector(obstacle["normal"], 3)
        return np.maximum(0.0, -x @ (normal / np.linalg.norm(normal)))
    if shape == "sphere":
        return np.maximum(0.0, obstacle["radius"] - np.linalg.norm(x, axis=1))
    if shape == "capsule":
        half = vector(obstacle["half_axis"], 3)
        along = np.clip(x @ half / (half @ half), -1.0, 1.0)
        return np.maximum(0.0, obstacle["radius"] - np.linalg.norm(x - np.outer(along, half), axis=1))
    if shape == "box":
        local = x @ rotation_matrix(obstacle.get("rotation", 0.0))
        return np.maximum(0.0, np.min(vector(obstacle["half_size"], 3) - np.abs(local), axis=1))
    return None


class Scene:
    def __init__(self, table, points):
        self.dimension = table.get("dimension", 3)
        self.gravity = vector(table["gravity"], self.dimension)
        known = [b for b in table["body"]]
        unknown = [b for b in known if b["shape"] not in ("chain", "sheet", "block", "ring") and "points" not in b]
        # The number of points of one body of another shape is what the others leave.
        bodies, counted = [], 0
        for b in known:
            if b in unknown:
                bodies.append(None)
                continue
            bodies.append(Body(b, 0))
            counted += bodies[-1].count
        if len(unknown) > 1:
            raise NotImplementedError("two bodies of shapes that the auditor does not rebuild")
        self.bodies = [b if b is not None else Body(unknown[0], points - counted) for b in bodies]
        self.masses = np.concatenate([b.masses for b in self.bodies])
        self.obstacles = table.get("obstacle", [])
        self.table = table

    def holds_nothing(self):
        return not any(self.table.get(key) for key in ("obstacle", "nail", "force", "impulse")) and all(
            "to" in s for s in self.table.get("spring", []))


# ---------------------------------------------------------------- the figures


def series_of(bundle):
    with open(bundle / "series.csv", newline="") as file:
        rows = list(csv.reader(file))
    columns = {name: [] for name in rows[0]}
    for row in rows[1:]:
        for name, value in zip(rows[0], row):
            columns[name].append(float(value) if value != "" else math.nan)
    return {name: np.array(values) for name, values in columns.items()}


def audit_points(audit, scene, series, h5):
    x, v, times = h5["points"][:], h5["velocities"][:] if "velocities" in h5 else None, h5["time"][:]
    m = scene.masses
    audit.compare("time_s", series["time_s"], times, 1.0, 0.0)
    total = m.sum()
    size = np.abs(x).max() + 1.0
    centre = np.einsum("i,tij->tj", m, x) / total
    for axis, letter in enumerate("xyz"):
        audit.compare(f"centre_{letter}_m", series[f"centre_{letter}_m"], centre[:, axis], size)
    weight = -np.einsum("i,tij,j->t", m, x, scene.gravity)
    audit.compare("gravitational_energy_J", series["gravitational_energy_J"], weight,
                  total * np.linalg.norm(scene.gravity) * size)
    if v is not None and not np.all(np.isnan(series["kinetic_energy_J"])):
        speed = np.abs(v).max() + 1e-12
        kinetic = 0.5 * np.einsum("i,tij,tij->t", m, v, v)
        audit.compare("kinetic_energy_J", series["kinetic_energy_J"], kinetic, total * speed**2)
        momentum = np.einsum("i,tij->tj", m, v)
        about_origin = np.einsum("i,tij->tj", m, np.cross(x, v))
        spin = np.einsum("i,tij->tj", m, np.cross(x - centre[:, None, :], v))
        for axis, letter in enumerate("xyz"):
            audit.compare(f"momentum_{letter}", series[f"momentum_{letter}_kg_m_s"], momentum[:, axis], total * speed)
            audit.compare(f"angular_momentum_{letter}", series[f"angular_momentum_{letter}_kg_m2_s"],
                          about_origin[:, axis], total * speed * size)
            audit.compare(f"spin_{letter}", series[f"spin_{letter}_kg_m2_s"], spin[:, axis], total * speed * size)
    audit_strain(audit, scene, series, x)
    audit_penetration(audit, scene, series, x, times)


def audit_strain(audit, scene, series, x):
    if any(b.edges is None for b in scene.bodies):
        return
    strains, offset = [], 0
    for body in scene.bodies:
        for (a, b), length in zip(body.edges, body.lengths):
            strains.append(np.linalg.norm(x[:, offset + b] - x[:, offset + a], axis=1) / length - 1.0)
        offset += body.count
    if not strains:
        return
    strains = np.array(strains)
    audit.compare("edge_strain_max", series["edge_strain_max"], np.abs(strains).max(axis=0), 1.0)
    audit.compare("edge_strain_rms", series["edge_strain_rms"], np.sqrt((strains**2).mean(axis=0)), 1.0)


def audit_penetration(audit, scene, series, x, times):
    if not scene.obstacles:
        if not np.all(np.isnan(series["penetration_m"])):
            audit.faults.append("penetration_m: stated for a scene without obstacles")
        return
    deepest, rms = [], []
    for t, points in zip(times, x):
        depth = np.zeros(len(points))
        for obstacle in scene.obstacles:
            if "path" in obstacle:
                origin = Path1(obstacle["path"], scene.dimension).at(t)
            else:
                origin = vector(obstacle.get("position", [0, 0, 0]), scene.dimension)
            inside = depth_in(obstacle, origin, points)
            if inside is None:
                return
            depth = np.maximum(depth, inside)
        deepest.append(depth.max())
        rms.append(math.sqrt((depth**2).mean()))
    audit.compare("penetration_m", series["penetration_m"], deepest, 1.0)
    audit.compare("penetration_rms_m", series["penetration_rms_m"], rms, 1.0)


def audit_ledger(audit, series):
    energies = ["kinetic_energy_J", "gravitational_energy_J", "elastic_energy_J", "spring_energy_J"]
    energies += [e for e in ("contact_energy_J", "constraint_energy_J") if e in series]
    if np.all(np.isnan(series["kinetic_energy_J"])):
        return None
    total = sum(np.nan_to_num(series[name]) for name in energies)
    works = [series[f"work_{w}_J"] for w in WORKS if f"work_{w}_J" in series]
    scale = 1e-30 + max(np.abs(np.nan_to_num(c)).max() for c in [*(series[e] for e in energies), *works])
    audit.compare("total_energy_J", series["total_energy_J"], total, scale)
    if np.all(np.isnan(series["work_force_J"])):
        return None
    work = sum(np.nan_to_num(w) for w in works)
    residual = (total - total[0]) - (work - work[0])
    audit.compare("residual_energy_J", series["residual_energy_J"], residual, scale, 1e-12)
    accounts = [series[e] for e in energies] + works
    exchanged = 0.5 * sum(np.abs(np.nan_to_num(a - a[0])) for a in accounts)
    return exchanged.max()


def audit_figures(audit, scene, series, summary, exchanged):
    figures = summary["figures"]

    def figure(name, computed, scale=None, tolerance=1e-12):
        if name not in figures:
            return
        stated = figures[name]
        if computed is None or math.isnan(computed):
            if stated is not None:
                audit.faults.append(f"figure {name}: states {stated}, should be not defined")
            return
        if stated is None:
            audit.faults.append(f"figure {name}: not defined, computed {computed}")
            return
        audit.compare(f"figure {name}", stated, computed, abs(computed) if scale is None else scale, tolerance)

    def reduce(column, how):
        values = series[column][~np.isnan(series[column])]
        return None if values.size == 0 else float(how(values))

    largest = lambda a: np.abs(a).max()
    residual = reduce("residual_energy_J", largest)
    figure("residual_energy_max_J", residual)
    if residual is not None and exchanged:
        figure("residual_energy_relative", residual / exchanged)
    for name, column, how in [
        ("constraint_error_max_m", "constraint_error_m", largest),
        ("constraint_rate_max_m_s", "constraint_rate_m_s", largest),
        ("penetration_max_m", "penetration_m", np.max),
        ("edge_strain_max", "edge_strain_max", np.max),
        ("extent_ratio_min", "extent_ratio", np.min),
        ("extent_ratio_max", "extent_ratio", np.max),
        ("condition_number_start", "condition_number", lambda a: a[0]),
        ("condition_number_min", "condition_number", np.min),
        ("condition_number_max", "condition_number", np.max),
        ("regularisation_max", "regularisation", np.max),
        ("iterations_total", "iterations", lambda a: a[-1]),
        ("step_time_median_s", "step_time_s", np.median),
    ]:
        figure(name, reduce(column, how))
    if scene is not None and scene.holds_nothing() and not np.any(scene.gravity):
        for name, columns in [
            ("momentum_drift_kg_m_s", [f"momentum_{a}_kg_m_s" for a in "xyz"]),
            ("angular_momentum_drift_kg_m2_s", [f"angular_momentum_{a}_kg_m2_s" for a in "xyz"]),
        ]:
            vectors = np.array([series[c] for c in columns])
            if not np.any(np.isnan(vectors)):
                drift = np.linalg.norm(vectors - vectors[:, :1], axis=0).max()
                figure(name, drift, np.abs(vectors).max() + 1e-300)


def audit_bundle(bundle):
    audit = Audit(bundle)
    experiment = tomllib.loads((bundle / "experiment.toml").read_text())
    summary = json.loads((bundle / "summary.json").read_text())
    series = series_of(bundle)
    if summary["outcome"]["kind"] == "unsupported":
        if len(series["time_s"]) > 0:
            audit.faults.append("a refused run has records")
        audit.checked["no records"] = 1
        return audit
    with h5py.File(bundle / "points.h5") as h5:
        scene = None
        try:
            scene = Scene(experiment["scene"], h5["points"].shape[1])
        except (NotImplementedError, KeyError) as reason:
            print(f"{bundle}: points are not audited: {reason}")
        if scene is not None and len(scene.masses) != h5["points"].shape[1]:
            audit.faults.append(f"{len(scene.masses)} points in the scene, {h5['points'].shape[1]} in points.h5")
        elif scene is not None:
            audit_points(audit, scene, series, h5)
        audit.compare("end time", summary["outcome"]["time_s"], h5["time"][-1], 1.0, 1e-12)
    exchanged = audit_ledger(audit, series)
    audit_figures(audit, scene, series, summary, exchanged)
    return audit


def main():
    status = 0
    for argument in sys.argv[1:]:
        audit = audit_bundle(Path(argument))
        for fault in audit.faults:
            print(f"{argument}: {fault}")
        print(f"{argument}: checked {sum(audit.checked.values())} numbers of {len(audit.checked)} kinds")
        if audit.faults or not audit.checked:
            status = 1
    return status if len(sys.argv) > 1 else 2


if __name__ == "__main__":
    sys.exit(main())
