"""Backends that run a variant of the scene, in everything that Python does with an experiment."""
import json
import pathlib
import unittest

import numpy as np

import common
import pliant

FALL = """
title = "A fall"
[run]
duration = 0.2
step = 0.01
record_every = 0.04
[scene]
name = "net"
gravity = [0, -10, 0]
[[scene.body]]
name = "net"
shape = "sheet"
size = [2.0, 1.0]
points = [3, 3]
mass = 4.5
[[scene.nail]]
name = "hook"
body = "net"
point = [0, 0]
[backends.position-based]
[backends.free]
formulation = "position-based"
unset = ["scene.nail.hook"]
[backends.free.scene]
gravity = [0, -1, 0]
body.net.points = [5, 3]
[backends.bar]
formulation = "position-based"
scene = "bar.toml"
[sweep]
[[sweep.vary]]
key = "scene.gravity"
values = [[0, -5, 0], [0, -2, 0]]
"""
BAR = """
name = "bar"
dimension = 2
gravity = [0, -4]
[[body]]
name = "bar"
shape = "chain"
from = [0, 0, 0]
to = [0.1, 0, 0]
points = 2
mass = 1.0
"""


class Variants(common.InScratch):
    def setUp(self):
        super().setUp()
        pathlib.Path("fall.toml").write_text(FALL)
        pathlib.Path("bar.toml").write_text(BAR)
        self.experiment = pliant.load("fall.toml")

    def test_a_simulation_is_of_the_scene_of_its_backend(self):
        for label, points, g in ("position-based", 9, None), ("free", 15, 1.0), ("bar", 2, 4.0):
            simulation = self.experiment.translate(label)
            self.assertEqual(sum(body["size"] for body in self.experiment.bodies_of(label)), points)
            start = np.array(simulation.observe().points)
            self.assertEqual(start.shape, (3, points))
            simulation.advance(0.01, 20)
            self.assertIn("time_s", simulation.measure())
            if g is not None:
                np.testing.assert_allclose(simulation.observe().points[1] - start[1], -0.5 * g * 0.2**2, atol=1e-12)
        self.assertEqual(self.experiment.bodies_of("position-based"), self.experiment.bodies)
        with self.assertRaisesRegex(pliant.BadInput, "no backend 'fre'; did you mean 'free'"):
            self.experiment.bodies_of("fre")

    def test_a_batch_too(self):
        batch = pliant.batch(self.experiment, 3, "free")
        batch.advance(0.01, 20)
        self.assertEqual(batch.observe()["points"].shape, (3, 15, 3))

    def test_a_hand_holds_a_point_of_it_and_the_command_line_repeats_that(self):
        for label, target in ("free", (0.0, 2.0, 0.0)), ("bar", (0.0, 2.0)), ("position-based", (0.0, 2.0, 0.0)):
            simulation = self.experiment.translate(label)
            simulation.advance(0.01, 3)
            body = self.experiment.bodies_of(label)[0]["name"]
            with simulation.hand(body, 1, target, stiffness=3.0):
                simulation.advance(0.01, 10)
            simulation.advance(0.01, 7)
            pathlib.Path("dragged.toml").write_text(simulation.toml())
            run = pliant.load("dragged.toml").run([label], out=label, progress=False)[label]
            np.testing.assert_array_equal(run.points[-1].T, simulation.observe().points)
            unheld = self.experiment.translate(label)
            unheld.advance(0.01, 20)
            self.assertGreater(np.abs(unheld.observe().points - simulation.observe().points).max(), 1e-3)
        with self.assertRaisesRegex(pliant.BadInput, "2: the scene is planar"):
            self.experiment.translate("bar").hand("bar", 1, (0.0,))

    def test_check_says_what_is_otherwise(self):
        plain, free, bar = self.experiment.check()
        self.assertEqual((plain.variant, plain.tables), ([], []))
        self.assertEqual(free.variant, ["scene.gravity = [0, -1, 0]", "scene.body.net.points = [5, 3]",
                                        "without scene.nail.hook"])
        self.assertEqual([(one["title"], [row[:2] for row in one["rows"]]) for one in free.tables],
                         [("Bodies at the start", [["net", "15"]])])
        self.assertEqual(bar.variant, ["the scene file bar.toml"])
        self.assertEqual(bar.tables[0]["rows"][0][0], "bar")
        printed = json.loads(common.command("check", "fall.toml", "--json"))
        self.assertEqual([one.get("tables", []) != [] for one in printed["backends"]], [False, True, True])

    def test_runs_comparisons_and_exports_are_those_of_the_command_line(self):
        self.experiment.run(out="mine", progress=False)
        common.command("run", "fall.toml", "--out", "theirs")
        self.assertEqual(common.same_bundles(self, self.folder / "mine", self.folder / "theirs"), 3)
        free = pliant.open("mine/fall")["free"]
        self.assertEqual(free.points.shape[1:], (15, 3))
        self.assertEqual(free.reproduce(), "identical")
        text = self.experiment.compare(out="compared", progress=False).text
        self.assertIn("free*", text)
        for number in "free", "bar":
            common.command("reproduce", f"mine/fall/{number}")

    def test_a_sweep_warns_of_keys_without_effect(self):
        sweep = self.experiment.sweep(out="swept", progress=False)
        self.assertEqual([one.split(",")[0] for one in sweep.warnings],
                         ["scene.gravity has no effect on the backend 'free'", "scene.gravity has no effect on the backend 'bar'"])
        rows = pathlib.Path(sweep.csv).read_text().splitlines()
        self.assertIn(",without_effect,", rows[0])
        self.assertEqual(sum(",scene.gravity," in row for row in rows[1:]), 4)

    def test_changes_reach_variants_and_a_text_holds_them(self):
        self.experiment["backends"]["free"]["scene"]["gravity"] = [0, -3, 0]
        again = pliant.loads(self.experiment.toml(), "again")
        for experiment in self.experiment, again:
            simulation = experiment.translate("free")
            simulation.advance(0.01)
            np.testing.assert_allclose(simulation.observe().velocities[1], -0.03, atol=1e-12)
            self.assertEqual(experiment.translate("bar").observe().points.shape, (3, 2))
        del again["backends"]["free"]["scene"]
        del again["backends"]["free"]["unset"]
        self.assertEqual(again.bodies_of("free"), again.bodies)


if __name__ == "__main__":
    unittest.main()
