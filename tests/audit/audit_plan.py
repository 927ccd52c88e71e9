#!/usr/bin/python3
"""Recomputes what the files of a plan state, from the problem and the unknowns alone.

    audit_plan.py BUNDLE…       one line for each disagreement; exit status 1 if there is any, or nothing was checked

It shares no code with Pliant: the forces come from d'Alembert's principle on the four links, every constraint is written
down again, and the gradient of the Lagrange function is taken by complex steps, exact to rounding. It knows plans by
cubics with given durations, on level ground.
"""

import csv
import json
import sys
from pathlib import Path

import h5py
import numpy as np
import scipy.integrate
import scipy.interpolate
import scipy.linalg

from plan_findings import Findings

GAUSS = (0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6)


class Lamp:
    def __init__(self, problem):
        lamp = problem["lamp"]
        self.mass, self.length, self.centre, self.inertia = (
            np.array([link[key] for link in lamp["links"]])
            for key in ("mass_kg", "length_m", "centre_m", "inertia_kg_m2"))
        self.half_width, self.gravity = lamp["half_width_m"], problem["gravity_m_s2"]
        self.hinges, self.tilt = lamp["hinge_limits_rad"], lamp["tilt_limits_rad"]

    def forces(self, q, v, a, gravity):
        """Generalised forces of the motion (n×6 each) by virtual work."""
        turn = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 1, 1]], dtype=float)
        psi = q @ turn.T + np.array([0, 0, 0, np.pi / 2])
        rate, spin = v @ turn.T, a @ turn.T
        u = np.stack([np.sin(psi), np.cos(psi)], axis=-1)                     # along each link, n×4×2
        normal = np.stack([np.cos(psi), -np.sin(psi)], axis=-1)               # du/dψ
        bend = normal * spin[..., None] - u * (rate**2)[..., None]            # d²u/dt²
        force = np.zeros(q.shape, dtype=q.dtype)
        for j in range(4):
            reach = np.where(np.arange(4) < j, self.length, 0.0)
            reach[j] = self.centre[j]
            push = self.mass[j] * (a[:, :2] + np.einsum("i,nid->nd", reach, bend) + np.array([0.0, gravity]))
            force[:, :2] += push
            lever = np.einsum("i,nid,nd->ni", reach, normal, push)            # work per dψ_i
            lever[:, j] += self.inertia[j] * spin[:, j]
            force += lever @ turn
        return force

    def momentum(self, q, v):
        """Linear, and clockwise about the centre of mass: [x, y, turning]."""
        rest = np.zeros((1, 6))
        x, y, turning = self.forces(q[None], rest, v[None], 0.0)[0, :3]      # about the middle of the base
        whole = self.mass.sum()
        # Moved at its base by a unit of angle, the centre of mass goes (height, -distance): what M(q) says of it.
        by_turn = self.forces(q[None], rest, np.eye(6)[2][None], 0.0)[0]
        height, distance = by_turn[0] / whole, -by_turn[1] / whole
        return np.array([x, y, turning - (height * x - distance * y)])


class Unknowns:
    """The nodes as a vector of what the optimisation may choose, and back."""

    def __init__(self, plan):
        self.phases, problem = plan["phases"], plan["problem"]
        self.soft = problem["landing"] == "soft"
        self.q = [np.array([n["q"] for n in p["nodes"]]) for p in self.phases]
        self.v = [np.array([n["q_dot"] for n in p["nodes"]]) for p in self.phases]
        hinges, every = [3, 4, 5], list(range(6))
        # (values, rates) of a node, and where each is written again: the nodes between two phases are shared.
        self.entries = []

        def free(phase, node, positions, rates, copies=()):
            self.entries.extend([(0, phase, node, k, [c for c in copies]) for k in positions])
            self.entries.extend([(1, phase, node, k, [c for c in copies]) for k in rates])

        if problem["loop"]:
            free(0, 0, hinges, hinges, [(len(self.phases) - 1, len(self.phases[-1]["nodes"]) - 1)])
        for p, phase in enumerate(self.phases):
            flight, last = phase["contact"] == "flight", len(phase["nodes"]) - 1
            for i in range(1, last):
                free(p, i, every if flight else hinges, every if flight else hinges)
            if p + 1 == len(self.phases):
                break
            if not flight or self.soft:
                free(p, last, hinges, hinges, [(p + 1, 0)])
            else:  # the pose is shared, the rates before and after the impact are not
                self.entries.extend([(0, p, last, k, [(p + 1, 0)]) for k in hinges])
                self.entries.extend([(1, p, last, k, []) for k in every])
                self.entries.extend([(1, p + 1, 0, k, []) for k in hinges])

    def __len__(self):
        return len(self.entries)

    def moved(self, index, step):
        """Values and rates of all nodes with one unknown moved."""
        tables = ([q.astype(complex) for q in self.q], [v.astype(complex) for v in self.v])
        which, phase, node, k, copies = self.entries[index]
        for p, i in [(phase, node), *copies]:
            tables[which][p][i, k] += step
        return tables


