"""Contact on edges and faces: depth in obstacles and bodies, crossings, signed extents and cells, recomputed pair by pair."""

import itertools
import math
import re

import numpy as np

from scene import origin_of, rotation_matrix, vector

MOST_PAIRS = 3_000_000  # of edges and faces, over all records: above, crossings are left alone
ROUNDING = 1e-12        # of the terms of a determinant: what is as small may count as touching


class Parts:
    """Of all bodies, as columns of the points of the scene."""

    def __init__(self, scene):
        self.planar = scene.table.get("dimension", 3) == 2
        self.edges, self.faces, self.edge_body, self.face_body, self.lone_edges = [], [], [], [], []
        for b, body in enumerate(scene.bodies):
            at = int(scene.offsets[body.name])
            faces = [tuple(at + i for i in f) for f in body.faces]
            sides = {tuple(sorted((f[i - 1], f[i]))) for f in faces for i in range(3)}
            own = {tuple(sorted((at + i, at + j))) for i, j in body.edges}
            edges = sorted(sides | own)
            self.lone_edges += sorted(own - sides)
            self.edges += edges
            self.edge_body += [b] * len(edges)
            self.faces += faces
            self.face_body += [b] * len(faces)
        self.solid = [bool(b.faces) and (b.closed or self.planar) for b in scene.bodies]
        self.edges = np.array(self.edges, dtype=int).reshape(-1, 2)
        self.faces = np.array(self.faces, dtype=int).reshape(-1, 3)
        self.edge_body, self.face_body = np.array(self.edge_body), np.array(self.face_body)


def det(u, v, w):
    """Determinants, and the sums of the magnitudes of their terms."""
    value = np.einsum("...i,...i", np.cross(u, v), w)
    u, v, w = abs(u), abs(v), abs(w)
    terms = sum(u[..., i] * v[..., j] * w[..., k] for i, j, k in itertools.permutations(range(3)))
    return value, terms


def crossings(parts, x):
    """Pairs (edge, face), in the plane (edge, edge), that cross; and how many more do if rounding is otherwise."""
    e, f = parts.edges, parts.faces
    if parts.planar:
        i, j = np.triu_indices(len(e), 1)
        apart = ~(e[i][:, :, None] == e[j][:, None, :]).any(axis=(1, 2))
        i, j = i[apart], j[apart]
        a, b, c, d = x[e[i, 0]], x[e[i, 1]], x[e[j, 0]], x[e[j, 1]]

        def side(p, q, r):
            first, second = (q - p)[:, 0] * (r - p)[:, 1], (q - p)[:, 1] * (r - p)[:, 0]
            return first - second, abs(first) + abs(second)
        tests = [(side(a, b, c), side(a, b, d)), (side(c, d, a), side(c, d, b))]
    else:
        i, j = (k.ravel() for k in np.meshgrid(range(len(e)), range(len(f)), indexing="ij"))
        low = lambda s: x[s].min(axis=1)
        high = lambda s: x[s].max(axis=1)
        near = ((low(e)[i] <= high(f)[j]) & (low(f)[j] <= high(e)[i])).all(axis=1)
        i, j = i[near], j[near]
        apart = ~(e[i][:, :, None] == f[j][:, None, :]).any(axis=(1, 2))
        i, j = i[apart], j[apart]
        p, q, a, b, c = x[e[i, 0]], x[e[i, 1]], x[f[j, 0]], x[f[j, 1]], x[f[j, 2]]
        ab, bc, ca = (det(q - p, s - p, t - p) for s, t in ((a, b), (b, c), (c, a)))
        tests = [(det(b - a, c - a, p - a), det(b - a, c - a, q - a)), (ab, (-bc[0], bc[1])), (bc, (-ca[0], ca[1]))]
    cross, maybe = np.ones(len(i), dtype=bool), np.ones(len(i), dtype=bool)
    for (u, size_u), (v, size_v) in tests:
        surely = (abs(u) > ROUNDING * size_u) & (abs(v) > ROUNDING * size_v)
        cross &= surely & (u * v < 0)
        maybe &= ~surely | (u * v < 0)
    pairs = lambda chosen: set(zip(i[chosen].tolist(), j[chosen].tolist()))
    return pairs(cross), pairs(maybe & ~cross)


