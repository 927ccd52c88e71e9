"""What is left when a program of Pliant fails at any moment: nothing half, nothing lost, one line that says why.

  campaign.py PROGRAM SHIM FOLDER calls|allocations|power|kills [--most N] [--seed S] [--only COMMAND]

calls        the k-th write, open, sync, rename or mkdir below FOLDER fails, for every k (of more than N: N of them)
allocations  the k-th allocation fails
power        the program ends at the k-th such call, and files lose what was not synced
kills        SIGKILL at N random moments

over run, run --overwrite, compare, sweep, optimize, report. Each time: the exit status is one of those of the README (0 only if
everything promised is there); stderr says why; every bundle is whole, by its manifest, or not there; one that was there before is
the old or the new one; and the same command then succeeds. SHIM is the library made of fail_at.c. Exit status: 1 if anything fell.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent
SMALL = str(HERE / "small.toml")
SEARCH = str(SOURCES / "experiments/faloutsos-1995/faloutsos-worm.toml")
TIMEOUT = 120.0  # s: what takes longer hangs

# What each command needs before it begins, and its arguments.
COMMANDS = {
    "run": (None, ["run", SMALL, "--out", "{out}"]),
    "overwrite": (["run", SMALL, "--out", "{out}"],
                  ["run", SMALL, "--out", "{out}", "--overwrite", "--set", "run.duration=0.03"]),
    "compare": (None, ["compare", SMALL, "--out", "{out}"]),
    "sweep": (None, ["sweep", SMALL, "--out", "{out}", "--resume"]),
    "optimize": (None, ["optimize", SEARCH, "--out", "{out}", "--set", "optimize.trials=8", "--set", "run.duration=0.2"]),
    "report": (["compare", SMALL, "--out", "{out}"], ["report", "{out}/small"]),
}
CALLS = {"write": 28, "open": 24, "sync": 5, "rename": 5, "mkdir": 28}
STATUSES = {0, 1, 2, 3}
CRASHES = ("terminate called", "Assertion", "Segmentation", "AddressSanitizer", "what():")


class Campaign:
    def __init__(self, arguments):
        self.program = str(pathlib.Path(arguments.program).resolve())
        self.shim = str(pathlib.Path(arguments.shim).resolve())
        self.folder = pathlib.Path(arguments.folder).resolve()
        self.most = arguments.most
        self.random = random.Random(arguments.seed)
        self.fell = []

    def environment(self, faults):
        others = {k: v for k, v in os.environ.items() if not k.startswith("FAIL_")}
        others["OPENBLAS_NUM_THREADS"] = "1"
        if faults:
            others |= {k: str(v) for k, v in faults.items()}
            others |= {"LD_PRELOAD": " ".join([self.shim, *os.environ.get("LD_PRELOAD", "").split()]), "FAIL_UNDER": str(self.folder / "out"), "FAIL_LOG": str(self.folder / "log")}
        return others

    def start(self, arguments, faults=None):
        arguments = [a.replace("{out}", str(self.folder / "out")) for a in arguments]
        return subprocess.Popen([self.program, *arguments], env=self.environment(faults), cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return "hangs", out, err
        return process.returncode, out, err

    def prepare(self, command):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir(parents=True)
        (self.folder / "log").unlink(missing_ok=True)
        before, arguments = COMMANDS[command]
        if before:
            status, _, err = self.finish(self.start(before))
            assert status == 0, err
        return arguments, self.bundles()

    def counted(self):
        """Calls that were counted, and whether one failed."""
        log = self.folder / "log"
        if not log.exists():
            return 0, True
        calls, fired = log.read_text().split()
        return int(calls), fired == "1"

    def bundles(self):
        """The digests of every bundle, by its folder."""
        found = {}
        for manifest in (self.folder / "out").rglob("manifest.json"):
            if ".partial-" in str(manifest):
                continue
            found[str(manifest.parent)] = self.digest(manifest)
        return found

    def digest(self, manifest):
        try:
            stated = json.loads(manifest.read_text())["sha256"]
        except (ValueError, KeyError) as error:
            return f"half: {manifest}: {error}"
        for name, digest in stated.items():
            file = manifest.parent / name
            if not file.is_file():
                return f"half: {file} is missing"
            if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
                return f"half: {file} is not what its manifest says"
        return hashlib.sha256(manifest.read_bytes()).hexdigest()

    def wrong(self, before):
        """What is wrong with what is left."""
        after = self.bundles()
        wrong = [state for state in after.values() if state.startswith("half")]
        wrong += [f"{folder} is gone" for folder in before if folder not in after]
        for series in (self.folder / "out").rglob("points.h5"):
            if ".partial-" not in str(series) and str(series.parent) not in after:
                wrong.append(f"half: {series.parent} has no manifest")
        return wrong

    def judge(self, command, what, before, status, out, err, fired, may_end=()):
        wrong = self.wrong(before)
        if status not in STATUSES and status not in may_end:
            wrong.append(f"exit status {status}")
        if any(crash in err for crash in CRASHES):
            wrong.append("stderr: " + err.strip().splitlines()[-1])
        if fired and status in STATUSES and status != 0 and not err.strip():
            wrong.append(f"exit status {status} without a word")
        if status == 0:
            for line in out.splitlines():
                if line.startswith("/") and not pathlib.Path(line).exists():
                    wrong.append(f"exit status 0, and {line} is not there")
        self.say(command, what, wrong, err)

    def say(self, command, what, wrong, err):
        for one in wrong:
            self.fell.append(f"{command}, {what}: {one}")
            print(f"FELL {self.fell[-1]}\n     {err.strip()[-300:]}", flush=True)

    def repeat(self, command, what, arguments):
        """The same command, without a fault, succeeds."""
        again = list(arguments)
        if command in ("run", "compare"):
            again.append("--overwrite")
        if command == "optimize":
            again.append("--resume" if any((self.folder / "out").rglob("history*")) else "--overwrite")
        status, _, err = self.finish(self.start(again))
        wrong = self.wrong({})
        if status != 0:
            wrong.append(f"afterwards: exit status {status}")
        self.say(command, what, wrong, err)

    def numbers(self, total):
        if total <= self.most:
            return list(range(1, total + 1))
        return sorted(self.random.sample(range(1, total + 1), self.most))

    def faults(self, command, name, faults, may_end=()):
        arguments, _ = self.prepare(command)
        status, _, err = self.finish(self.start(arguments, faults | {"FAIL_AT": 0}))
        assert status == 0, err
        total, _ = self.counted()
        statuses = collections.Counter()
        tried = 0
        for k in self.numbers(total):
            arguments, before = self.prepare(command)
            status, out, err = self.finish(self.start(arguments, faults | {"FAIL_AT": k}))
            _, fired = self.counted()
            tried += 1
            statuses[str(status)] += 1
            self.judge(command, f"{name} {k} of {total}", before, status, out, err, fired, may_end)
            if k % 7 == 1:
                self.repeat(command, f"{name} {k} of {total}", arguments)
        told = ", ".join(f"{n} with {s}" for s, n in sorted(statuses.items()))
        print(f"{command:10} {name:12} {total:6} calls, {tried:4} failed, one at a time: {told}", flush=True)

    def kills(self, command):
        arguments, _ = self.prepare(command)
        began = time.monotonic()
        self.finish(self.start(arguments))
        whole = time.monotonic() - began
        ended = collections.Counter()
        for k in range(self.most):
            arguments, before = self.prepare(command)
            process = self.start(arguments)
            time.sleep(self.random.uniform(0.0, 1.1 * whole))
            process.kill()
            status, out, err = self.finish(process)
            ended["killed" if status == -9 else str(status)] += 1
            self.judge(command, f"kill {k}", before, status, out, err, False, (-9,))
            if k % 7 == 1:
                self.repeat(command, f"kill {k}", arguments)
        told = ", ".join(f"{n} {s}" for s, n in sorted(ended.items()))
        print(f"{command:10} {'kills':12} {told}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("folder")
    parser.add_argument("kind", choices=["calls", "allocations", "power", "kills"])
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=list(COMMANDS))
    arguments = parser.parse_args()
    campaign = Campaign(arguments)
    for command in arguments.only or COMMANDS:
        if arguments.kind == "calls":
            for call, number in CALLS.items():
                campaign.faults(command, call, {"FAIL_CALL": call, "FAIL_ERRNO": number})
            campaign.faults(command, "disk full", {"FAIL_CALL": "write", "FAIL_ERRNO": 28, "FAIL_ON": 1})
        elif arguments.kind == "allocations":
            campaign.faults(command, "alloc", {"FAIL_CALL": "alloc"})
        elif arguments.kind == "power":
            campaign.faults(command, "power", {"FAIL_CALL": "power"}, (99,))
        else:
            campaign.kills(command)
    print(f"{len(campaign.fell)} fell")
    return 1 if campaign.fell else 0


if __name__ == "__main__":
    sys.exit(main())
