"""What is measured: stages of each backend, with what grows and the exponents that are right."""

import dataclasses
import pathlib
from typing import Callable, Optional

import scenes

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Work:
    """One process: what it is given, and what it leaves, which is deleted before each repeat."""
    arguments: list
    made: Optional[pathlib.Path] = None
    window: bool = False  # it stays open: measured until it has nothing left to do


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str                    # check, run, report, …
    of: str                      # the work that is measured
    less: Optional[str] = None   # the work that is subtracted: what remains is this stage alone
    right: float = 1.0           # exponent of CPU time and
    right_memory: float = 1.0    # of memory that the work asks for


@dataclasses.dataclass(frozen=True)
class Case:
    grows: str         # what n counts
    backend: str       # or "all"
    sizes: tuple       # each four times the one before
    prepare: Callable  # (folder, n, program): writes files, gives {name: Work}
    stages: tuple

    @property
    def name(self):
        return f"{self.grows}, {self.backend}: {', '.join(stage.name for stage in self.stages)}"


def _write(folder, scene, text, name="grows"):
    (folder / "grows-scene.toml").write_text(scene)
    file = folder / f"{name}.toml"
    file.write_text(text)
    return str(file)


def _run(folder, file, name):
    return Work(["run", file, "--out", str(folder / name)], folder / name)


def _after_a_run(scene_of, command, **experiment):
    """`command` on the bundle of a run that is made first and not measured."""
    def prepare(folder, n, program):
        steps = {key: value(n) if callable(value) else value for key, value in experiment.items()}
        file = _write(folder, scene_of(n), scenes.experiment("grows-scene.toml", ("position-based",), **steps))
        out = folder / "made"
        program(Work(["run", file, "--out", str(out)]))
        return {"it": command(folder, next(out.rglob("manifest.json")).parent)}
    return prepare


def _sizes(first, count=3):
    return tuple(first * 4**k for k in range(count))


# Each difference of two runs is one stage: ten more steps, and ten more records of the same steps.
STEPS, MORE = 3, 10
STAGES = (Stage("check", "check"), Stage("run of 3 steps", "run"), Stage("10 steps", "longer", "run"),
          Stage("10 records", "recorded", "longer"))
# A sparse factorisation of a mesh in the plane or of a sheet costs n^1.5 with the best of orders [George 1973].
OF_ELEMENTS = tuple(dataclasses.replace(stage, right=1.5) for stage in STAGES)


def _stages_of(scene_of, backend, options):
    def prepare(folder, n, program):
        scene = scene_of(n)

        def file(name, steps, records):
            return _write(folder, scene, scenes.experiment("grows-scene.toml", (backend,), steps, records,
                                                           options=options(n)), name)
        short = file("run", STEPS, 1)
        return {"check": Work(["check", short]), "run": _run(folder, short, "out-run"),
                "longer": _run(folder, file("longer", STEPS + MORE, 1), "out-longer"),
                "recorded": _run(folder, file("recorded", STEPS + MORE, STEPS + MORE), "out-recorded")}
    return prepare


def _growing_scenes():
    """(dimension, scene, first size, backends, table of modes, options)"""
    every = scenes.BACKENDS
    yield "points of a body", scenes.points_of_a_sheet, 4225, every[:-1], "sheet", ""
    yield "points of a body", scenes.points_of_a_held_sheet, 4225, every[-1:], "", ""
    yield "loose sheets", scenes.loose_sheets, 800, every, "sheet", ""
    yield "chains of two points", scenes.chains, 800, every[:-1], "link", ""
    yield "blocks on a plane", scenes.blocks_on_a_plane, 800, every[:-1], "block", ""
    yield "blocks on a plane", scenes.blocks_on_a_plane, 800, ("linear-deformation",), "", 'contact = "impulse"'
    yield "links of a chain", scenes.links_of_a_chain, 200, every[:-1], "link", ""
    yield "nails on a body", scenes.nails_on_a_body, 256, every[:-1], "sheet", ""
    yield "nails on a body", scenes.nails_on_a_body, 256, ("linear-deformation",), "", 'internal_energy = "implicit"'
    yield "sliders on a body", scenes.sliders_on_a_body, 256, ("linear-deformation", "position-based"), "", ""
    yield "sheets, corner to corner", scenes.sheets_corner_to_corner, 100, ("linear-deformation",), "", ""
    yield "springs on a body", scenes.springs_on_a_body, 1024, every[:-1], "sheet", ""
    yield "spheres", scenes.spheres_under_a_sheet, 256, every, "sheet", ""
    yield "rough spheres", scenes.rough_spheres_at_a_sheet, 256, ("dynamic-ffd", "linear-deformation"), "sheet", ""
    yield "faces of a solid", scenes.faces_of_a_solid, 800, every, "sheet", ""
    yield "points of an elastic sheet", scenes.elastic_sheet, 81, ("finite-elements",), "", ""


def _modes(folder, n, program):
    (folder / "modes.toml").write_text(scenes.table_of_modes(n))
    options = f'modes = "{folder}/modes.toml"'
    return _stages_of(lambda _: scenes.points_of_a_sheet(1089), "dynamic-ffd", lambda _: options)(folder, n, program)


