"""What is measured: stages of each backend, with what grows and the exponents that are right."""

import dataclasses
import pathlib
from typing import Callable

import scenes

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Case:
    stage: str      # check, run, report, …
    grows: str      # what n counts
    backend: str    # or "all"
    sizes: tuple    # each four times the one before
    prepare: Callable  # (folder, n, program): writes files, gives the arguments of the program and an output folder
    right: float = 1.0         # exponent of CPU time and
    right_memory: float = 1.0  # of memory that the work asks for

    @property
    def name(self):
        return f"{self.stage}, {self.grows}, {self.backend}"


def _write(folder, scene, text):
    (folder / "grows-scene.toml").write_text(scene)
    file = folder / "grows.toml"
    file.write_text(text)
    return str(file)


def _files(scene_of, backends, **experiment):
    def write(folder, n):
        return _write(folder, scene_of(n), scenes.experiment("grows-scene.toml", backends, **experiment))
    return write


def _check(write):
    return lambda folder, n, program: (["check", write(folder, n)], None)


def _run(write):
    return lambda folder, n, program: (["run", write(folder, n), "--out", str(folder / "out")], folder / "out")


def _after_a_run(write, command):
    """`command` on the bundle of a run that is made first and not measured."""
    def prepare(folder, n, program):
        out = folder / "made"
        program(["run", write(folder, n), "--out", str(out)])
        return command(folder, next(out.rglob("manifest.json")).parent)
    return prepare


def _sizes(first, count=3):
    return tuple(first * 4**k for k in range(count))


def _growing_scenes():
    """(dimension, scene, first size, backends, table of modes, options)"""
    every = scenes.BACKENDS
    yield "points of a body", scenes.points_of_a_sheet, 4225, every, "sheet", ""
    yield "loose sheets", scenes.loose_sheets, 800, every, "sheet", ""
    yield "chains of two points", scenes.chains, 800, every[:-1], "link", ""
    yield "blocks on a plane", scenes.blocks_on_a_plane, 800, every[:-1], "block", ""
    yield "blocks on a plane", scenes.blocks_on_a_plane, 800, ("linear-deformation",), "", 'contact = "impulse"'
    yield "links of a chain", scenes.links_of_a_chain, 200, every[:-1], "link", ""
    yield "nails on a body", scenes.nails_on_a_body, 256, every[:-1], "sheet", ""
    yield "sliders on a body", scenes.sliders_on_a_body, 256, ("linear-deformation", "position-based"), "", ""
    yield "sheets, corner to corner", scenes.sheets_corner_to_corner, 100, ("linear-deformation",), "", ""
    yield "springs on a body", scenes.springs_on_a_body, 1024, every[:-1], "sheet", ""
    yield "spheres", scenes.spheres_under_a_sheet, 256, every, "sheet", ""
    yield "rough spheres", scenes.rough_spheres_at_a_sheet, 256, ("dynamic-ffd", "linear-deformation"), "sheet", ""
    yield "faces of a solid", scenes.faces_of_a_solid, 800, every, "sheet", ""


def _functions_of_a_block(folder, n):
    """A Bernstein basis of about n functions: n^(1/3) a side."""
    order = round(n ** (1 / 3)) - 1
    return _write(folder, scenes.one_block(n), scenes.experiment(
        "grows-scene.toml", ("linear-deformation",), options=f'basis = "bernstein"\norder = {order}\ninertia = "box"'))


def _records(folder, n):
    return _write(folder, scenes.one_small_sheet(n),
                  scenes.experiment("grows-scene.toml", ("position-based",), steps=n, records=n))


def _sweep(folder, n):
    return _write(folder, scenes.one_block(n), scenes.experiment(
        "grows-scene.toml", ("linear-deformation",), extra=scenes.sweep_over(n)))


def _plan(folder, n):
    """The jump of the lamp on a mesh of about n intervals."""
    file = folder / "plan.toml"
    file.write_text(f'scene = "{ROOT}/data/scenes/lamp.toml"\n\n[run]\nduration = 1.38\nstep = 0.001\n'
                    f'record_every = 0.01\n\n[backends.articulated-lamp]\ncontroller = "planned"\n'
                    f"plan_step = {1.38 / n!r}\n")
    return str(file)


def _bundles(folder, n, program):
    """A report of n tiny bundles."""
    file = _write(folder, scenes.one_small_sheet(n), scenes.experiment("grows-scene.toml", ("position-based",)))
    for i in range(n):
        program(["run", file, "--out", str(folder / "many" / f"b{i}")])
    return ["report", str(folder / "many"), "--out", str(folder / "report.html")], folder / "report.html"


def all_cases():
    for grows, scene, first, backends, modes, options in _growing_scenes():
        for backend in backends:
            own = f'modes = "{ROOT}/data/modes/{modes}.toml"' if backend == "dynamic-ffd" else options
            write = _files(scene, (backend,), options=own)
            name = backend + (", impulses" if "impulse" in options else "")
            yield Case("check", grows, name, _sizes(first), _check(write))
            yield Case("run", grows, name, _sizes(first), _run(write))
    yield Case("check", "functions of a Bernstein basis", "linear-deformation", (27, 64, 125, 343),
               _check(_functions_of_a_block), 2.0, 2.0)
    yield Case("run", "records", "position-based", _sizes(1000), _run(_records), 1.0, 1.0)
    for kind in ("csv", "vtk", "xdmf", "obj"):
        yield Case(f"export {kind}", "records", "position-based", _sizes(250), _after_a_run(
            _records, lambda folder, made, kind=kind: (
                ["export", str(made), "--format", kind, "--out", str(folder / "exported")], folder / "exported")),
            1.0, 0.0)
    yield Case("reproduce", "records", "position-based", _sizes(1000), _after_a_run(
        _records, lambda folder, made: (["reproduce", str(made)], None)), 1.0, 1.0)
    for grows, scene, first in (("points of a body", scenes.points_of_a_sheet, 1089),
                                ("loose sheets", scenes.loose_sheets, 50)):
        yield Case("report", grows, "position-based", _sizes(first), _after_a_run(
            _files(scene, ("position-based",)),
            lambda folder, made: (["report", str(made), "--out", str(folder / "report.html")], folder / "report.html")), 1.0, 1.0)
    yield Case("report", "bundles", "position-based", _sizes(6), _bundles, 1.0, 1.0)
    yield Case("sweep", "points of a sweep", "linear-deformation", _sizes(100),
               lambda folder, n, program: (["sweep", _sweep(folder, n), "--out", str(folder / "out")], folder / "out"))
    yield Case("check", "intervals of a plan", "articulated-lamp", _sizes(34), _check(_plan))
