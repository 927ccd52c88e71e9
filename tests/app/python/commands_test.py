"""Everything that the command line does with an experiment: the same bytes from Python."""
import csv
import io
import os
import pathlib
import subprocess
import unittest

import common
import pliant


class SameBytes(common.InScratch):
    def test_compare_prints_the_same_table(self):
        experiment = pliant.load("pendulum", {"run.duration": 0.1})
        comparison = experiment.compare(out="mine", progress=False)
        said = common.command("compare", "pendulum", "--set", "run.duration=0.1", "--out", "theirs")
        mine = [line for line in comparison.text.splitlines() if "time" not in line and "seconds" not in line]
        self.assertGreater(len(mine), 20)
        for line in mine:
            if line.strip() and not any(word in line for word in ("step", "wall", "cpu", "cost")):
                self.assertIn(line.strip(), said)
        self.assertIn("constraint_error_max_m", comparison.figures)
        rows = list(csv.DictReader(io.StringIO(comparison.csv)))
        undefined = 0
        for name, by_label in comparison.figures.items():
            for row in rows:
                value = by_label[row["label"]]
                self.assertEqual(value, float(row[name]) if row[name] else None, name)
                undefined += value is None
        self.assertGreater(undefined, 10)
        self.assertEqual(list(comparison.table.index), experiment.labels)

    def test_a_sweep_leaves_the_same_table(self):
        text = pliant.load("pendulum", {"run.duration": 0.02}).toml()
        text = text + '\n[[sweep.vary]]\nkey = "run.step"\nvalues = [0.0005, 0.001]\n'
        pathlib.Path("swept.toml").write_text(text)
        result = pliant.load("swept.toml").sweep(["linear-deformation"], out="mine", progress=False)
        common.command("sweep", "swept.toml", "--backend", "linear-deformation", "--out", "theirs")
        common.same_bundles(self, self.folder / "mine", self.folder / "theirs")
        mine, theirs = [[line.split(",") for line in (self.folder / f / "pendulum" / "sweep.csv").read_text().splitlines()]
                        if (self.folder / f / "pendulum").exists() else
                        [line.split(",") for line in (self.folder / f / "swept" / "sweep.csv").read_text().splitlines()]
                        for f in ("mine", "theirs")]
        self.assertEqual(mine[0], theirs[0])
        kept = [i for i, column in enumerate(mine[0]) if "step_" not in column and "preparation" not in column
                and "wall" not in column and "cpu" not in column and "real_time" not in column]
        self.assertEqual([[row[i] for i in kept] for row in mine], [[row[i] for i in kept] for row in theirs])
        self.assertEqual(len(result.table), 2)
        self.assertEqual(result.open(result.runs[0]["point"], "linear-deformation").outcome, "completed")

    def test_refine_and_verify_leave_the_same_documents(self):
        experiment = pliant.load("pendulum", {"run.duration": 0.02})
        made = experiment.refine(["step"], levels=2, backends=["linear-deformation"], out="mine", progress=False)
        common.command("refine", "pendulum", "--set", "run.duration=0.02", "--in", "step", "--levels", 2, "--backend",
                       "linear-deformation", "--out", "theirs")
        common.same_bundles(self, self.folder / "mine", self.folder / "theirs")
        self.assertEqual(pathlib.Path(made["step"].json).name, "refine-step.json")
        self.assertTrue((self.folder / "theirs/pendulum/refine-step.json").exists())
        verdicts = pliant.load("pendulum").verify(quick=True, out="mine", progress=False)
        said = common.command("verify", "pendulum", "--quick", "--out", "theirs")
        self.assertEqual((self.folder / "mine/pendulum/claims.json").read_text(),
                         (self.folder / "theirs/pendulum/claims.json").read_text())
        self.assertIn(verdicts.text, said)
        self.assertTrue(verdicts.hold())
        for wrong, sentence in (({"levels": 1}, "use 2 to 32"), ({"ratio": 1.0}, "use 1.01 to 100"),
                                ({"axes": ["stp"]}, "did you mean 'step'"), ({"coarser": 3}, "one rung must be")):
            with self.assertRaisesRegex(pliant.BadInput, sentence):
                experiment.refine(progress=False, **wrong)

    def test_invariance_is_that_of_the_command(self):
        experiment = pliant.load("pendulum", {"run.duration": 0.05})
        found = experiment.invariance(["linear-deformation"], short=True, progress=False)
        said = subprocess.run([common.PROGRAM, "verify", "pendulum", "--set", "run.duration=0.05", "--invariance", "--short",
                               "--backend", "linear-deformation"], capture_output=True, text=True).stdout
        views = found["linear-deformation"].views
        self.assertGreater(len(views), 6)
        for seen in views:
            line = next(line for line in said.splitlines() if line.strip().startswith(seen.view + " "))
            self.assertIn(seen.sameness, line)
            self.assertEqual(seen.distance is None, bool(seen.why), seen)
        self.assertEqual(found["linear-deformation"].holds(), "differs" not in said)
        refused = pliant.load("pendulum").invariance("kinematic-response", short=True, progress=False)["kinematic-response"]
        self.assertTrue(refused.refused and not refused.views)

    def test_equilibria_are_those_of_static(self):
        pathlib.Path("bar.toml").write_text(common.BAR)
        run = pliant.load("bar.toml").run(out="mine", progress=False, load_steps=3)["finite-elements"]
        common.command("run", "bar.toml", "--static", "--load-steps", 3, "--out", "theirs")
        common.same_bundles(self, self.folder / "mine", self.folder / "theirs")
        self.assertEqual(len(run.time), 4)
        with self.assertRaisesRegex(pliant.BadInput, "use 1 to 100000"):
            pliant.load("bar.toml").run(load_steps=0)

    def test_compare_puts_limits_beside_figures(self):
        pathlib.Path("bar.toml").write_text(common.BAR + "[refine]\nlevels = 2\n")
        experiment = pliant.load("bar.toml")
        plain = experiment.compare(out="mine", progress=False).text
        refined = experiment.compare(out="mine", progress=False, refined=True)
        said = common.command("compare", "bar.toml", "--refined", "--out", "theirs")
        self.assertNotEqual(refined.text, plain)
        common.same_bundles(self, self.folder / "mine", self.folder / "theirs")
        limits = [line.strip() for line in refined.text.splitlines() if "momentum" in line or "extent" in line]
        self.assertGreater(len(limits), 3)
        for line in limits:
            self.assertIn(line, said)

    def test_reproduce_and_export(self):
        run = pliant.load("pendulum", {"run.duration": 0.02}).run(["linear-deformation"], "mine", False)["linear-deformation"]
        self.assertEqual(run.reproduce(), "identical")
        self.assertTrue(os.path.exists(run.export("csv")))
        with self.assertRaisesRegex(pliant.BadInput, "obj"):
            run.export("objj")