def _order(basis):
    """A basis of about n functions in space."""
    def options(n):
        order = 1
        while (order + 2) ** 3 <= n if basis == "bernstein" else (order + 2) * (order + 3) * (order + 4) // 6 <= n:
            order += 1
        return f'basis = "{basis}"\norder = {order}\ninertia = "box"'
    return _stages_of(scenes.one_block, "linear-deformation", options)


def _sweep(folder, n, program):
    file = _write(folder, scenes.one_block(n), scenes.experiment(
        "grows-scene.toml", ("linear-deformation",), extra=scenes.sweep_over(n)))
    return {"it": Work(["sweep", file, "--out", str(folder / "out")], folder / "out")}


def _search(folder, n, program):
    worm = ROOT / "experiments/faloutsos-1995/faloutsos-worm.toml"
    return {"it": Work(["optimize", str(worm), "--set", f"optimize.trials={n}", "--set", "optimize.restarts=1", "--set",
                        "run.duration=0.1", "--out", str(folder / "out")], folder / "out")}


def _plan(folder, n, program):
    """The jump of the lamp on a mesh of about n intervals."""
    file = folder / "plan.toml"
    file.write_text(f'scene = "{ROOT}/data/scenes/lamp.toml"\n\n[run]\nduration = 1.38\nstep = 0.001\n'
                    f'record_every = 0.01\n\n[backends.articulated-lamp]\ncontroller = "planned"\n'
                    f"plan_step = {1.38 / n!r}\n")
    return {"it": Work(["check", str(file)])}


def _bundles(folder, n, program):
    """A report of n tiny bundles."""
    file = _write(folder, scenes.one_small_sheet(n), scenes.experiment("grows-scene.toml", ("position-based",)))
    for i in range(n):
        program(Work(["run", file, "--out", str(folder / "many" / f"b{i}")]))
    return {"it": _report(folder, folder / "many")}


def _report(folder, made):
    return Work(["report", str(made), "--out", str(folder / "report" / "report.html")], folder / "report")


def _export(kind):
    return lambda folder, made: Work(["export", str(made), "--format", kind, "--out", str(folder / "exported")],
                                     folder / "exported")


def _window(scene_of):
    def prepare(folder, n, program):
        file = _write(folder, scene_of(n), scenes.experiment("grows-scene.toml", ("position-based",)))
        return {"it": Work(["workbench", file], window=True)}
    return prepare


def _one(grows, backend, sizes, prepare, stage, right=1.0, right_memory=1.0):
    return Case(grows, backend, sizes, prepare, (Stage(stage, "it", None, right, right_memory),))


def all_cases():
    for grows, scene, first, backends, modes, options in _growing_scenes():
        for backend in backends:
            own = f'modes = "{ROOT}/data/modes/{modes}.toml"' if backend == "dynamic-ffd" else options
            name = backend + (", impulses" if "impulse" in options else ", implicit" if "implicit" in options else "")
            stages = OF_ELEMENTS if backend == "finite-elements" else STAGES
            yield Case(grows, name, _sizes(first), _stages_of(scene, backend, lambda n, own=own: own), stages)
    # M(q) has the square of the modes as entries, and is factorised: the cube.
    cube = tuple(dataclasses.replace(stage, right=3.0, right_memory=2.0) for stage in STAGES)
    yield Case("modes", "dynamic-ffd", (4, 16, 64), _modes, cube)
    # M_b is inverted: the cube of the functions, whose sum over 1000 points is what a step takes.
    yield Case("functions of a Bernstein basis", "linear-deformation", (8, 64, 216), _order("bernstein"), cube)
    yield Case("functions of a polynomial basis", "linear-deformation", (4, 35, 120), _order("polynomial"), cube)
    records = dict(scene_of=scenes.one_small_sheet, steps=lambda n: n, records=lambda n: n)
    yield _one("records", "position-based", _sizes(1000), lambda folder, n, program: {"it": _run(
        folder, _write(folder, scenes.one_small_sheet(n), scenes.experiment(
            "grows-scene.toml", ("position-based",), steps=n, records=n)), "out")}, "run and write")
    for kind in ("csv", "vtk", "xdmf", "obj"):
        yield _one("records", "position-based", _sizes(250), _after_a_run(command=_export(kind), **records),
                   f"export {kind}", 1.0, 0.0)
    yield _one("records", "position-based", _sizes(1000), _after_a_run(command=lambda folder, made: Work(
        ["reproduce", str(made)]), **records), "reproduce")
    yield _one("records", "position-based", _sizes(1000), _after_a_run(command=_report, **records), "report")
    for grows, scene, first in (("points of a body", scenes.points_of_a_sheet, 1089),
                                ("loose sheets", scenes.loose_sheets, 50)):
        yield _one(grows, "position-based", _sizes(first, 4), _after_a_run(scene, _report), "report")
        yield _one(grows, "position-based", _sizes(4 * first), _window(scene), "window opens")
    yield _one("bundles", "position-based", _sizes(6), _bundles, "report")
    yield _one("points of a sweep", "linear-deformation", _sizes(50), _sweep, "sweep")
    yield _one("trials", "dynamic-ffd", _sizes(1000), _search, "search")
    yield _one("intervals of a plan", "articulated-lamp", _sizes(34), _plan, "plan")
