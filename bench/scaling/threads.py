"""Wall time of a step on one and on two threads.

    python3 bench/scaling/threads.py PROGRAM [--points N] [--steps K] [--rounds R] [--only TEXT]

PROGRAM is a built `pliant`. Scenes of about N points (130000). In each round the runs of one and of two threads take turns, K steps
each (100). Medians of the rounds, and whether both wrote the same points. Quiet machines only: another program takes
the second core away.
"""

import argparse
import filecmp
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import cases
import scenes

MODES = cases.ROOT / "data/modes"


def settings(points):
    """(name, backend, scene, options)"""
    sheets = points // 9
    loose = scenes.loose_sheets(sheets)
    sheet = scenes.points_of_a_sheet(points)
    blocks = scenes.blocks_on_a_plane(points // 8)
    hung = scenes.hung_sheets(sheets)
    fifty = "min_sweeps = 50\nmax_sweeps = 50"
    yield "loose sheets", "dynamic-ffd", loose, f'modes = "{MODES}/sheet.toml"'
    yield "blocks on a plane", "dynamic-ffd", blocks, f'modes = "{MODES}/block.toml"'
    yield "hung sheets", "displacement-constraints", hung, fifty
    yield "a sheet, coloured", "displacement-constraints", sheet, f'order = "coloured"\n{fifty}'


def run(program, folder, backend, options, steps, threads):
    """Wall seconds of the steps, as the bundle says, and its points."""
    file = folder / f"run-{threads}.toml"
    file.write_text(scenes.experiment("scene.toml", (backend,), steps, options=f"{options}\nthreads = {threads}"))
    out = folder / f"out-{threads}"
    done = subprocess.run([program, "run", str(file), "--out", str(out), "--overwrite"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    points = next(out.rglob("points.h5"))
    return json.loads(points.with_name("summary.json").read_text())["outcome"]["steps_wall_s"], points


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--points", type=int, default=130000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("| scene | backend | one thread [ms a step] | two | ratio | same points |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, backend, scene, parameters in settings(options.points):
        if options.only not in f"{name}, {backend}":
            continue
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            (folder / "scene.toml").write_text(scene)
            steps, same = {1: [], 2: []}, True
            for _ in range(options.rounds):
                written = {}
                for threads in (1, 2):
                    seconds, written[threads] = run(options.program, folder, backend, parameters, options.steps, threads)
                    steps[threads].append(1000 * seconds / options.steps)
                same = same and filecmp.cmp(written[1], written[2], shallow=False)
            one, two = statistics.median(steps[1]), statistics.median(steps[2])
            print(f"| {name} | {backend} | {one:.2f} | {two:.2f} | {one / two:.2f} | {'yes' if same else '**no**'} |", flush=True)


if __name__ == "__main__":
    main()
