"""Notebooks and terminals: a notebook is run from its first to its last cell, and a bar is drawn in each."""
import json
import os
import pty
import re
import subprocess
import sys
import unittest

import common

CELLS = [
    "import pliant\n"
    "experiment = pliant.load('pendulum', {'run.duration': 0.5})\n"
    "from pliant import _progress\n"
    "_progress._BETWEEN_DRAWINGS = 0.0",
    "runs = experiment.run(['dynamic-ffd', 'linear-deformation'])",
    "%matplotlib inline\n"
    "ax = runs['dynamic-ffd'].plot('total_energy_J')",
    "film = runs['dynamic-ffd'].animate(fps=5)\n"
    "from IPython.display import HTML\n"
    "HTML(film.to_jshtml())",
]


class Notebook(common.InScratch):
    def test_it_loads_runs_plots_and_animates(self):
        for module in ("nbconvert", "ipykernel"):
            if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
                self.skipTest(f"{module} is not installed: apt-get install jupyter-nbconvert python3-ipykernel")
        cells = [{"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "outputs": [], "execution_count": None,
                  "source": source} for i, source in enumerate(CELLS)]
        with open("asked.ipynb", "w") as file:
            json.dump({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, file)
        done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "asked.ipynb",
                               "--output", "done.ipynb"], capture_output=True, text=True,
                              env={**os.environ, "JUPYTER_DATA_DIR": os.getcwd(), "MPLBACKEND": ""})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open("done.ipynb") as file:
            outputs = [cell["outputs"] for cell in json.load(file)["cells"]]
        self.assertEqual(outputs[0], [])
        # The bar of a run is one output that is replaced; nothing is left on stderr.
        self.assertEqual([one["output_type"] for one in outputs[1]], ["display_data"] * 2)
        for label, one in zip(("dynamic-ffd", "linear-deformation"), outputs[1]):
            self.assertRegex("".join(one["data"]["text/html"]), rf"<div>{label}: completed \([\d.]+ s\)</div>")
        self.assertEqual([list(one["data"]) for one in outputs[2]], [["image/png", "text/plain"]])
        self.assertEqual(len(outputs[3]), 1)  # the film, and no still of it
        self.assertIn("<script", "".join(outputs[3][0]["data"]["text/html"]))


class Bars(common.InScratch):
    def test_a_notebook_bar_shows_share_and_words(self):
        import types

        from pliant import _progress
        shown = []

        def display(data, raw, display_id):
            shown.append(data)
            return types.SimpleNamespace(update=lambda data, raw: shown.append(data))
        module = types.ModuleType("IPython.display")
        module.display = display
        before = {name: sys.modules.get(name) for name in ("IPython", "IPython.display")}
        sys.modules.update({"IPython": types.ModuleType("IPython"), "IPython.display": module})
        try:
            bar = _progress.NotebookBar()
            bar("begin", "a < b", 0.0)
            bar("say", "warning: a & b", 0.0)
            bar("progress", "", 0.25)
            bar("end", "completed", 1.0)
        finally:
            for name, value in before.items():
                sys.modules.pop(name)
                if value is not None:
                    sys.modules[name] = value
        self.assertEqual(len(shown), 3)
        self.assertIn('<progress value="0.250" max="1">', shown[1]["text/html"])
        self.assertIn("a &lt; b", shown[1]["text/html"])
        self.assertIn("25 %", shown[1]["text/html"])
        self.assertIn("warning: a &amp; b", shown[2]["text/html"])
        self.assertRegex(shown[2]["text/plain"], r"^a < b: completed \(\d+\.\d s\)\n      warning: a & b$")

    def test_a_terminal_gets_a_line_that_is_drawn_again(self):
        ours, theirs = pty.openpty()
        code = ("import pliant\npliant.load('pendulum', {'run.duration': 20.0, 'run.record_every': 1.0})"
                ".run(['dynamic-ffd'], 'runs')")
        started = subprocess.Popen([sys.executable, "-c", code], stderr=theirs, stdout=theirs)
        os.close(theirs)
        said = b""
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            if not block:
                break
            said += block
        os.close(ours)
        self.assertEqual(started.wait(), 0, said)
        text = said.decode()
        shares = [int(share) for share in re.findall(r"\r\x1b\[Kdynamic-ffd +\[#*\.*\] +(\d+) %", text)]
        self.assertGreater(len(shares), 0, text)
        self.assertEqual(shares, sorted(shares))
        for filled, empty, share in re.findall(r"\[(#*)(\.*)\] +(\d+) %", text):
            self.assertEqual(len(filled) + len(empty), 30)
            self.assertLess(abs(len(filled) / 30 - int(share) / 100), 0.04)
        self.assertRegex(text, r"\r\x1b\[Kdynamic-ffd: completed \(\d+\.\d s\)\r\n$")

    def test_a_pipe_gets_lines(self):
        said = common.in_python("import pliant\npliant.load('pendulum', {'run.duration': 0.05}).run(['dynamic-ffd'])")
        self.assertRegex(said, r"^dynamic-ffd …\ndynamic-ffd: completed \(\d+\.\d s\)\n$")

    def test_what_is_no_listener(self):
        import pliant
        with self.assertRaisesRegex(TypeError, "progress is 'yes'"):
            pliant.load("pendulum").run(progress="yes")


if __name__ == "__main__":
    unittest.main()
