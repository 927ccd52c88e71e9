#!/usr/bin/python3
"""Runs experiments with PROGRAM and audits all that they leave and print.

    run_audit.py PROGRAM SOURCES SCRATCH NAME… [-- SETTING…]     SETTING as --set takes it

NAME: an experiment of SOURCES/experiments or of tests/audit/experiments, compared; or one of
    every-step   the experiment `everything` with each step recorded
    exports      bundles of `everything` in every format
    arrays       recorded groups of `everything`, and what inspect shows
    reproduce    verdicts on copies of a bundle of `far`
    plan         the files of the plans of `plan`, and the bundles
    mode-plan    those of `mode-plan`
    sweep, search, metrics, yardstick
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EVERY_STEP = ["run.record_every=0.002", "run.duration=0.2", "name=every-step"]


class Runner:
    def __init__(self, program, sources, scratch, settings):
        self.program, self.sources, self.scratch = program, Path(sources), Path(scratch).resolve()
        self.settings = settings

    def file(self, name):
        own = HERE / "experiments" / f"{name}.toml"
        return own if own.exists() else self.sources / "experiments" / f"{name}.toml"

    def pliant(self, command, name, settings=(), arguments=()):
        """Runs it; the folder that it was given, and the files with what it printed."""
        out = self.scratch / name
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        line = [self.program, command, str(self.file(name)), "--out", str(out), *arguments]
        for setting in [*settings, *self.settings]:
            line += ["--set", setting]
        with open(out / "printed.txt", "w") as printed, open(out / "progress.txt", "w") as progress:
            subprocess.run(line, stdout=printed, stderr=progress, check=False)
        return out, str(out / "printed.txt"), str(out / "progress.txt")

    def check(self, script, *arguments):
        return subprocess.run([sys.executable, HERE / f"{script}.py", *map(str, arguments)]).returncode != 0

    def compared(self, name, settings=(), arguments=()):
        """Compares, and audits the bundles, the report, its plots and what was printed."""
        out, printed, progress = self.pliant("compare", name, settings, arguments)
        bundles = sorted(p.parent for p in out.glob("*/*/summary.json"))
        if not bundles:
            print(f"{name}: left no bundle\n" + Path(progress).read_text())
            return 1
        folder = bundles[0].parent
        failed = self.check("audit_bundle", "--program", self.program, *bundles)
        failed |= self.check("audit_report", folder, printed, progress)
        if "no report:" not in Path(printed).read_text():  # a build without Qt draws nothing
            failed |= self.check("audit_plots", folder)
        return failed

    def bundle(self, name, label, settings=()):
        out, _, progress = self.pliant("run", name, settings, ["--backend", label])
        found = list(out.glob(f"*/{label}"))
        if not found:
            print(f"{name}: left no bundle\n" + Path(progress).read_text())
        return found[0] if found else None

    def exports(self):
        failed = 0
        for label in ("too-coarse", "position-based", "linear-deformation"):
            bundle = self.bundle("everything", label)
            failed |= bundle is None or self.check("audit_exports", self.program, bundle, self.scratch / "exported")
        return failed

    def arrays(self):
        bundle = self.bundle("everything", "dynamic-ffd", ['run.record=["modes"]'])
        return bundle is None or self.check("audit_arrays", self.program, bundle, self.scratch / "inspected")

    def reproduce(self):
        bundle = self.bundle("far", "dynamic-ffd")
        return bundle is None or self.check("audit_reproduce", self.program, bundle, self.scratch / "copies")

    def mode_plan(self):
        return self.plan("mode-plan", 3, "mode_plan.json", "audit_mode_plan")

    def plan(self, name="plan", count=6, file="plan.json", script="audit_plan"):
        out, _, progress = self.pliant("compare", name)
        bundles = sorted(p.parent for p in out.glob(f"*/*/{file}"))
        if len(bundles) != count:
            print(f"{name}: {len(bundles)} plans\n" + Path(progress).read_text())
            return 1
        return self.check(script, *bundles) | self.check("audit_bundle", "--program", self.program, *bundles)

    def sweep(self):
        out, printed, progress = self.pliant("sweep", "sweep")
        return self.check("audit_sweep", out / "sweep", self.file("sweep"), printed, progress)

    def search(self):
        out, printed, _ = self.pliant("optimize", "search")
        return self.check("audit_search", out / "search" / "optimize", self.file("search"), printed)

    def yardstick(self):
        out, _, progress = self.pliant("yardstick", "yardstick")
        folders = [p.parent for p in out.glob("**/yardstick.json")]
        if len(folders) != 1:
            print("yardstick: left none\n" + Path(progress).read_text())
            return 1
        line = [self.program, "compare", str(self.file("yardstick")), "--out", str(out)]
        for setting in self.settings:
            line += ["--set", setting]
        printed = out / "compared.txt"
        with open(printed, "w") as stream:
            subprocess.run(line, stdout=stream, stderr=subprocess.DEVNULL, check=False)
        return self.check("audit_yardstick", folders[0], out / "yardstick", printed)

    def metrics(self):
        listing = subprocess.run([self.program, "list", "metrics"], capture_output=True, text=True).stdout
        self.scratch.mkdir(parents=True, exist_ok=True)
        (self.scratch / "metrics.txt").write_text(listing)
        return self.check("audit_files", self.scratch / "metrics.txt")

    def run(self, name):
        special = {"exports": self.exports, "arrays": self.arrays, "plan": self.plan, "mode-plan": self.mode_plan, "reproduce": self.reproduce, "sweep": self.sweep, "search": self.search,
                   "metrics": self.metrics, "yardstick": self.yardstick}
        if name in special:
            return special[name]()
        if name == "every-step":
            labels = ("linear-deformation", "too-coarse", "position-based", "displacement-constraints")
            return self.compared("everything", EVERY_STEP, [a for l in labels for a in ("--backend", l)])
        return self.compared(name)


def main():
    program, sources, scratch, *rest = sys.argv[1:]
    split = rest.index("--") if "--" in rest else len(rest)
    runner = Runner(program, sources, scratch, rest[split + 1:])
    failed = [name for name in rest[:split] if runner.run(name)]
    return 1 if failed or not split else 0


if __name__ == "__main__":
    sys.exit(main())