class NothingIsLost(common.InScratch):
    """Other runs of the same name stay, as on the command line."""

    def contents(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}

    def heard(self, work):
        said = []
        made = work(lambda kind, text, fraction: said.append(text) if kind == "say" else None)
        return made, said

    def test_runs_of_another_experiment_or_program_stay(self):
        experiment = pliant.load("pendulum", {"run.duration": 0.02})
        first, said = self.heard(lambda listen: experiment.run(["linear-deformation"], progress=listen))
        self.assertEqual((first.folder, said), ("runs/pendulum", []))
        again, said = self.heard(lambda listen: experiment.run(["linear-deformation"], progress=listen))
        self.assertEqual((again.folder, said), ("runs/pendulum", []))
        before = self.contents("runs/pendulum")
        edited = pliant.load("pendulum", {"run.duration": 0.03})
        for work in (edited.run, edited.compare):
            beside, said = self.heard(lambda listen: work(["linear-deformation"], progress=listen))
            self.assertEqual(beside.folder, "runs/pendulum-2")
            self.assertEqual(said, ["runs/pendulum: has other runs, which stay; these go to runs/pendulum-2 "
                                    "(overwrite=True replaces them)"])
            self.assertAlmostEqual(beside["linear-deformation"].time[-1], 0.03)
            self.assertEqual(beside["linear-deformation"].manifest["experiment"], "pendulum-2")
        self.assertEqual(self.contents("runs/pendulum"), before)
        # The program is another one than the module: neither takes the place of the other's runs.
        done = subprocess.run([common.PROGRAM, "run", "pendulum", "--set", "run.duration=0.02", "--backend",
                               "linear-deformation"], capture_output=True, text=True)
        self.assertIn("runs/pendulum: has other runs, which stay; these go to runs/pendulum-3 (--overwrite", done.stderr)
        third, said = self.heard(lambda listen: pliant.load("pendulum", {"run.duration": 0.04}).run(
            ["linear-deformation"], progress=listen))
        self.assertEqual(third.folder, "runs/pendulum-4")
        over, said = self.heard(lambda listen: edited.run(["linear-deformation"], progress=listen, overwrite=True))
        self.assertEqual((over.folder, said), ("runs/pendulum", []))
        self.assertAlmostEqual(over["linear-deformation"].time[-1], 0.03)
        compared = experiment.compare(["linear-deformation"], progress=False, overwrite=True)
        self.assertEqual(compared.folder, "runs/pendulum")
        self.assertAlmostEqual(pliant.open("runs/pendulum")["linear-deformation"].time[-1], 0.02)

    def test_a_sweep_beside_another(self):
        def swept(values):
            text = pliant.load("pendulum", {"run.duration": 0.02}).toml()
            return pliant.loads(text + f'\n[[sweep.vary]]\nkey = "run.step"\nvalues = {values}\n', "swept")
        sweep = swept([0.0005, 0.001])
        first, said = self.heard(lambda listen: sweep.sweep(["linear-deformation"], progress=listen))
        self.assertEqual((first.folder, said), ("runs/swept", []))
        before = self.contents("runs/swept")
        sweep["scene"]["gravity"] = [0, -1.62, 0]
        beside, said = self.heard(lambda listen: sweep.sweep(["linear-deformation"], progress=listen))
        self.assertEqual((beside.folder, beside.csv), ("runs/swept-2", "runs/swept-2/sweep.csv"))
        self.assertRegex(said[0], "^runs/swept: has other runs, which stay; these go to runs/swept-2 .resume=True keeps .*overwrite=True")
        self.assertEqual(self.contents("runs/swept"), before)
        resumed, said = self.heard(lambda listen: swept([0.0005, 0.002]).sweep(
            ["linear-deformation"], progress=listen, resume=True))
        self.assertEqual((resumed.folder, [one["kept"] for one in resumed.runs], said), ("runs/swept", [True, False], []))
        over = sweep.sweep(["linear-deformation"], progress=False, overwrite=True)
        self.assertEqual((over.folder, [one["kept"] for one in over.runs]), ("runs/swept", [False, False]))

    def test_a_search_beside_another(self):
        settings = {"optimize.trials": 3}
        first, said = self.heard(lambda listen: pliant.load(SEARCHED, settings).optimize(progress=listen))
        self.assertEqual(said, [])
        before, recorded = self.contents(first.folder), first.history
        other, said = self.heard(lambda listen: pliant.load(SEARCHED, settings).optimize(progress=listen))
        self.assertIn(f"{SEARCHED}-2", other.folder)
        self.assertRegex(said[0], "resume=True goes on with the search that is there, overwrite=True replaces it")
        self.assertEqual(self.contents(first.folder), before)
        more = pliant.load(SEARCHED, {"optimize.trials": 4}).optimize(progress=False, resume=True)
        self.assertEqual(more.folder, first.folder)
        self.assertGreater(len(more.history), len(recorded))
        # Those that were recorded did not run again: they took the time that they took.
        again = more.history[more.history["evaluation"] <= 3].reset_index(drop=True)
        self.assertEqual(list(again["seconds"]), list(recorded["seconds"]))
        over = pliant.load(SEARCHED, settings).optimize(progress=False, overwrite=True)
        self.assertEqual((over.folder, len(over.history)), (first.folder, len(other.history)))


