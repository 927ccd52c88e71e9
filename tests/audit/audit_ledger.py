"""The ledger of a run: sums of energies and works, what passive parts made, and what judges the run by it."""

import numpy as np

ENERGIES = ["kinetic_energy_J", "gravitational_energy_J", "elastic_energy_J", "spring_energy_J", "contact_energy_J",
            "constraint_energy_J"]
ACTIVE = [f"work_{w}_J" for w in ("force", "impulse", "moved_obstacles", "moved_nails", "control")]
PASSIVE = [f"work_{w}_J" for w in ("contact", "constraint", "damping")]
LIFT = 1e-3  # of the size of the scene: what lifts everything by it is the least energy at stake


def undefined(values):
    return bool(np.all(np.isnan(values)))


def audit_ledger(audit, bundle):
    """Checks the columns and returns the energy at stake, J; None where no ledger is kept."""
    series = bundle.series
    audit.equal("columns of work", sorted(c for c in series if c.startswith("work_")), sorted(ACTIVE + PASSIVE))
    if undefined(series["kinetic_energy_J"]):
        audit.equal("total_energy_J of a method without velocities", undefined(series["total_energy_J"]), True)
        return None
    energies = {name: np.nan_to_num(series[name]) for name in ENERGIES}
    total = sum(energies.values())
    scale = 1e-30 + max(np.abs(np.nan_to_num(series[c])).max() for c in ENERGIES + ACTIVE + PASSIVE)
    audit.compare("total_energy_J", series["total_energy_J"], total, scale, 1e-13)
    if undefined(series["work_force_J"]):
        audit.equal("residual_energy_J without works", undefined(series["residual_energy_J"]), True)
        return None
    active = sum(np.nan_to_num(series[c]) for c in ACTIVE)
    passive = sum(np.nan_to_num(series[c]) for c in PASSIVE)
    residual = (total - total[0]) - (active + passive - active[0] - passive[0])
    audit.compare("residual_energy_J", series["residual_energy_J"], residual, scale, 1e-12)
    audit.compare("numerical_energy_J", series["numerical_energy_J"], residual + series["work_constraint_J"], scale, 1e-12)
    left = total - active
    audit.compare("made_energy_J", series["made_energy_J"], left - np.minimum.accumulate(left), scale, 1e-12)
    stored = sum(v for n, v in energies.items() if n not in ("kinetic_energy_J", "gravitational_energy_J"))
    accounts = [energies["kinetic_energy_J"], energies["gravitational_energy_J"], stored]
    accounts += [np.nan_to_num(series[c]) for c in ACTIVE + PASSIVE]
    exchanged = 0.5 * sum(np.abs(a - a[0]) for a in accounts)
    kept = energies["kinetic_energy_J"] + stored
    least = 0.0
    if bundle.scene is not None:
        size = np.linalg.norm(bundle.scene.start.max(axis=0) - bundle.scene.start.min(axis=0))
        mass = bundle.scene.masses.sum()
        least = LIFT * mass * np.linalg.norm(bundle.scene.gravity) * size
        least += 0.5 * mass * (1e-6 * size) ** 2  # J, at a millionth of the size a second
    return float(max(kept.max(), exchanged.max(), least))


def audit_stake(audit, bundle, stake):
    stated = bundle.summary["outcome"]["energy_at_stake_J"]
    if bundle.summary["outcome"]["kind"] == "diverged":  # judged by nothing
        return
    if stake is None:
        audit.equal("energy_at_stake_J", stated, None)
    else:
        audit.compare("energy_at_stake_J", stated if stated is not None else np.nan, stake, stake, 1e-12)


