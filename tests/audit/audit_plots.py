#!/usr/bin/python3
"""Reads the curves of a report back from their figures and holds them against series.csv.

    audit_plots.py FOLDER     what `pliant compare` left
"""

import html
import re
import sys
from pathlib import Path

import numpy as np

from audit_bundle import Audit
from audit_files import SUFFIXES
from audit_report import Comparison
from svg_plot import Plot, factor_of

NEAR = 0.05  # px: figures are written with six digits

# figure → name of a curve → column: a panel for each run.
BY_RUN = {
    "energy-by-kind": {"total": "total_energy_J", "kinetic": "kinetic_energy_J", "gravitational": "gravitational_energy_J",
                       "elastic": "elastic_energy_J", "spring": "spring_energy_J", "contact": "contact_energy_J",
                       "constraint springs": "constraint_energy_J"},
    "work-by-class": {"forces": "work_force_J", "impulses": "work_impulse_J",
                      "moved obstacles": "work_moved_obstacles_J", "moved nails": "work_moved_nails_J", "contact": "work_contact_J",
                      "constraints": "work_constraint_J", "control": "work_control_J", "damping": "work_damping_J"},
}
# figure → label of the axis → column: a curve for each run.
BY_QUANTITY = {
    "total-energy": {"total energy": "total_energy_J"},
    "residual-energy": {"residual": "residual_energy_J"},
    "made-energy": {"made energy": "made_energy_J"},
    "numerical-energy": {"numerical energy": "numerical_energy_J"},
    "momentum-residual": {"momentum residual": "momentum_residual_kg_m_s"},
    "angular-momentum-residual": {"angular momentum residual": "angular_momentum_residual_kg_m2_s"},
    "momentum": {f"momentum {a}": f"momentum_{a}_kg_m_s" for a in "xyz"},
    "spin": {f"spin {a}": f"spin_{a}_kg_m2_s" for a in "xyz"},
    "constraint-error": {"largest gap": "constraint_error_m"},
    "penetration": {"deepest point": "penetration_m", "deepest place": "obstacle_depth_m"},
    "body-depth": {"deepest place in a body": "body_depth_m"},
    "self-crossings": {"self-crossings": "self_crossings"},
    "body-crossings": {"crossings of bodies": "body_crossings"},
    "cells": {"signed extent": "signed_extent_ratio", "smallest cell": "cell_ratio_min"},
    "strain": {"largest strain": "edge_strain_max", "rms strain": "edge_strain_rms"},
    "extent": {"extent / extent at rest": "extent_ratio"},
    "reference-distance": {"rms distance": "distance 1", "of the shape": "distance 3", "of the place": "distance 4"},
    "condition-number": {"condition number": "condition_number"},
    "step-time": {"time per step": "step_cpu_time_s"},
}


# Contact by pairs of bodies and obstacles stands in series.csv, not in this figure; forces have one of their own.
OF_A_PAIR = ("contact_impulse_", "contact_force.", "friction_work.")


def unit_of(column):
    if column.startswith("distance "):
        return "m"
    fitting = [u for u, s in SUFFIXES.items() if s and column.endswith(s)]
    return max(fitting, key=lambda u: len(SUFFIXES[u]), default="1")


def words_of(column):
    suffix = SUFFIXES[unit_of(column)]
    return (column[:-len(suffix)] if suffix else column).replace("_", " ")


class Data:
    """What a run defines of a column: times, values, and the numbers of their records."""

    def __init__(self, times, values):
        self.records = np.flatnonzero(np.isfinite(values))
        self.times, self.values = np.asarray(times)[self.records], np.asarray(values)[self.records]

    def only(self, chosen):
        part = Data(self.times[chosen], self.values[chosen])
        part.records = self.records[chosen]
        return part


def data_of(runs, bundle, column):
    if column.startswith("distance "):  # and which of distances()
        if bundle.label == bundle.manifest["reference"]:
            return Data([], np.array([]))
        measured = runs.distances[bundle.label]
        return Data(measured[0], measured[int(column[-1])])
    if column not in bundle.series or not len(bundle.times):
        return Data([], np.array([]))
    return Data(bundle.times, bundle.series[column])


