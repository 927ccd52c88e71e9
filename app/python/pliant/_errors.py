"""Exceptions of Pliant."""
import re
from typing import Iterable, Optional

_PLACE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)$", re.S)


class Error(Exception):
    """Every error that Pliant itself raises."""


class BadInput(Error, ValueError):
    """A mistake in a file, or in an argument.

    ``str(error)`` is the line that the command line prints: ``file:line:column: what; why; did you mean``.

    Attributes:
        file: the file as it was named, or None where the mistake is in no file.
        line, column: its place there, from 1, or None.
        what: the sentence without the place.
    """

    def __init__(self, text: str):
        super().__init__(text)
        place = _PLACE.match(text)
        self.file: Optional[str] = place["file"] if place else None
        self.line: Optional[int] = int(place["line"]) if place else None
        self.column: Optional[int] = int(place["column"]) if place else None
        self.what: str = place["what"] if place else text


class NoSuchKey(BadInput, KeyError):
    """What was asked for by its name is not there; did you mean. Also a KeyError, as a dict raises it."""

    __str__ = Exception.__str__


class StorageError(Error, OSError):
    """A file could not be written, or not be read back; the sentence names it and the system's reason."""


class Unsupported(Error):
    """A formulation refuses a scene; the sentence says which element, and why."""


def nearest(word: object, known: Iterable[str]) -> str:
    """"did you mean 'step'?", else "one of: …"; empty when nothing is known."""
    import difflib
    names = list(known)
    near = difflib.get_close_matches(str(word), names, 1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"one of: {', '.join(names)}" if names else ""
