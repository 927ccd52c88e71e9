#!/usr/bin/python3
"""Holds sweep.csv, its page and its plots against the bundles of the sweep.

    audit_sweep.py FOLDER EXPERIMENT [PRINTED PROGRESS]     what `pliant sweep EXPERIMENT` left, and printed
"""

import csv
import html
import math
import re
import sys
import tomllib
from pathlib import Path

import numpy as np

from audit_bundle import Audit
from audit_files import SUFFIXES
from audit_outcome import WHOLE
from audit_plots import NEAR, unit_of, words_of
from audit_report import Comparison, agree, number, plain
from svg_plot import Plot, factor_of


def as_number(text):
    return float(text) if text != "" else None


def value_at(table, key):
    for part in key.split("."):
        table = table[part]
    return table


class Sweep:
    def __init__(self, folder, experiment):
        self.folder = folder
        self.experiment = tomllib.loads(Path(experiment).read_text())
        self.keys = [v["key"] for v in self.experiment["sweep"]["vary"]]
        with open(folder / "sweep.csv", newline="") as file:
            self.names, *rows = list(csv.reader(file))
        self.rows = [dict(zip(self.names, r)) for r in rows]
        self.points = {name: Comparison(folder / name) for name in dict.fromkeys(r["point"] for r in self.rows)}

    def bundle(self, row):
        return next(b for b in self.points[row["point"]].bundles if b.label == row["label"])


def audit_rows(audit, sweep):
    audit.equal("sweep.csv: columns before the figures", sweep.names[:5 + len(sweep.keys)],
                ["point", *sweep.keys, "label", "backend", "outcome", "reason"])
    labels = list(sweep.experiment["backends"])
    counts = [len(v["values"]) for v in sweep.experiment["sweep"]["vary"]]
    audit.equal("sweep.csv: rows", len(sweep.rows), math.prod(counts) * len(labels))
    audit.equal("sweep.csv: labels", [r["label"] for r in sweep.rows], labels * math.prod(counts))
    audit.equal("sweep.csv: points", len(sweep.points), math.prod(counts))
    figures = [n for n in sweep.names[5 + len(sweep.keys):] if not n.startswith(("reference.", "reference_band."))]
    of_reference = [n for n in sweep.names if n.startswith("reference.")]
    for row in sweep.rows:
        bundle, point = sweep.bundle(row), sweep.points[row["point"]]
        outcome = bundle.summary["outcome"]
        audit.equal("sweep.csv: outcome", (row["backend"], row["outcome"], row["reason"]),
                    (bundle.manifest["backend"], outcome["kind"], outcome["reason"]))
        for key in sweep.keys:
            of = next(b for b in point.bundles if key.split(".")[0] != "backends" or b.label == key.split(".")[1])
            stated = value_at(of.experiment, key)
            same = float(row[key]) == stated if isinstance(stated, (int, float)) else row[key] == stated
            audit.equal(f"sweep.csv: {key}", same, True)
            audit.equal("sweep.csv: value in the name of the point", f"={row[key]}" in row["point"], True)
        known = point.figures[bundle.label]
        reference = next((b for b in point.bundles if b.label == b.manifest["reference"]), None)
        for name in figures:
            if name.startswith("distance_to_reference") and (
                    reference is None or reference.summary["outcome"]["kind"] not in WHOLE):
                if bundle is not reference:
                    audit.equal(f"sweep.csv: {name} without a whole reference", row[name], "")
                continue
            stated, shown = known.get(name), as_number(row[name])
            close = shown == stated or (shown is not None and stated is not None and math.isclose(
                shown, stated, rel_tol=1e-12, abs_tol=1e-15))
            audit.equal(f"sweep.csv: {name} of {row['label']}", close, True)
        for name in of_reference:
            whole = reference is not None and reference.summary["outcome"]["kind"] in WHOLE
            stated = point.figures[reference.label].get(name.removeprefix("reference.")) if whole else None
            shown = as_number(row[name])
            close = shown == stated or (shown is not None and stated is not None and math.isclose(
                shown, stated, rel_tol=1e-12, abs_tol=1e-15))
            audit.equal(f"sweep.csv: {name} at {row['point']}", close, True)
        missing = {n for n, v in known.items() if v is not None} - set(figures)
        audit.equal("sweep.csv: figures that are missing", sorted(missing), [])


