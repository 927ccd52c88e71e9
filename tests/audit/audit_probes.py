"""The probes of an experiment, recomputed from /points and /velocities as docs/experiment-file.md describes them."""

import numpy as np

from scene import vector

LENGTHS = {"position": "_m", "displacement": "_m", "velocity": "_m_s", "distance": "_m", "angle": "_rad", "area": "_m2",
           "volume": "_m3", "strain": ""}


def columns_of(bundle, place):
    """Columns of the points of one {body, point} of a probe."""
    scene = bundle.scene
    if "point" in place or "points" in place:
        return scene.indices(place)
    first = int(scene.offsets[place["body"]])
    return list(range(first, first + scene.body(place["body"]).count))


def measured(bundle, probe):
    """One number for each record."""
    scene, x, kind = bundle.scene, bundle.points, probe["measure"]
    places = probe["of"] if isinstance(probe["of"], list) else [probe["of"]]
    sets = [columns_of(bundle, place) for place in places]

    def centre(points, at):
        m = scene.masses[at]
        return np.tensordot(points[:, at, :], m / m.sum(), axes=([1], [0]))

    def part(vectors):
        if "component" in probe:
            return vectors[:, "xyz".index(probe["component"])]
        return np.linalg.norm(vectors, axis=1)

    if kind == "position":
        return part(centre(x, sets[0]))
    if kind == "displacement":
        m = scene.masses[sets[0]]
        return part(centre(x, sets[0]) - m @ scene.start[sets[0]] / m.sum())
    if kind == "velocity":
        return np.full(len(x), np.nan) if bundle.velocities is None else part(centre(bundle.velocities, sets[0]))
    if kind == "distance":
        return np.linalg.norm(centre(x, sets[0]) - centre(x, sets[1]), axis=1)
    if kind == "angle":
        if len(sets) == 2:
            a, b = np.tile(vector(probe["against"]), (len(x), 1)), centre(x, sets[1]) - centre(x, sets[0])
        else:
            a, b = centre(x, sets[0]) - centre(x, sets[1]), centre(x, sets[2]) - centre(x, sets[1])
        if "about" not in probe:
            a, b = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (a, b))
            return 2.0 * np.arctan2(np.linalg.norm(a - b, axis=1), np.linalg.norm(a + b, axis=1))
        n = vector(probe["about"])
        n = n / np.linalg.norm(n)
        u = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
        u, w = u / np.linalg.norm(u), np.cross(n, u / np.linalg.norm(u))
        turn = np.arctan2(b @ w, b @ u) - np.arctan2(a @ w, a @ u)
        return (turn + np.pi) % (2.0 * np.pi) - np.pi
    body, first = scene.body(places[0]["body"]), int(scene.offsets[places[0]["body"]])
    of_body = x[:, first:first + body.count, :]
    if kind == "volume":
        return np.array([body.extent(points) for points in of_body])
    if kind == "area":
        a, b, c = (of_body[:, [f[k] for f in body.faces], :] for k in range(3))
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=2).sum(axis=1)
    if len(sets) == 2:
        i, j = sets[0][0] - first, sets[1][0] - first
        rest = np.linalg.norm(body.rest[j] - body.rest[i])
        return np.linalg.norm(of_body[:, j] - of_body[:, i], axis=1) / rest - 1.0
    ends = np.array(body.edges)
    lengths = np.linalg.norm(of_body[:, ends[:, 1]] - of_body[:, ends[:, 0]], axis=2)
    return np.abs(lengths / body.lengths - 1.0).max(axis=1)


def left_by(times, values, period, decay):
    """Sum of squares that the best oscillation of this period and decay leaves."""
    t = times - times[0]
    fading = np.exp(-decay * t)
    basis = np.stack([np.ones_like(t), fading * np.cos(2 * np.pi * t / period), fading * np.sin(2 * np.pi * t / period)], 1)
    best = np.linalg.lstsq(basis, values, rcond=None)[0]
    return float(((basis @ best - values) ** 2).sum())


def audit_oscillation(audit, name, times, values, period, decay):
    """No other period or decay nearby leaves less, and little is left."""
    if period is None:
        return
    variance = float(((values - values.mean()) ** 2).sum())
    least = left_by(times, values, period, decay)
    audit.equal(f"{name} oscillates", least <= 0.1 * variance, True)
    slack = 1e-12 * variance
    for more in (0.999, 1.001):
        audit.equal(f"{name}_period_s fits best", left_by(times, values, more * period, decay) >= least - slack, True)
        nearby = decay + (more - 1.0) / period
        audit.equal(f"{name}_decay_1_s fits best", left_by(times, values, period, nearby) >= least - slack, True)


