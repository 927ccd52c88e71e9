"""Cost of each stage of Pliant as its input grows: CPU time and memory at sizes four times apart, and exponents.

    python3 bench/scaling PROGRAM [--quick] [--only TEXT] [--seconds S] [--memory MB] [--repeats K] [--write FILE]
                          [--against FILE]

PROGRAM is a built `pliant`. Each size runs in a process of its own, and the least time of the repeats counts. A size that
exceeds the limits ends the case and is written as such. The whole takes about half an hour of CPU time, --quick a few
minutes.
"""

import argparse
import math
import os
import pathlib
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cases

# What a process of the program costs whatever it does; sizes within a few times of it show no exponent.
LEAST_SECONDS = 0.1
LEAST_MEGABYTES = 20.0
# An exponent beyond the right one by more than this, and by more than its error, is marked.
MARGIN = 0.2
# With --against, a size is marked that takes this many times what the table says. Machines differ by as much.
SLOWER = 1.5


class TooMuch(Exception):
    """A size that exceeds the limit of time or memory."""


class Program:
    def __init__(self, path, seconds, megabytes):
        self.path, self.seconds, self.megabytes = path, seconds, megabytes
        self.spent = 0.0  # CPU seconds of all processes

    def __call__(self, work):
        """CPU seconds and the largest resident memory in MB of one process."""
        def limit():
            size = self.megabytes * 1024 * 1024
            if not work.window:  # a software renderer reserves more than it uses
                resource.setrlimit(resource.RLIMIT_DATA, (size, size))
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 2))

        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"}
        with tempfile.TemporaryFile("w+") as said:
            child = subprocess.Popen([self.path, *work.arguments], stdout=subprocess.DEVNULL, stderr=said,
                                     preexec_fn=limit, env=environment)
            if work.window:
                close_when_idle(child.pid)
            _, status, usage = os.wait4(child.pid, 0)
            said.seek(0)
            errors = said.read()
        child.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        self.spent += cpu
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or cpu >= self.seconds:
            raise TooMuch(f"> {self.seconds} s")
        if "memory" in errors and child.returncode != 0:
            raise TooMuch(f"> {self.megabytes} MB")
        if work.window:
            if child.returncode not in (0, -signal.SIGTERM):
                raise RuntimeError(f"the window ended by itself: status {child.returncode}: {errors.strip()[-200:]}")
        # A run that gains energy or does not converge costs what it costs; one that is refused costs nothing.
        elif child.returncode != 0 and not (child.returncode == 1 and "unsupported" not in errors):
            last = errors.strip().splitlines()
            raise RuntimeError(f"{' '.join(work.arguments)}: status {child.returncode}: {last[-1][:200] if last else ''}")
        return cpu, usage.ru_maxrss / 1024


def close_when_idle(pid):
    """Ends the process when it has used no more than 4 % of a processor for a second."""
    def used():
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return None
        return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = used()
    while before is not None:
        time.sleep(1.0)
        now = used()
        if now is None or now - before < 0.04 and now > LEAST_SECONDS:
            break
        before = now
    if before is not None:
        os.kill(pid, signal.SIGTERM)


def delete(path):
    if path is not None and path.exists():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def measure(case, program, repeats, sizes):
    """{n: {work: (CPU s, MB)}} of the sizes within the limits, and why the next one is not among them. What takes more
    than two seconds is not repeated."""
    found, excess = {}, ""
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            place = pathlib.Path(folder) / str(n)
            place.mkdir()
            try:
                costs = {}
                for name, work in case.prepare(place, n, program).items():
                    for _ in range(repeats):
                        delete(work.made)
                        costs.setdefault(name, []).append(program(work))
                        if costs[name][-1][0] > 2.0:
                            break
            except TooMuch as reason:
                excess = f"{n}: {reason}"
                break
            found[n] = {name: (min(c for c, _ in of), min(m for _, m in of)) for name, of in costs.items()}
            shutil.rmtree(place)
    return found, excess


