#!/usr/bin/python3
"""Exports a bundle in every format and holds the files against points.h5, series.csv and the scene.

    audit_exports.py PROGRAM BUNDLE SCRATCH
"""

import csv
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np

from audit_bundle import Audit, Bundle


def frames_of(bundle):
    for frame, time in enumerate(bundle.times):
        yield frame, time, bundle.points[frame], None if bundle.velocities is None else bundle.velocities[frame]


def file_of(bundle, frame, ending):
    digits = len(str(len(bundle.times) - 1))
    return f"{bundle.label}_{frame:0{digits}d}{ending}"


def connections(scene):
    """Faces of all bodies, and the edges of bodies without faces, by columns of /points."""
    faces, edges = set(), set()
    for body in scene.bodies:
        at = int(scene.offsets[body.name])
        faces |= {tuple(at + p for p in f) for f in body.faces}
        edges |= set() if body.faces else {tuple(at + p for p in e) for e in body.edges}
    return faces, edges


def turned(faces):
    """The same triangles, each from its smallest corner on."""
    return {tuple(np.roll(f, -int(np.argmin(f)))) for f in faces}


def same(audit, name, stated, expected):
    stated, expected = np.asarray(stated, dtype=float), np.asarray(expected, dtype=float)
    if stated.shape != expected.shape:
        audit.fault(f"{name}: {stated.shape} in place of {expected.shape}")
        return
    audit.checked[name] = audit.checked.get(name, 0) + stated.size
    if not np.array_equal(stated, expected):
        audit.fault(f"{name}: differs")


def read_vtk(path):
    """Title, and the numbers of each block by its keyword."""
    lines = path.read_text().splitlines()
    blocks, name = {}, None
    for line in lines[4:]:
        words = line.split()
        if words[0][0].isalpha():
            name = words[0]
            blocks[name] = {"head": words[1:], "rows": []}
        else:
            blocks[name]["rows"].append([float(w) for w in words])
    return lines[1], blocks


def audit_vtk(audit, bundle, folder):
    series = json.loads((folder / f"{bundle.label}.vtk.series").read_text())["files"]
    audit.equal("vtk: files of the series", [f["name"] for f in series],
                [file_of(bundle, i, ".vtk") for i in range(len(bundle.times))])
    same(audit, "vtk: times of the series", [f["time"] for f in series], bundle.times)
    faces, edges = connections(bundle.scene)
    body_of = np.concatenate([[i] * b.count for i, b in enumerate(bundle.scene.bodies)])
    for frame, time, x, v in frames_of(bundle):
        title, blocks = read_vtk(folder / file_of(bundle, frame, ".vtk"))
        audit.equal("vtk: title", (title.rsplit(" at ")[0], float(title.rsplit(" at ")[1].split()[0])), (bundle.label, time))
        same(audit, "vtk: points", blocks["POINTS"]["rows"], x)
        audit.equal("vtk: number of points", int(blocks["POINTS"]["head"][0]), len(x))
        for name, expected in (("POLYGONS", turned(faces)), ("LINES", edges)):
            rows = [tuple(int(n) for n in row) for row in blocks.get(name, {"rows": []})["rows"]]
            audit.equal(f"vtk: sizes of {name}", {r[0] for r in rows} <= {3 if name == "POLYGONS" else 2}, True)
            cells = [r[1:] for r in rows]
            audit.equal(f"vtk: {name}", turned(cells) if name == "POLYGONS" else set(cells), expected)
        same(audit, "vtk: bodies", np.ravel(blocks["LOOKUP_TABLE"]["rows"]), body_of)
        audit.equal("vtk: velocities", "VECTORS" in blocks, v is not None)
        if v is not None:
            same(audit, "vtk: velocities", blocks["VECTORS"]["rows"], v)


def audit_obj(audit, bundle, folder):
    faces, edges = connections(bundle.scene)
    for frame, _, x, _ in frames_of(bundle):
        rows = [line.split() for line in (folder / file_of(bundle, frame, ".obj")).read_text().splitlines()]
        same(audit, "obj: vertices", [[float(w) for w in r[1:]] for r in rows if r[0] == "v"], x)
        audit.equal("obj: faces", turned(tuple(int(w) - 1 for w in r[1:]) for r in rows if r[0] == "f"), turned(faces))
        audit.equal("obj: lines", {tuple(int(w) - 1 for w in r[1:]) for r in rows if r[0] == "l"}, edges)
        audit.equal("obj: objects", [r[1] for r in rows if r[0] == "o"], [b.name for b in bundle.scene.bodies])


def audit_csv(audit, bundle, folder):
    with open(folder / "frames.csv", newline="") as file:
        frames = list(csv.DictReader(file))
    same(audit, "csv: times", [float(f["time_s"]) for f in frames], bundle.times)
    audit.equal("csv: series.csv", (folder / "series.csv").read_bytes() == (bundle.path / "series.csv").read_bytes(), True)
    for frame, _, x, v in frames_of(bundle):
        audit.equal("csv: file of a frame", frames[frame]["file"], file_of(bundle, frame, ".csv"))
        with open(folder / frames[frame]["file"], newline="") as file:
            rows = list(csv.DictReader(file))
        same(audit, "csv: points", [[float(r[f"{a}_m"]) for a in "xyz"] for r in rows], x)
        if v is None:
            audit.equal("csv: velocities", {r["vx_m_s"] for r in rows}, {""})
        else:
            same(audit, "csv: velocities", [[float(r[f"v{a}_m_s"]) for a in "xyz"] for r in rows], v)
        audit.equal("csv: names of points", [(r["body"], int(r["point"])) for r in rows],
                    [(b.name, i) for b in bundle.scene.bodies for i in range(b.count)])


def audit_xdmf(audit, bundle, folder):
    root = ElementTree.parse(folder / f"{bundle.label}.xmf").getroot()
    grids = root.findall("./Domain/Grid/Grid")
    same(audit, "xdmf: times", [float(g.find("Time").get("Value")) for g in grids], bundle.times)
    with h5py.File(folder / f"{bundle.label}.h5") as h5:
        for frame, grid in enumerate(grids):
            for what, data in (("Geometry", bundle.points), ("Attribute", bundle.velocities)):
                if data is None:
                    continue
                slab, source = grid.findall(f"{what}/DataItem/DataItem")
                start, stride, count = np.array(slab.text.split(), dtype=int).reshape(3, 3)
                name = source.text.strip().split(":")[1]
                part = h5[name][tuple(slice(s, s + c * k, k) for s, c, k in zip(start, count, stride))]
                same(audit, f"xdmf: {what}", part[0], data[frame])


def main():
    program, path, scratch = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    audit, bundle = Audit(), Bundle(path)
    for form, check in (("vtk", audit_vtk), ("obj", audit_obj), ("csv", audit_csv), ("xdmf", audit_xdmf)):
        folder = scratch / form
        shutil.rmtree(folder, ignore_errors=True)
        ran = subprocess.run([program, "export", str(path), "--format", form, "--out", str(folder)], capture_output=True, text=True)
        audit.equal(f"{form}: exit status", ran.returncode, 0)
        if ran.returncode == 0:
            audit.equal(f"{form}: the file that it names", Path(ran.stdout.strip()).exists(), True)
            check(audit, bundle, folder)
    for fault in audit.faults[:20]:
        print(f"{path}: export: {fault}")
    print(f"{path}: checked {sum(audit.checked.values())} exported numbers")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
