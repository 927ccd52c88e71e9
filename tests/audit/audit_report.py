#!/usr/bin/python3
"""Holds what a report, the printed table and the printed progress say against the bundles they are about.

    audit_report.py FOLDER [PRINTED.txt [PROGRESS.txt]]

FOLDER: what `pliant compare` left; PRINTED, PROGRESS: what it printed on stdout and stderr. Figures are those of the
summaries, distances to the reference are computed from the points, everything else is that of the experiment file.
"""

import html
import re
import sys
from pathlib import Path

import numpy as np

from audit_bundle import Audit, Bundle
from audit_files import SUFFIXES, sha256

UNMET_TITLE = "Constraints that are not satisfied at the end of the run"


def number(text):
    """"7.25×10−3" as a table shows it; None for "–", not defined."""
    text = text.replace("−", "-").strip()
    if text in ("–", ""):
        return None
    mantissa, times, power = text.partition("×10")
    return float(mantissa) * 10.0 ** (int(power) if times else 0)


def agree(shown, stated, digits):
    if shown is None or stated is None:
        return shown is None and stated is None
    if not np.isfinite(stated):
        return shown == stated or (np.isnan(shown) and np.isnan(stated))
    return abs(shown - stated) <= 0.5000001 * 10.0 ** (1 - digits) * max(abs(shown), abs(stated)) + 1e-300


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


class Comparison:
    """The bundles of one comparison, in the order of its experiment, and their figures."""

    def __init__(self, folder):
        found = [Bundle(p.parent) for p in sorted(folder.glob("*/manifest.json"))]
        self.folder = folder
        self.bundles = sorted(found, key=lambda b: b.manifest["place"])
        self.figures = {b.label: dict(b.summary["figures"]) for b in self.bundles}
        self.distances = {}
        reference = [b for b in self.bundles if b.label == b.manifest["reference"]]
        if reference:
            for bundle in self.bundles:
                self.distances[bundle.label] = distances(bundle, reference[0])
                rms, largest, shape, place = self.distances[bundle.label][1:]
                shown = self.figures[bundle.label]
                shown["distance_to_reference_rms_m"] = float(rms.max()) if len(rms) else None
                shown["distance_to_reference_max_m"] = float(largest.max()) if len(rms) else None
                shown["distance_to_reference_shape_m"] = float(shape.max()) if len(rms) else None
                shown["distance_to_reference_placement_m"] = float(place.max()) if len(rms) else None
                shown.update(errors(bundle, reference[0], self.distances[bundle.label]))

    def defined(self):
        """Names of the figures that a run defines."""
        return {n for f in self.figures.values() for n, v in f.items() if v is not None}


def distances(run, reference):
    """Times that both recorded, and there the largest distance of the points and the rms over the mass: of the points, of
    the distance of their shapes and of their places, m."""
    times, rms, largest, shape, place = [], [], [], [], []
    for time, x in zip(run.times, run.points):
        at = np.flatnonzero(np.abs(reference.times - time) < 1e-9)
        if len(at) == 0:
            continue
        apart = np.linalg.norm(x - reference.points[at[0]], axis=1)
        times.append(time)
        rms.append(np.sqrt(run.scene.masses @ apart**2 / run.scene.masses.sum()))
        largest.append(apart.max())
        parts = shape_and_place(run.scene, x, reference.points[at[0]])
        shape.append(parts[0])
        place.append(parts[1])
    return tuple(np.array(part) for part in (times, rms, largest, shape, place))


def headlines(name, unit, times, error, duration, largest):
    """Of an error over time: its largest in the first quarter of the duration, root mean square over time, and the last."""
    if len(times) == 0 or not np.all(np.isfinite(error)):
        return {}
    mean = np.trapz(error**2, times) / (times[-1] - times[0]) if len(times) > 1 else error[0]**2
    early = error[times <= 0.25 * duration * (1 + 1e-9)]
    found = {"_early": early.max() if len(early) else error[0], "_over_time": np.sqrt(mean), "_final": error[-1]}
    if largest:
        found["_max"] = error.max()
    return {name + word + unit: float(value) for word, value in found.items()}


