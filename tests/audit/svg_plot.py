"""Reads a drawn plot back: from ticks and their labels the map of each axis, from it the numbers of the curves."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np

FRAME = "#777777"
TICK, TICK_TEXT, POWER_TEXT = 4.0, "11", "8"  # px: length of a tick, heights of its label and of an exponent
HALF_LABEL = 6.5  # px
WIDTHS = ("1.8", "2.2", "0.7")  # px, of curves, sums and quartiles
REFERENCE = ("#666666", "1")  # and width, of the curves of a reference: as thin as the frame; its marks are wider
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
PREFIXES = {"f": -15, "p": -12, "n": -9, "µ": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12}


class Shape:
    def __init__(self, element, style):
        self.style = style
        self.tag = element.tag.split("}")[1]
        self.text = "".join(element.itertext()).strip()
        self.points = np.array([[float(c) for c in p.split(",")] for p in element.get("points", "").split()])
        self.x, self.y = float(element.get("x", "nan")), float(element.get("y", "nan"))

    @property
    def shift(self):
        """(0,−1,1,0) where it stands upright: what is before the shift, and the shift."""
        found = [float(n) for n in re.findall(r"-?[\d.e+-]+", self.style.get("transform", ""))]
        return (tuple(found[:4]), found[4], found[5]) if len(found) == 6 else (None, 0.0, 0.0)


def shapes_of(path):
    found = []

    def walk(element, style):
        style = {**style, **{k: v for k, v in element.attrib.items() if k not in ("points", "x", "y")}}
        if element.tag.endswith(("polyline", "text")):
            found.append(Shape(element, style))
        for child in element:
            walk(child, style)

    walk(ElementTree.parse(path).getroot(), {})
    return found


class AxisMap:
    """Value on the axis from a place on paper, linear or in logarithms."""

    def __init__(self, places, labels):
        self.logarithmic = any("^" in l for l in labels)
        values = [value_of(l) for l in labels]
        self.readable = len(values) > 1  # one tick gives no scale
        self.fits = len(places) == len(values)
        if not self.fits or not self.readable:
            return
        on_paper = np.log10(values) if self.logarithmic else np.array(values)
        self.slope, self.offset = np.polyfit(places, on_paper, 1)
        self.misfit = np.abs(self.slope * np.array(places) + self.offset - on_paper).max() / abs(self.slope)  # px

    def coordinate(self, place):
        """Linear on paper: the value, or its logarithm."""
        return self.slope * np.asarray(place) + self.offset


def value_of(label):
    label = label.replace("−", "-")
    base, power, exponent = label.partition("^")
    if not power:
        return float(label)
    mantissa = re.split("[·×]", base)[0] if re.search("[·×]", base) else "1"
    return float(mantissa) * 10.0 ** int(exponent)


def factor_of(shown, unit):
    """What a number on an axis that is labelled `shown` counts for, in `unit`; None when it is another quantity."""
    plain = "" if unit == "1" else unit
    if shown == plain:
        return 1.0
    power = re.fullmatch(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)(?: (.*))?", shown)
    if power and (power[2] or "") == plain:
        return 10.0 ** int(power[1].translate(SUPERSCRIPTS))
    if plain and shown[:1] in PREFIXES and shown[1:] == plain:
        return 10.0 ** PREFIXES[shown[0]]
    return None


class Panel:
    def __init__(self, left, right, top, bottom):
        self.left, self.right, self.top, self.bottom = left, right, top, bottom
        self.title, self.label, self.unit, self.x_label = "", "", "", ""
        self.lines = []  # (look, points)

    def holds(self, points, slack=1.5):
        return (points[:, 0] >= self.left - slack).all() and (points[:, 0] <= self.right + slack).all() and (
            points[:, 1] >= self.top - slack).all() and (points[:, 1] <= self.bottom + slack).all()

    def read_axes(self, shapes):
        x_ticks, y_ticks, x_labels, y_labels = [], [], {}, {}
        for s in shapes:
            if s.tag == "polyline" and s.style.get("stroke") == FRAME and len(s.points) == 2:
                (ax, ay), (bx, by) = s.points
                if ax == bx and abs(by - self.bottom) < 0.01 and abs(ay - by - TICK) < 0.01 and self.left - 0.1 <= ax <= self.right + 0.1:
                    x_ticks.append(ax)
                if ay == by and abs(bx - self.left) < 0.01 and abs(bx - ax - TICK) < 0.01 and self.top - 0.1 <= ay <= self.bottom + 0.1:
                    y_ticks.append(ay)
            if s.tag != "text":
                continue
            turn, dx, dy = s.shift
            if turn == (0, -1, 1, 0):
                if abs(dy - self.bottom) < 1.5 and self.left - 90 < dx < self.left:
                    self.label, self.unit = split_label(s.text)
            elif turn == (1, 0, 0, 1) and s.style.get("font-size") in (TICK_TEXT, POWER_TEXT):
                below = self.bottom < dy < self.bottom + 12 and self.left - 25 < dx < self.right + 10
                beside = self.left - 80 < dx < self.left and self.top - 12 < dy < self.bottom
                store = x_labels if below else y_labels if beside else None
                if store is not None:
                    text = ("^" if s.style["font-size"] == POWER_TEXT else "") + s.text
                    store[(dx, dy)] = store.get((dx, dy), "") + text
            elif turn is None and s.style.get("font-weight") == "700" and self.top - 20 < s.y <= self.top + 4 and (
                    self.left - 60 < s.x < self.right):
                self.title = s.text
            elif turn is None and s.style.get("font-size") == "12" and 15 < s.y - self.bottom < 60 and (
                    self.left < s.x < self.right) and "[" in s.text + "[" and not self.x_label:
                self.x_label = s.text
        self.x = AxisMap(sorted(x_ticks), [x_labels[k] for k in sorted(x_labels)])
        heights = sorted(y_labels, key=lambda k: k[1])
        if len(heights) < len(y_ticks):  # a label that does not fit above its tick is left out
            y_ticks = [y for y in y_ticks if y > self.top + HALF_LABEL or len(heights) >= len(y_ticks)]
        self.y = AxisMap(sorted(y_ticks), [y_labels[k] for k in heights])


def split_label(text):
    found = re.fullmatch(r"(.*?)\s*\[([^]]*)\]", text)
    return (found[1], found[2]) if found else (text, "")


def look_of(shape):
    return shape.style.get("stroke"), shape.style.get("stroke-dasharray", ""), shape.style.get("stroke-width")


class Plot:
    """panels, legend {name: look} and notes of a figure that Pliant drew."""

    def __init__(self, path):
        shapes = shapes_of(path)
        lines = [s for s in shapes if s.tag == "polyline" and len(s.points)]
        across, upright = [], []
        for s in lines:
            if s.style.get("stroke") == FRAME and len(s.points) == 2:
                (ax, ay), (bx, by) = sorted(s.points.tolist())
                if ay == by and bx - ax > 60:
                    across.append((ax, bx, ay))
                elif ax == bx and abs(by - ay) > 60:
                    upright.append((ax, min(ay, by), max(ay, by)))
        # Its left side joins its top and its bottom; a line at zero joins nothing.
        self.panels = [Panel(left, right, top, bottom) for left, right, top in across for x, t, bottom in upright
                       if x == left and t == top and (left, right, bottom) in across]
        for panel in self.panels:
            panel.read_axes(shapes)
        self.panels.sort(key=lambda p: (p.top, p.left))
        self.legend, self.notes = {}, [s.text for s in shapes if s.tag == "text" and s.style.get("fill") == "#555555"]
        for s in lines:
            width = s.style.get("stroke-width")
            if width not in WIDTHS and (s.style.get("stroke"), width) != REFERENCE:
                continue
            panel = next((p for p in self.panels if p.holds(s.points)), None)
            if panel is not None:
                panel.lines.append((look_of(s), s.points))
                continue
            names = [t.text for t in shapes if t.tag == "text" and t.shift[0] is None
                     and abs(t.y - 2.6 - s.points[0, 1]) < 4 and 0 < t.x - s.points[-1, 0] < 12]
            if len(names) == 1:
                self.legend[names[0]] = look_of(s)