def first_crossing(times, values, level):
    side = np.sign(values - level)
    for i in range(1, len(times)):
        if side[i - 1] != 0 and side[i] != side[i - 1]:
            return times[i - 1] + (level - values[i - 1]) * (times[i] - times[i - 1]) / (values[i] - values[i - 1])
    return None


def rhythm(times, values, level):
    """Falls, their intervals, time below and the return, by dense sampling between the records and NumPy alone."""
    above = values - level
    falls = [times[i] + above[i] * (times[i + 1] - times[i]) / (above[i] - above[i + 1])
             for i in range(len(times) - 1) if above[i] > 0.0 >= above[i + 1]]
    fine = np.unique(np.concatenate([np.linspace(a, b, 401) for a, b in zip(times, times[1:])]))
    middles = 0.5 * (fine[1:] + fine[:-1])
    below = np.diff(fine)[np.interp(middles, times, values) <= level].sum() / (times[-1] - times[0])
    back = None
    if len(falls) > 2:
        a, b = falls[-3], falls[-2]
        s = (np.arange(40000) + 0.5) / 40000 * min(b - a, falls[-1] - b)
        back = np.sqrt(((np.interp(a + s, times, values) - np.interp(b + s, times, values)) ** 2).mean())
    return falls, below, back


def audit_cycles(audit, name, unit, figures, times, values, level):
    falls, below, back = rhythm(times, values, level)
    gaps = np.diff(falls)
    audit.equal(f"figure {name}_falls", figures[f"{name}_falls"], len(falls))
    stated = {"first_fall_s": falls[0] if falls else None, "last_fall_s": falls[-1] if falls else None,
              "first_interval_s": gaps[0] if len(gaps) else None,
              "interval_s": gaps.mean() if len(gaps) else None,
              "interval_spread_s": gaps.max() - gaps.min() if len(gaps) > 1 else None}
    for figure, value in stated.items():
        if value is None:
            audit.equal(f"figure {name}_{figure}", figures[f"{name}_{figure}"], None)
        else:
            audit.compare(f"figure {name}_{figure}", figures[f"{name}_{figure}"], value, times[-1], 1e-12)
    audit.compare(f"figure {name}_below", figures[f"{name}_below"], below, 1.0, 1.0 / 400)
    if back is None:
        audit.equal(f"figure {name}_return{unit}", figures[f"{name}_return{unit}"], None)
    else:
        audit.compare(f"figure {name}_return{unit}", figures[f"{name}_return{unit}"], back, np.ptp(values), 1e-6)


def audit_probes(audit, bundle):
    figures, times = bundle.summary["figures"], bundle.times
    for probe in bundle.experiment.get("probe", []):
        name, unit = probe["name"], LENGTHS[probe["measure"]]
        stated, computed = bundle.series[name + unit], measured(bundle, probe)
        size = 1.0 + np.abs(bundle.points).max() ** {"_m2": 2, "_m3": 3}.get(unit, 1)
        audit.compare(f"probe {name}{unit}", stated, computed, size)
        if np.isnan(stated).any():
            continue
        mean = np.trapezoid(stated, times) if hasattr(np, "trapezoid") else np.trapz(stated, times)
        mean = mean / (times[-1] - times[0]) if len(times) > 1 else stated[0]
        audit.compare(f"figure {name}_mean{unit}", figures[f"{name}_mean{unit}"], mean, np.abs(stated).max(), 1e-12)
        audit.compare(f"figure {name}{unit}", figures[f"{name}{unit}"], stated[-1], 1.0, 0.0)
        if "crosses" in probe:
            crossing = first_crossing(times, stated, probe["crosses"])
            if crossing is None:
                audit.equal(f"figure {name}_crossing_s", figures[f"{name}_crossing_s"], None)
            else:
                audit.compare(f"figure {name}_crossing_s", figures[f"{name}_crossing_s"], crossing, times[-1], 1e-12)
        if probe.get("cycles"):
            audit_cycles(audit, name, unit, figures, times, stated, probe["crosses"])
        if probe.get("oscillates"):
            audit_oscillation(audit, name, times, stated, figures[f"{name}_period_s"], figures[f"{name}_decay_1_s"])
            audit.equal(f"{name}_period_drift_s is a figure", f"{name}_period_drift_s" in figures, True)
