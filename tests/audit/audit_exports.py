#!/usr/bin/python3
"""Exports a bundle in every format and holds the files against points.h5, series.csv and the scene.

    audit_exports.py PROGRAM BUNDLE SCRATCH
"""

import base64
import csv
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np

from audit_bundle import Audit, Bundle
from scene import depth_in, origin_of


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


NUMBERS = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}
HEXAHEDRON = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]


def read_array(element):
    """A DataArray of VTK's XML: base64 of the number of bytes, as 8 bytes, and the bytes."""
    raw = base64.b64decode(element.text.strip())
    count = int(np.frombuffer(raw[:8], "<u8")[0])
    assert len(raw) == 8 + count, element.get("Name")
    values = np.frombuffer(raw[8:], NUMBERS[element.get("type")])
    width = int(element.get("NumberOfComponents", "1"))
    return values.reshape(-1, width) if width > 1 else values


def read_vtu(path):
    """Points, cells as lists of corners, their types, and the arrays of points and of cells by name."""
    root = ElementTree.parse(path).getroot()
    assert (root.get("type"), root.get("byte_order"), root.get("header_type")) == ("UnstructuredGrid", "LittleEndian", "UInt64")
    piece = root.find("UnstructuredGrid/Piece")
    cells = {a.get("Name"): read_array(a) for a in piece.findall("Cells/DataArray")}
    corners = np.split(cells["connectivity"], cells["offsets"][:-1]) if len(cells["offsets"]) else []
    arrays = [{a.get("Name"): read_array(a) for a in piece.findall(f"{where}/DataArray")} for where in ("PointData", "CellData")]
    points = read_array(piece.find("Points/DataArray"))
    assert len(points) == int(piece.get("NumberOfPoints")) and len(corners) == int(piece.get("NumberOfCells"))
    time = read_array(root.find("UnstructuredGrid/FieldData/DataArray"))
    return points, [tuple(int(c) for c in cell) for cell in corners], cells["types"], arrays[0], arrays[1], time


def expected_cells(body):
    """The cells of a body and VTK's number of their kind."""
    if body.grid is not None and len(body.grid) == 3:
        nx, ny, nz = body.grid
        return [tuple((i + a) + nx * ((j + b) + ny * (k + c)) for a, b, c in HEXAHEDRON)
                for k in range(nz - 1) for j in range(ny - 1) for i in range(nx - 1)], 12
    return (list(body.faces), 5) if body.faces else (list(body.edges), 3)


def gradient(cell, x):
    """Derivatives of places by the coordinates of a cell, at its middle."""
    if len(cell) == 8:
        return sum(np.outer(x[c], np.array(sign) - 0.5) * 0.5 for c, sign in zip(cell, HEXAHEDRON))
    return np.array([x[c] - x[cell[0]] for c in cell[1:]]).T


def green_strain(cell, rest, x):
    """In an orthonormal frame of the cell by QR, then turned into the body frame: another way than Pliant's."""
    q, r = np.linalg.qr(gradient(cell, rest))
    f = gradient(cell, x) @ np.linalg.inv(r)
    e = q @ (0.5 * (f.T @ f - np.eye(r.shape[0]))) @ q.T
    return np.array([e[0, 0], e[1, 1], e[2, 2], e[0, 1], e[1, 2], e[0, 2]])


def close(audit, name, stated, expected, within=1e-12):
    stated, expected = np.asarray(stated, dtype=float), np.asarray(expected, dtype=float)
    audit.checked[name] = audit.checked.get(name, 0) + stated.size
    if stated.shape != expected.shape or not np.allclose(stated, expected, rtol=0.0, atol=within * (1.0 + np.abs(expected).max(initial=0.0))):
        audit.fault(f"{name}: differs")


def audit_body(audit, form, body, start, time, x, v, grid):
    points, cells, types, at_points, at_cells, said = grid
    same(audit, f"{form}: points", points, x)
    same(audit, f"{form}: time of a grid", said, [time])
    if v is not None:
        same(audit, f"{form}: velocities", at_points["velocity_m_s"], v)
    audit.equal(f"{form}: velocities", "velocity_m_s" in at_points, v is not None)
    cell_list, kind = expected_cells(body)
    audit.equal(f"{form}: cells", sorted(turned(cells)) if kind == 5 else sorted(cells),
                sorted(turned(cell_list)) if kind == 5 else sorted(cell_list))
    audit.equal(f"{form}: types of cells", set(types), {kind})
    close(audit, f"{form}: rest shape", at_points["rest_m"], start)
    close(audit, f"{form}: displacement", at_points["displacement_m"], x - start)
    strains = np.array([green_strain(cell, body.rest, x) for cell in cells])
    close(audit, f"{form}: strain of cells", at_cells["strain"], strains, 1e-11)
    sizes = np.array([abs(np.prod(np.diag(np.linalg.qr(gradient(cell, body.rest))[1]))) for cell in cells])
    for p in range(body.count):
        mine = [i for i, cell in enumerate(cells) if p in cell]
        close(audit, f"{form}: strain at points", at_points["strain"][p], sizes[mine] @ strains[mine] / sizes[mine].sum(), 1e-11)