def errors(run, reference, apart):
    """The headlines of distances, energies, extent and momentum. The phase is not computed here."""
    times, rms, _, shape, place = apart
    duration = run.experiment["run"]["duration"]
    found = {}
    for name, error in {"rms": rms, "shape": shape, "placement": place}.items():
        found |= headlines("distance_to_reference_" + name, "_m", times, error, duration, False)
    pick = [int(np.flatnonzero(np.abs(b.times - t) < 1e-9)[0]) for t in times for b in (run, reference)]
    for name, unit, columns in [("kinetic_energy", "_J", ["kinetic_energy_J"]), ("elastic_energy", "_J", ["elastic_energy_J"]),
                                ("total_energy", "_J", ["total_energy_J"]), ("extent_ratio", "", ["extent_ratio"]),
                                ("momentum", "_kg_m_s", [f"momentum_{a}_kg_m_s" for a in "xyz"])]:
        parts = [run.series[c][pick[0::2]] - reference.series[c][pick[1::2]] for c in columns]
        found |= headlines("error_of_" + name, unit, times, np.sqrt(np.sum(np.square(parts), axis=0)), duration, True)
    return found


def shape_and_place(scene, x, y):
    """The rigid motion of each body that brings y nearest to x (Kabsch: by singular values) leaves a distance of the
    shapes, and itself moves y; rms over the mass of both, m."""
    shape = place = 0.0
    for body in scene.bodies:
        first = int(scene.offsets[body.name])
        m = body.masses
        of_x, of_y = x[first:first + body.count], y[first:first + body.count]
        if np.array_equal(of_x, of_y):
            continue
        x0, y0 = m @ of_x / m.sum(), m @ of_y / m.sum()
        product = (of_y - y0).T @ ((of_x - x0) * m[:, None])
        if np.all(of_x[:, 2] == 0.0) and np.all(of_y[:, 2] == 0.0):  # in the plane, where a line does not turn about itself
            angle = np.arctan2(product[0, 1] - product[1, 0], product[0, 0] + product[1, 1])
            turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        else:
            u, _, v = np.linalg.svd(product)
            turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v)) or 1]) @ v
        moved = (of_y - y0) @ turn + x0
        shape += m @ np.sum((of_x - moved)**2, axis=1)
        place += m @ np.sum((moved - of_y)**2, axis=1)
    return np.sqrt(np.array([shape, place]) / scene.masses.sum())


def audit_table(audit, text, runs):
    """The headline figures of the report."""
    shown = set()
    for table in re.findall(r'<table class="summary">(.*?)</table>', text, re.S):
        head, _, body = table.partition("</thead>")
        labels = [html.unescape(l) for l in re.findall(r'<span class="run">(.*?)</span>', head)]
        if not labels:
            continue
        audit.equal("report: runs in the order of the experiment", labels, [b.label for b in runs.bundles])
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.S):
            cells = re.findall(r"<td>(.*?)</td>", row, re.S)
            name = re.search(r"<code>(.*?)</code>", cells[0])[1]
            if name.startswith("phase_error"):  # a fit, which its own tests hold against closed forms
                continue
            unit = re.search(r"\s\[([^]]*)\]</span>", cells[0])  # "net.[4, 4]" is the name of a point
            shown.add(name)
            suffix = {**SUFFIXES, "1/s": "_1_s"}.get(unit[1] if unit else "1")
            audit.equal(f"report: unit of {name}", suffix is not None and name.endswith(suffix), True)
            for label, cell in zip(labels, cells[1:]):
                stated = runs.figures[label].get(name)
                audit.equal(f"report: {name}", agree(number(plain(cell)), stated, 3), True)
                if audit.faults and audit.faults[-1].startswith(f"report: {name}: states False"):
                    audit.faults[-1] = f"report: {name} of {label} shows {plain(cell)}, it is {stated}"
    audit.equal("report: figures missing or too many in its tables", sorted(shown ^ runs.defined()), [])


def audit_header(audit, text, runs):
    run, first = runs.bundles[0].experiment["run"], runs.bundles[0].manifest
    facts = [plain(f) for f in re.findall(r"<span>(.*?)</span>", re.search(r'<p class="facts">(.*?)</p>', text, re.S)[1])]
    audit.equal("report: experiment", facts[0], f"experiment {first['experiment']}")
    audit.equal("report: scene", facts[1], f"scene {runs.bundles[0].experiment['scene']['name']}")
    audit.equal("report: number of runs", facts[2], f"{len(runs.bundles)} run" + "s" * (len(runs.bundles) != 1))
    times = re.fullmatch(r"(\S+) s in steps of (\S+) ms", facts[3])
    audit.equal("report: duration", float(times[1]), run["duration"])
    common = [b.step for b in runs.bundles if "step" not in b.backend] or [run["step"]]
    audit.compare("report: step in its header", float(times[2]) * 1e-3, common[0], common[0], 1e-5)
    audit.equal("report: seed", facts[4], f"seed {run['seed']}")