def nearest_on_triangle(p, a, b, c):
    """Of a triangle: its inner foot where there is one, or the nearest place of its sides."""
    best = min((nearest_on_segment(p, *s) for s in ((a, b), (b, c), (c, a))), key=lambda q: np.linalg.norm(p - q))
    m = np.array([b - a, c - a]).T
    gram = m.T @ m
    if abs(np.linalg.det(gram)) > 1e-14 * np.trace(gram) ** 2:
        u, v = np.linalg.solve(gram, m.T @ (p - a))
        if u >= 0 and v >= 0 and u + v <= 1:
            return a + u * (b - a) + v * (c - a)
    return best


def nearest_on_segment(p, a, b):
    along = b - a
    size = along @ along
    return a if size == 0.0 else a + np.clip((p - a) @ along / size, 0.0, 1.0) * along


def distance(p, corners):
    nearest = nearest_on_segment(p, *corners) if len(corners) == 2 else nearest_on_triangle(p, *corners)
    return np.linalg.norm(p - nearest)


def least_of_planes(normals, offsets, corners):
    """min over the part of the highest plane: a linear program, of which every vertex is tried."""
    k = len(corners) - 1
    base, sides = corners[0], np.array([c - corners[0] for c in corners[1:]])
    rows = [np.append(n @ sides.T, -1.0) for n in normals]
    values = [o - n @ base for n, o in zip(normals, offsets)]
    for i in range(k):
        rows.append(np.append(np.eye(k)[i], 0.0))
        values.append(0.0)
    rows.append(np.append(np.ones(k), 0.0))
    values.append(1.0)
    rows, values, best = np.array(rows), np.array(values), math.inf
    for chosen in itertools.combinations(range(len(rows)), k + 1):
        m = rows[list(chosen)]
        if abs(np.linalg.det(m)) < 1e-12:
            continue
        w = np.linalg.solve(m, values[list(chosen)])[:k]
        if (w >= -1e-12).all() and w.sum() <= 1 + 1e-12:
            best = min(best, float(np.max(normals @ (base + w @ sides) - offsets)))
    return best


def part_depth(obstacle, origin, corners):
    x = corners - origin
    if obstacle["shape"] == "sphere":
        return obstacle["radius"] - distance(np.zeros(3), x)
    if obstacle["shape"] == "capsule":
        half = vector(obstacle["half_axis"])
        low, high = -1.0, 1.0  # the distance is convex along the axis
        for _ in range(90):
            a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
            if distance(a * half, x) < distance(b * half, x):
                high = b
            else:
                low = a
        return obstacle["radius"] - distance(0.5 * (low + high) * half, x)
    size = vector(obstacle["half_size"])
    axes = rotation_matrix(obstacle.get("rotation", 0.0)).T
    return -least_of_planes(np.vstack([axes, -axes]), np.concatenate([size, size]), x)


def body_depth(parts, scene, x):
    deepest = 0.0
    for b, solid in enumerate(parts.solid):
        if not solid:
            continue
        faces = parts.faces[parts.face_body == b]
        facets = faces
        if parts.planar:
            sides = [tuple(sorted((f[i - 1], f[i]))) for f in faces.tolist() for i in range(3)]
            facets = np.array([s for s in sides if sides.count(s) == 1])
        low, high = x[faces].min(axis=(0, 1)), x[faces].max(axis=(0, 1))
        for a, other in enumerate(scene.bodies):
            if a == b:
                continue
            at = int(scene.offsets[other.name])
            places = [x[at:at + other.count]]
            places += [x[s[own == a]].mean(axis=1) for s, own in ((parts.edges, parts.edge_body), (parts.faces, parts.face_body))
                       if np.any(own == a)]
            for p in np.concatenate(places):
                if (p < low).any() or (p > high).any():
                    continue
                u, v, w = (x[faces[:, k]] - p for k in range(3))
                if parts.planar:
                    z = lambda s, t: s[:, 0] * t[:, 1] - s[:, 1] * t[:, 0]
                    inside = ((np.sign(z(u, v)) == np.sign(z(v, w))) & (np.sign(z(v, w)) == np.sign(z(w, u)))).any()
                else:
                    nu, nv, nw = (np.linalg.norm(s, axis=1) for s in (u, v, w))
                    dot = lambda s, t: np.einsum("ij,ij->i", s, t)
                    angle = 2 * np.arctan2(dot(u, np.cross(v, w)), nu * nv * nw + dot(u, v) * nw + dot(v, w) * nu + dot(w, u) * nv)
                    inside = abs(angle.sum()) > 2 * math.pi
                if inside:
                    deepest = max(deepest, min(distance(p, x[f]) for f in facets))
    return deepest