def audit_obstacle(audit, form, obstacle, time, grid):
    points, cells, types, at_points, _, _ = grid
    origin = origin_of(obstacle, time)
    depth = depth_in(obstacle, origin, points)
    close(audit, f"{form}: surfaces of obstacles", depth if obstacle["shape"] != "plane" else np.maximum(depth, 0.0), 0.0 * depth, 1e-12)
    if obstacle["shape"] != "plane":
        audit.equal(f"{form}: surfaces of obstacles", (depth_in(obstacle, origin, origin + 0.99 * (points - origin)) > 0.0).all(), True)
    audit.equal(f"{form}: facets of obstacles", set(types) == {7} and min(len(c) for c in cells) >= 3, True)


def audit_blocks(audit, bundle, form, shown):
    """Of each frame its time, and by group the names of the blocks with their grids."""
    same(audit, f"{form}: times of the series", [time for time, _ in shown], bundle.times)
    rests = [b.unstretched for b in bundle.scene.bodies]
    known, before = 0, {}
    for (frame, time, x, v), (_, groups) in zip(frames_of(bundle), shown):
        audit.equal(f"{form}: bodies", [name for name, _ in groups["bodies"]], [b.name for b in bundle.scene.bodies])
        audit.equal(f"{form}: obstacles", [name for name, _ in groups["obstacles"]], [o["name"] for o in bundle.scene.obstacles])
        sums = {}
        for body, rest, (_, grid) in zip(bundle.scene.bodies, rests, groups["bodies"]):
            at = slice(int(bundle.scene.offsets[body.name]), int(bundle.scene.offsets[body.name]) + body.count)
            audit_body(audit, form, body, rest, time, x[at], None if v is None else v[at], grid)
            if "contact_force_N" in grid[3]:
                sums[body.name] = grid[3]["contact_force_N"].sum(axis=0)
        for obstacle, (_, grid) in zip(bundle.scene.obstacles, groups["obstacles"]):
            audit_obstacle(audit, form, obstacle, time, grid)
        # A body that touches one obstacle only, by a force of the present state: between two records that touch the mean of the
        # pair is near that of both.
        for name, total in sums.items():
            forces = {c: bundle.series[c][frame] for c in bundle.series if c.startswith(f"contact_force.{name}.")
                      and "friction_work" + c[len("contact_force"):-len("_N")] + "_J" not in bundle.series}
            touching = [f for f in forces.values() if f]
            both = 0.5 * (total + before.get(name, np.zeros(3)))
            if len(touching) == 1 and np.isfinite(both).all() and np.any(total) and np.any(before.get(name, 0.0)):
                close(audit, f"{form}: contact forces", np.linalg.norm(both), touching[0], 0.1 * touching[0])
                known += 1
        before = sums
    return known


def read_vtk(audit, bundle, folder):
    shown = []
    for one in ElementTree.parse(folder / f"{bundle.label}.pvd").getroot().findall("Collection/DataSet"):
        blocks = folder / one.get("file")
        groups = ElementTree.parse(blocks).getroot().findall("vtkMultiBlockDataSet/Block")
        shown.append((float(one.get("timestep")), {g.get("name"): [(d.get("name"), read_vtu(blocks.parent / d.get("file"))) for d in g.findall("DataSet")]
                                                   for g in groups}))
    return shown


def audit_obj(audit, bundle, folder):
    faces, edges = connections(bundle.scene)
    for frame, _, x, _ in frames_of(bundle):
        rows = [line.split() for line in (folder / file_of(bundle, frame, ".obj")).read_text().splitlines()]
        vertices = [[float(w) for w in r[1:]] for r in rows if r[0] == "v"]
        same(audit, "obj: vertices", vertices[:len(x)], x)
        facets = [tuple(int(w) - 1 for w in r[1:]) for r in rows if r[0] == "f"]
        audit.equal("obj: faces", turned(f for f in facets if max(f) < len(x)), turned(faces))
        audit.equal("obj: facets of obstacles", max(max(f) for f in facets) == len(vertices) - 1, True)
        audit.equal("obj: lines", {tuple(int(w) - 1 for w in r[1:]) for r in rows if r[0] == "l"}, edges)
        audit.equal("obj: objects", [" ".join(r[1:]) for r in rows if r[0] == "o"],
                    [b.name for b in bundle.scene.bodies] + ["obstacle " + o["name"] for o in bundle.scene.obstacles])


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


# XDMF's kinds of cells: its word, its number in lists of several kinds, the number that VTK has for it, how many corners (0: said in the file).
XDMF_CELLS = [("Polyvertex", 1, 1, 0), ("Polyline", 2, 3, 0), ("Polygon", 3, 7, 0), ("Triangle", 4, 5, 3), ("Tetrahedron", 6, 10, 4), ("Hexahedron", 9, 12, 8)]
ROW_BY_ROW = [0, 3, 5, 1, 4, 2]  # xx, xy, xz, yy, yz, zz among xx, yy, zz, xy, yz, xz