def audit_outcomes(audit, text, runs):
    items = re.findall(r'<li>(<span class="patch".*?)</li>(?=<li><span class="patch"|</ul>)',
                       re.search(r'<ul class="runs">(.*?)</ul><(?:div|h3)', text, re.S)[1] + "</ul>", re.S)
    audit.equal("report: outcomes", len(items), len(runs.bundles))
    for bundle, item in zip(runs.bundles, items):
        outcome, words = bundle.summary["outcome"], plain(item)
        audit.equal("report: outcome of", words.startswith(bundle.label + " "), True)
        kind, time = outcome["kind"], outcome["time_s"]
        if kind == "completed":
            found = re.search(r"completed: (\d+) steps, (\S+) s", words)
            audit.equal("report: completed", (int(found[1]), agree(float(found[2].rstrip(",")), time, 4)),
                        (outcome["step"], True))
        elif kind in ("lost energy", "gained energy", "turned inside out", "went through"):
            audit.equal("report: reason", f"{kind}: {outcome['reason']}" in words, True)
        elif kind == "did not converge":
            found = re.search(r"did not converge in (\d+) of (\d+) steps", words)
            audit.equal("report: did not converge", (int(found[1]), int(found[2])),
                        (outcome["not_converged_steps"], outcome["step"]))
        elif kind == "diverged":
            found = re.search(r"diverged at step (\d+).*; last good state at (\S+) s", words)
            audit.equal("report: diverged", (int(found[1]), agree(float(found[2]), time, 4)), (outcome["step"], True))
        elif kind == "unsupported":
            audit.equal("report: refused", outcome["reason"] in words, True)
        sunk = outcome.get("sunk")
        audit.equal("report: what lies deep", bool(re.search("m deep in (obstacle|body)", words)), sunk is not None)
        if sunk:
            audit.equal("report: body and obstacle", f"body '{sunk['body']}' is" in words and
                        (f"m deep in body '{sunk['other_body']}'" if sunk["other_body"] else f"m deep in obstacle '{sunk['obstacle']}'") in words, True)
        unmet = bundle.summary["unmet_constraints"]
        if unmet:
            audit_open(audit, "report", words, unmet, outcome["unmet_constraints"])
        events = re.findall(r'<span class="time">(\S+) s</span> (.*?)(?=<li>|</li>|$)', item, re.S)
        stated = bundle.summary["events"]
        audit.equal("report: events", [plain(e) for _, e in events], [e["what"] for e in stated])
        for (shown, _), event in zip(events, stated):
            audit.equal("report: time of an event", agree(float(shown), event["time_s"], 6), True)


def audit_open(audit, where, words, unmet, count):
    found = re.search(r"open at the end: (.*?) by (\S+) (rad|m)\b(?:, and (\d+) more)?", words)
    audit.equal(f"{where}: worst constraint", found and (found[1], found[3]), (unmet[0]["name"], unmet[0]["unit"]))
    audit.equal(f"{where}: its size", found and agree(float(found[2]), unmet[0]["size"], 3), True)
    audit.equal(f"{where}: and more", int((found and found[4]) or 0), count - 1)


def audit_findings(audit, text, runs):
    """The tables of constraints that are not satisfied."""
    for bundle in runs.bundles:
        unmet, count = bundle.summary["unmet_constraints"], bundle.summary["outcome"]["unmet_constraints"]
        title = rf'<span class="run">{re.escape(bundle.label)}</span> <small>{UNMET_TITLE}</small></h3>'
        found = re.search(title + r'<div class="wide"><table class="summary">(.*?)</table></div>(?:<p>(.*?)</p>)?', text, re.S)
        audit.equal("report: table of unmet constraints", found is not None, bool(unmet))
        if not found:
            continue
        rows = [[plain(c) for c in re.findall(r"<td>(.*?)</td>", r, re.S)] for r in re.findall(r"<tr>(<td>.*?)</tr>", found[1], re.S)]
        audit.equal("report: rows of unmet constraints", len(rows), len(unmet))
        for row, one in zip(rows, unmet):
            size, unit = row[1].split(" ")
            audit.equal("report: unmet constraint", (row[0], unit), (one["name"], one["unit"]))
            audit.equal("report: size of an unmet constraint", agree(float(size), one["size"], 3), True)
        more = re.match(r"and (\d+) more", found[2] or "")
        audit.equal("report: further unmet constraints", int(more[1]) if more else 0, count - len(rows))


