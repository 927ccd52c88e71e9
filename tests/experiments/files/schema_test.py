"""The JSON Schema that `pliant list schema` prints, judged by another implementation (python3-jsonschema): it accepts
every experiment and scene that ships and refuses common mistakes. Skipped (77) without python3-jsonschema.

usage: schema_test.py PLIANT ROOT
"""

import copy
import json
import pathlib
import subprocess
import sys
import tomllib

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: nothing was tested")
    sys.exit(77)


def validator(program, kind):
    text = subprocess.run([program, "list", "schema", kind], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def read(path):
    return tomllib.loads(path.read_text())


def without(document, *keys):
    changed = copy.deepcopy(document)
    table = changed
    for key in keys[:-1]:
        table = table[key]
    del table[keys[-1]]
    return changed


def having(document, value, *keys):
    changed = copy.deepcopy(document)
    table = changed
    for key in keys[:-1]:
        table = table[key]
    table[keys[-1]] = value
    return changed


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    failures = 0
    for kind, folder in (("experiment", root / "experiments"), ("scene", root / "data" / "scenes")):
        accepts = validator(program, kind)
        files = sorted(folder.rglob("*.toml"))
        assert len(files) > 5, f"hardly any {kind} in {folder}"
        for path in files:
            for error in accepts.iter_errors(read(path)):
                print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}")
                failures += 1
        print(f"{len(files)} files of kind {kind}")

    experiment, scene = validator(program, "experiment"), validator(program, "scene")
    press = read(root / "experiments" / "press.toml")
    press_scene = read(root / "data" / "scenes" / "press.toml")
    backend = next(iter(press["backends"]))
    mistakes = {
        "a missing run": (experiment, without(press, "run")),
        "a missing step": (experiment, without(press, "run", "step")),
        "an unknown key": (experiment, having(press, 1, "runn")),
        "an unknown key of [run]": (experiment, having(press, 1, "run", "stepp")),
        "a wrong kind": (experiment, having(press, "fast", "run", "step")),
        "an unknown formulation": (experiment, having(press, {"formulation": "no"}, "backends", "x")),
        "a label without formulation": (experiment, having(press, {}, "backends", "x")),
        "an unknown parameter": (experiment, having(press, 1, "backends", backend, "stifness")),
        "an unknown shape": (scene, having(press_scene, "shet", "body", 0, "shape")),
        "a key of another shape": (scene, having(press_scene, 1, "body", 0, "tube_radius")),
        "a body without name": (scene, without(press_scene, "body", 0, "name")),
    }
    for name, (schema, document) in mistakes.items():
        if schema.is_valid(document):
            print(f"accepts {name}")
            failures += 1
    for name, inline in (("a scene in place", having(press, press_scene, "scene")),):
        if not experiment.is_valid(inline):
            print(f"refuses {name}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
