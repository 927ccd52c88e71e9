"""Types, documentation and schemas."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import h5py

import common
import pliant


class Types(unittest.TestCase):
    def mypy(self, *arguments):
        package = pathlib.Path(pliant.__file__).parent
        done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=package.parent)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_package_is_typed(self):
        self.mypy("mypy", "--strict", "--ignore-missing-imports", "--cache-dir=/dev/null", "-p", "pliant")


class Documents(common.InScratch):
    def blocks(self):
        """The blocks of the documentation, by title, and the run that they read."""
        common.command("run", "press", "--backend", "dynamic-ffd", "--set", "run.duration=0.2", "--out", "runs")
        text = (common.SOURCE / "docs/bundles.md").read_text()
        blocks = re.findall(r"### ([^\n]+)\n(?:(?!###).)*?```(python|octave|julia)\n(.*?)```", text, re.S)
        self.assertEqual(len(blocks), 4)
        self.assertEqual([title for title, _, _ in blocks], ["Python: pandas and h5py", "ParaView", "Octave", "Julia"])
        for title, language, code in blocks:
            self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 13, title)
        return {title: code for title, _, code in blocks}

    def frames(self):
        with h5py.File("runs/press/dynamic-ffd/points.h5") as file:
            return file["points"][:]

    def test_the_block_for_pandas_and_h5py_runs(self):
        said = common.in_python(self.blocks()["Python: pandas and h5py"], PYTHONPATH="")
        lowest = self.frames()[:, :, 1].min(axis=1)
        self.assertRegex(said, rf"(?s)time_s.*\n{lowest.argmin()} m\ncompleted\n$")

    def test_the_block_for_octave_runs(self):
        if shutil.which("octave-cli") is None:
            self.skipTest("Octave is not installed: apt-get install octave-cli")
        # Without a screen and gnuplot Octave has nothing to draw with: what draws is left out then.
        drawing = "1;\nif isempty(available_graphics_toolkits())\n" + "".join(
            f"function {name}(varargin) end\n" for name in ("plot", "xlabel", "ylabel", "print")) + "end\n"
        pathlib.Path("block.m").write_text(drawing + self.blocks()["Octave"] + "printf('%d ', size(x));\nexit(0);\n")
        done = subprocess.run(["octave-cli", "--no-window-system", "--quiet", "--no-init-file", "block.m"],
                              capture_output=True, text=True)
        points = self.frames()
        with h5py.File("runs/press/dynamic-ffd/points.h5") as file:
            time = file["time"][:]
        lowest = points[:, :, 1].min(axis=1)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout, f"{lowest.min():.9g} m at {time[lowest.argmin()]:g} s\n"
                                      f"3 {points.shape[1]} {points.shape[0]} ")

    def test_what_the_other_blocks_name_is_there(self):
        blocks = self.blocks()
        compile(blocks["ParaView"], "ParaView", "exec")
        text = (common.SOURCE / "docs/bundles.md").read_text()
        export = re.search(r"\npliant (export .*)\n", text)[1]
        common.command(*export.split())
        series = pathlib.Path(re.search(r'OpenDataFile\("(.*)"\)', blocks["ParaView"])[1])
        files = [series.parent / one for one in re.findall(r'file="(.*?)"', series.read_text())]
        self.assertEqual(len(files), len(self.frames()))
        for file in files:
            blocks_of_frame = re.findall(r'file="(.*?)"', file.read_text())
            self.assertGreater(len(blocks_of_frame), 1)
            for block in blocks_of_frame:
                self.assertIn('Name="displacement_m"' if block.startswith("body") else "<VTKFile", (file.parent / block).read_text())
        self.assertEqual(re.search(r'run = "(.*)"', blocks["Julia"])[1], "runs/press/dynamic-ffd")
        columns = pathlib.Path("runs/press/dynamic-ffd/series.csv").read_text().splitlines()[0].split(",")
        named = re.findall(r":(\w+_[a-zA-Z]+)", blocks["Julia"])
        self.assertEqual(named, ["time_s", "total_energy_J"])
        self.assertLessEqual(set(named), set(columns))
        with h5py.File("runs/press/dynamic-ffd/points.h5") as file:
            for name in re.findall(r'file\["(\w+)"\]', blocks["Julia"]):
                self.assertEqual(file[name].attrs["unit"].decode(), "m")

    def test_the_documentation_names_every_file_and_data_set(self):
        common.command("run", "press", "--backend", "dynamic-ffd", "--set", "run.duration=0.2", "--out", "runs")
        text = (common.SOURCE / "docs/bundles.md").read_text()
        for path in pathlib.Path("runs/press/dynamic-ffd").iterdir():
            self.assertIn(f"`{path.name}`", text)
        run = pliant.open("runs")["dynamic-ffd"]
        for name in run.h5:
            self.assertIn(f"`/{name}`", text)


class Schemas(common.InScratch):
    def setUp(self):
        super().setUp()
        import jsonschema  # python3-jsonschema
        self.validators = {}
        for name in ("manifest", "translation", "summary"):
            schema = json.loads((common.SOURCE / f"data/schemas/{name}.schema.json").read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            self.validators[name] = jsonschema.Draft202012Validator(schema)

    def test_bundles_of_several_outcomes_meet_them(self):
        runs = [("pendulum", ["run.duration=0.05"]), ("press", ["run.duration=0.05"]),
                ("pendulum", ["run.duration=40.0", "run.step=10.0", "run.record_every=10.0"])]
        outcomes = set()
        for i, (name, settings) in enumerate(runs):
            subprocess.run([common.PROGRAM, "run", name, *[x for s in settings for x in ("--set", s)], "--out", f"runs{i}"],
                           capture_output=True)
            for manifest in pathlib.Path(f"runs{i}").rglob("manifest.json"):
                for kind, validator in self.validators.items():
                    document = json.loads((manifest.parent / f"{kind}.json").read_text())
                    errors = [f"{manifest.parent}/{kind}: {e.message}" for e in validator.iter_errors(document)]
                    self.assertEqual(errors, [])
                    if kind == "manifest":
                        outcomes.add(document["outcome"])
        self.assertIn("completed", outcomes)
        self.assertIn("unsupported", outcomes)
        self.assertGreaterEqual(len(outcomes), 3)

    def test_a_wrong_document_does_not(self):
        common.command("run", "pendulum", "--backend", "dynamic-ffd", "--set", "run.duration=0.02", "--out", "runs")
        for kind, spoil in [("manifest", lambda d: d.update(format=2)), ("manifest", lambda d: d.pop("seed")),
                            ("manifest", lambda d: d.update(outcome="fine")), ("manifest", lambda d: d.update(more=1)),
                            ("manifest", lambda d: d["sha256"].pop("points.h5")),
                            ("translation", lambda d: d["elements"][0].update(fidelity="good")),
                            ("translation", lambda d: d["elements"][0].update(fidelity="ignored", reason="")),
                            ("summary", lambda d: d["outcome"].update(step=-1)),
                            ("summary", lambda d: d["figures"].update(x="much"))]:
            document = json.loads(pathlib.Path(f"runs/pendulum/dynamic-ffd/{kind}.json").read_text())
            self.assertTrue(self.validators[kind].is_valid(document))
            spoil(document)
            self.assertFalse(self.validators[kind].is_valid(document), kind)


if __name__ == "__main__":
    unittest.main()
