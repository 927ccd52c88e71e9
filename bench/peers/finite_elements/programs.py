"""How each program is given a case, and what it answers: the displacements of the tip along z [m], and where the program tells
it the seconds of its solution alone."""

import csv
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent


def launch(command, folder, threads):
    """CPU and wall seconds of the whole process."""
    count = str(threads)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count, "CCX_NPROC_EQUATION_SOLVER": count}
    began = time.perf_counter()
    with open(folder / "said.txt", "w") as said:
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {(folder / 'said.txt').read_text()[-400:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began


class Pliant:
    """Quadratic hexahedra of 27 nodes and 27 quadrature points, as they are or with `locking_free`; CHOLMOD; the energy–momentum step."""

    def __init__(self, path, locking_free=False):
        self.path, self.locking_free = pathlib.Path(path).resolve(), locking_free
        self.name, self.element = ("Pliant locking_free", "27, free") if locking_free else ("Pliant", "27")

    def prepare(self, folder, case, rung):
        points = tuple(n + 1 for n in case.grid(rung))
        half = tuple(0.5 * s for s in case.size)
        statics = case.duration == 0.0
        steps = 1 if statics else case.step_count(rung)
        duration = 1.0 if statics else case.duration
        (folder / "case.toml").write_text(f"""
[scene]
name = "block"
gravity = [0, 0, {-case.gravity}]
[[scene.body]]
name = "block"
shape = "block"
size = {list(case.size)}
points = {list(points)}
position = {list(half)}
[scene.body.material]
density = {case.density}
youngs_modulus = {case.youngs_modulus}
poisson_ratio = {case.poisson_ratio}
law = "{case.law}"
[[scene.nail]]
name = "wall"
body = "block"
points = "x-"
[run]
duration = {duration}
step = {duration / steps!r}
record_every = {duration if statics else duration / 8!r}
[[probe]]
name = "tip"
measure = "displacement"
component = "z"
of = {{body = "block", point = [{points[0] - 1}, 0, 0]}}
[backends.finite-elements]
time_scheme = "{"static" if statics else "energy-momentum"}"
locking_free = {str(self.locking_free).lower()}
""")
        return [self.path, "run", "case.toml", "--out", "out", "--overwrite"]

    def read(self, folder, case):
        series = next((folder / "out").rglob("series.csv"))
        rows = list(csv.DictReader(series.open()))[1:]
        outcome = json.loads(series.with_name("summary.json").read_text())["outcome"]
        return [float(row["tip_m"]) for row in rows], {"wall": outcome["steps_wall_s"]}


class GetFEM:
    """Quadratic hexahedra of 27 or of 20 nodes, 27 quadrature points; MUMPS; Newmark's mean acceleration."""

    def __init__(self, element):
        self.element = element
        self.name = f"GetFEM {element}"

    @staticmethod
    def missing():
        return subprocess.run(["/usr/bin/python3", "-c", "import getfem"], capture_output=True).returncode != 0

    def prepare(self, folder, case, rung):
        return ["/usr/bin/python3", HERE / "getfem_solve.py", case.name, str(rung), self.element, "answer.json"]

    def read(self, folder, case):
        answer = json.loads((folder / "answer.json").read_text())
        return answer["values"], {key: answer[key] for key in ("cpu", "wall")}


class CalculiX:
    """C3D20, or C3D20R with eight quadrature points; SPOOLES; the α-method with α = 0, which is Newmark's mean acceleration."""

    CORNERS = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2), (1, 0, 0), (2, 1, 0),
               (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2), (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1))

    def __init__(self, element):
        self.element = element
        self.name = f"CalculiX {element}"

    @staticmethod
    def missing():
        return shutil.which("ccx") is None

    def prepare(self, folder, case, rung):
        grid = case.grid(rung)
        fine = tuple(2 * n for n in grid)
        number, lines, wall = {}, ["*NODE, NSET=ALL"], []
        for place in itertools.product(*(range(n + 1) for n in fine)):
            if sum(i % 2 for i in place) > 1:
                continue  # middles of faces and of elements
            number[place] = len(number) + 1
            lines.append(", ".join([str(number[place]), *(repr(s * i / n) for s, i, n in zip(case.size, place, fine))]))
            if place[0] == 0:
                wall.append(f"{number[place]},")
        lines.append(f"*ELEMENT, TYPE={self.element}, ELSET=BAR")
        for count, cell in enumerate(itertools.product(*(range(n) for n in grid)), 1):
            nodes = [str(number[tuple(2 * c + o for c, o in zip(cell, corner))]) for corner in self.CORNERS]
            lines += [f"{count}, " + ", ".join(nodes[:10]) + ",", ", ".join(nodes[10:])]
        lines += ["*NSET, NSET=WALL", *wall, "*NSET, NSET=TIP", f"{number[(fine[0], 0, 0)]},",
                  "*MATERIAL, NAME=SOFT", "*ELASTIC", f"{case.youngs_modulus}, {case.poisson_ratio}", "*DENSITY",
                  f"{case.density}", "*SOLID SECTION, ELSET=BAR, MATERIAL=SOFT", "*BOUNDARY", "WALL, 1, 3"]
        large = "" if case.law == "linear" else ", NLGEOM"
        if case.duration == 0.0:
            lines += [f"*STEP{large}, INC=1000", "*STATIC"] + ([] if case.law == "linear" else ["1., 1."])
            every = ", FREQUENCY=1000"
        else:
            steps = case.step_count(rung)
            lines += [f"*STEP{large}, INC=100000", "*DYNAMIC, DIRECT, ALPHA=0.", f"{case.duration / steps!r}, {case.duration}"]
            every = f", FREQUENCY={steps // 8}"
        lines += ["*DLOAD", f"BAR, GRAV, {case.gravity}, 0., 0., -1.", f"*NODE PRINT, NSET=TIP{every}", "U", "*END STEP", ""]
        (folder / "case.inp").write_text("\n".join(lines))
        return ["ccx", "-i", "case"]

    def read(self, folder, case):
        values = []
        for block in (folder / "case.dat").read_text().split("displacements")[1:]:
            rows = [line.split() for line in block.splitlines()[1:] if len(line.split()) == 4]
            values.append(float(rows[0][3]))
        return values, {}
