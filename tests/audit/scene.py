"""A scene as docs/experiment-file.md describes it, rebuilt from an experiment.toml for the auditor.

It shares no code with Pliant: bodies with masses, edges and faces, paths, obstacles, holds and springs.
"""

import itertools
import math

import numpy as np


def vector(values):
    """[x, y, z]; a planar scene may leave out z."""
    values = [float(v) for v in values]
    return np.array(values + [0.0] * (3 - len(values)))


def rotation_matrix(value):
    if isinstance(value, (int, float)):
        axis, angle = np.array([0.0, 0.0, 1.0]), float(value)
    else:
        axis, angle = vector(value["axis"]), float(value["angle"])
    axis = axis / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def cells(wraps, counts):
    """Edges and triangles of a grid of points i + n_u j; an axis that wraps has a cell more."""
    (nu, nv), (wrap_u, wrap_v) = counts, wraps
    at = lambda i, j: i % nu + nu * (j % nv)
    edges = [(at(i, j), at(i + 1, j)) for j in range(nv) for i in range(nu if wrap_u else nu - 1)]
    edges += [(at(i, j), at(i, j + 1)) for j in range(nv if wrap_v else nv - 1) for i in range(nu)]
    faces = []
    for j in range(nv if wrap_v else nv - 1):
        for i in range(nu if wrap_u else nu - 1):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            faces += [(a, b, c), (a, c, d)]
    return edges, faces


def block(counts):
    """Edges of a grid in space, and the triangles of its six sides, seen from outside counter-clockwise."""
    at = lambda p: p[0] + counts[0] * (p[1] + counts[1] * p[2])
    edges, faces = [], []
    for p in itertools.product(*(range(n) for n in counts)):
        for axis in range(3):
            q = list(p)
            q[axis] += 1
            if q[axis] < counts[axis]:
                edges.append((at(p), at(q)))
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, counts[axis] - 1):
            for iu, iv in itertools.product(range(counts[u] - 1), range(counts[v] - 1)):
                corners = []
                for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    p = [0, 0, 0]
                    p[axis], p[u], p[v] = side, iu + du, iv + dv
                    corners.append(at(p))
                a, b, c, d = corners
                faces += [(a, b, c), (a, c, d)] if side else [(a, c, b), (a, d, c)]
    return edges, faces