def audit_parameters(audit, text, runs):
    section = text[text.find('id="parameters"'):text.find('id="reproduce"')]
    details = re.findall(r"<details>(.*?)</details>", section, re.S)
    audit.equal("report: parameters of", len(details), len(runs.bundles))
    for bundle, detail in zip(runs.bundles, details):
        summary = plain(re.search(r"<summary>(.*?)</summary>", detail, re.S)[1])
        step = re.search(r"step (\S+) ms;", summary)
        audit.compare("report: step of a run", float(step[1]) * 1e-3, bundle.step, bundle.step, 1e-5)
        rows = re.findall(r"<tr[^>]*><td><code>(.*?)</code></td><td>(.*?)</td>", detail, re.S)
        audit.equal("report: number of parameters", int(re.search(r"(\d+) parameters", summary)[1]), len(rows))
        for name, value in rows:
            stated = bundle.backend.get(name)
            if isinstance(stated, bool):
                audit.equal("report: parameter", plain(value), str(stated).lower())
            elif isinstance(stated, (int, float)):
                audit.equal("report: parameter", agree(float(plain(value)), stated, 6), True)
            elif isinstance(stated, str):
                audit.equal("report: parameter", plain(value) or "none", stated or "none")


def audit_scene(audit, text, runs):
    """Numbers of the table of elements, those of springs, obstacles, bodies, forces and impulses."""
    bundle = runs.bundles[0]
    scene = bundle.experiment["scene"]
    section = text[text.find('<section id="scene"'):text.find('<section id="parameters"')]
    rows = {plain(a): plain(b) for a, b in re.findall(r"<tr><td>(.*?)</td><td>.*?</td><td>(.*?)</td></tr>", section, re.S)}

    def numbers(element, pattern, *stated):
        found = re.search(pattern, rows.get(element, ""))
        shown = [float(g) for g in found.groups()] if found else []
        audit.equal(f"report: {element}", len(shown) == len(stated) and all(agree(a, b, 4) for a, b in zip(shown, stated)), True)

    one, three = r"(-?[\d.e+-]+)", r"\((-?[\d.e+-]+), (-?[\d.e+-]+), (-?[\d.e+-]+)\)"
    first = lambda kind: {e["name"]: e for e in reversed(scene.get(kind, []))}.values()
    pad = lambda v: [*v, *[0.0] * (3 - len(v))]
    if any(scene["gravity"]):
        numbers("gravity", three + r" m/s²", *pad(scene["gravity"]))
    for spring in first("spring"):
        numbers(f"spring.{spring['name']}", rf"{one} N/m, damping {one} N s/m, rest length {one} m", spring["stiffness"],
                spring.get("damping", 0.0), spring.get("rest_length", 0.0))
    for force in first("force"):
        if "force" in force:
            numbers(f"force.{force['name']}", three + " N from", *pad(force["force"]))
    for impulse in first("impulse"):
        numbers(f"impulse.{impulse['name']}", rf"{three} N s at {one} s", *pad(impulse["impulse"]), impulse.get("time", 0.0))
    for obstacle in first("obstacle"):
        name = f"obstacle.{obstacle['name']}"
        if obstacle["shape"] == "sphere":
            numbers(name, rf"radius {one} m", obstacle["radius"])
        if obstacle["shape"] == "box":
            numbers(name, rf"box, {one} × {one} × {one} m", *(2.0 * h for h in pad(obstacle["half_size"])))
        if obstacle.get("friction", 0.0) > 0.0:
            numbers(name, rf"friction {one}", obstacle["friction"])
        if "path" in obstacle:
            times = obstacle["path"]["times"]
            numbers(name, rf"along (\d+) keys from {one} s to {one} s", len(times), times[0], times[-1])
    for body in bundle.scene.bodies if bundle.scene else []:
        size = body.rest.max(axis=0) - body.rest.min(axis=0)
        table = next(b for b in scene["body"] if b["name"] == body.name)
        numbers(f"body.{body.name}", rf"^(\d+).*? points, {one} kg, {one} × {one} × {one} m; at {three} m", body.count,
                body.masses.sum(), *np.where(np.abs(size) < 1e-12, 0.0, size), *pad(table.get("position", [0, 0, 0])))