def audit_classes(audit, bundle):
    """Nobody works who is not there, and what is at rest does no work."""
    if undefined(bundle.series["work_force_J"]) or bundle.scene is None:
        return
    table, series, backend = bundle.scene.table, bundle.series, bundle.manifest["backend"]
    has = lambda *kinds: any(table.get(kind) for kind in kinds)
    moves = lambda kind: any("path" in e for e in table.get(kind, []))
    absent = {"force": not has("force"), "impulse": not has("impulse"),
              "moved_obstacles": not moves("obstacle"),
              "moved_nails": not (moves("nail") or moves("combination") or has("behaviour"))}
    if backend != "position-based" and not bundle.backend.get("self_contact"):
        absent["contact"] = not has("obstacle")
    if backend == "linear-deformation":
        absent["constraint"] = not has("nail", "attachment", "slider", "combination", "limit", "behaviour")
    for name, is_absent in absent.items():
        if is_absent:
            work = np.abs(np.nan_to_num(series[f"work_{name}_J"])).max()
            audit.equal(f"work_{name}_J of nobody", float(work), 0.0)
    first = min([f.get("from", 0.0) for f in table.get("force", [])], default=0.0)
    early = bundle.times <= first * (1.0 + 1e-9)  # at its beginning it has done nothing
    audit.equal("work_force_J before the first force", bool(np.all(series["work_force_J"][early] == 0.0)), True)
    audit_work_of_forces(audit, bundle)


def audit_work_of_forces(audit, bundle):
    """Where every step is recorded: force times displacement of its point, to the error of straight steps.

    Finite elements spread a force over the patch of its point, and shared forces are divided by the area of cells that
    the auditor does not know.
    """
    scene, x, times = bundle.scene, bundle.points, bundle.times
    forces = scene.table.get("force", [])
    if bundle.manifest["backend"] == "finite-elements" or any(f.get("shared") for f in forces):
        return
    if not forces or not np.allclose(np.diff(times), bundle.step) or any("history" in f for f in forces):
        return
    work, size = np.zeros(len(times)), 0.0
    for force in forces:
        vector = np.array([*force["force"], 0.0, 0.0])[:3]
        begin, end = force.get("from", 0.0), force.get("until", np.inf)
        for index in scene.indices(force):
            given = np.diff(x[:, index], axis=0) @ vector
            during = np.clip((np.minimum(times[1:], end) - np.maximum(times[:-1], begin)) / np.diff(times), 0.0, 1.0)
            work[1:] += np.cumsum(given * during)
            size += np.abs(given * during).sum()
    # Steps are straight up to their curvature; the scheme of first order does not even know their middle.
    tolerance = 2e-2 if bundle.backend.get("integrator") == "semi-implicit-euler" else 2e-3
    audit.compare("work_force_J as force · displacement", bundle.series["work_force_J"], work, size, tolerance)


def judged(bundle, stake):
    """The outcome of a run that made all its steps, and the time that its reason names."""
    run, series, outcome = bundle.experiment["run"], bundle.series, bundle.summary["outcome"]
    if not run.get("may_go_through", True) and any("went through" in e["what"] for e in bundle.summary["events"]):
        return "went through", None
    if bundle.scene is not None:
        time = first_inside_out(bundle)
        if time is not None:
            return "turned inside out", time
    if stake:
        beyond = series["made_energy_J"] > max(run.get("made_energy_share", 0.01) * stake, 1e-9 * stake)
        if np.any(beyond):
            return "gained energy", bundle.times[np.argmax(beyond)]
        if run.get("lost_energy_share") is not None:
            numerical = series["numerical_energy_J"]
            beyond = np.maximum.accumulate(numerical) - numerical > max(run["lost_energy_share"] * stake, 1e-9 * stake)
            if np.any(beyond):
                return "lost energy", bundle.times[np.argmax(beyond)]
    if outcome["not_converged_steps"] > run.get("not_converged_share", 0.1) * outcome["step"]:
        return "did not converge", None
    return "completed", None


def first_inside_out(bundle):
    """Time of the first record at which a body has no positive volume (or area in the plane); None without one."""
    scene = bundle.scene
    for time, x in zip(bundle.times, bundle.points):
        for body in scene.bodies:
            at = int(scene.offsets[body.name])
            if not body.faces or not (body.closed or scene.table.get("dimension", 3) == 2):
                continue
            now, rest = (body.signed_extent(p) for p in (x[at:at + body.count], body.rest))
            if rest != 0.0 and now / rest <= 0.0:
                return time
    return None
