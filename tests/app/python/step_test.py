"""Simulations step by step: what they do, and how long what they hand out lives."""
import gc
import unittest

import h5py
import numpy as np

import common
import pliant

H = 0.0005


def pendulum(label="linear-deformation", **keys):
    return pliant.load("pendulum").translate(label, **keys)


class Stepping(common.InScratch):
    def test_steps_from_python_are_the_steps_of_a_run(self):
        with common.quiet():
            runs = pliant.load("pendulum", {"run.duration": 0.05}).run(out="runs")
        completed = {label: run for label, run in runs.items() if run.outcome == "completed"}
        self.assertGreater(len(completed), 3)
        for label, run in completed.items():
            simulation = pendulum(label)
            self.assertEqual(simulation.advance(H, 100), "advanced")
            np.testing.assert_array_equal(simulation.save(), run.state[-1], label)
            np.testing.assert_array_equal(simulation.observe().points, run.points[-1].T, label)

    def test_every_shipped_scene_goes_on_bit_for_bit_after_restore(self):
        tried = 0
        for name in common.EIGHT:
            experiment = pliant.load(name)
            for label in experiment.labels:
                h = experiment._loaded.step(label)
                try:
                    simulation = experiment.translate(label)
                except pliant.Unsupported:
                    continue
                simulation.advance(h, 3)
                middle = simulation.save()
                simulation.advance(h, 3)
                end = simulation.save()
                simulation.restore(middle)
                simulation.advance(h, 3)
                np.testing.assert_array_equal(simulation.save(), end, f"{name} {label}")
                other = simulation.copy()
                np.testing.assert_array_equal(other.save(), end)
                tried += 1
        self.assertGreater(tried, 30)

    def test_observations_are_views_of_the_same_memory(self):
        simulation = pendulum()
        seen = simulation.observe()
        address, velocities = seen.points.ctypes.data, seen.velocities.ctypes.data
        before = seen.points.copy()
        for _ in range(100):
            simulation.advance(H, 10)
            again = simulation.observe()
            self.assertIs(again, seen)
            self.assertEqual(again.points.ctypes.data, address)
            self.assertEqual(again.velocities.ctypes.data, velocities)
        self.assertFalse((seen.points == before).all())
        self.assertEqual(seen.points.shape, (3, 6))
        self.assertTrue(seen.points.flags.f_contiguous)
        self.assertEqual(seen.points.dtype, np.float64)
        with self.assertRaises(ValueError):
            seen.points[0, 0] = 1

    def test_arrays_outlive_the_simulation(self):
        simulation = pendulum()
        simulation.advance(H, 10)
        seen = simulation.observe()
        points, column = seen.points, seen.points[:, 3]
        state, copy = simulation.save(), seen.points.copy()
        mass = simulation.arrays("equations")
        del simulation, seen
        gc.collect()
        rubbish = [np.full(18, np.nan) for _ in range(1000)]
        np.testing.assert_array_equal(points, copy)
        np.testing.assert_array_equal(column, copy[:, 3])
        self.assertTrue(np.isfinite(state).all())
        self.assertTrue(all(np.isfinite(array.values).all() for array in mass.values()))
        del rubbish

    def test_what_is_not_defined_is_none(self):
        kinematic = pliant.load("press").translate("kinematic-response")
        dynamic = pendulum("linear-deformation").observe()
        self.assertIsNone(kinematic.observe().elastic_energy)
        self.assertIsNone(kinematic.observe().velocities)
        self.assertIsNone(kinematic.measure()["kinetic_energy_J"])
        self.assertIsNone(dynamic.contact_energy)
        self.assertIsInstance(dynamic.elastic_energy, float)

    def test_measure_is_the_row_of_the_series(self):
        with common.quiet():
            run = pliant.load("pendulum", {"run.duration": 0.02}).run(["linear-deformation"], "runs")["linear-deformation"]
        simulation = pendulum()
        simulation.measure()
        simulation.advance(H, 20)
        simulation.measure()
        simulation.advance(H, 20)
        row = simulation.measure()
        for name in run.columns:
            if name in common.TIMING:
                continue
            expected = run.column(name)[-1]
            self.assertEqual(row[name] is None, np.isnan(expected), name)
            if row[name] is not None:
                self.assertEqual(row[name], expected, name)

    def test_events_are_those_of_the_run(self):
        with common.quiet():
            run = pliant.load("inverted-elements", {"run.duration": 0.3}).run(["four"], progress=False)["four"]
        self.assertGreater(run.events[0].time, 0.2)
        simulation = pliant.load("inverted-elements").translate("four")
        while simulation.time < run.time[-1] - 1e-9:
            simulation.advance(simulation.step)
            self.assertEqual(simulation.events, [one for one in run.events if one.time <= simulation.time + 1e-9])
        self.assertEqual(simulation.events, run.events)
        self.assertIsInstance(simulation.events[0], pliant.Event)

    def test_steps_that_do_not_converge_say_what_stays_open(self):
        experiment = pliant.loads(common.TORN, "torn")
        with common.quiet():
            runs = experiment.run(progress=False)
        self.assertEqual(len(runs), 2)
        for label, run in runs.items():
            simulation = experiment.translate(label)
            self.assertEqual(simulation.advance(0.001, 1000), "not converged")
            self.assertTrue(simulation.quantity)
            self.assertAlmostEqual(simulation.time, 1.0)  # the state is the best that was found, and goes on
            self.assertEqual(simulation.unmet, run.unmet)
            self.assertAlmostEqual(sum(one.size for one in simulation.unmet if one.unit == "m"), 0.1, delta=1e-3)
            batch = pliant.batch(experiment, 2, label)
            self.assertEqual(list(batch.advance(0.001, 3)), [1, 1])
            self.assertTrue(np.isfinite(batch.states).all())

    def test_each_number_of_an_observation_is_that_of_the_series(self):
        columns = {**{f"{kind}_energy": f"{kind}_energy_J" for kind in ("elastic", "spring", "contact", "constraint")},
                   "time": "time_s", "constraint_error": "constraint_error_m", "constraint_rate": "constraint_rate_m_s",
                   "condition_number": "condition_number", "regularisation": "regularisation", "iterations": "iterations"}
        defined, works, extras = set(), set(), set()
        for name, steps in (("pendulum", 20), ("press", 20), ("hang", 20), ("slope", 200)):
            for label in (one.label for one in pliant.load(name).check() if one.runs):
                simulation = pliant.load(name).translate(label)
                simulation.advance(simulation.step, steps)
                row, seen = simulation.measure(), simulation.observe()
                for attribute, column in columns.items():
                    value = getattr(seen, attribute)
                    self.assertEqual(value, row[column], f"{name} {label} {attribute}")
                    if value:
                        defined.add(attribute)
                for kind, value in (seen.work or {}).items():
                    column = f"work_{kind.replace(' ', '_')}_J"
                    if column in row:
                        self.assertEqual(value, row[column], f"{name} {label} {column}")
                        works.update({kind} if value else ())
                for column, value in seen.extras.items():
                    self.assertEqual(value, row[column], f"{name} {label} {column}")
                    extras.update({column} if value else ())
        self.assertGreaterEqual(defined, set(columns) - {"spring_energy", "regularisation"})
        self.assertGreaterEqual(len(works), 3)
        self.assertGreaterEqual(len(extras), 5)

    def test_the_nail_of_the_pendulum_carries_what_newton_says(self):
        # All momentum comes from gravity and the nail: F h = Δp − m g h, to rounding, of the step that the formulation's
        # force belongs to: the one that follows, or the last one.
        mass = np.concatenate([body["mass"] for body in pliant.load("pendulum").bodies])
        weight = mass.sum() * np.array([0, 9.81, 0])
        for label, last in (("linear-deformation", False), ("dynamic-ffd", False), ("displacement-constraints", True),
                            ("position-based", True)):
            simulation = pendulum(label, constraint_forces=True)
            simulation.advance(H, 400)
            momenta = [simulation.observe().velocities @ mass]
            for _ in range(2):
                simulation.advance(H)
                momenta.append(simulation.observe().velocities @ mass)
                if len(momenta) == 2:
                    force = simulation.constraint_forces().sum(axis=1)
            change = momenta[1] - momenta[0] if last else momenta[2] - momenta[1]
            np.testing.assert_allclose(force, change / H + weight, rtol=1e-8, atol=1e-8, err_msg=label)
        with self.assertRaisesRegex(RuntimeError, "constraint_forces=True"):
            pendulum().constraint_forces()

    def test_arrays_are_those_of_the_present_state(self):
        simulation = pendulum()
        at_start = simulation.arrays("equations")
        simulation.advance(H, 200)
        arrays = simulation.arrays("equations")
        self.assertEqual(list(arrays), list(at_start))
        self.assertTrue(any((arrays[k].values != at_start[k].values).any() for k in arrays))
        for array in arrays.values():
            self.assertTrue(array.unit and array.meaning)
            self.assertTrue((array.sparse.toarray() == array.values).all())
        with self.assertRaisesRegex(pliant.BadInput, "did you mean 'equations'"):
            simulation.arrays("equation")

    def test_those_of_a_bundle_are_what_inspect_prints(self):
        common.command("run", "pendulum", "--set", "run.duration=0.1", "--backend", "dynamic-ffd", "--out", "runs")
        inspection = pliant.open("runs")["dynamic-ffd"].inspect(0.05)
        common.command("inspect", "runs/pendulum/dynamic-ffd", "--time", 0.05, "--out", "arrays.h5")
        self.assertAlmostEqual(inspection.time, 0.05)
        with h5py.File("arrays.h5") as file:
            for name, array in inspection.arrays.items():
                np.testing.assert_array_equal(array.values, file[name][0])
                self.assertEqual(array.unit, file[name].attrs["unit"].decode())
        self.assertGreater(len(inspection.arrays), 3)
        mass = next(array for array in inspection.arrays.values() if array.values.shape[0] > 1)
        self.assertTrue((mass.sparse.toarray() == mass.values).all())

    def test_a_simulation_is_copied_and_pickled(self):
        import copy
        import pickle
        for label, hand in (("linear-deformation", False), ("dynamic-ffd", False), ("linear-deformation", True)):
            simulation = pendulum(label, constraint_forces=True)
            simulation.advance(H, 30)
            if hand:
                with simulation.hand("lower", "end", (2.0, 0.5)):
                    with self.assertRaisesRegex(RuntimeError, "release.. it before it is pickled"):
                        pickle.dumps(simulation)
                    simulation.advance(H, 5)
            others = [copy.copy(simulation), copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
            simulation.advance(H, 30)
            for other in others:
                self.assertNotEqual(other.time, simulation.time)
                other.advance(H, 30)
                np.testing.assert_array_equal(other.save(), simulation.save())
                np.testing.assert_array_equal(other.observe().points, simulation.observe().points)
                np.testing.assert_array_equal(other.constraint_forces(), simulation.constraint_forces())

    def test_an_observation_says_what_each_of_its_numbers_is(self):
        kind = pliant.Observation
        for name in dir(kind):
            if not name.startswith("_"):
                self.assertTrue(getattr(kind, name).__doc__, name)
        simulation = pendulum()
        simulation.advance(H, 20)
        self.assertEqual(repr(simulation.observe()), "<pliant.Observation of 6 points at 0.01 s>")

    def test_the_state_has_a_layout(self):
        simulation = pendulum()
        layout = simulation.state_layout
        self.assertEqual([block.first for block in layout],
                         list(np.cumsum([0] + [block.size for block in layout])[:-1]))
        self.assertEqual(sum(block.size for block in layout), len(simulation.save()))


if __name__ == "__main__":
    unittest.main()
