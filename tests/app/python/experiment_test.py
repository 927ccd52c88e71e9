"""Experiments as dicts, their mistakes, and what is heard while they run."""
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import common
import pliant


class AsADict(common.InScratch):
    def setUp(self):
        super().setUp()
        pathlib.Path("spring.toml").write_text(common.SPRING)

    def test_values_are_read_and_changed(self):
        experiment = pliant.load("pendulum")
        self.assertEqual(experiment["run"]["step"], 0.0005)
        self.assertEqual(experiment["scene"]["body"]["lower"]["mass"], 1.0)
        self.assertEqual(experiment["scene"]["body"][2]["name"], "lower")
        self.assertEqual(experiment["scene"]["body"][-1]["name"], "lower")
        self.assertEqual(experiment["scene"]["gravity"], [0, -9.81, 0])
        experiment["run"]["step"] = 0.001
        experiment["scene"]["gravity"] = [0, -1.62, 0]
        experiment["scene"]["body"]["lower"]["mass"] = 2
        experiment.set("backends.dynamic-ffd.stiffness", 500.0) if "stiffness" in [
            p["name"] for p in pliant.parameters("dynamic-ffd")] else None
        self.assertEqual(experiment["run"]["step"], 0.001)
        self.assertEqual(experiment["scene"]["body"]["lower"]["mass"], 2)
        self.assertEqual(experiment["scene"]["gravity"], [0, -1.62, 0])
        self.assertEqual(set(experiment["run"]), set(experiment["run"].keys()))
        simulation = experiment.translate("linear-deformation")
        simulation.advance(0.001)
        self.assertAlmostEqual(simulation.measure()["time_s"], 0.001)

    def test_changes_are_those_of_set(self):
        experiment = pliant.load("pendulum")
        experiment["run"]["duration"] = 0.02
        experiment["scene"]["body"]["lower"]["mass"] = 2.5
        experiment.run(["linear-deformation"], "mine", False)
        common.command("run", "pendulum", "--set", "run.duration=0.02", "--set", "scene.body.lower.mass=2.5",
                       "--backend", "linear-deformation", "--out", "theirs")
        common.same_bundles(self, self.folder / "mine", self.folder / "theirs")

    def test_what_no_set_can_do(self):
        experiment = pliant.load("pendulum")
        experiment["backends"]["mine"] = {"formulation": "linear-deformation", "damping": 3.0}
        self.assertIn("mine", experiment.labels)
        del experiment["backends"]["kinematic-response"]
        self.assertNotIn("kinematic-response", experiment.labels)
        experiment["scene"]["force"] = [{"name": "push", "body": "lower", "point": "end", "force": [1.0, 0.0],
                                         "from": 0.0, "until": 0.1}]
        experiment["scene"]["force"].append({"name": "pull", "body": "lower", "point": "end", "force": [0.0, 1.0],
                                             "from": 0.1, "until": 0.2})
        self.assertEqual([one["name"] for one in experiment["scene"]["force"]], ["push", "pull"])
        del experiment["scene"]["force"]["push"]
        self.assertEqual(len(experiment["scene"]["force"]), 1)
        other = experiment.copy()
        other["run"]["step"] = 0.001
        self.assertEqual(experiment["run"]["step"], 0.0005)
        experiment.save("saved.toml")
        self.assertEqual(pliant.load("saved.toml").labels, experiment.labels)
        self.assertEqual(experiment.name, "pendulum")

    def test_what_a_dict_can(self):
        experiment = pliant.load("pendulum")
        plain = experiment.plain()
        run = experiment["run"]
        self.assertEqual((list(run), list(reversed(run)), len(run)), (list(plain["run"]), list(plain["run"])[::-1], len(plain["run"])))
        self.assertEqual(dict(run.items()), plain["run"])
        self.assertTrue("step" in run and "stpe" not in run and 3 not in run)
        self.assertEqual((run.get("stpe"), run.get("stpe", 7), run.get("step")), (None, 7, 0.0005))
        self.assertEqual(experiment.pop("claim"), plain.pop("claim"))
        self.assertEqual(experiment.pop("claim", "gone"), "gone")
        with self.assertRaisesRegex(KeyError, "has no 'claim'"):
            experiment.pop("claim")
        with self.assertRaisesRegex(KeyError, "has no 'claim'; one of: "):
            del experiment["claim"]
        self.assertEqual(run.setdefault("step", 1.0), 0.0005)
        self.assertEqual(run.setdefault("max_wall_seconds", 50.0), 50.0)
        self.assertEqual(experiment["run"]["max_wall_seconds"], 50.0)
        experiment["scene"].setdefault("force", []).append({"name": "push", "body": "lower", "point": "end",
                                                             "force": [1.0, 0.0], "from": 0.0, "until": 0.1})
        self.assertEqual(experiment["scene"]["force"]["push"]["until"], 0.1)
        self.assertEqual(experiment["scene"].popitem()[0], "force")
        self.assertNotIn("force", experiment["scene"])
        self.assertEqual(run | {"step": 1}, {**run.plain(), "step": 1})
        self.assertEqual({"step": 1, "more": 2} | run, {"more": 2, **run.plain()})
        copied = run.copy()
        self.assertIsInstance(copied, dict)
        copied["step"] = 0.1
        self.assertEqual(run["step"], 0.0005)
        self.assertTrue(run == run.plain() and run != copied and experiment == experiment.copy())
        with self.assertRaises(TypeError):
            hash(run)

    def test_bodies_are_the_columns_of_the_points(self):
        for name in "pendulum", "corner-pull":
            experiment = pliant.load(name)
            points = experiment.translate("linear-deformation").observe().points
            first = 0
            for body in experiment.bodies:
                self.assertEqual(body["first"], first)
                self.assertEqual(len(body["mass"]), body["size"])
                corners = [point for part in (*body["edges"], *body["faces"]) for point in part]
                self.assertTrue(all(0 <= point < body["size"] for point in (*corners, *body["marks"].values())))
                first += body["size"]
            self.assertEqual(first, points.shape[1])
        lower = pliant.load("pendulum").bodies[2]
        self.assertEqual((lower["name"], lower["edges"], sum(lower["mass"])), ("lower", [[0, 1]], 1.0))

    def test_an_update_is_one_change(self):
        for update in (lambda e: e["run"].update(step=0.003, duration=3.0, record_every=0.003),
                       lambda e: e["run"].update({"step": 0.003, "duration": 3.0}, record_every=0.003),
                       lambda e: e["run"].update([("step", 0.003), ("duration", 3.0), ("record_every", 0.003)]),
                       lambda e: e.update(run={"step": 0.003, "duration": 3.0, "record_every": 0.003})):
            experiment = pliant.load("pendulum")
            with self.assertRaises(pliant.BadInput):  # 4 s are no whole number of such steps
                experiment["run"]["step"] = 0.003
            update(experiment)
            self.assertEqual((experiment["run"]["step"], experiment["run"]["duration"]), (0.003, 3.0))
        experiment = pliant.load("pendulum", {"run.step": 0.003, "run.duration": 3.0, "run.record_every": 0.003})
        before = experiment.toml()
        experiment["run"] |= {"step": 0.0005, "duration": 4.0, "record_every": 0.01}
        self.assertEqual(experiment.toml(), pliant.load("pendulum").toml())  # as by --set
        for update, sentence in ((lambda e: e["run"].update(step=0.001, duratoin=1.0),
                                  r'^experiment\["run"\].*: unknown key .duratoin.*did you mean .duration.'),
                                 (lambda e: e["run"].update(step=0.003, duration=1.0), r'^experiment\["run"\]'),
                                 (lambda e: e["run"].update(5), "takes a dict"), (lambda e: e["run"].update({3: 4}), "is a text, not 3"),
                                 (lambda e: e["run"].clear(), "lacks the key"),
                                 (lambda e: e.update({"run": 5}), "expected table"),
                                 (lambda e: e.clear(), "lacks the key")):
            experiment = pliant.load("pendulum", {"run.step": 0.003, "run.duration": 3.0, "run.record_every": 0.003})
            with self.assertRaisesRegex((pliant.BadInput, TypeError), sentence):
                update(experiment)
            self.assertEqual(experiment.toml(), before)

    def test_what_a_list_can(self):
        experiment = pliant.load("pendulum")
        gravity, bodies = experiment["scene"]["gravity"], experiment["scene"]["body"]
        gravity[1] = -1.5
        gravity[-1] = 0
        self.assertEqual((gravity, gravity[0:2], gravity + [1], [1] + gravity), ([0, -1.5, 0], [0, -1.5], [0, -1.5, 0, 1], [1, 0, -1.5, 0]))
        gravity[0:2] = (0, -9.81)
        experiment["scene"]["gravity"][:] = (x / 2 for x in gravity.copy())
        self.assertEqual(gravity, [0, -4.905, 0])
        gravity.reverse()
        gravity.sort()
        self.assertEqual(gravity, [-4.905, 0, 0])
        self.assertTrue(-4.905 in gravity and 7 not in gravity and "lower" in bodies and "lwer" not in bodies)
        self.assertEqual((bodies.index("lower"), bodies.index(bodies[1]), gravity.index(0, 2), gravity.count(0)), (2, 1, 2, 2))
        with self.assertRaisesRegex(ValueError, "'lwer' is not in experiment"):
            bodies.index("lwer")
        push = {"body": "lower", "point": "end", "force": [1.0, 0.0], "from": 0.0, "until": 0.1}
        forces = experiment["scene"].setdefault("force", [{"name": "b", **push}])
        forces.insert(0, {"name": "a", **push})
        forces += [{"name": "c", **push}]
        experiment["scene"]["force"].extend([{"name": "d", **push}, {"name": "e", **push}])
        self.assertEqual([one["name"] for one in forces], list("abcde"))
        forces.append(forces["e"] | {"name": "f"})
        self.assertEqual(forces.pop()["name"], "f")
        self.assertEqual(forces.pop("b")["name"], "b")
        forces.remove("a")
        del forces[0:2]
        self.assertEqual([one["name"] for one in forces], ["e"])
        forces.clear()
        self.assertEqual(len(forces), 0)
        before = experiment.toml()
        for change, kind, sentence in ((lambda: gravity.append(1.0), pliant.BadInput, "must have 3"),
                                       (lambda: gravity.__setitem__(1, None), pliant.BadInput, "None, which no file can hold"),
                                       (lambda: gravity[3], IndexError, "has 3 elements: there is no 3"),
                                       (lambda: gravity[-4], IndexError, "there is no -4"),
                                       (lambda: bodies[1.5], TypeError, "a number or a name, not 1.5"),
                                       (lambda: bodies["lwer"], KeyError, "did you mean 'lower'"),
                                       (lambda: bodies.__delitem__("lwer"), KeyError, "did you mean 'lower'"),
                                       (lambda: bodies.pop("lower"), pliant.BadInput, "lower"),
                                       (lambda: bodies.sort(), TypeError, "not supported")):
            with self.assertRaisesRegex(kind, sentence):
                change()
            self.assertEqual(experiment.toml(), before)

    def test_arguments_of_another_type_are_told(self):
        experiment = pliant.load("pendulum")
        for use, sentence in ((lambda: experiment["run"].__setitem__(3, 1), 'a key of experiment."run". is a text, not 3'),
                              (lambda: experiment["run"][3], "is a text, not 3"),
                              (lambda: experiment["run"].__delitem__(3), "is a text, not 3"),
                              (lambda: experiment.set(3, 1), "a dotted key is a text"),
                              (lambda: pliant.load("pendulum", 5), "changes are a dict"),
                              (lambda: pliant.loads(3), "TOML is a text"),
                              (lambda: pliant.loads("", 3), "the name of an experiment is a text"),
                              (lambda: experiment.translate(3), "the label of a backend is a text"),
                              (lambda: experiment.run(3), "labels of backends are texts"),
                              (lambda: experiment.run([3]), "labels of backends are texts"),
                              (lambda: experiment.refine(axes=5), "axes are texts"),
                              (lambda: pliant.batch("pendulum", 3), "that load.. gave, not of str")):
            with self.assertRaisesRegex(TypeError, sentence):
                use()
        for name in ("", "a/b", ".hidden"):
            with self.assertRaisesRegex(pliant.BadInput, "that of a folder of bundles"):
                experiment.copy(name)
        with self.assertRaisesRegex(pliant.BadInput, r'experiment\["run"\]\["step"\] is 0.0005, which has no .x.'):
            experiment.set("run.step.x", 1)

    def test_it_is_copied_pickled_and_made_plain(self):
        import copy
        import json
        import pickle
        experiment = pliant.load("pendulum", {"run.step": 0.001})
        for other in (copy.copy(experiment), copy.deepcopy(experiment), pickle.loads(pickle.dumps(experiment))):
            self.assertEqual(other.toml(), experiment.toml())
            self.assertEqual(other.name, "pendulum")
            other["run"]["step"] = 0.0005
            self.assertEqual(experiment["run"]["step"], 0.001)
        plain = json.loads(json.dumps(experiment.plain()))
        self.assertEqual(plain["run"]["step"], 0.001)
        self.assertTrue(experiment["run"] == plain["run"] and experiment["scene"] == plain["scene"])
        self.assertEqual(experiment["scene"]["body"].plain(), plain["scene"]["body"])
        self.assertEqual(experiment.copy("other").name, "other")
        self.assertEqual(experiment.copy("other").toml(), experiment.toml())
        for part in experiment["run"], experiment["scene"]["body"]:
            for other in (copy.copy(part), copy.deepcopy(part), pickle.loads(pickle.dumps(part))):
                self.assertEqual(other, part)
                self.assertIn(type(other), (dict, list))
        plain = experiment.plain()
        plain["scene"]["gravity"][1] = 3.0
        self.assertEqual(experiment["scene"]["gravity"], [0, -9.81, 0])

    def test_files_of_changes_go_with_their_experiment_and_not_with_a_fork(self):
        said = common.in_python(
            "import gc, os, pliant\n"
            "first, second = pliant.loads(open('spring.toml').read()), pliant.load('pendulum')\n"
            "del second['claim']\n"
            "if os.fork() == 0: raise SystemExit\n"
            "os.wait()\n"
            "print(os.path.exists(first.file), os.path.exists(second.file))\n"
            "files = first.file, second.file\n"
            "del first, second\n"
            "gc.collect()\n"
            "print(*[os.path.exists(os.path.dirname(file)) for file in files])\n")
        self.assertEqual(said, "True True\nFalse False\n")

    def test_a_mistake_is_told_at_once_and_changes_nothing(self):
        experiment = pliant.load("pendulum")
        before = experiment.toml()

        def change(*path, value):
            here = experiment
            for part in path[:-1]:
                here = here[part]
            here[path[-1]] = value
        for path, value, sentence in [
                (("run", "stpe"), 0.1, r"did you mean 'step'"),
                (("run", "step"), -1.0, r"step"),
                (("run", "step"), "soon", r"expected"),
                (("run", "step"), None, r"is None, which no file can hold"),
                (("run", "step"), object(), r"is of type object"),
                (("run", "step"), 2 ** 70, r"64 bits"),
                (("scene", "gravity"), [0, 1, 2, 3], r"gravity"),
                (("scene", "gravity"), [0, object(), 2], r'"gravity"\]\[1\] is of type object'),
                (("scene", "body", "lower", "masss"), 1.0, r"did you mean 'mass'"),
                (("scene", "body", 2, "masss"), 1.0, r'^experiment\["scene"\]\["body"\]\[2\]\["masss"\]'),
                (("backends", "dynamic-ffd", "modess"), 1.0, r"modes"),
                (("backends", "other"), {"formulation": "dynamic-fff"}, r"did you mean 'dynamic-ffd'")]:
            with self.assertRaisesRegex(pliant.BadInput, sentence) as caught:
                change(*path, value=value)
            self.assertTrue(str(caught.exception).startswith('experiment["') or "line" in str(caught.exception)
                            or "experiment" in str(caught.exception), str(caught.exception))
            self.assertNotIn("--set", str(caught.exception))
            self.assertEqual(experiment.toml(), before)
        with self.assertRaisesRegex(KeyError, "did you mean 'run'"):
            experiment["rum"]
        for kind in (KeyError, pliant.BadInput):
            with self.assertRaisesRegex(kind, "has no 'x'"):
                del experiment["scene"]["x"]

    def test_mistakes_of_a_file_have_file_line_and_column(self):
        pathlib.Path("bad.toml").write_text(common.SPRING.replace("step = 0.001", "stpe = 0.001"))
        with self.assertRaises(pliant.BadInput) as caught:
            pliant.load("bad.toml")
        error = caught.exception
        self.assertTrue(error.file.endswith("bad.toml"))
        self.assertEqual((error.line, error.column), (5, 1))
        self.assertIn("did you mean 'step'", error.what)
        self.assertEqual(str(error), f"{error.file}:5:1: {error.what}")
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(pliant.BadInput) as caught:
            pliant.loads("[run]\nduration = 1\nstep = [", "mine")
        self.assertEqual(caught.exception.line, 3)
        with self.assertRaisesRegex(pliant.BadInput, "did you mean 'pendulum'"):
            pliant.load("pendulun")

    def test_check_says_what_the_command_prints(self):
        said = common.command("check", "pendulum")
        runs = {checked.label: checked.runs for checked in pliant.load("pendulum").check()}
        self.assertEqual({label for label, one in runs.items() if not one}, {"kinematic-response"})
        self.assertEqual(len(runs), 5)
        for checked in pliant.load("pendulum").check():
            for entry in checked.record:
                self.assertIn(entry.element, said)
                self.assertIn(entry.reason, said)
            for warning in checked.warnings:
                self.assertIn(warning, said)
            self.assertIn(f"step {checked.step:g} s: {'runs' if checked.runs else 'refused'}", said)

    def test_storage_errors_are_told(self):
        pathlib.Path("file").write_text("")
        with self.assertRaisesRegex(pliant.StorageError, "file"):
            pliant.load("pendulum", {"run.duration": 0.01}).run(out="file", progress=False)


