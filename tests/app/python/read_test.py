"""Reading bundles with the package pliant: the numbers of the files, and a sentence for each that is no bundle."""
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import h5py
import numpy as np

import common
import pliant


class Reading(common.InScratch):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory(prefix="pliant-test-")
        common.command("run", "pendulum", "--set", "run.duration=0.2", "--out", cls.made.name)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made.name, "runs")

    def run_of(self, label="dynamic-ffd"):
        return pliant.open("runs/pendulum")[label]

    def test_a_folder_gives_its_runs_by_label_in_the_order_of_the_experiment(self):
        labels = ["dynamic-ffd", "linear-deformation", "displacement-constraints", "position-based",
                  "kinematic-response"]
        self.assertEqual(list(pliant.open("runs")), labels)
        self.assertEqual(list(pliant.open("runs/pendulum/position-based")), ["position-based"])
        self.assertEqual(list(pliant.open(pathlib.Path("runs"))), labels)

    def test_numbers_are_those_of_the_files(self):
        run = self.run_of()
        with open("runs/pendulum/dynamic-ffd/series.csv") as file:
            lines = file.read().splitlines()
        names = lines[0].split(",")
        last = dict(zip(names, lines[-1].split(",")))
        for name in names:
            got = run.series[name].iloc[-1]
            if last[name]:
                self.assertEqual(got, float(last[name]), name)
            else:
                self.assertTrue(np.isnan(got), name)
        self.assertIn("", last.values())  # something is not defined here
        with h5py.File("runs/pendulum/dynamic-ffd/points.h5") as file:
            np.testing.assert_array_equal(run.points, file["points"][:])
            np.testing.assert_array_equal(run.velocities, file["velocities"][:])
            np.testing.assert_array_equal(run.state, file["state"][:])
            np.testing.assert_array_equal(run.time, file["time"][:])
        summary = json.loads(pathlib.Path("runs/pendulum/dynamic-ffd/summary.json").read_text())
        self.assertEqual(run.summary, summary["figures"])
        self.assertEqual(run.outcome, "completed")
        self.assertEqual(run.manifest["label"], "dynamic-ffd")
        self.assertEqual([one.element for one in run.translation],
                         [one["element"] for one in json.loads(
                             pathlib.Path("runs/pendulum/dynamic-ffd/translation.json").read_text())["elements"]])
        self.assertEqual(run.records.total_energy_J[-1], run.series["total_energy_J"].iloc[-1])

    def test_units_are_those_that_the_program_states(self):
        run = self.run_of()
        self.assertEqual(run.series.attrs["units"]["angular_momentum_x_kg_m2_s"], "kg m²/s")
        from pliant._units import unit_of
        stated = re.findall(r"^  ([a-z][^\s:]*) +(N² m² s|N m|N s|kg m²/s|kg m/s|\S+) +\S", common.command("list", "metrics"), re.M)
        self.assertGreater(len(stated), 200)
        for name, unit in stated:
            self.assertEqual(unit_of(name), unit, name)

    def test_units_of_recorded_arrays_are_those_of_their_files(self):
        text = (common.SOURCE / "experiments/runs/recorded_columns.cc").read_text()
        units = re.findall(r'"([^"]+)"', text[text.index("units = {"):text.index("};", text.index("units = {"))])
        self.assertGreater(len(units), 10)
        from pliant._units import unit_of
        for unit in units:
            spelled = unit.translate(str.maketrans({"²": "2", "³": "3", " ": "_", "/": "_"}))
            self.assertEqual(unit_of(f"modes.x_{spelled}"), unit)
        common.command("run", "pendulum", "--backend", "dynamic-ffd", "--set", "run.duration=0.02", "--set",
                       'run.record=["modes"]', "--out", "recorded")
        run = pliant.open("recorded")["dynamic-ffd"]
        found = {name: unit for name, unit in run.columns.items() if name.startswith("modes.")}
        self.assertIn("1/s", found.values())
        for name, unit in found.items():
            array = next(data for key, data in run.arrays.items() if name.startswith(key.replace("/", ".", 1)))
            self.assertEqual(unit, array.attrs["unit"].decode() if hasattr(array.attrs["unit"], "decode")
                             else array.attrs["unit"], name)

    def test_points_are_mapped_memory_that_outlives_the_run_and_cannot_be_written(self):
        run = self.run_of()
        points = run.points
        self.assertIsInstance(points, np.memmap)
        self.assertTrue(np.shares_memory(points[3], run.points))
        self.assertEqual(run.points.ctypes.data, points.ctypes.data)
        first = points[0].copy()
        run.h5.close()
        del run
        np.testing.assert_array_equal(points[0], first)
        with self.assertRaises(ValueError):
            points[0] = 0

    def test_points_that_are_not_compressed_are_mapped_where_they_lie(self):
        path = pathlib.Path("runs/pendulum/dynamic-ffd/points.h5")
        with h5py.File(path) as file:
            points = file["points"][:]
        with h5py.File(path, "a") as file:
            del file["points"]
            file.create_dataset("points", data=points)
        run = self.run_of()
        np.testing.assert_array_equal(run.points, points)
        self.assertEqual(os.path.basename(run.points.filename), "points.h5")

    def test_an_altered_file_is_found_on_request(self):
        pliant.open("runs", verify=True)
        with open("runs/pendulum/dynamic-ffd/series.csv", "a") as file:
            file.write("\n")
        run = self.run_of()
        with self.assertRaisesRegex(pliant.BadInput, r"dynamic-ffd/series\.csv: differs from what was written"):
            run.verify()

    def test_each_that_is_no_bundle_is_refused_with_a_sentence(self):
        folder = pathlib.Path("runs/pendulum/dynamic-ffd")
        manifest = json.loads((folder / "manifest.json").read_text())
        for change, sentence in [({"format": 2}, "is of format 2; this version reads format 1"),
                                 ({"format": None}, "is of format null; this version reads format 1"),
                                 ({"format": 0.5}, "is of format 0.5")]:
            (folder / "manifest.json").write_text(json.dumps({**manifest, **change}))
            with self.assertRaisesRegex(pliant.BadInput, sentence):
                pliant.open(folder)
        for text in ("{", "[1, 2]", ""):
            (folder / "manifest.json").write_text(text)
            with self.assertRaisesRegex(pliant.BadInput, r"manifest\.json: (damaged|is of format)"):
                pliant.open(folder)
        (folder / "manifest.json").write_text(json.dumps(manifest))
        (folder / "points.h5").rename("points.h5")
        with self.assertRaisesRegex(pliant.BadInput, r"points\.h5: is missing"):
            pliant.open(folder)
        (folder / "points.h5").write_bytes(b"no HDF5")
        with self.assertRaisesRegex(pliant.BadInput, r"points\.h5: damaged"):
            pliant.open(folder)["dynamic-ffd"].points
        (folder / "series.csv").write_text("time_s,total_energy_J\n1,x\n")
        with self.assertRaisesRegex(pliant.BadInput, r"series\.csv: damaged"):
            pliant.open(folder)["dynamic-ffd"].series
        with self.assertRaisesRegex(pliant.BadInput, "no such folder"):
            pliant.open("nowhere")
        os.mkdir("empty")
        with self.assertRaisesRegex(pliant.BadInput, "no run bundle"):
            pliant.open("empty")

    def test_a_column_or_run_that_is_not_there_is_named_with_the_nearest(self):
        with self.assertRaisesRegex(pliant.BadInput, "did you mean 'total_energy_J'"):
            self.run_of().column("total_energy_j")
        runs = pliant.open("runs")
        for name, sentence in (("xyz", "one of: dynamic-ffd"), ("dynamic-fdd", "did you mean 'dynamic-ffd'")):
            for kind in (pliant.BadInput, KeyError):
                with self.assertRaisesRegex(kind, sentence):
                    runs[name]
        self.assertIsNone(runs.get("xyz"))
        with self.assertRaisesRegex(pliant.BadInput, "the time is nan"):
            self.run_of().inspect(float("nan"))
        with self.assertRaisesRegex(AttributeError, "no attribute 'opne'; did you mean 'open'"):
            pliant.opne

    def test_a_bundle_of_an_earlier_version_is_read_and_one_that_lacks_something_is_refused(self):
        folder = pathlib.Path("runs/pendulum/dynamic-ffd")
        documents = {name: json.loads((folder / name).read_text())
                     for name in ("manifest.json", "summary.json", "translation.json")}
        # What versions of format 1 did not write at first.
        for name in ("place", "yardstick"):
            documents["manifest.json"].pop(name)
        for name in ("steps_cpu_s", "preparation_cpu_s", "energy_at_stake_J"):
            documents["summary.json"]["outcome"].pop(name)
        documents["translation.json"].pop("findings")
        for name, document in documents.items():
            (folder / name).write_text(json.dumps(document))
        run = self.run_of()
        self.assertEqual((run.outcome, run.reason, run.findings, run.events), ("completed", "", [], []))
        self.assertEqual(run.unmet, [])
        self.assertGreater(len(run.summary), 10)
        for name, key, use in [("summary.json", "outcome", lambda run: run.outcome),
                               ("summary.json", "figures", lambda run: run.summary),
                               ("summary.json", "events", lambda run: run.events),
                               ("summary.json", "unmet_constraints", lambda run: run.unmet),
                               ("translation.json", "elements", lambda run: run.translation),
                               ("translation.json", "warnings", lambda run: run.warnings),
                               ("manifest.json", "label", lambda run: run.label),
                               ("manifest.json", "sha256", lambda run: run.verify())]:
            (folder / name).write_text(json.dumps({k: v for k, v in documents[name].items() if k != key}))
            with self.assertRaisesRegex(pliant.BadInput, rf"{name}: lacks '{key}(\.kind)?'; it is damaged, or another version"):
                use(next(iter(pliant.open(folder).values())))
            (folder / name).write_text(json.dumps(documents[name]))
        with h5py.File(folder / "points.h5", "a") as file:
            del file["points"]
        with self.assertRaisesRegex(pliant.BadInput, "points.h5: damaged: it has no data set 'points'"):
            self.run_of().points

    def test_a_run_is_pickled_as_its_folder(self):
        import pickle
        run = self.run_of()
        points = run.points
        again = pickle.loads(pickle.dumps(run))
        np.testing.assert_array_equal(again.points, points)
        self.assertLess(len(pickle.dumps(run)), 10000)

    def test_reading_needs_no_compiled_module(self):
        package = pathlib.Path(pliant.__file__).parent
        shutil.copytree(package, "alone/pliant", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        said = common.in_python(
            "import pliant\n"
            "run = pliant.open('runs')['dynamic-ffd']\n"
            "print(len(run.series), run.points.shape, len(run.summary) > 10, len(run.translation) > 3)\n"
            "try:\n  pliant.load('press')\n"
            "except ImportError as e: print(e)\n", PYTHONPATH=os.path.abspath("alone"))
        self.assertIn("21 (21, 6, 3) True True", said)
        self.assertIn("./pliant python", said)

    def test_an_import_loads_neither_numpy_nor_the_compiled_module(self):
        # They are nine tenths of the time of an import: what needs them loads them. docs/python.md states the time.
        said = common.in_python("import sys, pliant\n"
                                "print([one for one in ('numpy', 'pandas', 'h5py', 'matplotlib', 'scipy', 'hashlib',"
                                " 'tempfile', 'pliant._pliant') if one in sys.modules])")
        self.assertEqual(said, "[]\n")
        best = min(float(common.in_python("import time; t = time.process_time(); import pliant; "
                                          "print(time.process_time() - t)")) for _ in range(3))
        self.assertLess(best, 0.4)  # CPU seconds: the machine of a test may be busy

    def test_pandas_may_be_missing(self):
        said = common.in_python("import sys; sys.modules['pandas'] = None\n"
                                "import pliant\n"
                                "series = pliant.open('runs')['dynamic-ffd'].series\n"
                                "print(type(series).__name__, series.time_s[-1])")
        self.assertIn("recarray 0.2", said)


if __name__ == "__main__":
    unittest.main()