def difference_of(curve):
    return curve.get("difference", "none")


def named(curve, words):
    """What a curve shows, in the words of its figure."""
    less = f"{words} − reference"
    return {"none": words, "absolute": less, "relative": f"({less})/reference"}[difference_of(curve)]


def value_of_curve(curve, row):
    value = as_number(row[curve["figure"]])
    if value is None or difference_of(curve) == "none":
        return value
    reference = curve["reference"] if "reference" in curve else as_number(row.get("reference." + curve["figure"], ""))
    if reference is None:
        return None
    return value - reference if difference_of(curve) == "absolute" else value / reference - 1.0


def audit_page(audit, sweep):
    text = re.sub(r"<svg.*?</svg>", "", (sweep.folder / "sweep.html").read_text(), flags=re.S)
    table = re.findall(r'<table class="summary">(.*?)</table>', text, re.S)[-1]  # behind that of slopes
    head = [html.unescape(re.sub(r"<.*?>", "", h)) for h in re.findall(r"<th[^>]*>(.*?)</th>", table, re.S)]
    curves = sweep.experiment["sweep"]["curve"]
    audit.equal("sweep page: figures", head[len(sweep.keys) + 2:], [named(c, c["figure"]) for c in curves])
    rows = [[plain(c) for c in re.findall(r"<td>(.*?)</td>", r, re.S)] for r in re.findall(r"<tr>(<td>.*?)</tr>", table, re.S)]
    audit.equal("sweep page: rows", len(rows), len(sweep.rows))
    for cells, row in zip(rows, sweep.rows):
        audit.equal("sweep page: row", cells[:len(sweep.keys) + 2], [*(row[k] for k in sweep.keys), row["label"], row["outcome"]])
        for curve, cell in zip(curves, cells[len(sweep.keys) + 2:]):
            audit.equal(f"sweep page: {named(curve, curve['figure'])}", agree(number(cell), value_of_curve(curve, row), 3), True)
    facts = [plain(f) for f in re.findall(r"<span>(.*?)</span>", re.search(r'<p class="facts">(.*?)</p>', text, re.S)[1])]
    audit.equal("sweep page: facts", facts[2:], [f"{len(sweep.points)} points", f"{len(sweep.rows)} runs"])


