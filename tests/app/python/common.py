"""What the tests of the Python module share. The module under test comes from PYTHONPATH."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE"])
PROGRAM = os.environ["PLIANT_PROGRAM"]
EIGHT = ("corner-pull", "drop", "hang", "pendulum", "press", "puppet", "slope", "spin")
TIMING = ("step_time_s", "step_cpu_time_s")


class InScratch(unittest.TestCase):
    """A test in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="pliant-test-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder)
        self.folder = pathlib.Path(folder)


def command(*arguments, status=0):
    """Runs the program; returns what it printed."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def in_python(code, status=0, **environment):
    """Runs code in a Python of its own; returns what it printed on both streams."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=250)
    if status is not None and done.returncode != status:
        raise AssertionError(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def without_timing(csv):
    """Lines of a series.csv without the columns that no other run reproduces."""
    rows = [line.split(",") for line in csv.splitlines()]
    kept = [i for i, name in enumerate(rows[0]) if name not in TIMING]
    if len(kept) == len(rows[0]):
        raise AssertionError("no column of times: is its name another one?")
    return [[row[i] for i in kept] for row in rows]


def same_bundles(test, mine, theirs):
    """Compares all bundles below two folders: every byte but times."""
    found = sorted(path.parent.relative_to(theirs) for path in pathlib.Path(theirs).rglob("manifest.json"))
    test.assertEqual(found, sorted(path.parent.relative_to(mine) for path in pathlib.Path(mine).rglob("manifest.json")))
    for bundle in found:
        for name in ("experiment.toml", "translation.json", "points.h5"):
            test.assertEqual((mine / bundle / name).read_bytes(), (theirs / bundle / name).read_bytes(),
                             f"{bundle}/{name}")
        test.assertEqual(without_timing((mine / bundle / "series.csv").read_text()),
                         without_timing((theirs / bundle / "series.csv").read_text()), bundle)
    return len(found)


@contextlib.contextmanager
def quiet():
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        yield


# A bar of two points on a spring: closed form, small, in every test that needs a motion and no formulation.
SPRING = """
title = "A weight on a spring"
[run]
duration = 1.0
step = 0.001
record_every = 0.01
[scene]
name = "spring"
dimension = 2
gravity = [0, -9.81]
[[scene.body]]
name = "bar"
shape = "chain"
from = [0, 0, 0]
to = [0.1, 0, 0]
points = 2
mass = 1.0
[backends.position-based]
[backends.displacement-constraints]
"""

# The same between two nails that are further apart than it is long: no step can converge.
TORN = SPRING.replace("[backends.pos", """[[scene.nail]]
name = "left"
body = "bar"
point = 0
[[scene.nail]]
name = "right"
body = "bar"
point = 1
path = {times = [0, 1], keys = [[0.2, 0], [0.2, 0]]}
[backends.pos""", 1)

# A bar of finite elements that hangs from one end.
BAR = """
[run]
duration = 0.05
step = 0.01
record_every = 0.01
[scene]
name = "bar"
[[scene.body]]
name = "bar"
shape = "block"
size = [0.1, 1.0, 0.1]
points = [2, 3, 2]
material = {density = 1000, youngs_modulus = 5e4, poisson_ratio = 0.0, law = "linear"}
[[scene.nail]]
name = "ceiling"
body = "bar"
points = "top"
[backends.finite-elements]
"""
