"""A bar with the time left, in terminals and notebooks; plain lines elsewhere."""
import sys
import time
from typing import Any, Callable, Union

Listener = Callable[[str, str, float], Any]


class Bar:
    """Called with (kind, text, fraction): kind is "begin", "say", "progress" or "end"."""

    _WIDTH = 30

    def __init__(self) -> None:
        self._label = ""
        self._began = 0.0
        self._drawn = 0.0
        # A notebook takes \r as a terminal does, but calls itself no terminal.
        self._redraws = sys.stderr.isatty() or "ipykernel" in sys.modules

    def __call__(self, kind: str, text: str, fraction: float) -> None:
        now = time.monotonic()
        if kind == "begin":
            self._label, self._began, self._drawn = text, now, 0.0
            if not self._redraws:
                print(f"{text} …", file=sys.stderr, flush=True)
        elif kind == "say":
            self._clear()
            print(f"      {text}", file=sys.stderr, flush=True)
        elif kind == "end":
            self._clear()
            print(f"{self._label}: {text} ({now - self._began:.1f} s)", file=sys.stderr, flush=True)
        elif self._redraws and now - self._drawn > 0.1:
            self._drawn = now
            filled = int(self._WIDTH * min(1.0, max(0.0, fraction)))
            left = (now - self._began) * (1 - fraction) / fraction if fraction > 0.01 else 0.0
            rest = f" {left:.0f} s left" if left else ""
            bar = "#" * filled + "." * (self._WIDTH - filled)
            print(f"\r\033[K{self._label:<26} [{bar}] {100 * fraction:3.0f} %{rest}", end="",
                  file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._redraws:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def listener_of(progress: Union[bool, Listener]) -> Any:
    """None, a bar, or the caller's own function."""
    if progress is True:
        return Bar()
    return progress if callable(progress) else None
