#!/usr/bin/python3
"""Holds the figures that a report and the printed table show against the summaries of the bundles they are about.

    audit_report.py FOLDER [TABLE.txt]     FOLDER: what `pliant compare` left; TABLE.txt: what it printed
"""

import html
import json
import re
import sys
from pathlib import Path

SUPERSCRIPTS = str.maketrans("−", "-")


def summaries(folder):
    return {p.parent.name: json.loads(p.read_text())["figures"] for p in sorted(folder.glob("*/summary.json"))}


def number(text):
    """"7.25×10−3" as a table shows it; None for "–", not defined."""
    text = text.translate(SUPERSCRIPTS).strip()
    if text in ("–", ""):
        return None
    mantissa, times, power = text.partition("×10")
    return float(mantissa) * 10.0 ** (int(power) if times else 0)


def agree(shown, stated, digits):
    if shown is None or stated is None:
        return shown is None and stated is None
    return abs(shown - stated) <= 0.5000001 * 10.0 ** (1 - digits) * max(abs(shown), abs(stated)) + 1e-300


def audit_html(folder, figures, faults):
    text = (folder / "report.html").read_text()
    checked = 0
    for table in re.findall(r'<table class="summary">(.*?)</table>', text, re.S):
        head, _, body = table.partition("</thead>")
        labels = [html.unescape(l) for l in re.findall(r'<span class="run">(.*?)</span>', head)]
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.S):
            cells = re.findall(r"<td>(.*?)</td>", row, re.S)
            name = re.search(r"<code>(.*?)</code>", cells[0])
            if not name:
                continue
            for label, cell in zip(labels, cells[1:]):
                shown = number(html.unescape(re.sub(r"<[^>]*>", "", cell)))
                stated = figures[label].get(name.group(1))
                checked += 1
                if not agree(shown, stated, 3):
                    faults.append(f"report: {name.group(1)} of {label} shows {shown}, the bundle states {stated}")
    return checked


def audit_text(file, figures, faults):
    labels, checked = None, 0
    for line in file.read_text().splitlines():
        words = line.split()
        if labels is None:
            if sorted(words) == sorted(figures):  # the head of the table
                labels = words
            continue
        if len(words) != len(labels) + 1 or not any(words[0] in f for f in figures.values()):
            continue
        for label, shown in zip(labels, words[1:]):
            checked += 1
            if not agree(number(shown), figures[label].get(words[0]), 4):
                faults.append(f"table: {words[0]} of {label} shows {shown}, the bundle states {figures[label].get(words[0])}")
    return checked


def main():
    folder, faults = Path(sys.argv[1]), []
    figures = summaries(folder)
    cells = audit_html(folder, figures, faults) if (folder / "report.html").exists() else 0
    printed = audit_text(Path(sys.argv[2]), figures, faults) if len(sys.argv) > 2 else 0
    for fault in faults:
        print(f"{folder}: {fault}")
    print(f"{folder}: checked {cells} cells of the report and {printed} of the printed table")
    return 1 if faults or cells + printed == 0 or (len(sys.argv) > 2 and printed == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