class Program:
    def __init__(self, plan):
        self.plan, self.problem = plan, plan["problem"]
        self.lamp = Lamp(self.problem)

    def samples(self, phase, q, v):
        """Motion and forces at both Gauss points of each interval, in the order of time, and the interval."""
        h = self.plan["phases"][phase]["duration_s"] / (len(q) - 1)
        parts = []
        for s in GAUSS:
            weights = np.array([
                [1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)],
                [6 * (s**2 - s) / h, 1 - 4 * s + 3 * s**2, 6 * (s - s**2) / h, 3 * s**2 - 2 * s],
                [(12 * s - 6) / h**2, (6 * s - 4) / h, (6 - 12 * s) / h**2, (6 * s - 2) / h]])
            parts.append([w[0] * q[:-1] + w[1] * v[:-1] + w[2] * q[1:] + w[3] * v[1:] for w in weights])
        motion = [np.stack([parts[0][k], parts[1][k]], axis=1).reshape(-1, 6) for k in range(3)]
        return motion, self.lamp.forces(*motion, self.lamp.gravity), h

    def evaluate(self, q, v):
        """J, and the values of all constraints by name."""
        problem, lamp, w = self.problem, self.lamp, self.lamp.half_width
        cost, rows = 0.0, {}

        def add(name, values):
            rows.setdefault(name, []).append(np.asarray(values).reshape(-1))

        def cone(names, friction, f):
            fx, fy, moment = f[:, 0], f[:, 1], f[:, 2]
            add(names[0], np.stack([friction * fy - fx, friction * fy + fx], axis=1))
            add(names[1], np.stack([w * fy - moment, w * fy + moment], axis=1))

        # Of each stance, and of the flight to it.
        where = [problem["friction"], *(s["friction"] for s in problem["stops"]), problem["landing_friction"]]
        frictions = [where[(p + 1) // 2] for p in range(len(self.plan["phases"]))]
        for p, phase in enumerate(self.plan["phases"]):
            flight = phase["contact"] == "flight"
            (_, rates, a), f, h = self.samples(p, q[p], v[p])
            power, rounded = f[:, 3:] * rates[:, 3:], problem["rounded_power_W"]
            cost = cost + h / 2 * problem["work_weight"] * (np.sqrt(power**2 + rounded**2) - rounded).sum()
            cost = cost + h / 2 * (problem["torque_weight"] * (f[:, 3:]**2).sum()
                                   + problem["acceleration_weight"] * (a[:, 3:]**2).sum())
            cost = cost + problem["time_weight"] * phase["duration_s"]
            nodes = q[p] if p == 0 else q[p][1:]
            if problem["loop"] and p + 1 == len(self.plan["phases"]):
                nodes = nodes[:-1]
            for j, (lower, upper) in enumerate(lamp.hinges):
                angle = nodes[:, 3 + j]
                add(f"limit of hinge {j + 1}", np.stack([angle - lower, upper - angle], axis=1))
            if flight:
                inner = q[p][1:-1]
                add("limit of tilt", np.stack([inner[:, 2] - lamp.tilt[0], lamp.tilt[1] - inner[:, 2]], axis=1))
                ends = [inner[:, 1] + side * np.sin(inner[:, 2]) - problem["floor_height_m"] for side in (w, -w)]
                add("clearance", np.stack(ends, axis=1))
                add("force in flight", f[:, :2])
                add("moment in flight", f[:, 2])
            else:
                cone(("friction cone", "tipping moment"), frictions[p], f)
            if problem["torque_limit_N_m"] is not None:
                limit = problem["torque_limit_N_m"]
                add("torque limit", np.stack([limit - f[:, 3:], limit + f[:, 3:]], axis=2))
            if flight and problem["landing"] == "plastic":
                impulse = lamp.forces(q[p][-1:], np.zeros((1, 6)), v[p + 1][:1] - v[p][-1:], 0.0)
                add("impact of hinges", impulse[:, 3:])
                cone(("impact cone", "impact tipping"), frictions[p], impulse)
        return cost, {name: np.concatenate(values) for name, values in rows.items()}


def audit_optimality(findings, plan):
    program, unknowns = Program(plan), Unknowns(plan)
    cost, rows = program.evaluate(unknowns.q, unknowns.v)
    findings.near("J", plan["cost_N2_m2_s"], cost, 1e-10 * cost)
    findings.near("sum of the terms of J", sum(plan["cost_terms_N2_m2_s"].values()), cost, 1e-10 * cost)
    findings.holds("the same constraints", sorted(rows) == sorted(c["name"] for c in plan["constraints"]))
    multipliers, worst, products = {}, 0.0, 0.0
    for stated in plan["constraints"]:
        name, value = stated["name"], rows[stated["name"]]
        findings.near(f"rows of '{name}'", stated["value"], value, 1e-8)
        y = np.array(stated["multiplier"])
        lack = np.abs(value) if stated["kind"] == "= 0" else np.maximum(0.0, -value)
        worst = max(worst, (np.array(stated["scale"]) * lack).max())
        if stated["kind"] == ">= 0":
            findings.holds(f"a multiplier of '{name}' is negative", np.all(y >= 0.0))
            products = max(products, np.abs(y * value).max())
            y = -y
        multipliers[name] = y
    tiny = 1e-30
    gradient, of_cost = np.zeros(len(unknowns)), np.zeros(len(unknowns))
    for i in range(len(unknowns)):
        moved_cost, moved = program.evaluate(*unknowns.moved(i, 1j * tiny))
        of_cost[i] = moved_cost.imag / tiny
        gradient[i] = of_cost[i] + sum((multipliers[name] @ values.imag) / tiny for name, values in moved.items())
    stationarity = np.abs(gradient).max() / np.abs(of_cost).max()
    residuals = plan["residuals"]
    print(f"{findings.path}: J {cost:.9g}, {len(unknowns)} unknowns, stationarity {stationarity:.3g} "
          f"(stated {residuals['stationarity']:.3g}), complementarity {products / cost:.3g}, feasibility {worst:.3g}")
    findings.near("stationarity", residuals["stationarity"], stationarity, 1e-9)
    findings.near("complementarity", residuals["complementarity"], products / cost, 1e-9)
    findings.near("feasibility", residuals["feasibility"], worst, 1e-8)
    findings.holds("it is no optimum", stationarity < 1e-4 and products / cost < 1e-6 and worst < 1e-6)


def weigh_hinges(lamp, q, v, a):
    """A and B of the deviation of the hinges (δφ, δφ̇) about a motion that stands, by complex steps."""
    def torques(q, v, a):
        return lamp.forces(q[None], v[None], a[None], lamp.gravity)[0, 3:]

    tiny = 1e-30
    slopes = []
    for which in range(3):
        columns = []
        for k in (3, 4, 5):
            moved = [x.astype(complex) for x in (q, v, a)]
            moved[which][k] += 1j * tiny
            columns.append(torques(*moved).imag / tiny)
        slopes.append(np.array(columns).T)
    mass = np.linalg.inv(slopes[2])
    a_matrix = np.block([[np.zeros((3, 3)), np.eye(3)], [-mass @ slopes[0], -mass @ slopes[1]]])
    return a_matrix, np.vstack([np.zeros((3, 3)), mass])


def audit_feedback(findings, bundle, plan):
    """K of the regulator after the plan and back through its rest, by solvers of SciPy; of a gait that it repeats itself."""
    lamp = Lamp(plan["problem"])
    with h5py.File(bundle / "plan.h5") as h5:
        if "feedback" not in h5:
            return
        gains, time, phase = (h5[f"feedback/{name}"][:] for name in ("gains", "time", "phase"))
        angle, rate, _ = h5["feedback/weights"][:]
    if plan["problem"]["loop"]:
        scale = np.abs(gains).max()
        findings.near("K where a lap ends and where it begins", gains[-1], gains[0], 1e-6 * scale)
        findings.holds("K of a base that stands beside its place", np.abs(gains[0][:, 0]).max() > 0.01)
        return
    hinges = [3, 4, 5, 9, 10, 11]
    q_matrix = np.diag([angle] * 3 + [rate] * 3)
    rest = plan["phases"][-1]
    nodes = rest["nodes"]
    still = np.zeros(6)
    a_matrix, b_matrix = weigh_hinges(lamp, np.array(nodes[-1]["q"]), still, still)
    s = scipy.linalg.solve_continuous_are(a_matrix, b_matrix, q_matrix, np.eye(3))
    scale = np.abs(gains[-1]).max()
    findings.near("K after the plan", gains[-1][:, hinges], b_matrix.T @ s, 1e-9 * scale)
    findings.holds("K of the base that stands", not np.delete(gains[-1], hinges, axis=1).any())
    motion = scipy.interpolate.CubicHermiteSpline([n["time_s"] for n in nodes], [n["q"] for n in nodes],
                                                  [n["q_dot"] for n in nodes])

    def at(t):
        return weigh_hinges(lamp, motion(t), motion(t, 1), motion(t, 2))

    def back(t, flat):
        s = flat.reshape(6, 6)
        a_matrix, b_matrix = at(t)
        sb = s @ b_matrix
        return -(a_matrix.T @ s + s @ a_matrix - sb @ sb.T + q_matrix).ravel()

    for first, last in zip(reversed(nodes[:-1]), reversed(nodes[1:])):   # accelerations jump at the nodes
        inside = 1e-9 * (last["time_s"] - first["time_s"])
        s = scipy.integrate.solve_ivp(back, (last["time_s"] - inside, first["time_s"] + inside), s.ravel(),
                                      rtol=1e-9, atol=1e-9).y[:, -1].reshape(6, 6)
    start = np.flatnonzero(phase == phase[-1])[0]
    k = at(nodes[0]["time_s"] + 1e-9)[1].T @ s
    findings.near("time of K where the rest begins", time[start], rest["start_s"], 1e-12)
    # Its steps of 0.25 ms are of second order.
    findings.near("K where the rest begins", gains[start][:, hinges], k, 1e-4 * np.abs(k).max())
    print(f"{findings.path}: K where the rest begins is off by {np.abs(gains[start][:, hinges] - k).max():.2g} of {np.abs(k).max():.3g}")


def audit_files(findings, bundle, plan):
    """The arrays, the tables and the figures say the same."""
    nodes = [n for p in plan["phases"] for n in p["nodes"]]
    samples = [s for p in plan["phases"] for s in p["samples"]]
    lamp = Lamp(plan["problem"])
    q, v, a = (np.array([s[key] for s in samples]) for key in ("q", "q_dot", "q_ddot"))
    force = np.array([[*s["floor"], *s["torques"]] for s in samples])
    findings.near("forces at the samples", force, lamp.forces(q, v, a, lamp.gravity), 1e-9 * np.abs(force).max())
    with h5py.File(bundle / "plan.h5") as h5:
        for key in ("q", "q_dot"):
            findings.near(f"nodes/{key}", h5[f"nodes/{key}"][:], [n[key] for n in nodes], 0.0)
        findings.near("nodes/time", h5["nodes/time"][:], [n["time_s"] for n in nodes], 0.0)
        for key in ("q", "q_dot", "q_ddot", "floor", "torques"):
            findings.near(f"samples/{key}", h5[f"samples/{key}"][:], [s[key] for s in samples], 0.0)
        findings.near("samples/span", h5["samples/span"][:].sum(), sum(p["duration_s"] for p in plan["phases"]), 1e-9)
        findings.near("cost", h5["cost"][:], [plan["cost_N2_m2_s"]], 0.0)
        findings.near("residuals", h5["residuals"][:], list(plan["residuals"].values()), 0.0)
        labels = h5["constraints/kind"].attrs["labels"].decode().splitlines()
        kind = h5["constraints/kind"][:].astype(int)
        for stated in plan["constraints"]:
            of = kind == labels.index(f"{stated['kind']} [{stated['unit']}] {stated['name']}")
            for key, other in (("value", "value"), ("multiplier", "multiplier"), ("time", "time_s")):
                findings.near(f"constraints/{key} of {stated['name']}", h5[f"constraints/{key}"][:][of], stated[other], 0.0)
        history = h5["iterations/cost"][:]
        stages = h5["iterations/stage"].attrs["labels"].decode().splitlines()
        findings.near("J after the last iteration", history[-1], plan["cost_N2_m2_s"], 0.0)
        findings.holds("the last stage is final", stages[int(h5["iterations/stage"][-1])] in ("final", "restoration"))
        findings.holds("an array without unit", all("unit" in h5[name].attrs for name in ("nodes/q", "samples/floor")))
    with open(bundle / "plan_iterations.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    findings.near("cost_N2_m2_s of plan_iterations.csv", [float(r["cost_N2_m2_s"]) for r in rows], history, 0.0)
    with open(bundle / "plan_nodes.csv", newline="") as file:
        rows = list(csv.reader(file))
    findings.near("plan_nodes.csv", np.array(rows[1:], dtype=float)[:, 2:], [n["q"] + n["q_dot"] for n in nodes], 0.0)
    with open(bundle / "plan_samples.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    findings.near("plan_samples.csv", [[float(r[f"torque_{name}_hinge_N_m"]) for name in ("base", "mid", "head")] for r in rows],
                  [s["torques"] for s in samples], 0.0)
    figures = json.loads((bundle / "summary.json").read_text())["figures"]
    findings.near("plan_cost_N2_m2_s", figures["plan_cost_N2_m2_s"], plan["cost_N2_m2_s"], 0.0)
    for name, value in plan["residuals"].items():
        findings.near(f"plan_{name}", figures[f"plan_{name}"], value, 0.0)


def audit_momentum(findings, bundle, plan):
    """Weight alone acts in flight: what else its momentum gains, by what weight gives."""
    lamp, worst = Lamp(plan["problem"]), 0.0
    for phase in plan["phases"]:
        if phase["contact"] != "flight":
            continue
        begin, end = (lamp.momentum(np.array(n["q"]), np.array(n["q_dot"])) for n in (phase["nodes"][0], phase["nodes"][-1]))
        given = lamp.mass.sum() * lamp.gravity * phase["duration_s"]
        change = end - begin + np.array([0.0, given, 0.0])
        worst = max(worst, np.hypot(*change[:2]) / given, abs(change[2]) / (0.5 * lamp.length[1:].sum()) / given)
    figures = json.loads((bundle / "summary.json").read_text())["figures"]
    findings.near("plan_momentum_defect", figures["plan_momentum_defect"], worst, 1e-9)
    findings.holds("a plan gains momentum from nowhere", worst <= 0.01)


def main():
    faults = checked = 0
    for name in sys.argv[1:]:
        bundle = Path(name)
        findings = Findings(bundle.name)
        plan = json.loads((bundle / "plan.json").read_text())
        audit_files(findings, bundle, plan)
        audit_momentum(findings, bundle, plan)
        audit_feedback(findings, bundle, plan)
        audit_optimality(findings, plan)
        faults += findings.faults
        checked += findings.checked
    print(f"{checked} numbers of plans checked, {faults} faults")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
