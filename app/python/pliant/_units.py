"""Units of columns from their names, as series.csv spells them."""
from typing import Dict

# Every unit that a column may have; tests/app/python compares them with the columns of every formulation and the arrays
# that [run] records.
_UNITS = ("J", "W", "N", "s", "m", "kg", "rad", "Pa", "Hz", "m/s", "kg m/s", "kg m²/s", "N m", "N s", "N m s", "m²", "m³",
          "rad/s", "rad/s²", "m/s²", "m²/s", "m²/s²", "N² m² s", "rad²/s³", "1/s", "1/s²", "1/kg")


def spelled(unit: str) -> str:
    """How the name of a column ends: "kg m²/s" is kg_m2_s."""
    return unit.replace("²", "2").replace("³", "3").replace(" ", "_").replace("/", "_")


# How a name ends, and the unit; the longest that fits counts.
_SUFFIXES: Dict[str, str] = {spelled(unit): unit for unit in _UNITS}


def unit_of(column: str) -> str:
    """The unit of a column, "1" for a pure number."""
    best = ""
    for suffix in _SUFFIXES:
        if suffix == "1_s" and column.endswith("quartile_1_s"):
            continue  # the first quartile, in s
        if column.endswith("_" + suffix) and len(suffix) > len(best):
            best = suffix
    return _SUFFIXES[best] if best else "1"


def stem_of(column: str) -> str:
    """The name without its unit."""
    unit = unit_of(column)
    return column if unit == "1" else column[:-len(spelled(unit)) - 1]