def exponent(sizes, costs, least):
    """Slope of log(cost) over log(n) and its standard error, beyond the cost at the start; None below `least`."""
    pairs = [(math.log(n), math.log(c)) for n, c in zip(sizes, costs) if c >= least]
    if len(pairs) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(pairs) for values in zip(*pairs))
    spread = sum((x - mean_x) ** 2 for x, _ in pairs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / spread
    if len(pairs) == 2:
        return slope, float("nan")
    left = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in pairs)
    return slope, math.sqrt(left / (len(pairs) - 2) / spread)


def last_exponent(sizes, costs, least):
    """The slope between the two largest sizes, which shows first what bends upwards."""
    if len(sizes) < 2 or costs[-2] < least:
        return None
    return math.log(costs[-1] / costs[-2]) / math.log(sizes[-1] / sizes[-2])


def in_words(value):
    if value is None:
        return "–"
    if isinstance(value, tuple):
        slope, error = value
        return f"{slope:.2f}" if math.isnan(error) else f"{slope:.2f} ± {error:.2f}"
    return f"{value:.2f}"


def row_of(case, stage, found, excess):
    sizes = list(found)
    cpu = [max(0.0, found[n][stage.of][0] - (found[n][stage.less][0] if stage.less else 0.0)) for n in sizes]
    megabytes = [found[n][stage.of][1] for n in sizes]
    base = megabytes[0] if sizes else 0.0
    memory = [m - min(base, LEAST_MEGABYTES) for m in megabytes]
    of_cpu, last = exponent(sizes, cpu, LEAST_SECONDS), last_exponent(sizes, cpu, LEAST_SECONDS)
    of_memory = last_exponent(sizes, memory, LEAST_MEGABYTES)
    bends = [name for name, value, right in (("CPU", last, stage.right), ("memory", of_memory, stage.right_memory))
             if value is not None and value > right + MARGIN]
    if excess:
        bends.append(excess)
    return ([stage.name, case.grows, case.backend, ", ".join(map(str, sizes)), ", ".join(f"{c:.2f}" for c in cpu),
             ", ".join(f"{m:.0f}" for m in megabytes), in_words(of_cpu), in_words(last), in_words(of_memory),
             f"{stage.right:g} / {stage.right_memory:g}", "**" + ", ".join(bends) + "**" if bends else ""])


def in_table(path):
    """{(stage, grows, backend): {size: CPU s}} of a table that this program has written."""
    known = {}
    for line in pathlib.Path(path).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != len(HEAD) or cells[:3] == HEAD[:3] or cells[0].startswith("---") or not cells[3]:
            continue
        known[tuple(cells[:3])] = dict(zip(map(int, cells[3].split(",")), map(float, cells[4].split(","))))
    return known


def with_earlier(rows, path):
    """The rows of a table of an earlier run, those that were measured again in their place."""
    new = {tuple(row[:3]): row for row in rows}
    kept = []
    for line in pathlib.Path(path).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == len(HEAD) and cells[:3] != HEAD[:3] and not cells[0].startswith("---"):
            kept.append(new.pop(tuple(cells[:3]), cells))
    return kept + [row for row in rows if tuple(row[:3]) in new]


def slower(row, known):
    """What takes longer than the table says, of sizes above the least time; and sizes that are no longer reached."""
    before = known.get(tuple(row[:3]))
    if before is None or not row[3]:
        return []
    now = dict(zip(map(int, row[3].split(",")), map(float, row[4].split(","))))
    marks = [f"{n}: {now[n]:.2f} s, was {before[n]:.2f}" for n in now
             if n in before and now[n] > SLOWER * max(before[n], LEAST_SECONDS)]
    return marks + [f"{n}: no longer within the limits" for n in before if n not in now]


HEAD = ["stage", "what grows", "backend", "sizes", "CPU [s]", "memory [MB]", "exponent of CPU", "of the last two sizes",
        "of memory", "right", "beyond"]

