#!/usr/bin/env python3
"""docs/points.md: every number of every picture, held against where `pliant check` says that the point is.

points_test.py PLIANT PAGE

A ```toml block is a body; the ```text blocks behind it are pictures. Their first line names the axes; in the lines
below points to the right have a larger x, and higher ones a larger y; those of one line have the same y.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def places(pliant, body, count):
    """Where each point of the body is."""
    planar = 'shape = "profile"' in body
    scene = f'name = "numbers"\ndimension = {2 if planar else 3}\n[[body]]\nname = "a"\n{body}\n'
    for p in range(count):
        scene += f'[[nail]]\nname = "p{p}"\nbody = "a"\npoint = {p}\n'
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "numbers.toml")
        file.write_text(scene)
        ran = subprocess.run([pliant, "check", str(file)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr + body
    found = dict(re.findall(r"nail\.p(\d+) +1 +(\S+ \S+(?: \S+)?)", ran.stdout))
    assert len(found) == count, ran.stdout
    return [tuple(map(float, found[str(p)].split())) for p in range(count)]


def check_picture(name, lines, at):
    numbers, rows = set(), []
    for line in lines[1:]:
        rows.append([(m.start(), int(m[0])) for m in re.finditer(r"\d+", line)])
    assert lines[0].startswith("x to the right, y up"), lines[0]
    depth = re.search(r"z = (\S+)", lines[0])
    height = None
    for row in rows:
        ys = {round(at[p][1], 6) for _, p in row}
        assert len(ys) == 1, f"{name}: points of a line at several heights: {row}"
        assert height is None or ys.pop() < height, f"{name}: {row} is not below the line above it"
        height = at[row[0][1]][1]
        xs = [at[p][0] for _, p in row]
        assert all(a < b for a, b in zip(xs, xs[1:])), f"{name}: {row} is not from left to right"
        for _, p in row:
            assert depth is None or abs(at[p][2] - float(depth[1])) < 1e-6, f"{name}: point {p} is elsewhere"
            assert p not in numbers, f"{name}: point {p} is there twice"
            numbers.add(p)
    # Left and right across lines: a point further right on paper is not further left in the world.
    flat = [(column, at[p][0], p) for row in rows for column, p in row]
    for a in flat:
        for b in flat:
            assert not (b[0] > a[0] + 2 and b[1] < a[1] - 1e-6), f"{name}: point {b[2]} is not right of {a[2]}"
    return numbers


def main():
    pliant, page = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).read_text()
    checked = 0
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        name = section.splitlines()[0]
        body = re.search(r"```toml\n(.*?)```", section, re.S)[1]
        pictures = [p.splitlines() for p in re.findall(r"```text\n(.*?)```", section, re.S)]
        count = 1 + max(int(n) for p in pictures for line in p[1:] for n in re.findall(r"\d+", line))
        at = places(pliant, body, count)
        seen = [check_picture(name, picture, at) for picture in pictures]
        numbers = set().union(*seen)
        assert sum(map(len, seen)) == count and numbers == set(range(count)), f"{name}: {sorted(numbers)}"
        checked += count
    shapes = re.findall(r'^shape = "(\w+)"', page, re.M)
    assert sorted(shapes) == sorted(["chain", "ring", "sheet", "block", "tube", "torus", "profile", "mesh"]), shapes
    print(f"{checked} points of {len(shapes)} shapes are where the page draws them")


if __name__ == "__main__":
    main()
