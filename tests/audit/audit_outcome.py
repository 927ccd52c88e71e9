"""How a run ended, when, what happened on the way, what stayed open, and what it cost."""

import math
import re

import numpy as np

from audit_ledger import judged

WHOLE = ("completed", "did not converge", "lost energy", "gained energy", "turned inside out", "went through")  # all steps were made
MOST_UNMET = 20  # of which summary.json lists the worst


def audit_outcome(audit, bundle):
    outcome = bundle.summary["outcome"]
    kind, step, time = outcome["kind"], outcome["step"], outcome["time_s"]
    if kind == "unsupported":
        refused = [e["element"] for e in bundle.translation["elements"] if e["fidelity"] == "unsupported"]
        named = [r for r in refused if r in outcome["reason"]]
        audit.equal("a refused run names what it cannot do", named[:3] == refused[:3] and bool(named), True)
        more = re.search(r"; and (\d+) more$", outcome["reason"])
        audit.equal("a refused run says how many more", int(more[1]) if more else 0, max(len(refused) - 3, 0))
        return
    run = bundle.experiment["run"]
    audit.compare("end time", time, bundle.times[-1], 1.0, 1e-12)
    if kind in WHOLE:
        audit.compare("time of the outcome", time, run["duration"], run["duration"], 1e-12)
        audit.compare("steps of the outcome", step, run["duration"] / bundle.step, step, 1e-9)
    if kind == "diverged":  # the last good state is that before the step that diverged
        audit.compare("step of the divergence", (step - 1) * bundle.step, time, time, 1e-9)
        audit.equal("reason of the divergence", outcome["reason"].startswith(f"diverged at step {step}: "), True)
    audit.equal("quantity in the reason", outcome["quantity"] in outcome["reason"], True)
    audit_times(audit, bundle, run)
    audit_steps(audit, bundle, outcome)
    audit_events(audit, bundle, time)
    audit_unmet(audit, bundle)


def audit_times(audit, bundle, run):
    """Records stand at multiples of record_every, and at the end."""
    times, every = bundle.times, run["record_every"]
    expected = [every * i for i in range(math.floor(times[-1] / every * (1 + 1e-12)) + 1)]
    if abs(expected[-1] - times[-1]) > 1e-9 * times[-1] + 1e-15:
        expected.append(times[-1])  # the last good state
        audit.equal("a record between the times of the plan", bundle.summary["outcome"]["kind"] in ("diverged", "cancelled"),
                    True)
    audit.compare("times of the records", times, expected, 1.0, 1e-12)


def audit_steps(audit, bundle, outcome):
    """The times of steps add up to that of the run; iterations are counted."""
    series, h = bundle.series, bundle.step
    seconds = series["step_time_s"]
    audit.equal("step_time_s of the first record", bool(np.isnan(seconds[0])), True)
    for column, stated in (("step_time_s", "steps_wall_s"), ("step_cpu_time_s", "steps_cpu_s")):
        if len(seconds) > 1 and outcome["kind"] in WHOLE:
            steps = np.round(np.diff(bundle.times) / h)
            total = float(np.sum(steps * series[column][1:]))
            audit.compare(stated, outcome[stated], total, total, 1e-9)
    iterations = series["iterations"]
    if not np.all(np.isnan(iterations)):
        audit.equal("iterations only grow", bool(np.all(np.diff(iterations) >= 0)) and iterations[0] == 0.0, True)
        audit.equal("iterations are whole", bool(np.all(iterations == np.round(iterations))), True)
        every_step = len(bundle.times) > 1 and np.allclose(np.diff(bundle.times), h)
        if every_step and "sweeps" in series and bundle.backend.get("solver_levels", 1) in (0, 1, False):
            done, last = np.diff(iterations), series["sweeps"][1:]
            bounds = switch_times(bundle.experiment["scene"])  # inside a step they divide it; the last piece is shown
            whole = [not any(a + 1e-9 < b < e - 1e-9 for b in bounds) for a, e in zip(bundle.times, bundle.times[1:])]
            audit.compare("iterations are the sum of the sweeps", done[whole], last[whole], 1.0, 0.0)
            audit.equal("iterations of a divided step", bool(np.all(done >= last)), True)
    failed = outcome["not_converged_steps"]
    first = re.search(r"did not converge, first at step (\d+)", outcome["reason"])
    if first:
        audit.equal("steps that did not converge, from the first on", failed <= outcome["step"] - int(first[1]) + 1, True)