class Body:
    """At rest in its own frame [m], masses [kg], edges, faces, and the points that have names."""

    def __init__(self, table):
        self.name, shape = table["name"], table["shape"]
        self.edges, self.faces, self.closed, self.grid, self.names = [], [], False, None, dict(table.get("marks", {}))
        frame = np.eye(3)
        if shape == "chain":
            n = int(table["points"])
            a, b = vector(table["from"]), vector(table["to"])
            self.rest = np.array([a + (b - a) * i / (n - 1) for i in range(n)])
            self.edges = [(i, i + 1) for i in range(n - 1)]
            self.names.update(start=0, end=n - 1)
        elif shape in ("sheet", "block"):
            counts = [int(c) for c in table["points"]]
            sizes = [float(s) for s in table["size"]]
            self.grid = counts
            rest = []
            for p in itertools.product(*(range(n) for n in reversed(counts))):
                at = [s * (i / (n - 1) - 0.5) for s, i, n in zip(sizes, reversed(p), counts)]
                rest.append(at + [0.0] * (3 - len(at)))
            self.rest = np.array(rest)
            self.edges, self.faces = cells((False, False), counts) if shape == "sheet" else block(counts)
            self.closed = shape == "block"
            # The columns of a plane are where its x, y and z (the normal) point to.
            frame = {"xy": np.eye(3), "xz": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]).T,
                     "yz": np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).T}[table.get("plane", "xy")]
        elif shape == "profile" and "points" in table:
            self.rest = np.array([vector(p) for p in table["points"]])
            self.edges = [tuple(e) for e in table.get("edges", [])]
            self.faces = [tuple(f) for f in table.get("faces", [])]
        elif shape == "ring":
            n = int(table["points"])
            angle = -2.0 * np.pi * np.arange(n) / n
            self.rest = table["radius"] * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
            self.edges = [(i, (i + 1) % n) for i in range(n)]
        elif shape == "tube":
            nu, nv = (int(c) for c in table["points"])
            angle, along = 2.0 * np.pi * np.arange(nu) / nu, table["length"] * (np.arange(nv) / (nv - 1) - 0.5)
            self.rest = np.array([[table["radius"] * math.cos(a), table["radius"] * math.sin(a), z]
                                  for z in along for a in angle])
            self.grid, (self.edges, self.faces) = [nu, nv], cells((True, False), (nu, nv))
        elif shape == "mesh" and table.get("subdivisions", 0) == 0 and "faces" in table:
            self.rest = table.get("scale", 1.0) * np.array([vector(v) for v in table["vertices"]])
            sides = [(f[i - 1], f[i]) for f in table["faces"] for i in range(len(f))]
            self.edges = sorted({(min(e), max(e)) for e in sides})
            self.faces = [(f[0], f[i - 1], f[i]) for f in table["faces"] for i in range(2, len(f))]
            self.closed = len(sides) == 2 * len(self.edges)
        else:
            raise NotImplementedError(f"shape {shape} of body {self.name}")
        self.count = len(self.rest)
        if "material" in table:
            self.masses = self.volumes(table)
            material = table["material"]
            total = table.get("mass", sum(table.get("masses", [])))
            self.masses *= material["density"] if "density" in material else total / self.masses.sum()
        elif "masses" in table:
            self.masses = np.array(table["masses"], dtype=float)
            if "mass" in table:
                self.masses *= table["mass"] / self.masses.sum()
        else:
            self.masses = np.full(self.count, table["mass"] / self.count)
        self.lengths = np.array([np.linalg.norm(self.rest[b] - self.rest[a]) for a, b in self.edges])
        turn = rotation_matrix(table.get("rotation", 0.0)) @ frame
        stretch = np.diag(vector(table["stretch"])) if "stretch" in table else np.eye(3)
        self.start = self.rest @ (turn @ stretch).T + vector(table.get("position", [0, 0, 0]))
        self.unstretched = self.rest @ turn.T + vector(table.get("position", [0, 0, 0]))  # the rest shape where it starts

    def volumes(self, table):
        """What each point stands for, m³: products of trapezoids on grids, else equal shares of triangles and links."""
        thickness, shape = float(table["material"].get("thickness", 0.0)), table["shape"]
        trapezoid = lambda n: np.array([0.5] + [1.0] * (n - 2) + [0.5]) / (n - 1)
        if shape in ("sheet", "block"):
            shares = np.ones(1)
            for size, n in zip(table["size"], self.grid):  # the first axis runs fastest
                shares = np.outer(size * trapezoid(n), shares).ravel()
            return shares * (thickness if shape == "sheet" else 1.0)
        if shape == "tube":
            chord = 2.0 * table["radius"] * math.sin(math.pi / self.grid[0])
            return thickness * np.outer(table["length"] * trapezoid(self.grid[1]), np.full(self.grid[0], chord)).ravel()
        shares = np.zeros(self.count)
        for face in self.faces:
            a, b, c = (self.rest[p] for p in face)
            shares[list(face)] += thickness * np.linalg.norm(np.cross(b - a, c - a)) / 6.0
        if not self.faces:
            for edge in self.edges:
                shares[list(edge)] += 0.5 * thickness**2 * np.linalg.norm(self.rest[edge[1]] - self.rest[edge[0]])
        return shares

    def extent(self, points):
        """Volume inside closed faces [m³], area of open ones [m²]."""
        if not self.faces:
            return 0.0
        a, b, c = (points[[f[k] for f in self.faces]] for k in range(3))
        if self.closed:
            middle = points.mean(axis=0)
            return float(np.einsum("ij,ij->", a - middle, np.cross(b - middle, c - middle)) / 6.0)
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    def signed_extent(self, points):
        """Of a body in the plane its area is positive where its faces go round anticlockwise [m²]."""
        if self.closed:
            return self.extent(points)
        a, b, c = (points[[f[k] for f in self.faces]] for k in range(3))
        return float(0.5 * np.cross(b - a, c - a)[:, 2].sum())

    def points_named(self, name):
        """Of a key `point` or `points`."""
        if isinstance(name, int):
            return [name]
        if isinstance(name, str):
            if name in self.names:
                return [self.names[name]]
            if name == "all":
                return list(range(self.count))
            raise NotImplementedError(f"group {name}")
        if name and all(isinstance(n, int) for n in name) and self.grid and len(name) == len(self.grid):
            index, stride = 0, 1
            for i, n in zip(name, self.grid):
                index, stride = index + stride * i, stride * n
            return [index]
        return [p for n in name for p in self.points_named(n)]


class Path:
    """A path through keys: clamped cubic spline, or straight lines; it rests before and after."""

    def __init__(self, table, keys):
        self.times = np.array(table["times"], dtype=float)
        self.keys = np.array(keys)
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


class Still:
    def __init__(self, position):
        self.position = np.asarray(position, dtype=float)

    def at(self, time):
        return self.position


def depth_in(obstacle, origin, points):
    """How deep each point is inside [m], 0 outside; None for a shape that is not rebuilt here."""
    x = points - origin
    shape = obstacle["shape"]
    if shape == "plane":
        if "slope" in obstacle:
            normal = np.array([-math.sin(obstacle["slope"]), math.cos(obstacle["slope"]), 0.0])
        else:
            normal = vector(obstacle.get("normal", [0, 1, 0]))
        return np.maximum(0.0, -x @ (normal / np.linalg.norm(normal)))
    if shape == "sphere":
        return np.maximum(0.0, obstacle["radius"] - np.linalg.norm(x, axis=1))
    if shape == "capsule":
        half = vector(obstacle["half_axis"])
        along = np.clip(x @ half / (half @ half), -1.0, 1.0)
        return np.maximum(0.0, obstacle["radius"] - np.linalg.norm(x - np.outer(along, half), axis=1))
    if shape == "box":
        local = x @ rotation_matrix(obstacle.get("rotation", 0.0))
        return np.maximum(0.0, np.min(vector(obstacle["half_size"]) - np.abs(local), axis=1))
    return None