def audit_contact(audit, scene, series, x, times):
    parts = Parts(scene)
    audit_extents(audit, scene, series, x, parts)
    obstacles = scene.obstacles
    if obstacles and all(o["shape"] in ("plane", "sphere", "capsule", "box") for o in obstacles):
        chosen = range(len(times)) if len(parts.faces) < 300 else range(0, len(times), max(1, len(times) // 5))
        depths = []
        for r in chosen:
            depth = float(np.max(scene.depths(times[r], x[r])))
            for o in obstacles:
                if o["shape"] == "plane":
                    continue  # a corner is the deepest place
                origin = origin_of(o, times[r])
                reach = np.linalg.norm(o.get("half_size", o.get("half_axis", [0]))) + o.get("radius", 0.0) + 1e-9
                for part in itertools.chain(parts.faces, np.array(parts.lone_edges, dtype=int)):
                    corners = x[r][part]
                    if (corners.min(axis=0) < origin + reach).all() and (corners.max(axis=0) > origin - reach).all():
                        depth = max(depth, part_depth(o, origin, corners))
            depths.append(depth)
        audit.compare("obstacle_depth_m", series["obstacle_depth_m"][list(chosen)], depths, 1.0)
    if any(parts.solid) and len(scene.bodies) > 1 and len(parts.faces) < 1000:
        audit.compare("body_depth_m", series["body_depth_m"], [body_depth(parts, scene, p) for p in x], 1.0)
    pairs = len(parts.edges) * len(parts.edges if parts.planar else parts.faces)
    if not pairs or pairs * len(times) > MOST_PAIRS or np.isnan(series["self_crossings"]).any():
        return
    rest = np.concatenate([b.rest for b in scene.bodies])
    at_rest = set().union(*crossings(parts, rest))
    for r, p in enumerate(x):
        sure, unsure = crossings(parts, p)
        other_body = parts.edge_body if parts.planar else parts.face_body
        own = lambda pairs: {q for q in pairs if parts.edge_body[q[0]] == other_body[q[1]]}
        least, most = len(own(sure) - at_rest), len(own(sure | unsure))
        audit.equal("self_crossings", least <= series["self_crossings"][r] <= most, True)
        if len(scene.bodies) > 1:
            least, most = len(sure - own(sure)), len((sure | unsure) - own(sure | unsure))
            audit.equal("body_crossings", least <= series["body_crossings"][r] <= most, True)


def audit_pairs(audit, scene, series, v, times):
    """The contact force of a pair is the mean of its impulse between records; where only weight and contact act, the
    impulses of its pairs are what the momentum of a body gains beyond its weight."""
    others = ("nail", "attachment", "slider", "combination", "spring", "force", "impulse", "behaviour", "limit", "morph")
    impulses = {}
    for name in series:
        found = re.match(r"contact_impulse_([xyz])\.(.+)_N_s$", name)
        if found:
            impulses.setdefault(found[2], np.zeros((len(times), 3)))[:, "xyz".index(found[1])] = series[name]
    for name, impulse in impulses.items():
        mean = np.linalg.norm(np.diff(impulse, axis=0), axis=1) / np.diff(times)
        if len(mean) and np.isfinite(mean).all():
            audit.compare(f"contact force of {name}", series[f"contact_force.{name}_N"][1:], mean, 1e-30 + mean.max(), 1e-12)
    if not impulses or v is None or any(scene.table.get(key) for key in others):
        return
    pairs = {f"{b.name}.{o['name']}": (b.name, None) for b in scene.bodies for o in scene.obstacles}
    pairs |= {f"{a.name}.{b.name}": (a.name, b.name) for a, b in itertools.combinations(scene.bodies, 2)}
    audit.equal("contact impulses of pairs of the scene", set(impulses) <= set(pairs), True)
    residual = np.nan_to_num(series["momentum_residual_kg_m_s"])
    for body in scene.bodies:
        at = int(scene.offsets[body.name])
        momentum = np.einsum("p,rpi->ri", body.masses, v[:, at:at + body.count])
        weight = body.masses.sum() * np.outer(times - times[0], scene.gravity)
        given = sum((p - p[0]) * ((pairs[n][0] == body.name) - (pairs[n][1] == body.name)) for n, p in impulses.items())
        scale = 1e-30 + np.abs(momentum).max() + np.abs(weight).max()
        if residual.max() <= 1e-9 * scale:
            # Where contact is a force, its impulse is summed up by the trapezoidal rule, to the order of the step.
            if all(f"friction_work.{name}_J" in series for name in impulses):
                audit.compare(f"contact impulses on {body.name}", momentum - momentum[0], weight + given, scale, 1e-8)


def audit_passages(audit, scene, events):
    """What went through a ball left it on its surface."""
    for event in events:
        found = re.search(r"went through obstacle '(.*)', at \((\S+), (\S+), (\S+)\) m", event["what"])
        ball = found and next(o for o in scene.obstacles if o["name"] == found[1])
        if not ball or ball["shape"] != "sphere" or "path" in ball:
            continue
        place = np.array([float(found[k]) for k in (2, 3, 4)])
        audit.compare("place of a passage", np.linalg.norm(place - origin_of(ball, event["time_s"])), ball["radius"],
                      ball["radius"] + np.abs(place).sum(), 1e-2)


def audit_extents(audit, scene, series, x, parts):
    signed = [(b, int(scene.offsets[b.name])) for b, solid in zip(scene.bodies, parts.solid) if solid]
    if signed:
        rest = sum(abs(b.signed_extent(b.rest)) for b, _ in signed)
        ratios = [sum(math.copysign(1, b.signed_extent(b.rest)) * b.signed_extent(p[at:at + b.count]) for b, at in signed) / rest
                  for p in x]
        audit.compare("signed_extent_ratio", series["signed_extent_ratio"], ratios, 1.0 + np.abs(ratios).max())
    least = np.full(len(x), math.inf)
    for body in scene.bodies:
        at = int(scene.offsets[body.name])
        now = x[:, at:at + body.count]
        if parts.planar and body.faces:
            a, b, c = np.array(body.faces).T
            area = lambda y: np.cross(y[..., b, :2] - y[..., a, :2], y[..., c, :2] - y[..., a, :2])
            least = np.minimum(least, (area(now) / area(body.rest)).min(axis=-1))
        elif not parts.planar and body.grid and len(body.grid) == 3:
            grid = lambda y: y.reshape(*y.shape[:-2], *reversed(body.grid), 3)
            for back in itertools.product((False, True), repeat=3):  # which end of each axis the corner is at

                def determinant(y):
                    y = grid(y)
                    for axis, turned in zip((-2, -3, -4), back):
                        y = np.flip(y, axis=axis) if turned else y
                    here = y[..., :-1, :-1, :-1, :]
                    return det(y[..., :-1, :-1, 1:, :] - here, y[..., :-1, 1:, :-1, :] - here, y[..., 1:, :-1, :-1, :] - here)[0]
                least = np.minimum(least, (determinant(now) / determinant(body.rest)).min(axis=(-3, -2, -1)))
    if np.isfinite(least).all():
        audit.compare("cell_ratio_min", series["cell_ratio_min"], least, 1.0 + np.abs(least).max())
