#!/usr/bin/python3
"""Holds the recorded groups of points.h5, the layout of /state and what `pliant inspect` shows against each other.

    audit_arrays.py PROGRAM BUNDLE SCRATCH     BUNDLE: of dynamic-ffd, with record = ["modes"]
"""

import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

from audit_bundle import Audit, Bundle
from audit_files import as_text
from audit_report import agree

SHOWN = 4  # digits


def arrays_of(h5):
    """Path → values of every dataset in a group."""
    found = {}
    h5.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) and "/" in name else None)
    return found


def layout_of(state):
    """(begin, count, unit, meaning) of each part."""
    lines = as_text(state.attrs["layout"]).strip().splitlines()
    return [(int(b), int(n), unit, words) for b, n, unit, words in
            (re.match(r"(\d+) (\d+) \[([^]]*)\] (.*)", line).groups() for line in lines)]


def audit_recorded(audit, bundle):
    with h5py.File(bundle.path / "points.h5") as h5:
        state, parts = h5["state"][:], layout_of(h5["state"])
        audit.equal("layout: parts follow each other", [b for b, *_ in parts],
                    list(np.cumsum([0, *(n for _, n, *_ in parts)])[:-1]))
        audit.equal("layout: covers the state", sum(n for _, n, *_ in parts), state.shape[1])
        part = lambda words: next(state[:, b:b + n] for b, n, _, w in parts if w == words)
        audit.compare("state: clock", part("time of the last change of the step")[:, 0] + part("steps since")[:, 0] * part("step")[:, 0],
                      bundle.times, 1.0, 1e-12)
        energies = np.zeros(len(bundle.times))
        for body in bundle.scene.bodies:
            at, m = int(bundle.scene.offsets[body.name]), body.masses
            mean = lambda values: np.einsum("i,tij->tj", m, values[:, at:at + body.count]) / m.sum()
            pose = part(f"position and quaternion of body '{body.name}'")
            audit.compare("state: quaternions are of length 1", np.linalg.norm(pose[:, 3:], axis=1), np.ones(len(pose)), 1.0, 1e-9)
            motion = part(f"linear and angular velocity of body '{body.name}'")
            audit.compare("state: velocity of the centre", motion[:, :3].ravel(), mean(bundle.velocities).ravel(),
                          1e-30 + np.abs(bundle.velocities).max(), 1e-6)
            amplitudes = h5[f"modes/amplitudes.{body.name}"]
            audit.equal("modes: unit of amplitudes", as_text(amplitudes.attrs["unit"]), "1")
            audit.compare("modes: amplitudes are those of the state", np.squeeze(amplitudes[:], 2).ravel(),
                          part(f"amplitudes of body '{body.name}'").ravel(), 1.0, 0.0)
            rates = h5[f"modes/rates.{body.name}"]
            audit.equal("modes: unit of rates", as_text(rates.attrs["unit"]), "1/s")
            audit.compare("modes: rates are those of the state", np.squeeze(rates[:], 2).ravel(),
                          part(f"rates of amplitudes of body '{body.name}'").ravel(), 1.0, 0.0)
            stored = h5[f"modes/energies.{body.name}"]
            audit.equal("modes: unit of energies", as_text(stored.attrs["unit"]), "J")
            energies += stored[:].sum(axis=(1, 2))
        elastic = bundle.series["elastic_energy_J"]
        audit.compare("elastic_energy_J of the modes", elastic, energies, 1e-30 + np.abs(elastic).max())
        works = [c for c in bundle.series if c.startswith("work_")]
        audit.compare("state: works", part("work by class").sum(axis=1), sum(bundle.series[c] for c in works), 1.0, 1e-12)


def audit_equations(audit, bundle, arrays):
    for body in bundle.scene.bodies:
        of = lambda name: arrays[f"equations/{name}.{body.name}"][0]
        mass, force, inertial, acceleration = of("M"), of("Q"), of("h"), of("acceleration")
        size = np.abs(mass).max()
        audit.compare("M is symmetric", mass.ravel(), mass.T.ravel(), size, 1e-12)
        audit.compare("M of a translation", np.diag(mass)[:3], np.full(3, body.masses.sum()), size, 1e-9)
        audit.compare("M v̇ = Q + h", (mass @ acceleration).ravel(), (force + inertial).ravel(),
                      1e-30 + np.abs(force).max() + np.abs(inertial).max(), 1e-8)


def audit_inspect(audit, program, bundle, scratch):
    frame = len(bundle.times) // 2
    out = scratch / "inspected.h5"
    ran = subprocess.run([program, "inspect", str(bundle.path), "--time", repr(float(bundle.times[frame])), "--out", str(out)],
                         capture_output=True, text=True)
    audit.equal("inspect: exit status", ran.returncode, 0)
    if ran.returncode:
        return
    head = re.match(r"(\S+) of (\S+) at (\S+) s", ran.stdout)
    audit.equal("inspect: its head", (head[1], head[2], float(head[3])), (bundle.label, bundle.manifest["experiment"], bundle.times[frame]))
    with h5py.File(out) as h5, h5py.File(bundle.path / "points.h5") as recorded:
        arrays = {name: item[:] for name, item in arrays_of(h5).items()}
        units = {name: as_text(item.attrs["unit"]) for name, item in arrays_of(h5).items()}
        audit.compare("inspect: points", h5["points"][0].ravel(), bundle.points[frame].ravel(), 1.0, 0.0)
        for name, item in arrays_of(recorded).items():
            audit.compare("inspect: what is recorded too", arrays[name][0].ravel(), item[frame].ravel(),
                          1e-30 + np.abs(item[frame]).max(), 1e-9)
    audit_equations(audit, bundle, arrays)
    blocks = re.findall(r"^(\S+/\S+) \[([^]]*)\], (\d+)×(\d+): .*\n((?:  .*\n)*)", ran.stdout, re.M)
    audit.equal("inspect: printed arrays", sorted(b[0] for b in blocks), sorted(arrays))
    for name, unit, rows, columns, lines in blocks:
        audit.equal("inspect: printed unit and size", (unit, int(rows), int(columns)), (units[name], *arrays[name][0].shape))
        shown = [line[22:].split() for line in lines.splitlines() if "…" not in line]
        for row, values in zip(shown, arrays[name][0]):
            audit.equal("inspect: printed numbers", all(agree(float(s), v, SHOWN) for s, v in zip(row, values)), True)


def main():
    program, bundle, scratch = sys.argv[1], Bundle(Path(sys.argv[2])), Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    audit = Audit()
    audit_recorded(audit, bundle)
    audit_inspect(audit, program, bundle, scratch)
    for fault in audit.faults[:20]:
        print(f"{bundle.path}: {fault}")
    print(f"{bundle.path}: checked {sum(audit.checked.values())} numbers of arrays")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
