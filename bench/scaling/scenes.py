"""Scenes and experiments that grow in one dimension, as text. Sizes n are what the dimension counts."""

BACKENDS = ("dynamic-ffd", "linear-deformation", "displacement-constraints", "position-based", "kinematic-response")


def _vector(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def _table(kind, **entries):
    lines = [f"[[{kind}]]"]
    for key, value in entries.items():
        lines.append(f"{key} = {value}")
    return "\n".join(lines)


def _scene(*tables, gravity=True):
    head = ['name = "grows"', "dimension = 3", f"gravity = [0, 0, {-9.81 if gravity else 0}]"]
    return "\n".join(head) + "\n\n" + "\n\n".join(tables) + "\n"


def _sheet(points, name="sheet", size=(1.0, 1.0), position=(0, 0, 0), plane="xy"):
    return _table("body", name=f'"{name}"', shape='"sheet"', size=_vector(size), points=f"[{points[0]}, {points[1]}]",
                  mass=1.0, position=_vector(position), plane=f'"{plane}"')


def _block(name, position, points=(2, 2, 2)):
    return _table("body", name=f'"{name}"', shape='"block"', size="[1.0, 1.0, 1.0]", points=str(list(points)), mass=1.0,
                  position=_vector(position))


def _side(n):
    return max(2, round(n**0.5))


def _power_of_two_side(n):
    """Points a side of the square grid that a multi-resolution surface needs and that has about n points."""
    k = 1
    while (2 ** (k + 1) + 1) ** 2 <= n * 1.3:
        k += 1
    return 2**k + 1


def _square_sheet(n):
    side = _power_of_two_side(n)
    return _sheet((side, side))


# One dimension each -----------------------------------------------------------------------------------------


def points_of_a_sheet(n):
    return _scene(_square_sheet(n), _table("nail", name='"corners"', body='"sheet"', points='"corners"'))


def points_of_a_held_sheet(n):
    """For a surface of kinematic-response, which is held and takes no nails; a sphere presses on it."""
    return _scene(_square_sheet(n), _table("obstacle", name='"ball"', shape='"sphere"', radius=0.2,
                                           position="[0.0, 0.0, 0.15]"))


def loose_sheets(n):
    """Sheets of 3² points."""
    return _scene(*(_sheet((3, 3), f"b{i}", position=(1.5 * i, 0, 1)) for i in range(n)))


def hung_sheets(n):
    """The same, each on a nail."""
    return _scene(*(_sheet((3, 3), f"b{i}", position=(1.5 * i, 0, 1), plane="xz") for i in range(n)),
                  *(_table("nail", name=f'"n{i}"', body=f'"b{i}"', point='"start"') for i in range(n)))


def chains(n):
    """Loose pieces of two points."""
    return _scene(*(_table("body", name=f'"b{i}"', shape='"chain"', **{"from": _vector((1.5 * i, 0, 1))},
                           to=_vector((1.5 * i + 1, 0, 1)), points=2, mass=1.0) for i in range(n)))


def blocks_on_a_plane(n):
    floor = _table("obstacle", name='"floor"', shape='"plane"', normal="[0, 0, 1]")
    return _scene(*(_block(f"b{i}", (1.5 * i, 0, 0.5)) for i in range(n)), floor)


def links_of_a_chain(n):
    """Pieces of two points, each attached to the next; the first hangs on a nail."""
    pieces = [_table("body", name=f'"b{i}"', shape='"chain"', **{"from": _vector((0.1 * i, 0, 0))},
                     to=_vector((0.1 * i + 0.1, 0, 0)), points=2, mass=0.1) for i in range(n)]
    joints = [_table("attachment", name=f'"j{i}"', a=f'{{body = "b{i}", point = "end"}}',
                     b=f'{{body = "b{i + 1}", point = "start"}}') for i in range(n - 1)]
    return _scene(*pieces, _table("nail", name='"hook"', body='"b0"', point='"start"'), *joints)


def nails_on_a_body(n):
    side = _side(n)
    return _scene(_sheet((side, side)), _table("nail", name='"all"', body='"sheet"', points='"all"'))


def sliders_on_a_body(n):
    side = _side(n)
    return _scene(_sheet((side, side)),
                  _table("slider", name='"all"', body='"sheet"', points='"all"', direction="[0, 0, 1]"))


def sheets_corner_to_corner(n):
    """About n sheets in a lattice. Where four meet, four attachments join them in a ring: one of them is redundant."""
    side = _side(n)
    sheets = [_sheet((2, 2), f"s{i}-{j}", size=(0.1, 0.1), position=(0.1 * i, 0.1 * j, 0))
              for i in range(side) for j in range(side)]

    def tie(i, j, of, k, l, at):
        return _table("attachment", name=f'"from-{i}-{j}-to-{k}-{l}-at-{len(ties)}"', a=f'{{body = "s{i}-{j}", point = {of}}}',
                      b=f'{{body = "s{k}-{l}", point = {at}}}')

    ties = []
    for i in range(side - 1):
        for j in range(side - 1):
            ties += [tie(i, j, "[1, 1]", i + 1, j, "[0, 1]"), tie(i, j, "[1, 1]", i, j + 1, "[1, 0]"),
                     tie(i + 1, j, "[0, 1]", i + 1, j + 1, "[0, 0]"), tie(i, j + 1, "[1, 0]", i + 1, j + 1, "[0, 0]")]
    nail = _table("nail", name='"hook"', body='"s0-0"', point="[0, 0]")
    return _scene(*sheets, nail, *ties)


def springs_on_a_body(n):
    side = _side(n)
    return _scene(_sheet((side, side)), _table("spring", name='"all"', body='"sheet"', points='"all"',
                                               anchor='"start"', stiffness=10.0))


def _bed_of_spheres(n, height, **more):
    side = _side(n)
    spheres = (_table("obstacle", name=f'"o{i}"', shape='"sphere"', radius=0.4 / side,
                      position=_vector(((i % side + 0.5) / side - 0.5, (i // side + 0.5) / side - 0.5, height)),
                      **more)
               for i in range(side * side))
    return _scene(_sheet((65, 65)), *spheres)


def spheres_under_a_sheet(n):
    """Obstacles below a sheet of 65² points, which none of them touches."""
    return _bed_of_spheres(n, -1.0)


def rough_spheres_at_a_sheet(n):
    """Obstacles with friction in which a sheet of 65² points lies."""
    return _bed_of_spheres(n, 0.0, friction=0.3)


def faces_of_a_solid(n):
    """One convex obstacle of about n faces (a sphere of latitudes) below a sheet of 33² points."""
    import math
    rings = max(2, round((n / 2) ** 0.5))
    around = rings
    vertices, faces = [(0, 0, 0.5)], []
    for r in range(1, rings):
        polar = math.pi * r / rings
        vertices += [(0.5 * math.sin(polar) * math.cos(2 * math.pi * a / around),
                      0.5 * math.sin(polar) * math.sin(2 * math.pi * a / around), 0.5 * math.cos(polar))
                     for a in range(around)]
    vertices.append((0, 0, -0.5))
    last = len(vertices) - 1
    first_of = lambda r: 1 + (r - 1) * around
    for a in range(around):
        b = (a + 1) % around
        faces.append((0, first_of(1) + a, first_of(1) + b))
        for r in range(1, rings - 1):
            p, q = first_of(r), first_of(r + 1)
            faces += [(p + a, q + a, q + b), (p + a, q + b, p + b)]
        faces.append((last, first_of(rings - 1) + b, first_of(rings - 1) + a))
    solid = _table("obstacle", name='"solid"', shape='"solid"', position="[0.0, 0.0, -0.51]",
                   vertices="[" + ", ".join(_vector(v) for v in vertices) + "]",
                   faces="[" + ", ".join(str(list(f)) for f in faces) + "]")
    return _scene(_sheet((33, 33)), solid)


def elastic_sheet(n):
    side = _side(n)
    material = "\n[body.material]\nyoungs_modulus = 1e5\npoisson_ratio = 0.3\ndensity = 1000.0\nthickness = 0.01\n"
    sheet = _sheet((side, side)).replace("mass = 1.0\n", "")
    return _scene(_table("nail", name='"corners"', body='"sheet"', points='"corners"'), sheet + material)


def table_of_modes(n):
    """n modes of a flat sheet, n a square: each lifts one inner control point."""
    side = round(n**0.5)
    points = side + 2
    zeros = "[" + "0, " * points**2 + "]"
    head = [f"degree_x = {points - 1}", f"degree_y = {points - 1}", "degree_z = 0", "size_x = 1.0", "size_y = 1.0",
            "size_z = 1.0"]
    entries = []
    for j in range(1, side + 1):
        for i in range(1, side + 1):
            lift = ["0.1" if k == i + points * j else "0" for k in range(points**2)]
            entries.append(f'[[entry]]\nname = "lift-{i}-{j}"\nstiffness = 3.0\ndamping = 0.1\n'
                           f"values = [{zeros}, {zeros}, [{', '.join(lift)}]]")
    return "\n".join(head) + "\n\n" + "\n\n".join(entries) + "\n"


def one_block(_):
    return _scene(_block("b", (0, 0, 0), (10, 10, 10)))


def one_small_sheet(_):
    return points_of_a_sheet(81)


def experiment(scene, backends, steps=3, records=1, extra="", options=""):
    """An experiment of `steps` steps of a millisecond; `records` is how many of them are recorded."""
    lines = [f'scene = "{scene}"', "", "[run]", f"duration = {steps * 0.001!r}", "step = 0.001",
             f"record_every = {steps // records * 0.001!r}", ""]
    for backend in backends:
        lines += [f"[backends.{backend}]", options, ""]
    return "\n".join(lines) + "\n" + extra


def sweep_over(n, logarithmic=False):
    scale = '\nscale = "logarithmic"' if logarithmic else ""
    return f'[sweep]\n\n[[sweep.vary]]\nkey = "scene.body.b.mass"\nfrom = 1.0\nto = 2.0\ncount = {n}{scale}\n'
