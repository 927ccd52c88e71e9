"""Everything that the command line does with an experiment: the same bytes from Python."""
import os
import pathlib
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
        self.assertEqual(comparison.figures["kinetic_energy_max_J"]["kinematic-response"], None) \
            if "kinetic_energy_max_J" in comparison.figures else None
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


class Searching(common.InScratch):
    def test_optimize_leaves_the_same_history(self):
        named = [name for name in pliant.experiments() if "optimize" in
                 pathlib.Path(pliant._native.native().find_experiment(name, pliant._native.home())).read_text()]
        self.assertTrue(named)
        chosen = next(name for name in ("lamp-step", "lamp-hop", *named) if name in named)
        settings = {"optimize.trials": 6}
        search = pliant.load(chosen, settings).optimize("mine", threads=2, progress=False)
        common.command("optimize", chosen, "--set", "optimize.trials=6", "--threads", 2, "--out", "theirs")
        mine, theirs = ([line.split(",") for line in
                         next(pathlib.Path(folder).rglob("history.csv")).read_text().splitlines()]
                        for folder in ("mine", "theirs"))
        kept = [i for i, name in enumerate(mine[0]) if name != "seconds"]
        self.assertEqual([[row[i] for i in kept] for row in mine], [[row[i] for i in kept] for row in theirs])
        self.assertEqual(search.outcome, "completed")
        self.assertEqual(len(search.history), len(mine) - 1)
        self.assertGreater(len(search.best.time), 0)


if __name__ == "__main__":
    unittest.main()
