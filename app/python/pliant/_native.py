"""The compiled module, loaded when something needs it: reading bundles does not."""
import os
import sys
from types import ModuleType
from typing import Any

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_native: Any = None


def native() -> Any:
    """The module _pliant."""
    global _native
    if _native is None:
        try:
            from . import _pliant
        except ImportError as error:
            if "sub-interpreter" in str(error):
                raise
            raise ImportError(
                "this needs the compiled module of Pliant, which is not beside the package "
                f"({_PACKAGE}): build it by ./pliant python, or configure with -DPLIANT_PYTHON=ON; "
                f"reading bundles works without it ({error})") from error
        _pliant.require_main_interpreter()
        _native = _pliant
    return _native


def home() -> str:
    """The folder with the shipped experiments/ and data/."""
    installed = os.path.normpath(os.path.join(_PACKAGE, "..", "..", "..", "..", "share", "pliant"))
    if os.path.isdir(os.path.join(installed, "experiments")):
        return installed
    return str(native().home)


def optional(name: str, why: str) -> ModuleType:
    """The module `name`, or a sentence that says which package has it."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise ImportError(f"{why} needs {package}: apt-get install python3-{package}") from error


def is_imported(name: str) -> bool:
    return name in sys.modules