def read_xdmf_grid(grid, time, data_of):
    """As read_vtu() gives it."""
    topology = grid.find("Topology")
    numbers = [int(n) for n in np.ravel(data_of(topology.find("DataItem")))]
    count, word = int(topology.get("NumberOfElements")), topology.get("TopologyType")
    cells, types, at = [], [], 0
    for _ in range(count):
        if word == "Mixed":
            _, _, kind, corners = next(c for c in XDMF_CELLS if c[1] == numbers[at])
            at += 1
            if corners == 0:
                corners, at = numbers[at], at + 1
        else:
            _, _, kind, corners = next(c for c in XDMF_CELLS if c[0] == word)
            corners = corners or int(topology.get("NodesPerElement"))
        cells.append(tuple(numbers[at:at + corners]))
        types.append(kind)
        at += corners
    assert at == len(numbers), grid.get("Name")
    points = data_of(grid.find("Geometry/DataItem"))
    arrays = {"Node": {}, "Cell": {}}
    for one in grid.findall("Attribute"):
        values = data_of(one.find("DataItem"))
        if one.get("AttributeType") == "Tensor6":
            values = values[:, np.argsort(ROW_BY_ROW)]
        assert values.shape == ({"Node": len(points), "Cell": count}[one.get("Center")],
                                {"Scalar": 1, "Vector": 3, "Tensor6": 6}[one.get("AttributeType")]), one.get("Name")
        arrays[one.get("Center")][one.get("Name")] = values if values.shape[1] > 1 else values[:, 0]
    return points, cells, types, arrays["Node"], arrays["Cell"], [time]


def read_xdmf(audit, bundle, folder):
    files = {}

    def data_of(item):
        file, name = item.text.strip().split(":")
        files.setdefault(file, h5py.File(folder / file))
        values = files[file][name][:]
        assert list(values.shape) == [int(n) for n in item.get("Dimensions").split()], name
        assert (values.dtype.kind, str(values.dtype.itemsize)) == ({"Float": "f", "Int": "i"}[item.get("NumberType")], item.get("Precision")), name
        return values

    shown = []
    series, = ElementTree.parse(folder / f"{bundle.label}.xmf").getroot().findall("./Domain/Grid")
    audit.equal("xdmf: a collection in time", series.get("CollectionType"), "Temporal")
    bodies, obstacles = len(bundle.scene.bodies), len(bundle.scene.obstacles)
    for grid in series.findall("Grid"):
        audit.equal("xdmf: a collection in space", grid.get("CollectionType"), "Spatial")
        time = float(grid.find("Time").get("Value"))
        blocks = [(g.get("Name"), read_xdmf_grid(g, time, data_of)) for g in grid.findall("Grid")]
        shown.append((time, {"bodies": blocks[:bodies], "obstacles": blocks[bodies:bodies + obstacles], "elements": blocks[bodies + obstacles:]}))
    return shown


def audit_alike(audit, vtk, xdmf):
    """Both formats have the same arrays of every block, elements of the method and stresses among them."""
    for (_, one), (_, other) in zip(vtk, xdmf):
        blocks = [[block for group in ("bodies", "obstacles", "elements") for block in shown.get(group, [])] for shown in (one, other)]
        audit.equal("vtk, xdmf: blocks", [name for name, _ in blocks[0]], [name for name, _ in blocks[1]])
        for (name, a), (_, b) in zip(*blocks):
            audit.equal(f"vtk, xdmf: cells of {name}", (a[1], list(a[2])), (b[1], list(b[2])))
            audit.equal(f"vtk, xdmf: points of {name}", np.array_equal(a[0], b[0], equal_nan=True), True)
            for here, there in ((a[3], b[3]), (a[4], b[4])):
                audit.equal(f"vtk, xdmf: arrays of {name}", sorted(here), sorted(there))
                for array in here:
                    audit.equal(f"vtk, xdmf: {array} of {name}", np.array_equal(here[array], there[array], equal_nan=True), True)


def main():
    program, path, scratch = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    audit, bundle = Audit(), Bundle(path)
    shown = {}

    def blocks_of(form, read):
        def check(audit, bundle, folder):
            shown[form] = read(audit, bundle, folder)
            known = audit_blocks(audit, bundle, form, shown[form])
            if bundle.label == "linear-deformation":
                audit.equal(f"{form}: contact forces are known somewhere", known > 0, True)
        return check

    for form, check in (("vtk", blocks_of("vtk", read_vtk)), ("obj", audit_obj), ("csv", audit_csv), ("xdmf", blocks_of("xdmf", read_xdmf))):
        folder = scratch / form
        shutil.rmtree(folder, ignore_errors=True)
        ran = subprocess.run([program, "export", str(path), "--format", form, "--out", str(folder)], capture_output=True, text=True)
        audit.equal(f"{form}: exit status", ran.returncode, 0)
        if ran.returncode == 0:
            audit.equal(f"{form}: the file that it names", Path(ran.stdout.strip()).exists(), True)
            check(audit, bundle, folder)
    if len(shown) == 2:
        audit_alike(audit, shown["vtk"], shown["xdmf"])
    for fault in audit.faults[:20]:
        print(f"{path}: export: {fault}")
    print(f"{path}: checked {sum(audit.checked.values())} exported numbers")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
