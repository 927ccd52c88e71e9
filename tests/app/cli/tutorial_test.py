#!/usr/bin/env python3
"""docs/tutorial.md, followed to the letter.

tutorial_test.py PLIANT PAGE

Writes each ```toml or ```obj block that begins with "# NAME" to that file ("# NAME, appended": behind it), runs each line
"$ pliant …" of the ```console blocks in the same folder, and compares what it prints: the lines of the page occur in this
order, "…" stands for any text within a line and, alone, for any lines. Blanks of any number are alike.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(page):
    """(kind, lines) of every fenced block, in order."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S):
        yield match[1], match[2].splitlines()


def pattern_of(line):
    parts = [r"\s+".join(map(re.escape, part.split())) for part in line.split("…")]
    return re.compile(r"\s*" + r"\s*.*\s*".join(parts) + r"\s*$")


def compare(command, expected, printed):
    """The expected lines, in order; where no lone … stands between two of them they follow one another."""
    at, gap = 0, False
    for line in expected:
        if line.strip() == "…":
            gap = True
            continue
        pattern = pattern_of(line)
        last = len(printed) if gap else min(at + 1, len(printed))
        found = next((i for i in range(at, last) if pattern.match(printed[i])), None)
        if found is None:
            shown = "\n".join(printed[at : at + 12])
            sys.exit(f"$ {command}\nthe page says\n{line}\nbut the program printed\n{shown}")
        at, gap = found + 1, False
    if not gap and at < len(printed):
        sys.exit(f"$ {command}\nalso printed, and not on the page:\n" + "\n".join(printed[at:]))


def main():
    pliant, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).read_text()
    commands = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, lines in blocks(page):
            if kind in ("toml", "obj"):
                name, how = re.match(r"# (\S+\.(?:toml|obj))(, appended)?$", lines[0]).groups()
                with open(Path(folder, name), "a" if how else "w") as file:
                    file.write("\n".join(lines[1:]) + "\n")
            if kind != "console":
                continue
            for part in re.split(r"^\$ ", "\n".join(lines), flags=re.M)[1:]:
                command, *expected = part.splitlines()
                words = command.split()
                assert words[0] == "pliant", command
                ended = subprocess.run(
                    [pliant, *words[1:]], cwd=folder, capture_output=True, text=True
                )
                # Progress and the count of runs go to stderr; a user sees them below what is printed.
                last = [line for line in ended.stderr.splitlines() if not line.startswith("[")]
                compare(command, expected, (ended.stdout.rstrip("\n").splitlines() + last))
                commands += 1
    if commands < 8:
        sys.exit(f"only {commands} commands were found on the page")


main()