def audit_curves(audit, sweep):
    vary = sweep.experiment["sweep"]["vary"]
    axis = next(v for v in vary if all(isinstance(x, (int, float)) for x in v["values"]))
    others = [v["key"] for v in vary if v is not axis]
    label, unit = axis.get("label", axis["key"]), axis.get("unit", "1")
    for curve in sweep.experiment["sweep"]["curve"]:
        figure, kind, logarithmic = curve["figure"], difference_of(curve), curve.get("scale") == "logarithmic"
        ending = {"none": "", "absolute": "-difference", "relative": "-relative-difference"}[kind]
        plot = Plot(sweep.folder / "figures" / f"sweep-{figure}{ending}.svg")
        audit.equal(f"{figure}: panels", len(plot.panels), 1)
        panel = plot.panels[0]
        legend = {re.sub(r": slope \S+ ± \S+$", "", name): look for name, look in plot.legend.items()}
        audit.equal(f"{figure}: x axis", panel.x_label, label if unit == "1" else f"{label} [{unit}]")
        audit.equal(f"{figure}: scales", (panel.x.logarithmic, panel.y.logarithmic),
                    (axis.get("scale") == "logarithmic", curve.get("scale") == "logarithmic"))
        shown, (first, last) = named(curve, words_of(figure)), curve.get("x_range", (-math.inf, math.inf))
        audit.equal(f"{figure}: y axis", panel.label, f"|{shown}|" if kind != "none" and logarithmic else shown)
        factor = factor_of(panel.unit, "1" if kind == "relative" else unit_of(figure))
        audit.equal(f"{figure}: unit", factor is not None, True)
        audit.equal(f"{figure}: ticks at their numbers", max(panel.x.misfit, panel.y.misfit) < 0.02, True)
        for name in {(r["label"], *(r[k] for k in others)) for r in sweep.rows}:
            words = ", ".join([name[0], *(f"{k.split('.')[-1]} = {v}" for k, v in zip(others, name[1:]))])
            rows = [r for r in sweep.rows if (r["label"], *(r[k] for k in others)) == name and r["outcome"] in WHOLE]
            if kind != "none" and "reference" not in curve and name[0] == sweep.experiment["reference"]:
                audit.equal(f"{figure}: no difference from itself", words in legend, False)
                continue
            data = sorted((float(r[axis["key"]]), value_of_curve(curve, r)) for r in rows if value_of_curve(curve, r) is not None)
            if kind != "none" and logarithmic:
                data = [(x, abs(y)) for x, y in data]
            data = [(x, y) for x, y in data if first <= x <= last]
            data = [(x, y) for x, y in data if y > 0.0 or not panel.y.logarithmic]
            lines = [points for look, points in panel.lines if look == legend.get(words)]
            audit.equal(f"{figure}: line of {words}", bool(lines), len(data) > 1)
            if not lines:
                continue
            to_paper = lambda v, axis: (np.log10(v) if axis.logarithmic else np.asarray(v) / 1.0)
            xs = (to_paper([x for x, _ in data], panel.x) - panel.x.offset) / panel.x.slope
            ys = (to_paper(np.array([y for _, y in data]) / factor, panel.y) - panel.y.offset) / panel.y.slope
            drawn = np.concatenate(lines)
            if "x_range" in curve:
                ends = panel.x.coordinate([panel.left, panel.right])
                audit.equal(f"{figure}: ends of the x axis", bool(np.all(np.abs(ends - to_paper(curve["x_range"], panel.x)) < 0.01)), True)
            audit.equal(f"{figure}: values of {words}", len(drawn) == len(data) and bool(
                np.all(np.abs(drawn - np.stack([xs, ys], axis=1)) < NEAR)), True)
        note = " ".join(" ".join(plot.notes).split())
        for row in sweep.rows:
            if not first <= float(row[axis["key"]]) <= last:
                audit.equal(f"{figure}: says what is beyond the axis", "Beyond the x axis: " + row["label"] in note, True)
            elif row["outcome"] not in WHOLE:
                audit.equal(f"{figure}: says that a run is omitted", f"Omitted because {row['outcome']}: {row['label']}" in note, True)


def audit_progress(audit, sweep, text):
    kinds = [r["outcome"] for r in sweep.rows]
    stated = dict((k, int(n)) for n, k in re.findall(r"(\d+) ([a-z ]+)[,;(]", text.splitlines()[-1].split(": ")[-1].replace(" (", "(")))
    audit.equal("sweep: printed outcomes", stated, {k: kinds.count(k) for k in set(kinds)})


def audit_shares(audit, sweep, printed):
    """In how many runs every behaviour ended."""
    behaviours = len(sweep.experiment["scene"].get("behaviour", []))
    page = html.unescape((sweep.folder / "sweep.html").read_text()) if "no report:" not in printed else None
    for label in sweep.experiment["backends"]:
        rows = [r for r in sweep.rows if r["label"] == label]
        done = [as_number(r.get("behaviours_done_max", "")) for r in rows]
        words = f"{label}: every behaviour ended in {sum(d is not None and d >= behaviours for d in done)} of {len(rows)} runs"
        known = behaviours > 0 and any(d is not None for d in done)
        audit.equal("sweep: printed share", words in printed.splitlines(), known)
        if page is not None:
            audit.equal("sweep page: share", words + "." in page, known)


def main():
    audit, sweep = Audit(), Sweep(Path(sys.argv[1]), sys.argv[2])
    audit_rows(audit, sweep)
    printed = Path(sys.argv[3]).read_text() if len(sys.argv) > 3 else ""
    if "no report:" not in printed:  # a build without Qt writes none
        audit_page(audit, sweep)
        audit_curves(audit, sweep)
    if len(sys.argv) > 4:
        audit_shares(audit, sweep, printed)
        audit_progress(audit, sweep, Path(sys.argv[4]).read_text())
    for fault in audit.faults[:30]:
        print(f"{sweep.folder}: {fault}")
    print(f"{sweep.folder}: checked {sum(audit.checked.values())} numbers and words of a sweep")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
