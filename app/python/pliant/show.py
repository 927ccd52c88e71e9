"""Figures in the colours, dashes and markers of the report, drawn by Matplotlib."""
import math
import textwrap
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._errors import BadInput, nearest
from ._native import native, optional
from ._progress import in_notebook
from ._units import stem_of, unit_of
from .bundle import Run, require_time

_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "falling triangle": "v"}
_MARKS_PER_CURVE = 8
# Of the report's drawings of a scene (app/plots/scene_drawing.h).
_OBSTACLE, _GROUND_LINE, _NAIL = "#b4b4ae", "#c4c0b6", "#111111"


def _pyplot() -> Any:
    return optional("matplotlib.pyplot", "a figure")


def _line(style: Dict[str, Any], points: int) -> Dict[str, Any]:
    """The style of a curve as arguments of plot()."""
    line: Dict[str, Any] = {"color": style["colour"], "linewidth": style["width"] * 0.75}
    if style["dashes"]:
        line["dashes"] = style["dashes"]
    if style["marker"]:
        line["marker"] = _MARKERS[style["marker"]]
        line["markersize"] = 4
        line["markevery"] = max(1, points // _MARKS_PER_CURVE)
    return line


def _axis_label(label: str, unit: str) -> str:
    return label if unit in ("", "1") else f"{label} [{unit}]"


def _words(column: str) -> str:
    return stem_of(column).replace("_", " ")


def plot_run(run: Run, columns: Sequence[str], ax: Any = None) -> Any:
    """Columns of one run over time."""
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(7.6, 3.6), constrained_layout=True)
    time = run.column("time_s")
    # The first curve is the run; further ones are told apart as repeats of its formulation.
    styles = native().line_styles([run.backend] * len(columns))
    for name, style in zip(columns, styles):
        ax.plot(time, run.column(name), label=_words(name), **_line(style, len(time)))
    units = {unit_of(name) for name in columns}
    label = _words(columns[0]) if len(columns) == 1 else ""
    ax.set_xlabel("time [s]")
    ax.set_ylabel(_axis_label(label, units.pop()) if len(units) == 1 else label)
    ax.set_title(f"{run.experiment}: {run.label}")
    if len(columns) > 1:
        ax.legend(frameon=False)
    ax.grid(alpha=0.25)
    return ax


def plot_comparison(comparison: Any, what: str, ax: Any = None) -> Any:
    """A column of all runs over time, or a figure of the report by its key."""
    runs = list(comparison.values())
    columns = {name for run in runs for name in run.columns}
    if what in columns:
        return _plot_column(runs, what, ax)
    plots = {plot["key"]: plot for plot in comparison.plots(all=True)}
    if what not in plots:
        raise BadInput(f"there is no column or figure '{what}'; {nearest(what, [*plots, *columns])}")
    return draw_plot(plots[what])


def _plot_column(runs: List[Run], column: str, ax: Any) -> Any:
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(7.6, 3.6), constrained_layout=True)
    for run, style in zip(runs, native().line_styles([run.backend for run in runs])):
        if column in run.columns:
            time, values = run.column("time_s"), run.column(column)
            label = f"{run.label}: not defined" if np.isnan(values).all() else run.label
            ax.plot(time, values, label=label, **_line(style, len(time)))
    ax.set_xlabel("time [s]")
    ax.set_ylabel(_axis_label(_words(column), unit_of(column)))
    ax.legend(frameon=False)
    ax.grid(alpha=0.25)
    return ax.figure


def draw_plot(plot: Dict[str, Any]) -> Any:
    """A figure of the report: the same panels, curves, ranges, styles and notes."""
    panels = plot["panels"]
    across = 2 if len(panels) == 2 or len(panels) > 3 else 1
    down = math.ceil(len(panels) / across)
    figure, grid = _pyplot().subplots(down, across, squeeze=False, sharex=True, constrained_layout=True,
                                      figsize=(7.6, 1.4 + 2.4 * down))
    names: Dict[str, Any] = {}
    for panel, ax in zip(panels, grid.flat):
        for curve in panel["curves"]:
            line = _line(curve["style"], len(curve["x"]))
            if len(curve["base"]):
                drawn = ax.fill_between(curve["x"], curve["base"], curve["base"] + curve["y"],
                                        color=line["color"], alpha=0.7, linewidth=0)
            else:
                drawn, = ax.plot(curve["x"], curve["y"], **line)
            if curve["diverged"] and len(curve["x"]):
                ax.plot(curve["x"][-1], curve["y"][-1], "x", color=line["color"])
            names.setdefault(curve["name"], drawn)
        ax.set_title(panel["title"], fontsize="medium")
        ax.set_ylabel(_axis_label(panel["y"]["label"], panel["y"]["unit"]))
        if panel["y"]["logarithmic"]:
            ax.set_yscale("log")
        ax.set_ylim(panel["range"])
        ax.set_xlim(plot["range"])
        if plot["x"]["logarithmic"]:
            ax.set_xscale("log")
        if plot["zero_line"]:
            ax.axhline(0, color="#888888", linewidth=0.8)
        ax.grid(alpha=0.25)
    for ax in list(grid.flat)[len(panels):]:
        ax.set_visible(False)
    for ax in grid[-1]:
        ax.set_xlabel(_axis_label(plot["x"]["label"], plot["x"]["unit"]))
    figure.suptitle(plot["title"])
    _write_below(figure, names, plot["notes"])
    return figure