TEXT = """# How cost grows

Written by `python3 bench/scaling build/app/cli/pliant --write docs/scaling.md`; edit the program, not this page.

Each row runs one stage of Pliant at sizes four times apart, in a process of its own, and gives CPU time and the largest
resident memory. CPU time, not wall time: other programs on the machine do little harm. "10 steps" and "10 records" are
differences of two runs, one of which makes ten more steps, or as many more records of the same steps; where the difference
is below {least} s it is noise. The exponent is the slope of log(cost) over log(size), with its standard error where there
are more than two sizes above {least} s; the slope between the last two sizes shows first what bends upwards. "Right" is
what the work itself asks for, CPU / memory. The last column names what exceeds it by more than {margin}, or the size that
exceeds {seconds} s or {memory} MB. A dash: too little to tell. "window opens" is a workbench on a display without a
screen, until it has nothing left to do.

{beyond}

Machine: {machine}. Least of {repeats} runs each, {spent:.0f} minutes of CPU time in all. Load at the start and end: {load}.

"""


def summary(rows):
    marked = [row for row in rows if row[-1]]
    if not marked:
        return f"None of {len(rows)} rows is beyond what is right."
    lines = [f"{len(marked)} of {len(rows)} rows are beyond what is right:", ""]
    lines += [f"- {row[0]}, {row[1]}, {row[2]}: {row[-1].strip('*')}" for row in marked]
    return "\n".join(lines)


def not_run(rows):
    """What has no row, in a sentence; empty when all were run."""
    known = {tuple(row[:3]) for row in rows}
    missing = [case.name for case in cases.all_cases()
               if not all((stage.name, case.grows, case.backend) in known for stage in case.stages)]
    return f"\n\nNot run this time: {'; '.join(missing)}." if missing else ""


def write(path, rows, options, program, load):
    text = TEXT.format(least=LEAST_SECONDS, margin=MARGIN, seconds=options.seconds, memory=options.memory,
                       machine=f"{platform.machine()}, {os.cpu_count()} cores", repeats=options.repeats,
                       spent=program.spent / 60, load=" and ".join(f"{x:.1f}" for x in load), beyond=summary(rows) + not_run(rows))
    table = ["| " + " | ".join(row) + " |" for row in [HEAD, ["---"] * len(HEAD), *rows]]
    pathlib.Path(path).write_text(text + "\n".join(table) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append", default=[], help="cases whose name holds this text (may be repeated)")
    parser.add_argument("--seconds", type=int, default=20, help="CPU time that a process may take")
    parser.add_argument("--memory", type=int, default=1500, help="MB of data that a process may have")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="one run each of the two smallest sizes: finds crude mistakes")
    parser.add_argument("--write", help="file for the table; with --only, its other rows stay")
    parser.add_argument("--against", help="a table of an earlier run: marks what has become slower, and fails then")
    options = parser.parse_args()
    if options.quick:
        options.repeats = 1
    program = Program(os.path.abspath(options.program), options.seconds, options.memory)
    load = [os.getloadavg()[0]]
    known = in_table(options.against) if options.against else {}
    rows, worse = [], 0
    for case in cases.all_cases():
        if options.only and not any(text in case.name for text in options.only):
            continue
        try:
            found, excess = measure(case, program, options.repeats, case.sizes[:2] if options.quick else case.sizes)
            made = [row_of(case, stage, found, excess) for stage in case.stages]
        except RuntimeError as error:
            made = [[stage.name, case.grows, case.backend, *[""] * 7, f"**{error}**"] for stage in case.stages]
        for row in made:
            marks = slower(row, known)
            worse += len(marks)
            print(" | ".join(row + marks), flush=True)
        rows += made
    load.append(os.getloadavg()[0])
    print(f"{program.spent / 60:.1f} minutes of CPU time")
    if options.write:
        if options.only and pathlib.Path(options.write).exists():
            rows = with_earlier(rows, options.write)
        write(options.write, rows, options, program, load)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
