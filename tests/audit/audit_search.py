#!/usr/bin/python3
"""Holds the record of a search, what is printed of it and its page against its history and its two bundles.

    audit_search.py FOLDER EXPERIMENT PRINTED     what `pliant optimize EXPERIMENT` left, and printed on stdout
"""

import csv
import html
import json
import math
import re
import sys
import tomllib
from pathlib import Path

import numpy as np

from audit_bundle import Audit, Bundle
from audit_plots import NEAR
from audit_report import agree, number, plain
from svg_plot import Plot

MEASURES = ["distance_m", "end_speed_m_s", "energy_J", "net_energy_J", "height_m", "uprightness", "end_height_m", "end_shape_m",
            "end_motion_m_s", "penetration_m"]
WEIGHED = {"distance": "distance_m", "end_speed": "end_speed_m_s", "height": "height_m", "uprightness": "uprightness",
           "end_height": "end_height_m", "energy": "energy_J", "net_energy": "net_energy_J"}


class Search:
    def __init__(self, folder, experiment):
        self.folder = folder
        self.experiment = tomllib.loads(Path(experiment).read_text())
        self.record = json.loads((folder / "optimization.json").read_text())
        with open(folder / "history.csv", newline="") as file:
            self.rows = [{k: float(v) if v != "" else None for k, v in row.items()} for row in csv.DictReader(file)]
        self.trials = {}
        for row in self.rows:
            self.trials.setdefault(int(row["search"]), []).append(row)
        self.best = {s: min((t for t in trials if t["cost"] is not None), key=lambda t: t["cost"])
                     for s, trials in self.trials.items()}


def decision_of(trial, before):
    """0 the start, 1 not worse, 2 worse and accepted, 3 worse, 4 the same without a temperature, 5 failed."""
    if before is None:
        return 0.0
    if trial["accepted"]:
        return 1.0 if trial["cost"] <= before["current_cost"] else 2.0
    chance = math.exp((before["current_cost"] - trial["cost"]) / trial["temperature"]) if trial["temperature"] else 0.0
    if trial["acceptance"] is not None and abs(trial["acceptance"] - chance) > 1e-12:
        return math.nan
    if trial["failed"]:
        return 5.0
    return 4.0 if trial["acceptance"] is not None and trial["temperature"] is None else 3.0


def audit_history(audit, search):
    weights = search.experiment["optimize"]["cost"].get("weights", {})
    for number_of, trials in search.trials.items():
        audit.equal("history: trials are counted", [t["evaluation"] for t in trials], list(range(1, len(trials) + 1)))
        best = np.minimum.accumulate([t["cost"] for t in trials])
        audit.compare("history: best cost", [t["best_cost"] for t in trials], best, 1.0, 0.0)
        current = None
        for trial in trials:
            current = trial["cost"] if trial["accepted"] else current
            audit.equal("history: current cost", trial["current_cost"], current)
            cost = sum(w * trial[WEIGHED[m]] for m, w in weights.items())
            audit.compare("history: weighted sum", trial["cost"], cost, 1.0, 1e-12)
        audit.equal("history: why", [decision_of(t, before) for t, before in zip(trials, [None, *trials])],
                    [t["decision"] for t in trials])
        audit.equal("history: seconds grow", bool(np.all(np.diff([t["seconds"] for t in trials]) >= 0.0)), True)


def audit_record(audit, search):
    record, settings = search.record, search.experiment["optimize"]
    methods = list(settings.get("methods", {"annealing": {}}))
    restarts, seed = settings.get("restarts", 1), search.experiment["run"].get("seed", 1)
    audit.equal("record: searches", [(s["label"], s["seed"]) for s in record["searches"]],
                [(m, seed + r) for m in methods for r in range(restarts)])
    audit.equal("record: evaluations", record["evaluations"], len(search.rows))
    for stated in record["searches"]:
        trials, best = search.trials[stated["search"]], search.best[stated["search"]]
        audit.equal("record: of a search", [stated[k] for k in ("evaluations", "accepted", "failed", "start_cost", "best_cost",
                                                               "best_evaluation")],
                    [len(trials), sum(t["accepted"] for t in trials), sum(t["failed"] for t in trials), trials[0]["cost"],
                     best["cost"], best["evaluation"]])
    winner = min(search.best, key=lambda s: search.best[s]["cost"])
    audit.equal("record: the best", (record["best"]["search"], record["best"]["evaluation"]),
                (winner, search.best[winner]["evaluation"]))
    for name, trial in (("start", search.trials[1][0]), ("best", search.best[winner])):
        audit.equal(f"record: cost of {name}", record[name]["cost"], trial["cost"])
        audit.equal(f"record: measures of {name}", record[name]["measures"], {m: trial[m] for m in record["measures"]})
        audit.equal(f"record: numbers of {name}", record[name]["numbers"], {n: trial[n] for n in record["numbers"]})
    for stated, method in zip(record["distributions"], methods):
        searches = [s["search"] for s in record["searches"] if s["label"] == method]
        costs = np.array([search.best[s]["cost"] for s in searches])
        seconds = [search.trials[s][-1]["seconds"] for s in searches]
        cut = sum(s["cancelled"] for s in record["searches"] if s["label"] == method)
        audit.equal("record: distribution of", (stated["label"], stated["planned"], stated["cut_short"], stated["succeeded"]),
                    (method, len(searches), cut, sum(search.best[s]["violation"] == 0.0 for s in searches)))
        for key, q in (("best", 0), ("lower_quartile", 25), ("median", 50), ("upper_quartile", 75), ("worst", 100)):
            audit.compare(f"record: {key}", stated[key], np.percentile(costs, q), 1.0, 1e-12)
        audit.compare("record: median seconds", stated["median_seconds"], np.median(seconds), 1.0, 1e-12)
        rate = stated["succeeded"] / len(searches)
        audit.compare("record: success rate", stated["success_rate"], rate, 1.0, 1e-12)
        for stated_end, end in zip(stated["success_interval"], wilson(rate, len(searches))):
            audit.compare("record: success interval", stated_end, end, 1.0, 1e-9)
    audit.equal("record: distributions", len(record["distributions"]), len(methods))


