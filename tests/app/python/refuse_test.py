"""What simulations refuse: wrong arguments, threads, forks, interpreters."""
import sys
import threading
import time
import unittest

import numpy as np

import common
import pliant

H = 0.0005


def pendulum(label="linear-deformation", **keys):
    return pliant.load("pendulum").translate(label, **keys)


class Refused(common.InScratch):
    def test_steps_that_are_none(self):
        simulation = pendulum()
        for step in (0.0, -1e-3, float("nan"), float("inf"), -float("inf")):
            with self.assertRaisesRegex(pliant.BadInput, "a step is finite and above 0"):
                simulation.advance(step)
        for steps in (0, -3):
            with self.assertRaisesRegex(pliant.BadInput, "make 1 or more"):
                simulation.advance(H, steps)
        for wrong in ("1", None, [H], np.array([H, H])):
            with self.assertRaises(TypeError):
                simulation.advance(wrong)
        with self.assertRaises(TypeError):
            simulation.advance(H, 1.5)
        self.assertEqual(simulation.time, 0.0)
        self.assertEqual(simulation.advance(np.float64(H), np.int64(2)), "advanced")

    def test_states_that_are_none(self):
        simulation = pendulum()
        simulation.advance(H, 5)
        state = simulation.save()
        for wrong in (list(state), None, "state", 3.0, state.astype(np.float32), state.astype(object),
                      state.astype(complex), state.astype(int)):
            with self.assertRaisesRegex(TypeError, "a state is a NumPy vector of float64"):
                simulation.restore(wrong)
        for wrong in (state[:-1], np.append(state, 0.0), state.reshape(1, -1), np.zeros(0), np.array(1.0)):
            with self.assertRaisesRegex(pliant.BadInput, "has shape"):
                simulation.restore(wrong)
        for i in range(len(state)):
            wrong = state.copy()
            wrong[i] = np.nan
            with self.assertRaisesRegex(pliant.BadInput, f"number {i} of the state is NaN"):
                simulation.restore(wrong)
        for i, value in ((0, np.inf), (1, -1.0), (1, 0.5), (2, -1.0)):
            wrong = state.copy()
            wrong[i] = value
            with self.assertRaisesRegex(pliant.BadInput, "no clock"):
                simulation.restore(wrong)
        np.testing.assert_array_equal(simulation.save(), state)
        apart = np.zeros(2 * len(state))
        apart[::2] = state
        simulation.restore(apart[::2])  # strides are no matter
        np.testing.assert_array_equal(simulation.save(), state)

    def test_a_diverged_state_is_not_stepped_on(self):
        simulation = pendulum("linear-deformation")
        start = simulation.save()
        outcome = "advanced"
        while outcome != "diverged":
            outcome = simulation.advance(10.0)
            self.assertLess(simulation.time, 1e5)
        self.assertTrue(simulation.quantity)
        with self.assertRaisesRegex(RuntimeError, "no meaning until restore"):
            simulation.advance(H)
        simulation.restore(start)
        self.assertEqual(simulation.advance(H), "advanced")

    def test_a_refused_scene(self):
        refused = [(name, label) for name in ("press", "puppet", "spin", "slope") for label, runs in
                   [(one.label, one.runs) for one in pliant.load(name).check()] if not runs]
        experiment = pliant.load("puppet")
        for name, label in refused:
            with self.assertRaisesRegex(pliant.Unsupported, f"{label}|refuses"):
                pliant.load(name).translate(label)
        with self.assertRaisesRegex(pliant.BadInput, "has no backend 'x'"):
            experiment.translate("x")

    def test_two_threads_at_once(self):
        simulation = pliant.load("hang").translate("displacement-constraints") \
            if "displacement-constraints" in pliant.load("hang").labels else pendulum()
        said = []
        started = threading.Event()

        def work():
            started.set()
            simulation.advance(1e-4, 5000)

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        deadline = time.monotonic() + 20
        while thread.is_alive() and not said and time.monotonic() < deadline:
            for call in (lambda: simulation.advance(1e-4), simulation.observe, simulation.save,
                         lambda: simulation.arrays("")):
                try:
                    call()
                except RuntimeError as error:
                    said.append(str(error))
        thread.join()
        self.assertTrue(said)
        self.assertTrue(all("another thread is using this simulation" in one for one in said))

    def test_other_threads_go_on_during_a_long_call(self):
        # What another thread counts during one call: nothing, if the call kept the interpreter lock, which no thread here
        # gives away but by itself.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000.0)
        simulation, batch = pendulum(), pliant.batch(pliant.load("pendulum"), 2, "linear-deformation", 1)
        for call in (lambda: simulation.advance(H, 2000000), lambda: batch.advance(H, 1000000)):
            counted, stop = [0], threading.Event()

            def count():
                while not stop.is_set():
                    counted[0] += 1
                    time.sleep(0)

            thread = threading.Thread(target=count)
            thread.start()
            before = counted[0]
            began = time.thread_time()
            call()
            during = counted[0] - before
            cpu = time.thread_time() - began
            stop.set()
            thread.join()
            self.assertGreater(cpu, 0.01)
            self.assertGreater(during, 3)

    def test_the_lock_is_kept_for_short_steps_and_released_for_what_takes_long(self):
        # Counted, not timed: a call of a step that takes longer than the last one did is seen one call later.
        simulation = pendulum()
        for _ in range(2000):
            simulation.advance(H)
        self.assertGreaterEqual(simulation.lock_releases, 1)  # of the first, whose length nobody knew
        self.assertLess(simulation.lock_releases, 500)
        before = simulation.lock_releases
        for _ in range(2000):
            simulation.observe()
        self.assertLess(simulation.lock_releases - before, 500)
        before = simulation.lock_releases
        for _ in range(10):
            simulation.advance(H, 1000)
        self.assertEqual(simulation.lock_releases - before, 10)
        heavy = pliant.load("hang").translate("linear-deformation")
        for _ in range(20):
            heavy.advance(1e-3)
        self.assertEqual(heavy.lock_releases, 20)

    def test_a_fork(self):
        said = common.in_python(
            "import os, pliant\n"
            "s = pliant.load('pendulum').translate('linear-deformation')\n"
            "b = pliant.batch(pliant.load('pendulum'), 4, threads=2)\n"
            "b.advance(0.0005)\n"
            "s.advance(0.0005)\n"
            "if os.fork() == 0:\n"
            "  for use in (lambda: s.advance(0.0005), s.observe, s.save, lambda: b.advance(0.0005)):\n"
            "    try: use()\n"
            "    except RuntimeError as e: print(e, flush=True)\n"
            "  again = pliant.load('pendulum').translate('linear-deformation')\n"
            "  print(again.advance(0.0005), flush=True)\n"
            "  raise SystemExit\n"
            "os.wait()\n"
            "print(s.advance(0.0005), b.advance(0.0005))\n")
        self.assertEqual(said.count("was made before a fork()"), 4, said)
        self.assertEqual(said.count("advanced"), 2, said)
        self.assertIn("[0 0 0 0]", said)

    def test_a_second_interpreter(self):
        # NumPy may refuse before Pliant does: either says so with an ImportError, and the first one goes on.
        said = common.in_python(r"""
import _xxsubinterpreters as subs, sys
import pliant
pliant.load('pendulum')
code = 'import sys\nsys.path[:] = %r\n' % (sys.path,) + '''
try:
    import pliant
    pliant.load('pendulum')
    print('no complaint', flush=True)
except ImportError as error:
    print('refused:', error, flush=True)
'''
other = subs.create()
subs.run_string(other, code)
subs.destroy(other)
print(pliant.load('pendulum').translate('linear-deformation').advance(0.0005))
""", status=None)
        self.assertRegex(said, "refused: .*(main interpreter only|one interpreter per process)")
        self.assertIn("advanced", said)

    def test_ctrl_c_ends_a_long_advance(self):
        said = common.in_python(
            "import os, pliant, signal, threading, time\n"
            "s = pliant.load('pendulum').translate('linear-deformation')\n"
            "try:\n"
            "  threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
            "  s.advance(0.0005, 10**12)\n"
            "except KeyboardInterrupt: print('interrupted', s.time > 0, s.advance(0.0005))\n")
        self.assertIn("interrupted True advanced", said)


if __name__ == "__main__":
    unittest.main()