def audit_facts(audit, text, runs):
    section = text[text.find('id="reproduce"'):]
    keys = {"version": "version", "commit": "commit", "compiler": "compiler", "processor": "cpu", "seed": "seed",
            "SHA-256 of the program": "executable_sha256", "started": "started", "finished": "finished",
            "threads of the machine": "threads", "system": "system"}
    for row in re.findall(r"<tr>(<td>.*?)</tr>", section, re.S):
        name, *cells = [plain(c) for c in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]
        cells = cells * len(runs.bundles) if len(cells) == 1 else cells
        if name in keys:
            audit.equal(f"report: {name}", cells, [str(b.manifest[keys[name]]) for b in runs.bundles])
        if name.startswith("SHA-256 of its manifest.json"):
            audit.equal("report: SHA-256 of the manifests", cells, [sha256(b.path / "manifest.json") for b in runs.bundles])
    for bundle in runs.bundles:
        named = re.search(rf"reproduce (?:\S*/)?{re.escape(bundle.path.parent.name)}/{re.escape(bundle.label)}\n", html.unescape(section))
        audit.equal("report: command to reproduce", named is not None, True)


def audit_html(audit, runs):
    text = re.sub(r"<svg.*?</svg>", "", (runs.folder / "report.html").read_text(), flags=re.S)
    for check in (audit_table, audit_header, audit_outcomes, audit_findings, audit_parameters, audit_scene, audit_facts):
        check(audit, text, runs)


def audit_text(audit, file, runs):
    """The printed table."""
    labels, shown, known = None, set(), {n for f in runs.figures.values() for n in f}
    for line in file.read_text().splitlines():
        words = line.split()
        if labels is None:
            if sorted(words) == sorted(runs.figures):  # the head of the table
                labels = words
            continue
        if words[:1] == ["outcome"]:
            kinds = re.split(r"\s{2,}", line.strip())[1:]
            audit.equal("table: outcomes", kinds, [b.summary["outcome"]["kind"] for b in runs.bundles])
        if len(words) != len(labels) + 1 or words[0] not in known:
            continue
        shown.add(words[0])
        for label, cell in zip(labels, words[1:]):
            stated = runs.figures[label].get(words[0])
            if agree(number(cell), stated, 4):
                audit.equal(f"table: {words[0]}", True, True)
            else:
                audit.fault(f"table: {words[0]} of {label} shows {cell}, it is {stated}")
    audit.equal("table: runs", labels, [b.label for b in runs.bundles])
    audit.equal("table: figures missing or too many", sorted(shown ^ runs.defined()), [])


def audit_progress(audit, file, runs):
    """Outcomes and events as printed while it ran."""
    text = file.read_text()
    for bundle in runs.bundles:
        outcome, events = bundle.summary["outcome"], bundle.summary["events"]
        found = re.search(rf"^\[\d+/\d+\] {re.escape(bundle.label)}: (.*) \((\S+) s\)\n((?:      .*\n)*)", text, re.M)
        audit.equal("progress: a line for", found is not None, True)
        if not found:
            continue
        audit.equal("progress: reason", outcome["reason"] in found[1] and (outcome["reason"] or outcome["kind"]) in found[1], True)
        shown, wall = float(found[2]), bundle.manifest["wall_seconds"]  # until it stands in place, on a busy disk
        audit.equal("progress: seconds", wall - 0.06 <= shown <= 3.0 * wall + 30.0, True)
        if bundle.summary["unmet_constraints"]:
            audit_open(audit, "progress", found[1], bundle.summary["unmet_constraints"], outcome["unmet_constraints"])
        lines = re.findall(r"^      at (\S+) s: (.*)$", found[3], re.M)
        audit.equal("progress: events", [w for _, w in lines], [e["what"] for e in events][:len(lines)])
        more = re.search(r"and (\d+) more events", found[3])
        audit.equal("progress: number of events", len(lines) + int(more[1] if more else 0), len(events))
        for (shown, _), event in zip(lines, events):
            audit.equal("progress: time of an event", agree(float(shown), event["time_s"], 6), True)


def main():
    audit, runs = Audit(), Comparison(Path(sys.argv[1]))
    if len(sys.argv) < 3 or "no report:" not in Path(sys.argv[2]).read_text():  # a build without Qt writes none
        audit_html(audit, runs)
    if len(sys.argv) > 2:
        audit_text(audit, Path(sys.argv[2]), runs)
    if len(sys.argv) > 3:
        audit_progress(audit, Path(sys.argv[3]), runs)
    for fault in audit.faults:
        print(f"{runs.folder}: {fault}")
    print(f"{runs.folder}: checked {sum(audit.checked.values())} cells of the report and of what is printed")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