def check_curve(audit, name, panel, lines, data):
    """The drawn line passes through the records, shows the first, the last and the extremes, and nothing else."""
    factor = factor_of(panel.unit, check_curve.unit)
    if factor is None:
        audit.fault(f"{name}: the axis is in '{panel.unit}', the column in '{check_curve.unit}'")
        return
    y_of = lambda v: np.log10(v / factor) if panel.y.logarithmic else np.asarray(v) / factor
    place = lambda v: (y_of(v) - panel.y.offset) / panel.y.slope  # px
    if panel.y.logarithmic:
        data = data.only(data.values > 0.0)
    times, values = data.times, data.values
    visible = np.array([panel.top - NEAR <= p <= panel.bottom + NEAR for p in place(values)], dtype=bool)
    if not visible.any():
        audit.equal(f"{name}: lines of what is outside", len(lines) <= 1, True)
        return
    x_places = (times - panel.x.offset) / panel.x.slope
    if not lines:
        lone = visible.sum() == 1 or len(values) == 1
        audit.equal(f"{name}: is drawn", lone, True)
        return
    drawn = np.concatenate(lines)
    for x, y in drawn:
        i = int(np.argmin(np.abs(x_places - x)))
        on_record = abs(x_places[i] - x) < NEAR
        at_border = abs(y - panel.top) < NEAR or abs(y - panel.bottom) < NEAR
        good = (on_record and abs(place(values[i]) - y) < NEAR) or at_border
        if not good:
            audit.fault(f"{name}: a point at {panel.x.coordinate(x):.6g} shows {panel.y.coordinate(y):.6g}, "
                        f"the record at {times[i]:.6g} is {y_of(values[i]):.6g}")
            return
    audit.checked[name] = audit.checked.get(name, 0) + len(drawn)
    shown = np.flatnonzero(visible)
    wanted = {"first": shown[0], "last": shown[-1], "smallest": shown[np.argmin(values[shown])],
              "largest": shown[np.argmax(values[shown])]}
    for what, i in wanted.items():
        # Between two gaps it is a mark, not a line.
        alone = not any(0 <= k < len(values) and abs(data.records[k] - data.records[i]) == 1 for k in (i - 1, i + 1))
        near = np.abs(drawn[:, 1] - place(values[i])) < NEAR
        if what in ("first", "last"):
            near &= np.abs(drawn[:, 0] - x_places[i]) < 1.0
        audit.equal(f"{name}: {what} value is drawn", bool(near.any()) or alone, True)


def check_axes(audit, key, plot):
    audit.equal(f"{key}: has panels", bool(plot.panels), True)
    lowest = max((p.bottom for p in plot.panels), default=0)
    labels = {p.x_label for p in plot.panels if abs(p.bottom - lowest) < 1}
    audit.equal(f"{key}: label of the time axis", labels, {"time [s]"})
    for panel in plot.panels:
        for what, axis in (("time", panel.x), ("other", panel.y)):
            audit.equal(f"{key}: every tick of the {what} axis has a label", axis.fits, True)
            if axis.fits and axis.readable:
                audit.equal(f"{key}: ticks of the {what} axis stand at their numbers", axis.misfit < 0.02, True)
    unread = [p for p in plot.panels if not all(a.fits and a.readable for a in (p.x, p.y))]
    plot.panels = [p for p in plot.panels if p not in unread]
    return unread


def curves_in(panel, look):
    return [points for drawn, points in panel.lines if drawn == look]


def check_looks(audit, key, plot):
    """Every line in a panel is one of the legend, and no two names look the same."""
    audit.equal(f"{key}: names that look the same", len(set(plot.legend.values())), len(plot.legend))
    known = set(plot.legend.values())
    for panel in plot.panels:
        audit.equal(f"{key}: lines without a name", sum(look not in known for look, _ in panel.lines), 0)


def audit_by_run(audit, key, plot, runs):
    seen = set()
    for panel in plot.panels:
        bundle = next((b for b in runs.bundles if b.label == panel.title), None)
        if bundle is None:
            audit.fault(f"{key}: a panel of '{panel.title}'")
            continue
        seen.add(bundle.label)
        for name, column in BY_RUN[key].items():
            data = data_of(runs, bundle, column)
            check_curve.unit = "J"
            look = plot.legend.get(name)
            if look is None:
                gone = all(not np.any(data_of(runs, b, column).values) for b in runs.bundles)
                audit.equal(f"{key}: {name} is omitted where it is 0", gone, True)
            elif len(data.values):
                check_curve(audit, f"{key}: {name} of {bundle.label}", panel, curves_in(panel, look), data)
            else:
                audit.equal(f"{key}: {name} of {bundle.label} is not defined", len(curves_in(panel, look)), 0)
    columns = BY_RUN[key].values()
    defined = {b.label for b in runs.bundles if any(len(data_of(runs, b, c).values) for c in columns)}
    audit.equal(f"{key}: panels", seen, defined)


def audit_by_quantity(audit, key, plot, runs, colours, columns_of):
    drawn_columns, drawn_runs = set(), set()
    for panel in plot.panels:
        column = columns_of(panel)
        if column is None:
            audit.fault(f"{key}: a panel of '{panel.title}{panel.label}'")
            continue
        drawn_columns.add(column)
        check_curve.unit = unit_of(column)
        for bundle in runs.bundles:
            data = data_of(runs, bundle, column)
            names = [n for n in plot.legend if n == bundle.label or n.startswith(bundle.label + ": ")]
            if not len(data.values):
                for name in names:
                    audit.equal(f"{key}: {column} of {name} is not defined", len(curves_in(panel, plot.legend[name])), 0)
                continue
            nothing = panel.y.logarithmic and not np.any(data.values > 0.0)
            if not names and nothing:
                continue
            audit.equal(f"{key}: name of {bundle.label} in the legend", len(names), 1)
            if len(names) != 1:
                continue
            look = plot.legend[names[0]]
            if key == "own-quantities" and not curves_in(panel, look):
                continue  # it is another formulation's quantity of the same name
            drawn_runs.add((column, bundle.label))
            audit.equal(f"{key}: colour of {bundle.label}", look[0], colours[bundle.label])
            check_curve(audit, f"{key}: {column} of {bundle.label}", panel, curves_in(panel, look), data)
    return drawn_columns, drawn_runs