def audit_verdict(audit, bundle, stake):
    """What a run that made all its steps is called, judged again from its records."""
    outcome = bundle.summary["outcome"]
    if outcome["kind"] not in WHOLE:
        return
    kind, time = judged(bundle, stake)
    audit.equal("outcome", outcome["kind"], kind)
    named = re.search(r"at (\S+) s$", outcome["reason"])
    if time is not None and named and outcome["kind"] == kind:
        audit.compare("time in the reason", float(named[1]), time, time, 5.1e-3)
    if kind == "lost energy" and outcome["kind"] == kind:
        lost, share = re.search(r"lost (\S+) J, (\S+) % of", outcome["reason"]).groups()
        numerical = bundle.series["numerical_energy_J"]
        largest = float(np.nanmax(np.maximum.accumulate(numerical) - numerical))
        audit.compare("energy in the reason", float(lost), largest, largest, 5.1e-3)
        audit.compare("share in the reason", float(share), 100.0 * largest / stake, 100.0 * largest / stake, 5.1e-3)
    if kind == "gained energy" and outcome["kind"] == kind:
        made, share = re.search(r"made (\S+) J, (\S+) % of", outcome["reason"]).groups()
        largest = float(np.nanmax(bundle.series["made_energy_J"]))
        audit.compare("energy in the reason", float(made), largest, largest, 5.1e-3)
        audit.compare("share in the reason", float(share), 100.0 * largest / stake, 100.0 * largest / stake, 5.1e-3)


def audit_events(audit, bundle, end):
    events = bundle.summary["events"]
    times = [e["time_s"] for e in events]
    audit.equal("events in order", times, sorted(times))
    if times:
        audit.equal("events within the run", 0.0 <= times[0] and times[-1] <= end + bundle.step * (1 + 1e-9), True)
        bounds = switch_times(bundle.experiment["scene"])  # divide the steps that contain them
        for at, what in zip(times, (e["what"] for e in events)):
            if "went through" in what:  # between two records, which the motion is taken to be straight between
                continue
            between = abs(at / bundle.step - round(at / bundle.step)) > 1e-6
            audit.equal("events at ends of steps", between and all(abs(at - b) > 1e-9 for b in bounds), False)
    audit_collapse(audit, bundle, events)


def switch_times(table):
    """Every time that a scene names."""
    found = []

    def walk(value, key):
        if isinstance(value, dict):
            for k, v in value.items():
                walk(v, k)
        elif isinstance(value, list):
            for v in value:
                walk(v, key)
        elif key in ("from", "until", "times", "time") and isinstance(value, (int, float)):
            found.append(value)

    walk({k: v for k, v in table.items() if k != "body"}, "")
    return found


def audit_collapse(audit, bundle, events):
    """Where every step is recorded, a body collapses at the record at which its smallest determinant changes sign."""
    turns = [e["time_s"] for e in events if re.search(r"collapsed or turned inside out|positive volume everywhere", e["what"])]
    if not np.allclose(np.diff(bundle.times), bundle.step) or "smallest_det" not in bundle.series:
        return
    inside_out = bundle.series["smallest_det"] <= 0.0
    changes = bundle.times[1:][inside_out[1:] != inside_out[:-1]]
    first = [t for t in turns if t <= bundle.times[-1] * (1 + 1e-9)]
    if len(bundle.scene.bodies if bundle.scene else []) and len({e["what"].split("'")[1] for e in events if "'" in e["what"]}) <= 1:
        audit.compare("times of collapses", first, changes, 1.0, 1e-12)