def wilson(rate, n):
    """The two p where rate is z standard deviations of p from p: the roots of (rate − p)² = z² p (1 − p)/n."""
    z2 = 1.959963984540054**2
    ends = np.roots([1 + z2 / n, -2 * rate - z2 / n, rate**2])
    return sorted(ends.real)


def best_rotation(masses, rest, now):
    """Of Σ m |now − R rest|² [Kabsch]; both about their centres."""
    u, _, vt = np.linalg.svd((now * masses[:, None]).T @ rest)
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
    return u @ flip @ vt


def audit_motions(audit, search):
    """Measures of the first and the best motion, from the points of their bundles."""
    for name in ("start", "best"):
        bundle, stated = Bundle(search.folder / name), search.record[name]["measures"]
        body = bundle.scene.bodies[0]
        x, v, m = bundle.points[:, :body.count], bundle.velocities[:, :body.count], body.masses
        centre = np.einsum("i,tij->tj", m, x) / m.sum()
        rest = body.rest - m @ body.rest / m.sum()
        upright = [best_rotation(m, rest, p - c)[1, 1] for p, c in zip(x, centre)]
        computed = {"distance_m": centre[-1, 0] - centre[0, 0], "end_speed_m_s": (m @ v[-1])[0] / m.sum(),
                    "height_m": (centre[:, 1] - centre[0, 1]).max(), "end_height_m": centre[-1, 1] - centre[0, 1],
                    "uprightness": float(np.mean(upright)),
                    "end_shape_m": np.linalg.norm((x[-1] - centre[-1]) - (x[0] - centre[0]), axis=1).max(),
                    "end_motion_m_s": np.linalg.norm(v[-1], axis=1).max(), "energy_J": bundle.series["deformation_effort_J"][-1]}
        if len(bundle.scene.bodies) == 1 and stated["penetration_m"] is not None:
            computed["penetration_m"] = np.nanmax(bundle.series["penetration_m"], initial=0.0)
        for measure, value in computed.items():
            if stated[measure] is not None:
                audit.compare(f"{name}: {measure}", stated[measure], value, 1.0 + abs(value), 1e-9)
        audit.equal(f"{name}: outcome", bundle.summary["outcome"]["kind"] in ("completed", "lost energy", "gained energy", "did not converge"), True)


def audit_motion_table(audit, where, rows, search):
    """Rows of [quantity, start, best]."""
    summaries = {n: json.loads((search.folder / n / "summary.json").read_text())["figures"] for n in ("start", "best")}
    best = min(search.best.values(), key=lambda t: t["cost"])
    trials = {"start": search.trials[int(best["search"])][0], "best": best}
    seen = set()
    for quantity, *cells in rows:
        for name, cell in zip(("start", "best"), cells):
            if quantity in trials[name]:
                stated = trials[name][quantity]
            elif quantity == "computing_s":
                stated = trials[name]["seconds"]
            else:
                stated = summaries[name].get(quantity)
            audit.equal(f"{where}: {quantity} of {name}", agree(number(cell), stated, 3), True)
        seen.add(quantity)
    defined = {m for m in search.record["measures"] if search.record["start"]["measures"][m] is not None}
    audit.equal(f"{where}: quantities that are missing", sorted(({"cost", "computing_s"} | defined) - seen), [])