def _write_below(figure: Any, names: Dict[str, Any], notes: Sequence[str]) -> None:
    """Legend and notes in a band of their own below the panels."""
    lines = [line for note in notes for line in textwrap.wrap(note, 120)]
    height = 0.15 * len(lines)  # inches
    if lines:
        figure.text(0.01, 0.04 / figure.get_figheight(), "\n".join(lines), fontsize="x-small", va="bottom")
    if len(names) > 1:
        figure.legend(names.values(), names.keys(), loc="lower center", frameon=False, ncols=3, fontsize="small",
                      bbox_to_anchor=(0.5, height / figure.get_figheight()))
        height += 0.1 + 0.2 * math.ceil(len(names) / 3)
    share = height / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))


class _Stage:
    """The scene of a run on Matplotlib axes, at one time after the other, seen by one camera."""

    def __init__(self, run: Run, ax: Any):
        from .experiment import Experiment
        self.run = run
        self.scene = Experiment(f"{run.path}/experiment.toml")
        frames = run.points
        if len(frames) == 0:
            raise BadInput(f"{run.path}: has no frames")
        shown = np.linspace(0, len(frames) - 1, min(len(frames), 24)).astype(int)
        self.axes, window = native().view(self.scene._loaded, list(run.time[shown]),
                                          [np.asfortranarray(frames[i].T) for i in shown])
        if ax is None:
            _, ax = _pyplot().subplots(figsize=(5, 5), constrained_layout=True)
        self.ax = ax
        self.window = window
        style = native().line_styles([run.backend])[0]
        self.dark = native().lighten(style["colour"], -0.35)
        self.light = native().lighten(style["colour"], 0.4)

    def to_view(self, points: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """3×n world → 3×n view: right, up, towards the viewer."""
        return np.asarray(self.axes.T @ points)

    def draw(self, i: int) -> None:
        collections = optional("matplotlib.collections", "a figure")
        ax = self.ax
        ax.clear()
        time = float(self.run.time[i])
        x = self.to_view(np.asarray(self.run.points[i]).T)
        scenery = native().scenery(self.scene._loaded, time)
        for origin, normal in scenery["planes"]:
            at, up = self.to_view(np.asarray(origin)), self.to_view(np.asarray(normal))
            along = np.array([up[1], -up[0]])
            if np.linalg.norm(along) > 1e-9:
                ax.axline(at[:2], at[:2] + along / np.linalg.norm(along), color=_GROUND_LINE, linewidth=1.5)
        # From the farthest to the nearest: corners, colours of face and outline.
        shown = [(self.to_view(polygon), _OBSTACLE, "#6c6c68") for polygon in scenery["polygons"]]
        for body in self.scene.bodies:
            own = x[:, body["first"]:body["first"] + body["size"]]
            edges = {frozenset(edge) for edge in body["edges"]}
            for face in body["faces"]:
                corners = own[:, list(face)]
                shown.append((corners, self.light + "d0", self.light + "d0"))
                for pair in zip(face, [*face[1:], face[0]]):
                    if frozenset(pair) in edges:  # at the depth of its face, whose diagonals are no edges
                        line = own[:, list(pair)]
                        line[2] = corners[2].mean()
                        shown.append((line, "none", self.dark))
            if not body["faces"]:
                ax.add_collection(collections.LineCollection([own[:2, list(edge)].T for edge in body["edges"]],
                                                             colors=self.dark, linewidths=1.8))
                ax.plot(own[0], own[1], ".", color=self.dark, markersize=4)
        shown.sort(key=lambda one: float(one[0][2].mean()))
        ax.add_collection(collections.PolyCollection([corners[:2].T for corners, _, _ in shown], linewidths=0.6,
                                                     facecolors=[face for _, face, _ in shown],
                                                     edgecolors=[edge for _, _, edge in shown]))
        for nail in scenery["nails"]:
            at = self.to_view(np.asarray(nail))
            ax.plot(at[0], at[1], "o", color=_NAIL, markersize=5)
        ax.set_xlim(self.window[:2])
        ax.set_ylim(self.window[2:])
        ax.set_aspect("equal")
        ax.set_title(f"{self.run.label}, {time:.3g} s", fontsize="medium")
        ax.set_xlabel("[m]")


def _nearest(run: Run, time: Optional[float]) -> int:
    require_time(time)
    times = run.time
    if len(times) == 0:
        raise BadInput(f"{run.path}: has no frames")
    return len(times) - 1 if time is None else int(np.argmin(np.abs(times - time)))


def draw_frame(run: Run, time: Optional[float], ax: Any = None) -> Any:
    stage = _Stage(run, ax)
    stage.draw(_nearest(run, time))
    return stage.ax


def animate(run: Run, speed: float, fps: int) -> Any:
    if not (math.isfinite(speed) and speed > 0.0):
        raise BadInput(f"the speed is {speed}; 1 is real time, and it is above 0")
    animation = optional("matplotlib.animation", "a film")
    stage = _Stage(run, None)
    times: "Tuple[float, ...]" = tuple(np.arange(run.time[0], run.time[-1] + 1e-12, speed / fps))
    if in_notebook():
        _pyplot().close(stage.ax.figure)  # else its first frame is shown below the film as well
    return animation.FuncAnimation(stage.ax.figure, lambda time: stage.draw(_nearest(run, time)),
                                   frames=times, interval=1000 / fps, repeat=False)
