"""What a bundle says about itself: checksums, facts of the manifest, units of datasets and columns."""

import calendar
import hashlib
import os
import sys
import time
from pathlib import Path

import h5py

# How the name of a column spells its unit at its end.
SUFFIXES = {"s": "_s", "m": "_m", "J": "_J", "N": "_N", "m/s": "_m_s", "kg m/s": "_kg_m_s", "kg m²/s": "_kg_m2_s",
            "rad": "_rad", "m³": "_m3", "N m": "_N_m", "N² m² s": "_N2_m2_s", "rad²/s³": "_rad2_s3", "m²": "_m2",
            "kg m²": "_kg_m2", "rad/s": "_rad_s", "N s": "_N_s", "N/m": "_N_m", "Hz": "_Hz", "kg": "_kg", "W": "_W", "Pa": "_Pa",
            "1": ""}

COLUMNS = ["time_s", "kinetic_energy_J", "gravitational_energy_J", "elastic_energy_J", "spring_energy_J",
           "contact_energy_J", "constraint_energy_J", "total_energy_J", "residual_energy_J", "made_energy_J",
           "numerical_energy_J", "momentum_residual_kg_m_s", "angular_momentum_residual_kg_m2_s", "momentum_x_kg_m_s", "momentum_y_kg_m_s",
           "momentum_z_kg_m_s", "angular_momentum_x_kg_m2_s", "angular_momentum_y_kg_m2_s",
           "angular_momentum_z_kg_m2_s", "spin_x_kg_m2_s", "spin_y_kg_m2_s", "spin_z_kg_m2_s", "centre_x_m",
           "centre_y_m", "centre_z_m", "edge_strain_max", "edge_strain_rms", "extent_ratio", "signed_extent_ratio", "cell_ratio_min", "constraint_error_m",
           "constraint_rate_m_s", "penetration_m", "penetration_rms_m", "obstacle_depth_m", "body_depth_m",
           "self_crossings", "body_crossings", "condition_number", "regularisation",
           "iterations", "step_time_s", "step_cpu_time_s"]

DATASETS = {"time": "s", "points": "m", "velocities": "m/s"}


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def audit_manifest(audit, bundle, program):
    manifest, path = bundle.manifest, bundle.path
    files = sorted(p.name for p in path.iterdir() if p.name != "manifest.json")
    audit.equal("files with a checksum", sorted(manifest["sha256"]), files)
    for name in files:
        audit.equal(f"SHA-256 of {name}", manifest["sha256"].get(name), sha256(path / name))
    if program is not None:
        audit.equal("executable_sha256", manifest["executable_sha256"], sha256(program))
    audit.equal("label", manifest["label"], path.name)
    audit.equal("experiment", manifest["experiment"], bundle.experiment.get("name", path.parent.name))
    audit.equal("backend", manifest["backend"], bundle.backend.get("formulation", bundle.label))
    audit.equal("backends of experiment.toml", list(bundle.experiment["backends"]), [bundle.label])
    audit.equal("seed", manifest["seed"], bundle.experiment["run"]["seed"])
    audit.equal("outcome of the manifest", manifest["outcome"], bundle.summary["outcome"]["kind"])
    audit.equal("threads", manifest["threads"], os.cpu_count())
    began, ended = (calendar.timegm(time.strptime(manifest[key], "%Y-%m-%dT%H:%M:%SZ"))
                    for key in ("started", "finished"))
    audit.compare("finished − started", ended - began, manifest["wall_seconds"], 1.0, 1.1)  # both are whole seconds
    audit.equal("the run lasts as long as its steps",
                manifest["wall_seconds"] >= bundle.summary["outcome"]["steps_wall_s"], True)


def audit_units(audit, bundle):
    with h5py.File(bundle.path / "points.h5") as h5:
        for name, unit in DATASETS.items():
            if name in h5:
                audit.equal(f"unit of /{name}", as_text(h5[name].attrs["unit"]), unit)
                audit.equal(f"type of /{name}", h5[name].dtype.str, "<f8")
        if len(bundle.times):
            audit.equal("rows of /state", h5["state"].shape[0], len(bundle.times))
    for name in COLUMNS:
        audit.equal(f"column {name}", name in bundle.series, True)


def as_text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def audit_metrics(audit, listing):
    """Names against units in what `pliant list metrics` prints."""
    units = sorted(SUFFIXES, key=len, reverse=True)
    for line in listing.splitlines():
        name, _, rest = line.strip().partition(" ")
        rest = rest.lstrip()
        if not line.startswith("  ") or name.endswith(":"):
            continue
        unit = next((u for u in units if rest.startswith(u + " ")), None)
        if unit is None:
            audit.fault(f"list metrics: no known unit in {line.strip()!r}")
            continue
        wrong = [s for u, s in SUFFIXES.items() if s and name.endswith(s) and len(s) > len(SUFFIXES[unit])]
        audit.equal(f"list metrics: {name} [{unit}]", name.endswith(SUFFIXES[unit]) and not wrong, True)


def main():
    from audit_bundle import Audit

    audit = Audit()
    audit_metrics(audit, Path(sys.argv[1]).read_text())
    for fault in audit.faults:
        print(fault)
    print(f"list metrics: checked {len(audit.checked)} names against their units")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