def audit_printed(audit, search, text):
    lines = text.splitlines()
    searches = {(s["label"], s["seed"]): s for s in search.record["searches"]}
    found = re.findall(r"^(\S+) +(\d+) +(\d+) +(\S+) +(\S+) +(\d+) +(\d+) +(\d+)( +← best)?$", text, re.M)
    audit.equal("printed: searches", len(found), len(searches))
    for label, seed, trials, start, best, at, accepted, failed, marked in found:
        one = searches[(label, int(seed))]
        audit.equal("printed: counts", [int(trials), int(at), int(accepted), int(failed)],
                    [one["evaluations"], one["best_evaluation"], one["accepted"], one["failed"]])
        audit.equal("printed: costs", (agree(float(start), one["start_cost"], 5), agree(float(best), one["best_cost"], 5)), (True, True))
        audit.equal("printed: the best", bool(marked), one["search"] == search.record["best"]["search"])
    found = re.findall(r"^(\S+) +(\d+) of (\d+) +(\d+) to (\d+) % +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$", text, re.M)
    audit.equal("printed: methods", [f[0] for f in found], [d["label"] for d in search.record["distributions"]])
    for cells, one in zip(found, search.record["distributions"]):
        audit.equal("printed: succeeded", (int(cells[1]), int(cells[2])), (one["succeeded"], one["searches"]))
        for cell, end in zip(cells[3:5], one["success_interval"]):
            audit.equal("printed: success interval", int(cell), round(100 * end))
        for cell, key in zip(cells[5:], ("best", "lower_quartile", "median", "upper_quartile", "worst")):
            audit.equal(f"printed: {key}", agree(float(cell), one[key], 5), True)
        audit.compare("printed: seconds", float(cells[10]), one["median_seconds"], 1.0, 5.1e-4)
    begin = next(i for i, line in enumerate(lines) if line.strip() == "Cost and feasibility:")
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines[begin + 2:] if re.match(r"    \S+ {2,}\S+ +\S+$", line)]
    audit_motion_table(audit, "printed", rows, search)


def audit_page(audit, search):
    text = (search.folder / "report.html").read_text()
    table = re.search(r'scope="col">quantity</th>.*?</thead>(.*?)</table>', text, re.S)[1]
    rows = [[html.unescape(plain(c)) for c in re.findall(r"<td>(.*?)</td>", r, re.S)] for r in re.findall(r"<tr>(.*?)</tr>", table, re.S)]
    audit_motion_table(audit, "page", rows, search)


def audit_curves(audit, search):
    """The best cost of each search by trials, and median and quartiles of each method."""
    labels = {s["search"]: s["label"] for s in search.record["searches"]}
    best = {s: [t["best_cost"] for t in trials] for s, trials in search.trials.items()}
    for key in ("best-cost", "cost-by-trials"):
        plot = Plot(search.folder / "figures" / f"{key}.svg")
        audit.equal(f"{key}: panels", len(plot.panels), 1)
        panel = plot.panels[0]
        audit.equal(f"{key}: axes", (panel.x_label, panel.label, panel.unit), ("trial", "cost", ""))
        audit.equal(f"{key}: legend", sorted(plot.legend), sorted(set(labels.values())))
        audit.equal(f"{key}: ticks stand at their numbers", max(panel.x.misfit, panel.y.misfit) < 0.02, True)
        for name, (colour, _, width) in plot.legend.items():
            of = np.array([best[s] for s in best if labels[s] == name])
            median, quartiles = np.percentile(of, [50], axis=0), np.percentile(of, [25, 75], axis=0)
            kinds = [(width, of)] if key == "best-cost" else [(width, median), ("0.7", quartiles)]
            for of_width, wanted in kinds:
                lines = [points for look, points in panel.lines if look[0] == colour and look[2] == of_width]
                audit.equal(f"{key}: lines of {name}", len(lines), len(wanted))
                places = (wanted - panel.y.offset) / panel.y.slope  # px, a row for each line, a column for each trial
                for points in lines:
                    trial = np.round(panel.x.coordinate(points[:, 0])).astype(int) - 1
                    fits = [bool(np.all(np.abs(row[trial] - points[:, 1]) < NEAR)) for row in places]
                    audit.equal(f"{key}: values of {name}", any(fits) and trial[-1] == places.shape[1] - 1, True)


def main():
    audit, search = Audit(), Search(Path(sys.argv[1]), sys.argv[2])
    audit_history(audit, search)
    audit_record(audit, search)
    audit_motions(audit, search)
    printed = Path(sys.argv[3]).read_text()
    audit_printed(audit, search, printed)
    if "no report:" not in printed:  # a build without Qt writes none
        audit_page(audit, search)
        audit_curves(audit, search)
    for fault in audit.faults[:30]:
        print(f"{search.folder}: {fault}")
    print(f"{search.folder}: checked {sum(audit.checked.values())} numbers of a search")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
