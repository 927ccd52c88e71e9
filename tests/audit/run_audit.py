#!/usr/bin/python3
"""Runs experiments with PROGRAM and audits every bundle, report and table that it leaves.

    run_audit.py PROGRAM SOURCES SCRATCH EXPERIMENT… [-- SETTING…]     SETTING as --set takes it
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    program, sources, scratch, *rest = sys.argv[1:]
    split = rest.index("--") if "--" in rest else len(rest)
    experiments, settings = rest[:split], rest[split + 1:]
    failed = 0
    for experiment in experiments:
        out = Path(scratch) / experiment
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        command = [program, "compare", str(Path(sources) / "experiments" / f"{experiment}.toml"), "--out", str(out)]
        for setting in settings:
            command += ["--set", setting]
        table = out / "table.txt"
        with open(table, "w") as file:
            subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=False)
        bundles = sorted(p.parent for p in out.glob("*/*/summary.json"))
        if not bundles:
            print(f"{experiment}: left no bundle")
            failed += 1
            continue
        failed += subprocess.run([sys.executable, HERE / "audit_bundle.py", *bundles]).returncode != 0
        failed += subprocess.run([sys.executable, HERE / "audit_report.py", bundles[0].parent, table]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
