#!/usr/bin/python3
"""Verdicts of `pliant reproduce` just inside and just outside of its tolerance.

    audit_reproduce.py PROGRAM BUNDLE SCRATCH

Copies of the bundle are changed by a number, column by column and dataset by dataset, by 0.9 and by 1.1 of what is
tolerated: 10⁻⁹ of the largest magnitude among the columns of the same unit, or in the same dataset; for a pure number of
its own column, and at least 1. Their checksums are set right again.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

from audit_bundle import Audit, Bundle
from audit_files import SUFFIXES, sha256

TOLERANCE = 1e-9
TIMINGS = ("step_time_s", "step_cpu_time_s")


def unit_of(column):
    fitting = [u for u, s in SUFFIXES.items() if s and column.endswith(s)]
    return max(fitting, key=lambda u: len(SUFFIXES[u]), default="1")


class Copies:
    def __init__(self, program, bundle, scratch):
        self.program, self.bundle, self.path = program, bundle, scratch / bundle.label

    def fresh(self):
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(self.bundle.path, self.path)
        return self.path

    def sign(self, *names):
        manifest = json.loads((self.path / "manifest.json").read_text())
        for name in names:
            manifest["sha256"][name] = sha256(self.path / name)
        (self.path / "manifest.json").write_text(json.dumps(manifest))

    def verdict(self):
        ran = subprocess.run([self.program, "reproduce", str(self.path)], capture_output=True, text=True)
        return ran.returncode, ran.stdout.strip(), ran.stderr.strip()

    def with_cells(self, change):
        """`change` works on the list of rows of series.csv."""
        path = self.fresh() / "series.csv"
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        change(rows)
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
        self.sign("series.csv")
        return self.verdict()

    def with_dataset(self, name, index, change):
        path = self.fresh() / "points.h5"
        with h5py.File(path, "r+") as h5:
            h5[name][index] = change(h5[name][index])
        self.sign("points.h5")
        return self.verdict()


def hold_verdict(audit, name, expected, got, share=None, quantity=None):
    status, words, _ = got
    audit.equal(f"{name}: verdict", words.split(":")[0].split(" (")[0], expected)
    audit.equal(f"{name}: exit status", status, 1 if expected == "different" else 0)
    if quantity is not None and words.startswith(expected):
        audit.equal(f"{name}: names it", re.search(rf"(?:different: |at most ){re.escape(quantity)} at ", words) is not None, True)
    stated = re.search(r"(\S+) of its scale", words)
    if share is not None:
        audit.compare(f"{name}: share of its scale", float(stated[1]) if stated else np.nan, share, share, 1e-3)


def audit_columns(audit, copies):
    series = copies.bundle.series
    scales = {}
    for column, values in series.items():
        key = column if unit_of(column) == "1" else unit_of(column)
        largest = np.max(np.abs(values[np.isfinite(values)]), initial=0.0)
        scales[key] = max(scales.get(key, 1.0 if key == column else 0.0), largest)
    for at, (column, values) in enumerate(series.items()):
        defined = np.flatnonzero(np.isfinite(values))
        if column in TIMINGS or not len(defined):
            continue
        row = int(defined[-1])
        scale = scales[column if unit_of(column) == "1" else unit_of(column)]
        if scale == 0.0:
            continue
        for share, expected in ((0.9, "within tolerance"), (1.1, "different")):
            # Towards zero, so that the scale stays.
            changed = values[row] - np.copysign(share * TOLERANCE * scale, values[row])

            def change(rows):
                rows[row + 1][at] = repr(float(changed))

            got = copies.with_cells(change)
            hold_verdict(audit, column, expected, got, abs(changed - values[row]) / scale, column)


def audit_timings(audit, copies):
    """A time may be any number as long as the figures of the bundle agree with it."""
    series = copies.bundle.series
    names = list(series)

    def scaled(column, row, factor):
        def change(rows):
            rows[row + 1][names.index(column)] = repr(float(factor * series[column][row]))
        return change

    # The largest wall time and the quartiles of CPU times are figures.
    least, largest = np.nanargmin(series["step_time_s"]), np.nanargmax(series["step_time_s"])
    hold_verdict(audit, "a shorter least step_time_s", "identical", copies.with_cells(scaled("step_time_s", least, 0.5)))
    hold_verdict(audit, "a longer largest step_time_s", "different", copies.with_cells(scaled("step_time_s", largest, 2.0)))
    least, largest = np.nanargmin(series["step_cpu_time_s"]), np.nanargmax(series["step_cpu_time_s"])
    hold_verdict(audit, "a longer largest step_cpu_time_s", "identical", copies.with_cells(scaled("step_cpu_time_s", largest, 2.0)))
    hold_verdict(audit, "a least step_cpu_time_s beyond all", "different", copies.with_cells(scaled("step_cpu_time_s", least, 1e3)))


def audit_datasets(audit, copies):
    with h5py.File(copies.bundle.path / "points.h5") as h5:
        data = {name: h5[name][:] for name in ("points", "velocities", "state") if name in h5}
    for name, values in data.items():
        scale = np.abs(values).max()
        small = np.unravel_index(np.argmin(np.abs(values[-1])), values[-1].shape)
        for share, expected in ((0.9, "within tolerance"), (1.1, "different")):
            step = share * TOLERANCE * scale
            got = copies.with_dataset(name, (len(values) - 1, *small), lambda v: v + step)
            hold_verdict(audit, f"/{name}", expected, got, share * TOLERANCE, f"/{name}")


def audit_rest(audit, copies):
    copies.fresh()
    got = copies.verdict()
    hold_verdict(audit, "untouched", "identical", got)
    audit.equal("untouched: number of frames", re.findall(r"\d+", got[1])[:1], [str(len(copies.bundle.times))])
    names = list(copies.bundle.series)
    energy, undefined = names.index("kinetic_energy_J"), next(
        (i for i, n in enumerate(names) if np.all(np.isnan(copies.bundle.series[n]))), None)

    def blank(rows):
        rows[-1][energy] = ""

    def fill(rows):
        rows[-1][undefined] = "0"

    hold_verdict(audit, "a blank in place of a number", "different", copies.with_cells(blank))
    if undefined is not None:
        hold_verdict(audit, "a number in place of a blank", "different", copies.with_cells(fill))
    for key, value in (("step", 1), ("not_converged_steps", 1), ("kind", "cancelled"), ("reason", "none")):
        summary = copies.fresh() / "summary.json"
        changed = json.loads(summary.read_text())
        changed["outcome"][key] = value
        summary.write_text(json.dumps(changed))
        copies.sign("summary.json")
        hold_verdict(audit, f"outcome: {key}", "different", copies.verdict())
    translation = copies.fresh() / "translation.json"
    changed = json.loads(translation.read_text())
    changed["elements"][0]["reason"] += "!"
    translation.write_text(json.dumps(changed))
    copies.sign("translation.json")
    hold_verdict(audit, "translation", "different", copies.verdict())
    for name in sorted(copies.bundle.manifest["sha256"]):  # a change that nobody signed
        path = copies.fresh() / name
        if name == "series.csv":  # still a table, with another time of a step
            head, _, last = path.read_text().rstrip("\n").rpartition(",")
            path.write_text(f"{head},{float(last or 0.0) + 1.0!r}\n")
        else:
            path.write_bytes(path.read_bytes() + b"\n")
        status, words, error = copies.verdict()
        audit.equal(f"a changed {name} is refused", (status, words, name in error), (2, "", True))


def main():
    program, bundle, scratch = sys.argv[1], Bundle(Path(sys.argv[2])), Path(sys.argv[3])
    audit, copies = Audit(), Copies(program, bundle, scratch)
    audit_rest(audit, copies)
    audit_columns(audit, copies)
    audit_timings(audit, copies)
    audit_datasets(audit, copies)
    for fault in audit.faults[:20]:
        print(f"reproduce {bundle.path}: {fault}")
    print(f"reproduce {bundle.path}: checked {sum(audit.checked.values())} verdicts and numbers")
    return 1 if audit.faults or not audit.checked else 0


if __name__ == "__main__":
    sys.exit(main())