class Progress(common.InScratch):
    def test_a_listener_hears_what_happens_and_may_stop_it(self):
        heard = []
        pliant.load("pendulum", {"run.duration": 0.1}).run(["linear-deformation"], "runs",
                                                           lambda *said: heard.append(said))
        self.assertEqual(heard[0][:2], ("begin", "linear-deformation"))
        self.assertEqual(heard[-1][0], "end")

        def stop(kind, text, fraction):
            if kind == "progress":
                raise RuntimeError("enough")
        with self.assertRaisesRegex(RuntimeError, "enough"):
            pliant.load("pendulum", {"run.duration": 1e5, "run.record_every": 10.0}).run(
                ["linear-deformation"], "stopped", stop)
        self.assertEqual(pliant.open("stopped")["linear-deformation"].outcome, "cancelled")

    def test_ctrl_c_leaves_what_the_command_line_leaves(self):
        def interrupt(started, folder):
            deadline = time.monotonic() + 60
            while not any(pathlib.Path(folder).rglob("*")) and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(0.5)  # of a run of many seconds
            started.send_signal(signal.SIGINT)
        code = ("import pliant\n"
                "e = pliant.load('pendulum', {'run.duration': 1e5, 'run.record_every': 1.0})\n"
                "try: e.run(['linear-deformation', 'position-based'], 'mine', progress=False)\n"
                "except KeyboardInterrupt: print('interrupted', flush=True)\n")
        started = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        interrupt(started, "mine")
        self.assertEqual(started.communicate(timeout=60)[0], "interrupted\n")
        self.assertEqual(started.returncode, 0)
        other = subprocess.Popen([common.PROGRAM, "run", "pendulum", "--set", "run.duration=1e5", "--set",
                                  "run.record_every=1.0", "--backend", "linear-deformation", "--backend",
                                  "position-based", "--out", "theirs"], stderr=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL)
        interrupt(other, "theirs")
        other.wait(timeout=60)
        for folder in ("mine", "theirs"):
            runs = pliant.open(folder, verify=True)
            self.assertEqual({label: run.outcome for label, run in runs.items()}, {"linear-deformation": "cancelled"})
            self.assertGreater(len(runs["linear-deformation"].time), 1)
            self.assertEqual(sorted(p.name for p in pathlib.Path(folder, "pendulum").iterdir()), ["linear-deformation"])


if __name__ == "__main__":
    unittest.main()
