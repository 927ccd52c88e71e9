#!/usr/bin/python3
"""Recomputes what mode_plan.json states: a character of D modes on a flat base jumps, lands and comes to rest.

    audit_mode_plan.py BUNDLE…  one line for each disagreement; exit status 1 if there is any, or nothing was checked

It shares no code with Pliant. Point n of the character is the complex number x = p + e^{iθ} Σ_k Γ_k a_nk, Γ = (1, γ), so

    ẍ = p̈ + e^{iθ} Σ_l c_l a_nl,    c = Γ̈ - ω²Γ + i (αΓ + 2ωΓ̇),    ω = θ̇, α = θ̈,

and d'Alembert's principle gives each generalised force: f_j = Re Σ_n m_n conj(∂x/∂q_j) (ẍ + ig), plus springs and dampers
of the modes. The sums over n are the moments m, S, G of the file. Gradients are taken by complex steps, exact to rounding;
therefore the real and the imaginary part of a point are kept apart below.
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy.integrate
import scipy.optimize

from plan_findings import Findings

GAUSS = (0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6)
NAMES = ("stance", "flight", "landing")
UNITS = {"force on passive modes": "N·m", "friction cone": "N", "tipping moment": "N·m", "force in flight": "N",
         "moment in flight": "N·m", "impact on modes": "N·m·s", "impact cone": "N·s", "impact tipping": "N·m·s",
         "limits of modes": "1", "clearance": "m",
         **{f"{bound} {name}": "s" for bound in ("shortest", "longest") for name in NAMES}}


def array(values):
    return np.array(values, dtype=float)  # reads "inf" and "-inf" as well; null becomes NaN, which agrees with nothing


class Character:
    def __init__(self, data):
        self.mass, self.gravity, self.half_width = data["mass_kg"], data["gravity_m_s2"], data["half_width_m"]
        self.first, self.second = array(data["first_moments_kg_m"]), array(data["second_moments_kg_m2"])
        self.stiffness, self.damping = array(data["stiffness_J"]), array(data["damping_J_s"])
        self.acts = np.array(data["acts"], dtype=bool)
        self.limits = list(zip(array(data["lower"]), array(data["upper"])))

    def inertia_forces(self, q, v, a, gravity):
        """(F_x, F_y, M, Q_1…Q_D) that accelerate and carry the masses, one row for each row of q, q̇, q̈ (n×(3+D))."""
        amplitude, rate, growth = (np.concatenate([np.full((len(x), 1), one, dtype=x.dtype), x[:, 3:]], axis=1)
                                   for x, one in ((q, 1.0), (v, 0.0), (a, 0.0)))
        omega, alpha = v[:, 2:3], a[:, 2:3]
        c_re, c_im = growth - omega**2 * amplitude, alpha * amplitude + 2 * omega * rate
        s_re, s_im, g_re, g_im = self.first[:, 0], self.first[:, 1], self.second[..., 0], self.second[..., 1]
        cos, sin = np.cos(q[:, 2]), np.sin(q[:, 2])
        a_x, a_y = a[:, 0], a[:, 1] + gravity
        along, across = c_re @ s_re - c_im @ s_im, c_im @ s_re + c_re @ s_im                       # Σ_l S_l c_l
        lift_x, lift_y = (cos * a_x + sin * a_y)[:, None], (cos * a_y - sin * a_x)[:, None]        # e^{-iθ} (p̈ + ig)
        # Σ_n m_n conj(a_nk) e^{-iθ} (ẍ + ig)
        work_re = s_re * lift_x + s_im * lift_y + c_re @ g_re.T - c_im @ g_im.T
        work_im = s_re * lift_y - s_im * lift_x + c_im @ g_re.T + c_re @ g_im.T
        force = [self.mass * a_x + cos * along - sin * across, self.mass * a_y + sin * along + cos * across,
                 (amplitude * work_im).sum(axis=1)]
        return np.concatenate([np.stack(force, axis=1), work_re[:, 1:]], axis=1)

    def forces(self, q, v, a):
        force = self.inertia_forces(q, v, a, self.gravity)
        force[:, 3:] += q[:, 3:] @ (self.stiffness + self.stiffness.T) + v[:, 3:] @ self.damping.T   # V = γᵀKγ
        return force

    def mass_matrix(self, q):
        n = len(q)
        return self.inertia_forces(np.tile(q, (n, 1)), np.zeros((n, n)), np.eye(n), 0.0)

    def accelerations(self, q, v, driven):
        """q̈ in the air, where the forces Q drive the modes: one row."""
        bias = self.forces(q[None], v[None], 0 * q[None])[0]
        return np.linalg.solve(self.mass_matrix(q), np.concatenate([np.zeros(3), driven]) - bias)


class Program:
    """The optimisation, as a function of the nodes of the three phases and of the durations."""

    def __init__(self, plan):
        self.problem = plan["problem"]
        self.character = Character(self.problem["character"])
        self.q = [array([n["q"] for n in p["nodes"]]) for p in plan["phases"]]
        self.v = [array([n["q_dot"] for n in p["nodes"]]) for p in plan["phases"]]
        self.durations = array([p["duration_s"] for p in plan["phases"]])
        self.shortest, self.longest = array(self.problem["durations_s"]), array(self.problem["longest_durations_s"])
        self.free = self.longest > self.shortest

    def unknowns(self):
        """Lists of (table, phase, node, coordinate) that move together: q, q̇ and durations are tables 0, 1 and 2."""
        size, last = self.q[0].shape[1], [len(q) - 1 for q in self.q]
        modes, every = range(3, size), range(size)
        entries = [[(table, p, i, k)] for p in range(3) for i in range(1, last[p])
                   for table in (0, 1) for k in (every if p == 1 else modes)]
        entries += [[(table, 0, last[0], k), (table, 1, 0, k)] for table in (0, 1) for k in modes]      # takeoff
        entries += [[(0, 1, last[1], k), (0, 2, 0, k)] for k in modes]                                 # touchdown
        entries += [[(1, 1, last[1], k)] for k in every] + [[(1, 2, 0, k)] for k in modes]
        return entries + [[(2, p)] for p in range(3) if self.free[p]]

    def motion(self, phase, q, v, durations):
        """q, q̇, q̈ at both Gauss points of each interval, in the order of time, and the step."""
        h, parts = durations[phase] / (len(q[phase]) - 1), []
        q0, q1, v0, v1 = q[phase][:-1], q[phase][1:], v[phase][:-1], v[phase][1:]
        for s in GAUSS:
            rise = q1 - q0 - h * v0                                            # q0 + h v0 s + b s² + c s³
            b, c = 3 * rise - h * (v1 - v0), h * (v1 - v0) - 2 * rise
            parts.append((q0 + s * (h * v0 + s * (b + s * c)), v0 + s * (2 * b + 3 * s * c) / h, (2 * b + 6 * s * c) / h**2))
        return [np.stack(pair, axis=1).reshape(-1, q0.shape[1]) for pair in zip(*parts)], h

    def evaluate(self, q, v, durations):
        """J, and of each kind of constraint the times of its rows and their values."""
        body, mu, w = self.character, self.problem["friction"], self.character.half_width
        cost, rows = self.problem["time_weight"] * durations.sum(), {}

        def add(name, times, *columns):
            if columns and len(times):
                told = rows.setdefault(name, ([], []))
                told[0].extend(np.repeat(np.real(times), len(columns)))
                told[1].extend(np.stack(columns, axis=1).reshape(-1))

        def on_base(names, times, f):
            add(names[0], times, mu * f[:, 1] - f[:, 0], mu * f[:, 1] + f[:, 0])
            add(names[1], times, w * f[:, 1] - f[:, 2], w * f[:, 1] + f[:, 2])

        start = 0.0
        for p in range(3):
            if self.free[p]:
                add(f"shortest {NAMES[p]}", [start], durations[p:p + 1] - self.shortest[p])
                add(f"longest {NAMES[p]}", [start], self.longest[p] - durations[p:p + 1])
            motion, h = self.motion(p, q, v, durations)
            f = body.forces(*motion)
            cost = cost + h / 2 * (f[:, 3:][:, body.acts]**2).sum()
            nodes = start + h * np.arange(len(q[p]))
            times = (nodes[:-1, None] + h * np.array(GAUSS)).reshape(-1)
            start = nodes[-1]
            add("force on passive modes", times, *f[:, 3:][:, ~body.acts].T)
            chosen = slice(1, -1 if p == 2 else None)
            finite = [(sign, bound, 3 + k) for k, limits in enumerate(body.limits)
                      for sign, bound in zip((1, -1), limits) if np.isfinite(bound)]
            add("limits of modes", nodes[chosen], *(sign * (q[p][chosen, k] - bound) for sign, bound, k in finite))
            if p == 1:
                add("force in flight", times, f[:, 0], f[:, 1])
                add("moment in flight", times, f[:, 2])
                height, edge = q[1][1:-1, 1], w * np.sin(q[1][1:-1, 2])
                add("clearance", nodes[1:-1], height - edge, height + edge)
                impulse = body.inertia_forces(q[1][-1:], 0 * v[1][-1:], v[2][:1] - v[1][-1:], 0.0)
                add("impact on modes", [start], *impulse[:, 3:].T)
                on_base(("impact cone", "impact tipping"), [start], impulse)
            else:
                on_base(("friction cone", "tipping moment"), times, f)
        return cost, {name: (np.array(times), np.array(values)) for name, (times, values) in rows.items()}

    def size(self, name, forces):
        """What a row of this kind is large or small against."""
        body, force = self.character, np.abs(forces).max(axis=0)
        push = max(force[:2].max(), body.mass * body.gravity)
        impulse = body.mass * np.sqrt(body.gravity * abs(self.problem["distance_m"]))
        reach = np.sqrt(np.abs(np.diagonal(self.character.second[..., 0])).max() / body.mass)
        return {"force on passive modes": force[3:].max(), "friction cone": push, "tipping moment": push * body.half_width,
                "force in flight": push, "moment in flight": push * body.half_width, "impact on modes": impulse * reach,
                "impact cone": impulse, "impact tipping": impulse * body.half_width, "clearance": body.half_width}.get(name, 1.0)


def finite(part):
    """Whether all numbers of a part of the file are finite, and none is null."""
    if isinstance(part, (dict, list)):
        return all(finite(p) for p in (part.values() if isinstance(part, dict) else part))
    return isinstance(part, str) or part is not None and np.isfinite(part)


def audit_problem(findings, plan):
    """The moments are those of positive masses, and the phases are those of the problem."""
    problem, body = plan["problem"], Character(plan["problem"]["character"])
    first, second = (m[..., 0] + 1j * m[..., 1] for m in (body.first, body.second))
    gram = np.block([[np.full((1, 1), body.mass), first[None]], [first.conj()[:, None], second]])
    scale = np.sqrt(np.abs(np.diagonal(gram)))
    gram = gram / np.outer(scale, scale)                                     # Σ m conj(b_k) b_l of b = (1, a_0…a_D)
    findings.near("second moments and their conjugate transpose", np.abs(gram - gram.conj().T), 0 * gram.real, 1e-12)
    findings.holds("no masses have these moments", np.linalg.eigvalsh(gram).min() > -1e-12)
    findings.near("stiffness and its transpose", body.stiffness, body.stiffness.T, 1e-12 * np.abs(body.stiffness).max())
    findings.holds("a lower limit is above its upper limit", all(low < high for low, high in body.limits))
    findings.holds("format", plan["format"] == 1)
    findings.holds("contacts", [p["contact"] for p in plan["phases"]] == ["stance", "flight", "stance"])
    for p, phase in enumerate(plan["phases"]):
        least, most = array(problem["durations_s"])[p], array(problem["longest_durations_s"])[p]
        slack = 1e-7 if most > least else 1e-12
        findings.holds(f"duration of phase {p}", least - slack <= phase["duration_s"] <= max(least, most) + slack)


def audit_motion(findings, plan, program):
    """Times, ends and joints of the nodes; samples from the nodes."""
    problem, q, v, start = plan["problem"], program.q, program.v, 0.0
    modes = q[0].shape[1] - 3
    away = array([problem["distance_m"], 0, 0])
    for p, phase in enumerate(plan["phases"]):
        findings.near(f"start of phase {p}", phase["start_s"], start, 1e-12)
        motion, h = program.motion(p, q, v, program.durations)
        times = start + h * np.arange(len(q[p]))
        start += phase["duration_s"]
        samples = {key: array([s[key] for s in phase["samples"]]) for key in phase["samples"][0]}
        findings.near(f"times of nodes of phase {p}", [n["time_s"] for n in phase["nodes"]], times, 1e-12)
        findings.near(f"times of samples of phase {p}", samples["time_s"], (times[:-1, None] + h * array(GAUSS)).ravel(), 1e-12)
        findings.near(f"spans of phase {p}", samples["span_s"], np.full(len(motion[0]), h / 2), 1e-14)
        for key, values in zip(("q", "q_dot", "q_ddot"), motion):
            findings.near(f"{key} at the samples of phase {p}", samples[key], values, 1e-10 * np.abs(values).max())
        force = program.character.forces(*motion)
        stated = np.concatenate([samples["floor"], samples["forces"]], axis=1)
        for name, part, like in (("F", slice(2), "force in flight"), ("M", slice(2, 3), "moment in flight"),
                                 ("Q", slice(3, None), "force on passive modes")):
            findings.near(f"{name} at the samples of phase {p}", stated[:, part], force[:, part], 1e-9 * program.size(like, force))
        if p != 1:
            findings.near(f"base in phase {p}", q[p][:, :3], np.tile(away * (p // 2), (len(q[p]), 1)), 1e-12)
            findings.near(f"rest of the base in phase {p}", v[p][:, :3], np.zeros((len(q[p]), 3)), 1e-12)
    for name, q_end, v_end in (("start", q[0][0], v[0][0]), ("end", q[2][-1], v[2][-1])):
        findings.near(f"{name} of the plan", q_end[3:], problem[name], 1e-12)
        findings.near(f"rest at the {name}", v_end[3:], np.zeros(modes), 1e-12)
    findings.near("q at takeoff", q[1][0], q[0][-1], 1e-12)
    findings.near("q̇ at takeoff", v[1][0], v[0][-1], 1e-12)
    findings.near("q at touchdown", q[2][0], q[1][-1], 1e-12)


def audit_optimality(findings, plan, program):
    point = (program.q, program.v, program.durations)
    cost, rows = program.evaluate(*point)
    forces = np.concatenate([program.character.forces(*program.motion(p, *point)[0]) for p in range(3)])
    findings.near("J", plan["cost_N2_m2_s"], cost, 1e-10 * cost)
    kinds = [c for c in plan["constraints"] if c["value"]]
    findings.holds("the same constraints", sorted(rows) == sorted(c["name"] for c in kinds))
    multipliers, worst, products = {}, 0.0, 0.0
    for stated in kinds:
        name, (times, values), size = stated["name"], rows[stated["name"]], program.size(stated["name"], forces)
        y, scale = array(stated["multiplier"]), array(stated["scale"])
        findings.near(f"times of '{name}'", stated["time_s"], times, 1e-12)
        findings.near(f"rows of '{name}'", stated["value"], values, 1e-9 * size)
        findings.near(f"count of multipliers and scales of '{name}'", [y.size, scale.size], [values.size] * 2, 0.0)
        equal = name in ("force on passive modes", "force in flight", "moment in flight", "impact on modes")
        findings.holds(f"kind of '{name}'", stated["kind"] == ("= 0" if equal else ">= 0"))
        findings.holds(f"unit of '{name}'", stated["unit"] == UNITS[name])
        lack = np.abs(values) if equal else np.maximum(0.0, -values)
        findings.holds(f"'{name}' is violated by {(scale * lack).max():.3g}", np.all(scale * lack < 1e-7))
        # The scales of the file may be chosen; a violation must be small against the forces of this motion as well.
        findings.holds(f"'{name}' is violated by {lack.max() / size:.3g} of its size", np.all(lack < 1e-5 * size))
        findings.holds(f"a scale of '{name}' is not positive", np.all((scale > 0.0) & np.isfinite(scale)))
        worst = np.maximum(worst, (scale * lack).max())
        if not equal:
            findings.holds(f"a multiplier of '{name}' is negative", np.all(y >= -1e-9 * np.abs(y).max()))
            products = np.maximum(products, np.abs(y * values).max())
            y = -y
        multipliers[name] = y
    tiny = 1e-30
    of_cost, gradient, unknowns = [], [], program.unknowns()
    for copies in unknowns:
        tables = [[x.astype(complex) for x in point[0]], [x.astype(complex) for x in point[1]], point[2].astype(complex)]
        for table, phase, *entry in copies:
            moved = tables[table] if table == 2 else tables[table][phase]
            moved[phase if table == 2 else tuple(entry)] += 1j * tiny
        moved_cost, moved = program.evaluate(*tables)
        of_cost.append(moved_cost.imag / tiny)
        gradient.append(of_cost[-1] + sum(multipliers[name] @ values.imag / tiny for name, (_, values) in moved.items()))
    of_cost, gradient = np.abs(of_cost), np.abs(gradient)
    stationarity, residuals = gradient.max() / of_cost.max(), plan["residuals"]
    print(f"{findings.path}: J {cost:.9g}, {len(gradient)} unknowns, stationarity in SI {stationarity:.3g} "
          f"(stated {residuals['stationarity']:.3g}), complementarity {products / cost:.3g}, feasibility {worst:.3g}")
    findings.near("complementarity", residuals["complementarity"], products / cost, 1e-12 + 1e-4 * products / cost)
    findings.near("feasibility", residuals["feasibility"], worst, 1e-10)
    # The ratio of the file is in units of its own, of 1 cm to 10 m and of 10 ms to 10 s: somewhere in the range of all those.
    length, time = (x.ravel() for x in np.meshgrid(np.geomspace(0.01, 10, 31), np.geomspace(0.01, 10, 31)))
    units = np.stack([length, np.ones_like(length), length / time, 1 / time, time])
    unit = np.array([4 if table == 2 else 2 * table + (place[-1] > 1) for table, *place in (u[0] for u in unknowns)])
    ratios = np.divide(*[np.max([units[u] * slopes[unit == u].max() for u in np.unique(unit)], axis=0)
                         for slopes in (gradient, of_cost)])
    findings.holds(f"stationarity is stated as {residuals['stationarity']:.3g}, it is {ratios.min():.3g} to {ratios.max():.3g}",
                   0.99 * ratios.min() - 1e-9 <= residuals["stationarity"] <= 1.01 * ratios.max() + 1e-9)
    findings.holds("it is no optimum", stationarity < 1e-4 and products / cost < 1e-6)


def audit_flight(findings, plan, program):
    """Integrates the equations of motion from takeoff to touchdown.

    The forces of the modes are linear in each interval, through its two samples: the plan's cubics are the collocation of
    these very equations at the Gauss points, and miss their solution by an error of order h⁴. What halving the mesh of that
    collocation changes is 15/16 of the error on a fine mesh, and at least half of it wherever halving halves the error.
    So the touchdown must lie within twice that change of the solution, and within a tenth of the motion on any mesh.
    ‖x‖² = xᵀMx measures them all.
    """
    body, q, v, duration = program.character, program.q[1], program.v[1], program.durations[1]
    n, size, h = len(q) - 1, q.shape[1], duration / (len(q) - 1)
    forces = array([s["forces"] for s in plan["phases"][1]["samples"]]).reshape(n, 2, -1)

    def accelerate(t, state):
        """Rates of the state, t steps of the plan after takeoff; the interval is the one that t is inside of."""
        if not np.all(np.isfinite(state)):
            raise ValueError("the integrated flight is not finite")
        first, second = forces[int(t)]
        driven = first + (second - first) * (t - int(t) - GAUSS[0]) / (GAUSS[1] - GAUSS[0])
        return np.concatenate([state[size:], body.accelerations(state[:size], state[size:], driven)])

    def collocate(state, t, step):
        """One step of the plan's method: accelerations a + bs that the equations of motion ask for at the Gauss points."""
        def moved(ab, s):
            (a, b), move = ab.reshape(2, size), state[:size] + step * s * state[size:]
            return np.concatenate([move + step**2 * (a * s**2 / 2 + b * s**3 / 6), state[size:] + step * (a * s + b * s**2 / 2)])

        def lack(ab):
            return np.concatenate([ab[:size] + ab[size:] * s - accelerate(t + s * step / h, moved(ab, s))[size:] for s in GAUSS])

        return moved(scipy.optimize.fsolve(lack, np.zeros(2 * size), xtol=1e-12), 1.0)

    exact, whole, halves = (np.concatenate([q[0], v[0]]) for _ in range(3))
    inside = 1e-12
    for i in range(n):
        exact = scipy.integrate.solve_ivp(lambda t, y: h * accelerate(min(max(t, i), i + 1 - inside), y), (i, i + 1), exact,
                                          method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
        whole = collocate(whole, i, h)
        halves = collocate(collocate(halves, i, h / 2), i + 0.5, h / 2)
    mass = body.mass_matrix(q[-1])
    greatest = max(np.sqrt(x @ body.mass_matrix(y) @ x) for x, y in zip(v, q))
    off, change = np.concatenate([q[-1], v[-1]]) - exact, whole - halves
    for name, part, motion in (("place", slice(size), greatest * duration), ("velocity", slice(size, None), greatest)):
        miss, change_of = (np.sqrt(x[part] @ mass @ x[part]) for x in (off, change))
        tolerance = min(2 * change_of + 1e-6 * motion, 0.1 * motion)
        print(f"{findings.path}: by integration, the {name} at touchdown is off by {miss / motion:.2g} of the motion "
              f"(tolerance {tolerance / motion:.2g})")
        findings.holds(f"the {name} at touchdown is not where the forces lead", miss <= tolerance)


def audit_momentum(findings, bundle, plan, program):
    """Weight alone acts in flight: what else its momentum gains, by what weight gives."""
    body, duration = program.character, program.durations[1]

    def momentum(q, v):
        x, y, turning = body.inertia_forces(q[None], np.zeros((1, len(q))), v[None], 0.0)[0, :3]
        pushed = body.mass_matrix(q)[:3, :3]  # of unit accelerations of the base
        distance, height = pushed[2, 1] / body.mass, -pushed[2, 0] / body.mass
        return np.array([x, y, turning - (distance * y - height * x)])

    given = body.mass * body.gravity * duration
    change = momentum(program.q[1][-1], program.v[1][-1]) - momentum(program.q[1][0], program.v[1][0])
    change[1] += given
    rest_height = np.hypot(*body.first[0]) / body.mass
    worst = max(np.hypot(*change[:2]), abs(change[2]) / rest_height) / given
    figures = json.loads((bundle / "summary.json").read_text())["figures"]
    findings.near("plan_momentum_defect", figures["plan_momentum_defect"], worst, 1e-9)
    findings.holds("the plan gains momentum from nowhere", worst <= 0.01)


def main():
    faults = checked = 0
    for name in sys.argv[1:]:
        bundle = Path(name)
        findings = Findings(bundle.name)
        try:
            plan = json.loads((bundle / "mode_plan.json").read_text())
            for part in ("phases", "constraints", "residuals", "cost_N2_m2_s"):
                if not finite(plan[part]):
                    raise ValueError(f"a number of '{part}' is null or not finite")
            audit_problem(findings, plan)
            program = Program(plan)
            audit_motion(findings, plan, program)
            audit_optimality(findings, plan, program)
            audit_flight(findings, plan, program)
            audit_momentum(findings, bundle, plan, program)
        except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            findings.holds(f"the audit stops: {type(error).__name__} {error}", False)
        faults += findings.faults
        checked += findings.checked
    print(f"{checked} numbers of plans checked, {faults} faults")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
