"""Hands on points, batches of states, and what ten thousand simulations leave."""
import gc
import os
import subprocess
import unittest

import numpy as np

import common
import pliant

H = 0.0005


def pendulum(label="linear-deformation", **keys):
    return pliant.load("pendulum").translate(label, **keys)


class Hands(common.InScratch):
    def test_a_spring_is_a_force_that_the_command_line_repeats(self):
        simulation = pendulum("linear-deformation")
        simulation.advance(H, 100)
        with simulation.hand("lower", "end", (2.0, 0.5), stiffness=30.0) as hand:
            for i in range(40):
                hand.target = (2.0 + 0.01 * i, 0.5)
                self.assertEqual(simulation.advance(H), "advanced")
        self.assertFalse(simulation.holding)
        simulation.advance(H, 60)
        with open("dragged.toml", "w") as file:
            file.write(simulation.toml())
        common.command("run", "dragged.toml", "--backend", "linear-deformation", "--set", "run.duration=0.1",
                       "--out", "runs")
        run = pliant.open("runs/dragged")["linear-deformation"] if os.path.isdir("runs/dragged") else \
            next(iter(pliant.open("runs").values()))
        np.testing.assert_array_equal(run.points[-1].T, simulation.observe().points)
        free = pendulum("linear-deformation")
        free.advance(H, 200)
        self.assertGreater(np.abs(free.observe().points - simulation.observe().points).max(), 1e-4)

    def test_the_spring_pulls_with_its_stiffness(self):
        # One step of one free particle pair under k (target − x): Δv m = k Δx h up to the look-ahead of one step.
        experiment = pliant.loads(common.SPRING.replace("gravity = [0, -9.81]", "gravity = [0, 0]"))
        simulation = experiment.translate("position-based")
        h = 1e-3
        simulation.hand("bar", 1, (0.1, 2.0), stiffness=5.0)
        simulation.advance(h)
        momentum = simulation.observe().velocities @ np.array(experiment.bodies[0]["mass"])
        self.assertAlmostEqual(momentum[1], 5.0 * 2.0 * h, delta=1e-6)
        self.assertAlmostEqual(momentum[0], 0.0, delta=1e-9)

    def test_every_formulation_takes_two_hands_or_says_why(self):
        both = {"hand": True, "nail": True}
        springs = {"hand": True, "nail": "hold for the whole run"}
        takes = {"dynamic-ffd": springs, "finite-elements": springs, "linear-deformation": both,
                 "displacement-constraints": both, "position-based": both,
                 "kinematic-response": {"hand": True, "nail": "no pinned points"},
                 "articulated-lamp": {"hand": True, "nail": "held by its own hinges only"}}
        self.assertEqual(set(takes), set(pliant.backends()))
        tried = set()
        for experiment, points in ((pliant.load("corner-pull"), (144, 40)), (pliant.loads(common.BAR, "bar"), None),
                                   (pliant.load("lamp-jump"), (9, 16))):  # of an arm and the head: the base stands
            for label in experiment.labels:
                for take in "hand", "nail":
                    simulation = experiment.translate(label)
                    h, free = simulation.step, experiment.translate(label)
                    expected = takes[simulation.backend][take]
                    if (simulation.backend, take) in tried:
                        continue
                    tried.add((simulation.backend, take))
                    simulation.advance(h, 3)
                    start = simulation.observe().points.copy()
                    points = points or list(np.argsort(start[1])[:2])  # of the hanging bar its lower end
                    for point in points:
                        getattr(simulation, take)(experiment.bodies[0]["name"], point, start[:, point] + [0.02, 0.01, 0.0])
                    if expected is True:
                        for _ in range(5):
                            self.assertNotEqual(simulation.advance(h), "diverged")
                        free.advance(h, 8)
                        moved = np.abs(simulation.observe().points - free.observe().points).max(axis=0)
                        self.assertTrue(all(moved[point] > 0.0 for point in points), f"{label} {take}")
                        self.repeats(simulation, label, 8, h)
                        continue
                    for _ in points:  # one after the other is refused
                        self.assertTrue(simulation.holding)
                        with self.assertRaisesRegex(pliant.BadInput, f"{simulation.backend} refuses .*{expected}.*; use"):
                            simulation.advance(h)
                    self.assertFalse(simulation.holding)
                    self.assertEqual(simulation.advance(h), "advanced")
        self.assertEqual(len(tried), 14)

    def repeats(self, simulation, label, steps, h=H):
        """The command line makes the same motion from what the simulation says it was."""
        with open("dragged.toml", "w") as file:
            file.write(simulation.toml())
        # Whatever it says of the energy that the steps make.
        subprocess.run([common.PROGRAM, "run", "dragged.toml", "--backend", label, "--set", f"run.duration={steps * h!r}",
                        "--set", f"run.record_every={steps * h!r}", "--out", "runs", "--overwrite"], capture_output=True)
        run = pliant.open("runs")[label]
        np.testing.assert_array_equal(run.points[-1].T, simulation.observe().points, label)

    def test_several_hands_pull_at_once_and_the_command_line_repeats_it(self):
        experiment = pliant.load("pendulum")
        labels = [one.label for one in experiment.check() if one.runs]
        self.assertGreaterEqual(len(labels), 4)
        for label in labels:
            simulation = experiment.translate(label)
            simulation.advance(H, 20)
            first = simulation.hand("lower", "end", (2.0, 0.5), stiffness=300.0)
            simulation.advance(H, 10)
            second = simulation.hand("upper", 1, (1.0, 2.0), stiffness=200.0)
            third = simulation.hand("lower", "end", (3.5, -1.0), stiffness=100.0)  # of the same point
            for i in range(10):
                second.target = (1.0, 2.0 + 0.1 * i)
                simulation.advance(H)
            self.assertEqual([one.holds for one in (first, second, third)], [True] * 3)
            first.release()
            simulation.advance(H, 10)
            self.assertEqual([one.holds for one in (first, second, third)], [False, True, True])
            fourth = simulation.hand("middle", 0, (0.0, -3.0))
            third.release()
            simulation.advance(H, 10)
            second.release()
            simulation.advance(H, 10)
            fourth.release()
            self.assertFalse(simulation.holding)
            simulation.advance(H, 30)
            self.repeats(simulation, label, 100)
            elements = pliant.loads(simulation.toml())["scene"]["force"]
            self.assertEqual([one["name"] for one in elements], ["hand-1", "hand-2", "hand-3", "hand-4"])
            self.assertEqual([round(one["history"]["times"][-1] / H) for one in elements], [40, 60, 50, 70])

    def test_each_of_several_springs_pulls_its_own_point(self):
        # One step of a free pair: m Δv = k (target − x) h for each point by itself; what the bar between them adds has no
        # share in the sum of the momenta, nor in that of the angular momenta.
        experiment = pliant.loads(common.SPRING.replace("gravity = [0, -9.81]", "gravity = [0, 0]"))
        simulation = experiment.translate("position-based")
        h = 1e-3
        simulation.hand("bar", 0, (0.0, -1.0), stiffness=3.0)
        simulation.hand("bar", 1, (0.1, 2.0), stiffness=5.0)
        simulation.advance(h)
        seen = simulation.observe()
        momenta = seen.velocities * np.array(experiment.bodies[0]["mass"])
        self.assertAlmostEqual(momenta[1].sum(), (5.0 * 2.0 - 3.0 * 1.0) * h, delta=1e-6)
        self.assertAlmostEqual(momenta[0].sum(), 0.0, delta=1e-9)
        spin = (seen.points[0] * momenta[1] - seen.points[1] * momenta[0]).sum()
        self.assertAlmostEqual(spin, 0.1 * 5.0 * 2.0 * h, delta=2e-5)

    def test_the_force_is_that_of_the_spring_at_the_end_of_the_step(self):
        # k (target − x − h v): where the point would be after the step without it.
        for label in ("linear-deformation", "position-based"):
            simulation, expected = pendulum(label, constraint_forces=True), []
            mass = np.concatenate([body["mass"] for body in pliant.load("pendulum").bodies])
            simulation.advance(H, 300)
            hand = simulation.hand("lower", "end", (2.0, 0.5), stiffness=40.0)
            for i in range(10):
                hand.target = (2.0, 0.5 + 0.1 * i)
                seen = simulation.observe()
                expected.append(40.0 * (hand.target - seen.points[:, 5] - H * seen.velocities[:, 5]))
                before = seen.velocities @ mass
                simulation.advance(H)
                holding = simulation.constraint_forces().sum(axis=1)
            history = pliant.loads(simulation.toml())["scene"]["force"]["hand-1"]["history"]
            np.testing.assert_allclose(history["forces"].plain(), np.array(expected)[:, :2], rtol=1e-12)
            np.testing.assert_allclose(history["times"].plain(), H * (300 + np.arange(11)), rtol=1e-12)
            if label == "position-based":  # which knows the forces of its constraints after the step
                kept = next(array for name, array in simulation.arrays("").items() if name.endswith("/displacements"))
                self.assertTrue(np.isfinite(kept.values).any())
                change = (simulation.observe().velocities @ mass - before) / H
                np.testing.assert_allclose(holding, change + mass.sum() * np.array([0, 9.81, 0]) - expected[-1],
                                           rtol=1e-8, atol=1e-8)
            else:
                self.assertGreater(np.abs(holding).max(), 1.0)

    def test_a_hand_hides_nothing_of_a_simulation(self):
        for label in ("linear-deformation", "dynamic-ffd", "displacement-constraints", "position-based"):
            simulation, free = pendulum(label), pendulum(label)
            simulation.hand("lower", "end", (2.0, 0.5))
            for one in simulation, free:
                one.advance(H, 3)
            self.assertEqual(list(simulation.arrays("")), list(free.arrays("")), label)
            self.assertGreater(len(simulation.arrays("")), 2)
            self.assertEqual([(block.name, block.unit) for block in simulation.state_layout],
                             [(block.name, block.unit) for block in free.state_layout], label)
            self.assertEqual(sum(block.size for block in simulation.state_layout), len(simulation.save()))

    def test_residuals_count_from_a_hand_on(self):
        simulation = pendulum("dynamic-ffd")
        simulation.measure()
        simulation.advance(H, 50)
        self.assertNotEqual(simulation.measure()["residual_energy_J"], 0.0)
        simulation.hand("lower", "end", (2.0, 0.5))
        simulation.advance(H)
        self.assertEqual(simulation.measure()["residual_energy_J"], 0.0)

    def test_two_nails_or_a_nail_and_a_spring(self):
        for label in ("linear-deformation", "displacement-constraints", "position-based"):
            for kinds in (("nail", "nail"), ("spring", "nail"), ("nail", "spring")):
                simulation = pendulum(label)
                simulation.advance(H, 20)
                free = simulation.observe().points.copy()
                points, hands = (("lower", "end", free[:, 5]), ("middle", 0, free[:, 2])), []
                for kind, (body, point, target) in zip(kinds, points):
                    take = simulation.nail if kind == "nail" else simulation.hand
                    hands.append(take(body, point, target, **({"lead": 0.02} if kind == "nail" else {})))
                    simulation.advance(H, 10)
                for i in range(60):
                    hands[0].target = free[:, 5] + [0.0, 2e-4 * i, 0.0]
                    simulation.advance(H)
                hands[0].release()
                simulation.advance(H, 40)
                for i, kind in enumerate(kinds):
                    if kind == "nail":
                        where = free[:2, 5] + [0.0, 0.0118] if i == 0 else free[:2, 2]
                        np.testing.assert_allclose(simulation.observe().points[:2, (5, 2)[i]], where, atol=2e-3,
                                                   err_msg=f"{label} {kinds}")
                self.repeats(simulation, label, 140)

    def test_a_hand_that_is_refused_leaves_the_others_as_they_were(self):
        for steps in (1, 5):
            alone, both = pendulum("dynamic-ffd"), pendulum("dynamic-ffd")
            for simulation in alone, both:
                simulation.advance(H, 5)
                hand = simulation.hand("lower", "end", (2.0, 0.5), stiffness=300.0)
                simulation.advance(H, 5)
                if simulation is both:
                    refused = simulation.nail("upper", 1, (1.0, 1.0))
                    with self.assertRaisesRegex(pliant.BadInput, "refuses the scene with the hand"):
                        simulation.advance(H, steps)
                    self.assertEqual((hand.holds, refused.holds), (True, False))
                hand.target = (2.5, 0.5)
                simulation.advance(H, steps)
                hand.release()
                simulation.advance(H, 5)
            np.testing.assert_array_equal(both.save(), alone.save())
            self.assertEqual(both.toml(), alone.toml())

    def test_hands_refuse(self):
        simulation = pendulum()
        with self.assertRaisesRegex(pliant.BadInput, "there is no body 'lowr'|did you mean 'lower'"):
            simulation.hand("lowr", 0, (0, 0))
        with self.assertRaises(pliant.BadInput):
            simulation.hand("lower", 7, (0, 0))
        with self.assertRaisesRegex(pliant.BadInput, "above 0"):
            simulation.hand("lower", 0, (0, 0), stiffness=-1)
        with self.assertRaisesRegex(pliant.BadInput, "not finite"):
            simulation.hand("lower", 0, (0, float("nan")))
        with self.assertRaisesRegex(RuntimeError, "holds no point"):
            simulation.release(1)
        hands = [simulation.hand("lower", 0, (0, 0)), simulation.hand("lower", 0, (1, 0))]
        simulation.advance(H)
        for hand in hands:
            with self.assertRaisesRegex(RuntimeError, "release"):
                simulation.restore(simulation.save())
            with self.assertRaisesRegex(RuntimeError, "release"):
                simulation.copy()
            self.assertTrue(simulation.holding)
            hand.release()
        self.assertFalse(simulation.holding)
        simulation.restore(simulation.save())

    def test_targets_that_are_none(self):
        simulation = pendulum()
        for target, kind, sentence in [((1.0,), pliant.BadInput, r"shape \(1,\); give 3 coordinates \[m\], or 2"),
                                       ((1.0, 2.0, 0.0, 0.0), pliant.BadInput, r"shape \(4,\)"),
                                       (np.zeros((3, 1)), pliant.BadInput, r"shape \(3, 1\)"),
                                       (3.0, pliant.BadInput, r"shape \(\)"), ("abc", TypeError, "the target is 'abc'"),
                                       ((0, 0, 1.0), pliant.BadInput, "z = 1 m; the scene is planar")]:
            for use in (simulation.hand, simulation.nail):
                with self.assertRaisesRegex(kind, sentence):
                    use("lower", "end", target)
        self.assertFalse(simulation.holding)
        hand = simulation.hand("lower", "end", (1, 2))
        np.testing.assert_array_equal(hand.target, [1.0, 2.0, 0.0])
        with self.assertRaisesRegex(pliant.BadInput, "shape"):
            hand.target = (1.0, 2.0, 0.0, 0.0)
        with self.assertRaisesRegex(pliant.BadInput, "not finite"):
            hand.target = (1.0, float("inf"))
        np.testing.assert_array_equal(hand.target, [1.0, 2.0, 0.0])

    def test_a_hand_that_was_released_moves_no_other(self):
        simulation = pendulum()
        first = simulation.hand("lower", "end", (1.0, 1.0))
        first.release()
        second = simulation.hand("lower", "end", (2.0, 2.0))
        self.assertEqual((first.holds, second.holds), (False, True))
        for use in (lambda: setattr(first, "target", (9.0, 9.0)), first.release):
            with self.assertRaisesRegex(RuntimeError, "holds no point any more"):
                use()
        np.testing.assert_array_equal(second.target, [2.0, 2.0, 0.0])
        self.assertTrue(simulation.holding)

    def test_a_nail_follows_and_the_command_line_repeats_it(self):
        for label in ("linear-deformation", "displacement-constraints", "position-based"):
            simulation = pendulum(label)
            simulation.advance(H, 20)
            free = simulation.observe().points.copy()
            with simulation.nail("lower", "end", free[:, 5], lead=0.05) as hand:
                simulation.advance(H)
                np.testing.assert_allclose(simulation.observe().points, free, atol=1e-3)  # a step later
                for i in range(120):
                    hand.target = free[:, 5] + [0.0, 2e-4 * i, 0.0]
                    simulation.advance(H)
            simulation.advance(H, 200)  # where the trail ends, the nail stays
            np.testing.assert_allclose(simulation.observe().points[:2, 5], free[:2, 5] + [0.0, 0.0238], atol=2e-3,
                                       err_msg=label)
            with open("nailed.toml", "w") as file:
                file.write(simulation.toml())
            common.command("run", "nailed.toml", "--backend", label, "--set", f"run.duration={341 * H}", "--set",
                           f"run.record_every={341 * H}", "--out", "runs")
            run = pliant.open("runs")[label]
            np.testing.assert_array_equal(run.points[-1].T, simulation.observe().points, label)

    def test_a_nail_that_cannot_be_says_why(self):
        restored, irregular = pendulum(), pendulum()
        restored.restore(restored.save())
        for i in range(100002):  # alternating sizes are remembered one by one, up to a limit
            irregular.advance(H / 1000 * (1 + i % 2))
        for simulation in restored, irregular:
            simulation.nail("lower", "end", (1.0, 1.0))
            with self.assertRaisesRegex(pliant.BadInput, "another size with it; use a spring"):
                simulation.advance(H)
        self.assertFalse(simulation.holding)
        self.assertEqual(simulation.advance(H), "advanced")
        simulation = pendulum("dynamic-ffd")
        simulation.nail("lower", "end", (1.0, 1.0))
        with self.assertRaisesRegex(pliant.BadInput, "refuses the scene with the hand: .* hold for the whole run"):
            simulation.advance(H)
        simulation = pliant.load("hang").translate("linear-deformation")
        simulation.nail("sheet", 288, (0.0, 0.0, 0.0))
        with self.assertRaisesRegex(pliant.BadInput, "^the hand cannot be: point 288 of body .sheet. is nailed twice.*; use another point"):
            simulation.advance(1e-3)