def angle_at(a, b, c):
    u, v = a - b, c - b
    return math.atan2(np.linalg.norm(np.cross(u, v)), float(u @ v))


def audit_unmet(audit, bundle):
    unmet, count = bundle.summary["unmet_constraints"], bundle.summary["outcome"]["unmet_constraints"]
    sizes = [u["size"] for u in unmet]
    audit.equal("unmet constraints, the worst first", sizes, sorted(sizes, reverse=True))
    audit.equal("listed unmet constraints", len(unmet), min(count, MOST_UNMET))
    scene, x, time = bundle.scene, bundle.points[-1], bundle.times[-1]
    if scene is None:
        return
    named = lambda point, body: int(scene.offsets[body]) + int(point)
    for one in unmet:
        name, expected, unit = one["name"], None, "m"
        if found := re.fullmatch(r"length from point (\d+) of (.+) to point (\d+) of (.+)", name):
            a, b = named(found[1], found[2]), named(found[3], found[4])
            lengths = {(min(e), max(e)): l for body in scene.bodies for e, l in
                       zip(np.array(body.edges) + int(scene.offsets[body.name]), body.lengths)}
            expected = abs(np.linalg.norm(x[b] - x[a]) - lengths[(min(a, b), max(a, b))])
        elif found := re.fullmatch(r"nail '(.+)'", name):
            expected = [np.linalg.norm(x[i] - way.at(time)) for n, i, way, _, _ in scene.nails() if n == found[1]]
        elif found := re.fullmatch(r"attachment '(.+)'", name):
            expected = [np.linalg.norm(x[scene.indices(t["a"])[0]] - x[scene.indices(t["b"])[0]])
                        for t in scene.table["attachment"] if t["name"] == found[1]]
        elif found := re.fullmatch(r"limit '(.+)'", name):
            limit = next(l for l in scene.table["limit"] if l["name"] == found[1])
            ends = [x[scene.indices(p)[0]] for p in limit["points"]]
            if limit["measure"] == "twist":
                continue
            unit = "m" if limit["measure"] == "length" else "rad"
            value = np.linalg.norm(ends[1] - ends[0]) if unit == "m" else angle_at(*ends)
            expected = max(limit.get("at_least", -math.inf) - value, value - limit.get("at_most", math.inf))
        if expected is None:
            continue
        audit.equal(f"unit of {name}", one["unit"], unit)
        nearest = min(np.atleast_1d(expected), key=lambda e: abs(e - one["size"]))
        audit.compare(f"size of {name}", one["size"], nearest, 1.0, 1e-9)
    audit_count_of_unmet(audit, bundle, count)


def audit_count_of_unmet(audit, bundle, count):
    """All of them counted again, for the formulation whose constraints are those of the points."""
    scene, x, time = bundle.scene, bundle.points[-1], bundle.times[-1]
    table = scene.table
    if bundle.manifest["backend"] != "position-based" or bundle.backend.get("compliance", 0.0) > 0.0 or any(
            table.get(key) for key in ("slider", "combination", "behaviour", "morph", "obstacle")):
        return
    lengths = np.concatenate([b.lengths for b in scene.bodies])
    tolerance = bundle.backend["tolerance"] * lengths.min()
    found = list(np.abs(scene.strains(x)) * lengths)
    found += [np.linalg.norm(x[i] - way.at(time)) for _, i, way, begin, end in scene.nails() if begin <= time < end]
    found += [np.linalg.norm(x[scene.indices(t["a"])[0]] - x[scene.indices(t["b"])[0]]) for t in table.get("attachment", [])]
    clear = all(abs(f - tolerance) > 1e-9 for f in found)
    limits = len(table.get("limit", []))
    if clear:
        least = sum(f > tolerance for f in found)
        audit.equal("number of unmet constraints", least <= count <= least + limits, True)
