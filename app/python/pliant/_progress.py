"""A bar with the time left, in terminals and notebooks; plain lines elsewhere."""
import sys
import time
from typing import Any, Callable, List, Optional, Union

Listener = Callable[[str, str, float], Any]

_WIDTH = 30  # characters
_BETWEEN_DRAWINGS = 0.1  # s


def _time_left(began: float, now: float, fraction: float) -> str:
    return f"{(now - began) * (1 - fraction) / fraction:.0f} s left" if fraction > 0.01 else ""


class _Bar:
    """Called with (kind, text, fraction): kind is "begin", "say", "progress" or "end"."""

    def __init__(self) -> None:
        self._label = ""
        self._began = 0.0
        self._drawn = 0.0

    def __call__(self, kind: str, text: str, fraction: float) -> None:
        now = time.monotonic()
        if kind == "begin":
            self._label, self._began, self._drawn = text, now, 0.0
            self._begin()
        elif kind == "say":
            self._say(text)
        elif kind == "end":
            self._end(f"{self._label}: {text} ({now - self._began:.1f} s)")
        elif now - self._drawn > _BETWEEN_DRAWINGS:
            self._drawn = now
            fraction = min(1.0, max(0.0, fraction))
            self._draw(fraction, _time_left(self._began, now, fraction))

    def _begin(self) -> None:
        pass

    def _say(self, text: str) -> None:
        print(f"      {text}", file=sys.stderr, flush=True)

    def _end(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def _draw(self, fraction: float, left: str) -> None:
        pass

    def _as_text(self, fraction: float, left: str) -> str:
        filled = int(_WIDTH * fraction)
        bar = "#" * filled + "." * (_WIDTH - filled)
        return f"{self._label:<26} [{bar}] {100 * fraction:3.0f} % {left}".rstrip()


class Lines(_Bar):
    """For files and pipes: a line when something begins and ends."""

    def _begin(self) -> None:
        print(f"{self._label} …", file=sys.stderr, flush=True)


class TerminalBar(_Bar):
    """A line that is drawn again and again."""

    _CLEAR = "\r\033[K"

    def _say(self, text: str) -> None:
        print(self._CLEAR, end="", file=sys.stderr)
        super()._say(text)

    def _end(self, text: str) -> None:
        print(self._CLEAR, end="", file=sys.stderr)
        super()._end(text)

    def _draw(self, fraction: float, left: str) -> None:
        print(self._CLEAR + self._as_text(fraction, left), end="", file=sys.stderr, flush=True)


class NotebookBar(_Bar):
    """An output of the cell that is replaced again and again: HTML, and text for viewers without it."""

    def __init__(self) -> None:
        super().__init__()
        self._said: List[str] = []
        self._output: Any = None

    def _show(self, text: str, html: str) -> None:
        from html import escape

        from IPython.display import display
        said = "".join(f"\n      {line}" for line in self._said)
        below = "".join(f"<br>&emsp;{escape(line)}" for line in self._said)
        data = {"text/plain": text + said, "text/html": f"<div>{html}{below}</div>"}
        if self._output is None:
            self._output = display(data, raw=True, display_id=True)
        else:
            self._output.update(data, raw=True)

    def _begin(self) -> None:
        self._said, self._output = [], None
        self._draw(0.0, "")

    def _say(self, text: str) -> None:
        if self._output is None:  # nothing began
            self._show(text, "")
            self._output = None
            return
        self._said.append(text)
        self._drawn = 0.0

    def _end(self, text: str) -> None:
        from html import escape
        self._show(text, escape(text))

    def _draw(self, fraction: float, left: str) -> None:
        from html import escape
        self._show(self._as_text(fraction, left),
                   f'{escape(self._label)} <progress value="{fraction:.3f}" max="1"></progress> '
                   f'{100 * fraction:.0f} % {left}')


def in_notebook() -> bool:
    """Whether a notebook shows what this process prints."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def listener_of(progress: Union[bool, Listener, None]) -> Optional[Listener]:
    """None, a bar, or the caller's own function."""
    if progress is True:
        if in_notebook():
            return NotebookBar()
        return TerminalBar() if sys.stderr.isatty() else Lines()
    if progress is False or progress is None:
        return None
    if not callable(progress):
        raise TypeError(f"progress is {progress!r}; give True, False, or a function of (kind, text, fraction)")
    return progress
