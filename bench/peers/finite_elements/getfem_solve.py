"""One case in GetFEM, in a process of its own: python3 getfem_solve.py CASE RUNG ELEMENT ANSWER"""

import json
import resource
import sys
import time

import getfem
import numpy

from cases import CASES


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, time.perf_counter()


def main():
    case = next(case for case in CASES if case.name == sys.argv[1])
    rung, element, answer = float(sys.argv[2]), sys.argv[3], sys.argv[4]
    getfem.util_trace_level(0)
    mesh = getfem.Mesh("cartesian", *(numpy.linspace(0, s, n + 1) for s, n in zip(case.size, case.grid(rung))))
    mesh.set_region(1, mesh.outer_faces_with_direction([-1, 0, 0], 0.01))
    field = getfem.MeshFem(mesh, 3)
    field.set_fem(getfem.Fem({"27": "FEM_QK(3,2)", "20": "FEM_Q2_INCOMPLETE(3)"}[element]))
    rule = getfem.MeshIm(mesh, getfem.Integ("IM_GAUSS_PARALLELEPIPED(3,5)"))  # 27 points
    young, nu = case.youngs_modulus, case.poisson_ratio
    lame = [young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))]
    weight = case.density * case.gravity

    model = getfem.Model("real")
    model.add_fem_variable("u", field)
    model.add_initialized_data("lambda", lame[0])
    model.add_initialized_data("mu", lame[1])
    model.add_initialized_data("lame", lame)
    model.add_initialized_data("weight", [0.0, 0.0, -weight])
    if case.law == "linear":
        model.add_isotropic_linearized_elasticity_brick(rule, "u", "lambda", "mu")
    else:
        model.add_finite_strain_elasticity_brick(rule, "SaintVenant_Kirchhoff", "u", "lame")
    model.add_source_term_brick(rule, "u", "weight")
    model.add_Dirichlet_condition_with_simplification("u", 1)

    places = field.basic_dof_nodes()[:, ::3]
    tip = int(numpy.argmin(numpy.abs(places - numpy.array(case.tip)[:, None]).sum(axis=0)))
    values = []

    # All of the load at once, as in CalculiX and Pliant; whole steps of Newton: with its own limit GetFEM takes six times as many.
    def solve():
        model.solve("max_res", 1e-7 * weight, "max_iter", 40, "lsolver", "mumps", "lsearch", "simplest",
                    "alpha max ratio", 1e9)

    began = used()
    if case.duration == 0.0:
        solve()
        values.append(float(model.variable("u")[3 * tip + 2]))
    else:
        steps = case.step_count(rung)
        h = case.duration / steps
        model.add_initialized_data("density", case.density)
        model.add_Newmark_scheme("u", 0.25, 0.5)
        model.add_mass_brick(rule, "Dot2_u", "density")
        model.set_time_step(h)
        model.perform_init_time_derivative(1e-3 * h)
        solve()
        for step in range(1, steps + 1):
            solve()
            if step * 8 % steps == 0:
                values.append(float(model.variable("u")[3 * tip + 2]))
            model.shift_variables_for_time_integration()
    ended = used()
    with open(answer, "w") as file:
        json.dump({"values": values, "cpu": ended[0] - began[0], "wall": ended[1] - began[1],
                   "unknowns": field.nbdof()}, file)


main()