class Batches(common.InScratch):
    def test_a_batch_is_so_many_simulations_bit_for_bit_on_any_number_of_threads(self):
        experiment = pliant.load("pendulum")
        results = []
        for threads in (1, 2, 3):
            batch = pliant.batch(experiment, 8, "linear-deformation", threads)
            for i in range(8):
                batch.states[-1 - i, i] += 1e-3 * i
            starts = batch.states.copy()
            self.assertEqual(list(batch.advance(H, 50)), [0] * 8)
            results.append(batch.states.copy())
        for result in results[1:]:
            np.testing.assert_array_equal(result, results[0])
        simulation = experiment.translate("linear-deformation")
        seen = batch.observe()
        for i in range(8):
            simulation.restore(np.ascontiguousarray(starts[:, i]))
            simulation.advance(H, 50)
            np.testing.assert_array_equal(simulation.save(), results[0][:, i])
            np.testing.assert_array_equal(simulation.observe().points, seen["points"][:, :, i])
            self.assertEqual(seen["time"][i], simulation.time)
        self.assertEqual(seen["points"].shape, (3, 6, 8))
        self.assertTrue(seen["points"].flags.f_contiguous)

    def test_a_state_that_diverges_is_nan_until_it_is_written(self):
        batch = pliant.batch(pliant.load("pendulum"), 3, "linear-deformation")
        start = batch.states[:, 0].copy()
        batch.states[3:, 1] = 1e200
        self.assertEqual(list(batch.advance(H)), [0, 2, 0])
        self.assertTrue(np.isnan(batch.states[:, 1]).all())
        self.assertEqual(list(batch.advance(H)), [0, 2, 0])
        self.assertTrue(np.isnan(batch.observe()["points"][:, :, 1]).all())
        batch.states[:, 1] = start
        self.assertEqual(list(batch.advance(H)), [0, 0, 0])

    def test_states_without_a_clock_or_a_number_do_not_go_on(self):
        batch = pliant.batch(pliant.load("pendulum"), 5, "linear-deformation")
        for i, (row, value) in enumerate(((0, np.inf), (1, np.nan), (5, np.nan), (1, -2.0))):
            batch.states[row, i] = value
        self.assertEqual(list(batch.advance(H, 2)), [2, 2, 2, 2, 0])
        self.assertTrue(np.isnan(batch.states[:, :4]).all())
        self.assertTrue(np.isfinite(batch.states[:, 4]).all())
        seen = batch.observe()
        self.assertTrue(np.isnan(seen["time"][:4]).all())
        self.assertAlmostEqual(seen["time"][4], 2 * H)

    def test_a_batch_observes_what_a_simulation_does(self):
        for scene, label in (("pendulum", "linear-deformation"), ("press", "kinematic-response"), ("press", "dynamic-ffd")):
            experiment = pliant.load(scene)
            batch, simulation = pliant.batch(experiment, 3, label), experiment.translate(label)
            starts = []
            for i in range(3):
                starts.append(simulation.save())
                batch.states[:, i] = starts[-1]
                simulation.advance(simulation.step, 30)
            batch.advance(simulation.step, 2)
            seen = batch.observe()
            for i in range(3):
                simulation.restore(starts[i])
                simulation.advance(simulation.step, 2)
                one = simulation.observe()
                self.assertEqual(seen["time"][i], one.time)
                np.testing.assert_array_equal(seen["points"][:, :, i], one.points)
                for name, value in (("velocities", one.velocities), ("elastic_energy", one.elastic_energy)):
                    self.assertEqual(seen[name] is None, value is None, name)
                    if value is not None:
                        np.testing.assert_array_equal(seen[name][..., i], value)
            if seen["velocities"] is not None:
                self.assertGreater(np.abs(seen["velocities"][..., 2]).max(), 0.0)

    def test_two_threads_at_once(self):
        import threading
        import time
        batch, said = pliant.batch(pliant.load("pendulum"), 2, "linear-deformation", 1), []
        thread = threading.Thread(target=lambda: batch.advance(H, 300000))
        thread.start()
        deadline = time.monotonic() + 20
        while thread.is_alive() and len(said) < 2 and time.monotonic() < deadline:
            for use in (lambda: batch.advance(H), batch.observe):
                try:
                    use()
                except RuntimeError as error:
                    said.append(str(error))
        thread.join()
        self.assertGreater(len(said), 1)
        self.assertTrue(all("another thread is using this" in one for one in said))

    def test_what_is_no_batch(self):
        experiment = pliant.load("pendulum")
        for n, threads in ((0, None), (-1, None), (2, 0)):
            with self.assertRaises(pliant.BadInput):
                pliant.batch(experiment, n, threads=threads)
        with self.assertRaises(pliant.BadInput):
            pliant.batch(experiment, 2).advance(float("nan"))

    def test_the_states_outlive_the_batch(self):
        states = pliant.batch(pliant.load("pendulum"), 3).states
        gc.collect()
        self.assertTrue(np.isfinite(states).all())
        states[:] = 0


class Leaks(common.InScratch):
    def test_making_and_dropping_leaves_nothing(self):
        def memory():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        experiment = pliant.load("pendulum")

        def make(n):
            for _ in range(n):
                simulation = experiment.translate("linear-deformation")
                simulation.advance(H)
                simulation.observe().points
                simulation.save()
                del simulation
        make(500)
        gc.collect()
        before = memory()
        make(10000)
        gc.collect()
        # A simulation that stayed would keep more than 1 kB: 10 MB.
        self.assertLess(memory() - before, 4e6)


if __name__ == "__main__":
    unittest.main()
