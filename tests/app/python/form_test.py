"""Types, documentation and schemas."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

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
    def test_bundles_are_read_without_pliant(self):
        common.command("run", "press", "--backend", "dynamic-ffd", "--set", "run.duration=0.2", "--out", "runs")
        text = (common.SOURCE / "docs/bundles.md").read_text()
        blocks = re.findall(r"### (.+?)\n.*?```(python|octave|julia)\n(.*?)```", text, re.S)
        self.assertEqual(len(blocks), 5)
        code = next(code for title, _, code in blocks if "pandas" in title)
        said = common.in_python(code, PYTHONPATH="")
        self.assertIn("completed", said)
        for title, language, code in blocks:
            if language == "python":
                compile(code, title, "exec")
            self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 13, title)

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