def origin_of(obstacle, time):
    if "path" in obstacle:
        return Path(obstacle["path"], [vector(k) for k in obstacle["path"]["keys"]]).at(time)
    return vector(obstacle.get("position", [0, 0, 0]))


class Scene:
    def __init__(self, table):
        self.table = table
        self.gravity = vector(table["gravity"])
        self.bodies = [Body(b) for b in table["body"]]
        self.offsets = dict(zip((b.name for b in self.bodies), np.cumsum([0] + [b.count for b in self.bodies])))
        self.masses = np.concatenate([b.masses for b in self.bodies])
        self.start = np.concatenate([b.start for b in self.bodies])
        self.obstacles = table.get("obstacle", [])

    def body(self, name):
        return next(b for b in self.bodies if b.name == name)

    def indices(self, table):
        """Columns of the points that a table names by `body` and `point` or `points`."""
        body, first = self.body(table["body"]), int(self.offsets[table["body"]])
        named = [table["point"]] if "point" in table else table["points"]
        return [first + p for name in ([named] if isinstance(named, str) else named) for p in body.points_named(name)]

    def is_isolated(self):
        """Nothing outside the bodies acts on them."""
        outside = ("obstacle", "nail", "slider", "combination", "force", "impulse", "behaviour")
        return not np.any(self.gravity) and not any(self.table.get(key) for key in outside) and all(
            "to" in s for s in self.table.get("spring", []))

    def nails(self):
        """(name, column, path, from, until) of each nailed point."""
        for nail in self.table.get("nail", []):
            for index in self.indices(nail):
                path = nail.get("path")
                if path is None:
                    way = Still(self.start[index])
                elif "keys" in path:
                    way = Path(path, [vector(k) for k in path["keys"]])
                else:
                    way = Path(path, [self.start[index] + vector(o) for o in path["offsets"]])
                yield nail["name"], index, way, nail.get("from", 0.0), nail.get("until", math.inf)

    def largest_gap(self, time, x):
        """Of nails and attachments that hold at `time`, m; None when there are none."""
        gaps = [np.linalg.norm(x[i] - way.at(time)) for _, i, way, begin, end in self.nails()
                if begin <= time < end]
        for tie in self.table.get("attachment", []):
            if tie.get("from", 0.0) <= time < tie.get("until", math.inf):
                gaps.append(np.linalg.norm(x[self.indices(tie["a"])[0]] - x[self.indices(tie["b"])[0]]))
        return max(gaps) if gaps else None

    def spring_energy(self, x):
        """½ k (ℓ − ℓ₀)² of the springs of the scene, J."""
        energy = 0.0
        for spring in self.table.get("spring", []):
            for index in self.indices(spring):
                if "to" in spring:
                    other = x[self.indices(spring["to"])[0]]
                elif spring["anchor"] == "start":
                    other = self.start[index]
                else:
                    other = vector(spring["anchor"])
                stretch = np.linalg.norm(x[index] - other) - spring.get("rest_length", 0.0)
                energy += 0.5 * spring["stiffness"] * stretch**2
        return energy

    def hold_energy(self, time, x, stiffness):
        """½ k |gap|² of springs in place of nails and attachments, J."""
        energy = sum(0.5 * stiffness * np.sum((x[i] - way.at(time)) ** 2) for _, i, way, begin, end in self.nails()
                     if begin <= time < end)
        for tie in self.table.get("attachment", []):
            if tie.get("from", 0.0) <= time < tie.get("until", math.inf):
                gap = x[self.indices(tie["a"])[0]] - x[self.indices(tie["b"])[0]]
                energy += 0.5 * stiffness * np.sum(gap**2)
        return energy

    def extent_ratio(self, x):
        with_faces = [(b, int(self.offsets[b.name])) for b in self.bodies if b.faces]
        if not with_faces:
            return None
        rest = sum(b.extent(b.rest) for b, _ in with_faces)
        return sum(b.extent(x[at:at + b.count]) for b, at in with_faces) / rest

    def strains(self, x):
        """(ℓ − ℓ_rest)/ℓ_rest of every edge."""
        found = []
        for body in self.bodies:
            at = int(self.offsets[body.name])
            for (a, b), length in zip(body.edges, body.lengths):
                found.append(np.linalg.norm(x[at + b] - x[at + a]) / length - 1.0)
        return np.array(found)

    def depths(self, time, x):
        """Of each point inside the obstacle in which it is deepest; None for a shape not rebuilt here."""
        depth = np.zeros(len(x))
        for obstacle in self.obstacles:
            inside = depth_in(obstacle, origin_of(obstacle, time), x)
            if inside is None:
                return None
            depth = np.maximum(depth, inside)
        return depth
