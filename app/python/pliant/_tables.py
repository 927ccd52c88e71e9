"""The tables and lists of an experiment, as dicts and lists whose changes are validated at once."""
from __future__ import annotations

import copy
import operator
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping, MutableMapping, MutableSequence, Optional, Protocol,
                    Sequence, Tuple, Union)

Path = Tuple[str, ...]


class Tree(Protocol):
    """What holds the values: an Experiment."""

    def _value(self, path: Path) -> Any: ...
    def _view(self, path: Path) -> Any: ...
    def _change(self, changes: Mapping[Path, Any], removed: Sequence[Path] = ()) -> None: ...


def spelled(path: Path) -> str:
    """The place as Python writes it: experiment["scene"]["body"][0]."""
    return "experiment" + "".join(f"[{part}]" if part.isdigit() else f'["{part}"]' for part in path)


def plain(value: Any) -> Any:
    """Dicts, lists and values apart from the experiment."""
    if isinstance(value, (Table, Elements)):
        return value.plain()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def _is_at(value: Any, experiment: Tree, path: Path) -> bool:
    """Whether it is this place itself, as after ``experiment["run"] |= …``."""
    return isinstance(value, (Table, Elements)) and value._experiment is experiment and value._path == path


class Table(MutableMapping[str, Any]):
    """A table of an experiment, as a dict. Every change is validated at once; a mistake changes nothing."""

    def __init__(self, experiment: Tree, path: Path):
        self._experiment, self._path = experiment, path

    def _here(self) -> Dict[str, Any]:
        return self._experiment._value(self._path)  # type: ignore[no-any-return]

    def _at(self, key: str) -> Path:
        if not isinstance(key, str):
            raise TypeError(f"a key of {spelled(self._path)} is a text, not {key!r}")
        return (*self._path, key)

    def __getitem__(self, key: str) -> Any:
        return self._experiment._view(self._at(key))

    def __setitem__(self, key: str, value: Any) -> None:
        path = self._at(key)
        if not _is_at(value, self._experiment, path):
            self._experiment._change({path: value})

    def __delitem__(self, key: str) -> None:
        path = self._at(key)
        self._experiment._value(path)  # or NoSuchKey
        self._experiment._change({}, [path])

    def __contains__(self, key: object) -> bool:
        return key in self._here()

    def __iter__(self) -> Iterator[str]:
        return iter(self._here())

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._here()))

    def __len__(self) -> int:
        return len(self._here())

    def update(self, *other: Any, **more: Any) -> None:
        """As of a dict, but as one change: what is wrong only until the last value is in place is no mistake."""
        try:
            changes = dict(*(plain(one) for one in other), **more)
        except (TypeError, ValueError):
            raise TypeError(f"update() of {spelled(self._path)} takes a dict, pairs of key and value, or keywords") from None
        if changes:
            self._experiment._change({self._at(key): value for key, value in changes.items()})

    def clear(self) -> None:
        """Removes everything, at once."""
        if self._here():
            self._experiment._change({}, [self._at(key) for key in self._here()])

    def popitem(self) -> Tuple[str, Any]:
        """Removes the last key, as of a dict, and returns it with its value."""
        if not self._here():
            raise KeyError(f"{spelled(self._path)} is empty")
        key = list(self._here())[-1]
        return key, self.pop(key)

    def pop(self, key: str, *default: Any) -> Any:
        """Removes a key and returns its value, apart from the experiment."""
        if default and key not in self:
            return default[0]
        value = plain(self[key])
        del self[key]
        return value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of a key, which is set to `default` where it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self) -> Any:
        """plain(): a dict of its own."""
        return self.plain()

    def plain(self) -> Dict[str, Any]:
        """A dict of dicts, lists and numbers, apart from the experiment: for json, pickle or pprint."""
        return copy.deepcopy(self._here())

    def __or__(self, other: Any) -> Dict[str, Any]:
        if not isinstance(other, Mapping):
            return NotImplemented
        return {**self.plain(), **plain(other)}

    def __ror__(self, other: Any) -> Dict[str, Any]:
        if not isinstance(other, Mapping):
            return NotImplemented
        return {**plain(other), **self.plain()}

    def __ior__(self, other: Any) -> Table:
        self.update(other)
        return self

    def __eq__(self, other: object) -> bool:
        return bool(self._here() == plain(other))

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return dict, (self.plain(),)

    def __repr__(self) -> str:
        return repr(self._here())


