"""`cmake --install` puts the module where Debian's Python finds it, with the experiments that ship; the folder can be moved."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import common


class Installed(common.InScratch):
    def test_the_installed_module_runs_from_where_it_is(self):
        build = pathlib.Path(common.PROGRAM).parents[2]
        done = subprocess.run(["cmake", "--install", str(build), "--prefix", str(self.folder / "first")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shutil.move("first", "moved")
        site = f"moved/lib/python{sys.version_info[0]}.{sys.version_info[1]}/dist-packages"
        self.assertTrue({"_pliant.pyi", "py.typed", "__init__.py", "_tables.py"} <= set(os.listdir(f"{site}/pliant")))
        said = common.in_python(
            "import pliant\n"
            "print(pliant.__file__)\n"
            "experiment = pliant.load('pendulum', {'run.duration': 0.02})\n"
            "print(experiment.file, len(pliant.experiments()) > 50)\n"
            "runs = experiment.run(['linear-deformation'], 'runs', False)\n"
            "print(runs['linear-deformation'].outcome, pliant.open('runs')['linear-deformation'].points.shape)\n",
            PYTHONPATH=os.path.abspath(site))
        self.assertEqual(said.splitlines(), [f"{self.folder}/{site}/pliant/__init__.py",
                                             f"{self.folder}/moved/share/pliant/experiments/pendulum.toml True",
                                             "completed (3, 6, 3)"])
        theirs = subprocess.run(["moved/bin/pliant", "run", "pendulum", "--set", "run.duration=0.02", "--backend",
                                 "linear-deformation", "--out", "theirs"], capture_output=True, text=True)
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        self.assertEqual(common.same_bundles(self, self.folder / "runs", self.folder / "theirs"), 1)


if __name__ == "__main__":
    unittest.main()
