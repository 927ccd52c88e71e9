"""What the tests of the Python package share. The package comes from PYTHONPATH."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PLIANT_SOURCE"])
PROGRAM = os.environ["PLIANT_PROGRAM"]


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