class Elements(MutableSequence[Any]):
    """A list of an experiment, as a list. An element of a list of tables is found by its number or its name."""

    def __init__(self, experiment: Tree, path: Path):
        self._experiment, self._path = experiment, path

    def _here(self) -> List[Any]:
        return self._experiment._value(self._path)  # type: ignore[no-any-return]

    def _at(self, key: Any) -> Path:
        if isinstance(key, str):
            return (*self._path, key)
        try:
            number = operator.index(key)
        except TypeError:
            raise TypeError(f"an element of {spelled(self._path)} has a number or a name, not {key!r}") from None
        length = len(self._here())
        if not -length <= number < length:
            raise IndexError(f"{spelled(self._path)} has {length} elements: there is no {number}")
        return (*self._path, str(number % length))

    def _edit(self, edit: Callable[[List[Any]], Any]) -> Any:
        """Changes the whole list, at once."""
        edited = self.plain()
        result = edit(edited)
        self._experiment._change({self._path: edited})
        return result

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.plain()[key]
        return self._experiment._view(self._at(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self._edit(lambda elements: elements.__setitem__(key, plain(list(value))))
        elif not _is_at(value, self._experiment, path := self._at(key)):
            self._experiment._change({path: value})

    def __delitem__(self, key: Any) -> None:
        if isinstance(key, slice):
            self._edit(lambda elements: elements.__delitem__(key))
            return
        path = self._at(key)
        self._experiment._value(path)  # or NoSuchKey
        self._experiment._change({}, [path])

    def __contains__(self, value: object) -> bool:
        """Whether there is this value, or an element of this name."""
        return plain(value) in self._here() or self._named(value) is not None

    def _named(self, name: object) -> Optional[int]:
        for number, one in enumerate(self._here()):
            if isinstance(name, str) and isinstance(one, dict) and one.get("name") == name:
                return number
        return None

    def index(self, value: Any, *within: int) -> int:
        """The number of this value, or of the element of this name. Raises ValueError."""
        named = self._named(value)
        if named is not None and not within:
            return named
        try:
            return self._here().index(plain(value), *within)
        except ValueError:
            raise ValueError(f"{value!r} is not in {spelled(self._path)}") from None

    def insert(self, number: int, value: Any) -> None:
        self._edit(lambda elements: elements.insert(number, plain(value)))

    def append(self, value: Any) -> None:
        """Adds an element at the end."""
        self._edit(lambda elements: elements.append(plain(value)))

    def extend(self, values: Iterable[Any]) -> None:
        self._edit(lambda elements: elements.extend(plain(list(values))))

    def pop(self, key: Union[int, str] = -1) -> Any:
        """Removes an element, by its number or name, and returns it, apart from the experiment."""
        value = plain(self[key])
        del self[key]
        return value

    def remove(self, value: Any) -> None:
        """Removes the first element that is equal, or has this name. Raises ValueError."""
        del self[self.index(value)]

    def reverse(self) -> None:
        self._edit(lambda elements: elements.reverse())

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        self._edit(lambda elements: elements.sort(key=key, reverse=reverse))

    def clear(self) -> None:
        self._edit(lambda elements: elements.clear())

    def copy(self) -> List[Any]:
        """plain(): a list of its own."""
        return self.plain()

    def plain(self) -> List[Any]:
        """A list of dicts, lists and numbers, apart from the experiment."""
        return copy.deepcopy(self._here())

    def __add__(self, other: Any) -> List[Any]:
        if not isinstance(other, (list, tuple, Elements)):
            return NotImplemented
        return [*self.plain(), *plain(other)]

    def __radd__(self, other: Any) -> List[Any]:
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return [*plain(other), *self.plain()]

    def __iadd__(self, other: Iterable[Any]) -> Elements:  # type: ignore[misc]
        self.extend(other)
        return self

    def __len__(self) -> int:
        return len(self._here())

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return bool(self._here() == plain(other))

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> List[Any]:
        return self.copy()

    def __deepcopy__(self, _: Any) -> List[Any]:
        return self.copy()

    def __reduce__(self) -> Any:
        return list, (self.plain(),)

    def __repr__(self) -> str:
        return repr(self._here())