def audit_notes(audit, key, plot, runs):
    """When diverged runs end."""
    text = " ".join(" ".join(plot.notes).split())
    found = re.search(r"× diverged: (.*?)\. *(?:[A-Z]|$)", text)
    stated = dict(re.findall(r"([^ ,]+) at (\S+) s", found[1])) if found else {}
    for bundle in runs.bundles:
        if bundle.label in stated:
            audit.equal(f"{key}: {bundle.label} diverged", bundle.summary["outcome"]["kind"], "diverged")
            audit.compare(f"{key}: end of {bundle.label}", float(stated[bundle.label]), bundle.times[-1], bundle.times[-1], 5e-3)


def audit_plots(audit, runs):
    folder = runs.folder / "figures"
    page = (runs.folder / "report.html").read_text()
    colours = dict((html.unescape(l), c) for c, l in re.findall(
        r'<span class="patch" style="background:(#\w+)"></span><span class="run">(.*?)</span>', page))
    of_probes = []
    for b in runs.bundles:
        of_probes += [c for c in b.probe_columns() if c not in of_probes]
    for key in [*BY_RUN, *BY_QUANTITY, "contact-force", "probes", "own-quantities"]:
        path = folder / f"{key}.svg"
        if key in BY_RUN:
            columns = list(BY_RUN[key].values())
        elif key in BY_QUANTITY:
            columns = list(BY_QUANTITY[key].values())
        elif key == "contact-force":  # of pairs that touch
            columns = sorted({c for b in runs.bundles for c in b.own_columns()
                              if c.startswith("contact_force.") and np.any(data_of(runs, b, c).values > 0.0)})
        elif key == "probes":
            columns = of_probes
        else:
            columns = []
            for b in runs.bundles:
                columns += [c for c in b.own_columns()
                            if c not in columns and c not in of_probes and not c.startswith(OF_A_PAIR)]
        if "distance 1" in columns and not runs.distances:
            columns = []
        some = any(len(data_of(runs, b, c).values) for b in runs.bundles for c in columns)
        audit.equal(f"{key}: is drawn", path.exists(), some)
        if not path.exists() or not some:
            continue
        plot = Plot(path)
        unread = check_axes(audit, key, plot)
        check_looks(audit, key, plot)
        audit_notes(audit, key, plot, runs)
        if key in BY_RUN:
            audit_by_run(audit, key, plot, runs)
            continue
        if key in BY_QUANTITY:
            columns_of = lambda panel: BY_QUANTITY[key].get(panel.label)
        elif key == "contact-force":
            columns_of = lambda panel: next((c for c in columns if f"contact force of {c[14:-2]}" == panel.label), None)
        elif key == "probes":
            columns_of = lambda panel: next((c for c in columns if words_of(c) == panel.label), None)
        else:
            # Panels of one title name their formulation.
            formulations = {b.manifest["backend"] for b in runs.bundles}
            titles = {c: {words_of(c)} | {f"{words_of(c)}, {f}" for f in formulations} for c in columns}
            columns_of = lambda panel: next((c for c in columns if panel.title in titles[c]), None)
        drawn, drawn_runs = audit_by_quantity(audit, key, plot, runs, colours, columns_of)
        unread = {columns_of(p) for p in unread}
        drawn |= unread
        defined = {c for c in columns if any(len(data_of(runs, b, c).values) for b in runs.bundles)}
        largest = {c: max(np.abs(data_of(runs, b, c).values).max() for b in runs.bundles if len(data_of(runs, b, c).values))
                   for c in defined}
        if key in ("momentum", "spin"):  # components up to rounding are left out
            defined = {c for c in defined if largest[c] > 1e-9 * max(largest.values())} or defined
        audit.equal(f"{key}: quantities", sorted(drawn), sorted(defined))
        wanted = {(c, b.label) for c in defined - unread for b in runs.bundles if np.any(data_of(runs, b, c).values > 0.0)}
        audit.equal(f"{key}: curves that are missing", sorted(wanted - drawn_runs), [])


def main():
    audit, runs = Audit(), Comparison(Path(sys.argv[1]))
    audit_plots(audit, runs)
    for fault in audit.faults:
        print(f"{runs.folder}: {fault}")
    print(f"{runs.folder}: read {sum(audit.checked.values())} points and words of its plots back")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
