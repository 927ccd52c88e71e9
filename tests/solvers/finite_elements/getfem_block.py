"""A block in GetFEM, for getfem_test.cc: python3 getfem_block.py LAW E NU SIZE×3 ELEMENTS×3 STRETCH TURN

Hexahedra of 27 nodes with 27 Gauss points. The face x = 0 is held; the opposite one is led to STRETCH times its distance and
turned by TURN about the axis of the block. Prints the energy, and place and displacement of each node.
"""

import sys

import getfem
import numpy

# Laws that GetFEM has by name; of others the energy is typed, and GetFEM derives force and tangent from it.
NAMED = {"st-venant-kirchhoff": "Saint_Venant_Kirchhoff", "neo-hookean-log": "Compressible_Neo_Hookean_Bonet"}
TYPED = {
    "neo-hookean-stable": "0.5*m*(I1 - 3) + 0.5*l*(sqr(J - a) - sqr(1 - a)) - 0.5*m*log((I1 + 1)/4)",
}


def main():
    law, numbers = sys.argv[1], [float(word) for word in sys.argv[2:]]
    young, nu, size, elements = numbers[0], numbers[1], numbers[2:5], [int(n) for n in numbers[5:8]]
    stretch, turn = numbers[8:10]
    lam, mu = young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))
    getfem.util_trace_level(0)
    mesh = getfem.Mesh("cartesian", *(numpy.linspace(0, s, n + 1) for s, n in zip(size, elements)))
    mesh.set_region(1, mesh.outer_faces_with_direction([-1, 0, 0], 0.01))
    mesh.set_region(2, mesh.outer_faces_with_direction([1, 0, 0], 0.01))
    field = getfem.MeshFem(mesh, 3)
    field.set_fem(getfem.Fem("FEM_QK(3,2)"))
    rule = getfem.MeshIm(mesh, getfem.Integ("IM_GAUSS_PARALLELEPIPED(3,5)"))

    model = getfem.Model("real")
    model.add_fem_variable("u", field)
    model.add_initialized_data("lame", [lam, mu])
    if law in NAMED:
        model.add_finite_strain_elasticity_brick(rule, NAMED[law], "u", "lame")
        energy = f"{NAMED[law]}_potential(Grad_u, lame)"
    else:
        m, l = 4 / 3 * mu, lam + 5 / 6 * mu  # [Smith, De Goes & Kim 2018]
        for name, value in {"m": m, "l": l, "a": 1 + 0.75 * m / l}.items():
            model.add_initialized_data(name, value)
        energy = TYPED[law].replace("I1", "Norm_sqr(Id(3)+Grad_u)").replace("J", "Det(Id(3)+Grad_u)")
        model.add_nonlinear_term(rule, energy)
    places = field.basic_dof_nodes()[:, ::3]
    model.add_initialized_fem_data("led", field, numpy.zeros(field.nbdof()))
    model.add_Dirichlet_condition_with_simplification("u", 1)
    model.add_Dirichlet_condition_with_simplification("u", 2, "led")
    middle = 0.5 * numpy.array(size)[:, None]
    for part in numpy.linspace(0.0, 1.0, 7)[1:]:
        c, s = numpy.cos(part * turn), numpy.sin(part * turn)
        _, y, z = places - middle
        led = numpy.array([part * (stretch - 1) * places[0], c * y - s * z - y, s * y + c * z - z])
        model.set_variable("led", led.T.reshape(-1))
        model.solve("max_res", 1e-11 * young * size[1] * size[2], "max_iter", 100, "lsearch", "simplest",
                    "alpha max ratio", 1e9, "lsolver", "mumps")
    print(repr(float(getfem.asm_generic(rule, 0, energy, -1, model))))
    u = model.variable("u").reshape(-1, 3)
    for place, displacement in zip(places.T, u):
        print(*(repr(float(x)) for x in (*place, *displacement)))


main()