# A search that ships.
SEARCHED = "faloutsos-bounding-speed"


class Searching(common.InScratch):
    def test_optimize_leaves_the_same_history(self):
        settings = {"optimize.trials": 6}
        search = pliant.load(SEARCHED, settings).optimize("mine", threads=2, progress=False)
        common.command("optimize", SEARCHED, "--set", "optimize.trials=6", "--threads", 2, "--out", "theirs")
        mine, theirs = ([line.split(",") for line in
                         next(pathlib.Path(folder).rglob("history.csv")).read_text().splitlines()]
                        for folder in ("mine", "theirs"))
        kept = [i for i, name in enumerate(mine[0]) if name != "seconds"]
        self.assertEqual([[row[i] for i in kept] for row in mine], [[row[i] for i in kept] for row in theirs])
        self.assertEqual(search.outcome, "completed")
        self.assertEqual(len(search.history), len(mine) - 1)
        self.assertGreater(len(search.best.time), 0)
        best = search.history.loc[search.history["cost"].idxmin()]
        self.assertEqual(repr(search), f"<Search completed: {search.folder}>")
        self.assertGreater(len(search.numbers), 0)
        for name, number in search.numbers.items():
            self.assertEqual(number["best"], best[name])
            self.assertEqual(number["start"], search.history[name].iloc[0])
            self.assertLess(number["lower"], number["upper"])


if __name__ == "__main__":
    unittest.main()
