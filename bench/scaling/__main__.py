"""Cost of each stage of Pliant as its input grows: CPU time and memory at sizes four times apart, and exponents.

    python3 bench/scaling PROGRAM [--only TEXT] [--seconds S] [--memory MB] [--repeats K] [--write FILE] [--against FILE]

PROGRAM is a built `pliant`. Each size runs in a process of its own, in turn with the other sizes of its case, and
the least time of the repeats counts. A size that exceeds the limits ends the case and is written as such.
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

    def __call__(self, arguments):
        """CPU seconds and the largest resident memory in MB of one process."""
        def limit():
            size = self.megabytes * 1024 * 1024
            resource.setrlimit(resource.RLIMIT_DATA, (size, size))
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 2))

        child = subprocess.Popen([self.path, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 preexec_fn=limit, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        errors = child.stderr.read()
        child.stderr.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or cpu >= self.seconds:
            raise TooMuch(f"> {self.seconds} s")
        if "memory" in errors and child.returncode != 0:
            raise TooMuch(f"> {self.megabytes} MB")
        # A run that gains energy or does not converge costs what it costs; one that is refused costs nothing.
        if child.returncode != 0 and not (child.returncode == 1 and "unsupported" not in errors):
            last = errors.strip().splitlines()
            raise RuntimeError(f"{' '.join(arguments)}: status {child.returncode}: {last[-1][:200] if last else ''}")
        return cpu, usage.ru_maxrss / 1024


def delete(path):
    if path is not None and path.exists():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def measure(case, program, repeats):
    """[(n, CPU s, MB)] of the sizes within the limits, and why the next one is not among them."""
    found, excess = [], ""
    with tempfile.TemporaryDirectory() as folder:
        for n in case.sizes:
            place = pathlib.Path(folder) / str(n)
            place.mkdir()
            try:
                arguments, made = case.prepare(place, n, program)
                costs = []
                for _ in range(repeats):
                    delete(made)
                    costs.append(program(arguments))
            except TooMuch as reason:
                excess = f"{n}: {reason}"
                break
            found.append((n, min(c for c, _ in costs), min(m for _, m in costs)))
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


def row_of(case, found, excess):
    sizes = [n for n, _, _ in found]
    cpu = [c for _, c, _ in found]
    base = found[0][2] if found else 0.0
    memory = [m - min(base, LEAST_MEGABYTES) for _, _, m in found]
    of_cpu, last = exponent(sizes, cpu, LEAST_SECONDS), last_exponent(sizes, cpu, LEAST_SECONDS)
    of_memory = last_exponent(sizes, memory, LEAST_MEGABYTES)
    bends = [name for name, value, right in (("CPU", last, case.right), ("memory", of_memory, case.right_memory))
             if value is not None and value > right + MARGIN]
    if excess:
        bends.append(excess)
    return ([case.stage, case.grows, case.backend, ", ".join(map(str, sizes)), ", ".join(f"{c:.2f}" for c in cpu),
             ", ".join(f"{m:.0f}" for _, _, m in found), in_words(of_cpu), in_words(last), in_words(of_memory),
             f"{case.right:g} / {case.right_memory:g}", "**" + ", ".join(bends) + "**" if bends else ""])


def in_table(path):
    """{(stage, grows, backend): {size: CPU s}} of a table that this program has written."""
    known = {}
    for line in pathlib.Path(path).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != len(HEAD) or cells[:3] == HEAD[:3] or cells[0].startswith("---") or not cells[3]:
            continue
        known[tuple(cells[:3])] = dict(zip(map(int, cells[3].split(",")), map(float, cells[4].split(","))))
    return known


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
resident memory. The exponent is the slope of log(cost) over log(size), with its standard error where there are more than
two sizes above {least} s; the slope between the last two sizes shows first what bends upwards. "Right" is what the work
itself asks for, CPU / memory. The last column names what exceeds it by more than {margin}, or the size that exceeds
{seconds} s or {memory} MB. A dash: too little to tell.

Machine: {machine}. Least of {repeats} runs each. Load at the start and end: {load}.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", action="append", default=[], help="cases whose name holds this text (may be repeated)")
    parser.add_argument("--seconds", type=int, default=20, help="CPU time that a process may take")
    parser.add_argument("--memory", type=int, default=1500, help="MB of data that a process may have")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--write", help="file for the table")
    parser.add_argument("--against", help="a table of an earlier run: marks what has become slower, and fails then")
    options = parser.parse_args()
    program = Program(os.path.abspath(options.program), options.seconds, options.memory)
    load = [os.getloadavg()[0]]
    known = in_table(options.against) if options.against else {}
    rows, worse = [], 0
    for case in cases.all_cases():
        if options.only and not any(text in case.name for text in options.only):
            continue
        try:
            rows.append(row_of(case, *measure(case, program, options.repeats)))
        except RuntimeError as error:
            rows.append([case.stage, case.grows, case.backend, *[""] * 7, f"**{error}**"])
        marks = slower(rows[-1], known)
        worse += len(marks)
        print(" | ".join(rows[-1] + marks), flush=True)
    load.append(os.getloadavg()[0])
    if options.write:
        machine = f"{platform.machine()}, {os.cpu_count()} cores"
        text = TEXT.format(least=LEAST_SECONDS, margin=MARGIN, seconds=options.seconds, memory=options.memory,
                           machine=machine, repeats=options.repeats, load=" and ".join(f"{x:.1f}" for x in load))
        table = ["| " + " | ".join(row) + " |" for row in [HEAD, ["---"] * len(HEAD), *rows]]
        pathlib.Path(options.write).write_text(text + "\n".join(table) + "\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
