"""Cook's membrane in plane strain with ν = 0.499999975 by GetFEM, for tests/solvers/finite_elements/locking_test.cc:

    /usr/bin/python3 tests/reference/cooks_membrane.py

Taylor–Hood elements (nine nodes for displacement, four for pressure) on 8², 16², 32² and 64² even quadrilaterals, clamped on the
left, pulled up by 1 on the right. Prints how far the middle and the upper corner of the right side rise, and the limits that the
last three meshes of either point to: their differences shrink evenly, as those of a singular corner do.
"""

import getfem
import numpy

YOUNG, NU = 1.12499998125, 0.499999975


def rise(n):
    mesh = getfem.Mesh("import", "structured", f'GT="GT_QK(2,1)";SIZES=[1,1];NOISED=0;NSUBDIV=[{n},{n}]')
    s, t = mesh.pts()
    mesh.set_pts(numpy.array([48 * s, 44 * s * (1 - t) + (44 + 16 * s) * t]))
    mesh.set_region(1, mesh.outer_faces_with_direction([-1, 0], 0.01))
    mesh.set_region(2, mesh.outer_faces_with_direction([1, 0], 0.01))
    displacement, pressure = getfem.MeshFem(mesh, 2), getfem.MeshFem(mesh, 1)
    displacement.set_fem(getfem.Fem("FEM_QK(2,2)"))
    pressure.set_fem(getfem.Fem("FEM_QK(2,1)"))
    rule = getfem.MeshIm(mesh, getfem.Integ("IM_GAUSS_PARALLELEPIPED(2,5)"))
    model = getfem.Model("real")
    model.add_fem_variable("u", displacement)
    model.add_fem_variable("p", pressure)
    model.add_initialized_data("mu", YOUNG / (2 * (1 + NU)))
    model.add_initialized_data("compliance", (1 + NU) * (1 - 2 * NU) / (YOUNG * NU))  # 1/λ
    model.add_linear_term(rule, "2*mu*Sym(Grad_u):Grad_Test_u + p*Trace(Grad_Test_u) + Test_p*Trace(Grad_u)"
                                " - compliance*p*Test_p")
    model.add_initialized_data("pull", [0.0, 1.0 / 16.0])
    model.add_source_term_brick(rule, "u", "pull", 2)
    model.add_Dirichlet_condition_with_simplification("u", 1)
    model.solve("lsolver", "mumps")
    places, u = displacement.basic_dof_nodes()[:, ::2], model.variable("u").reshape(-1, 2)
    return [float(u[numpy.argmin(numpy.hypot(places[0] - 48, places[1] - y)), 1]) for y in (52, 60)]


def main():
    getfem.util_trace_level(0)
    found = []
    for n in (8, 16, 32, 64):
        found.append(rise(n))
        print(f"{n}²: {found[-1][0]:.4f} {found[-1][1]:.4f}", flush=True)
    for name, (a, b, c) in zip(("middle", "corner"), numpy.array(found[1:]).T):
        print(f"{name}: {c + (c - b) ** 2 / ((b - a) - (c - b)):.4f}")


main()
