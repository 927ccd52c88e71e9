"""Units of columns from their names, as series.csv spells them."""
from typing import Dict

# How a name ends, and the unit; the longest that fits counts. tests/app/python compares it with what
# `pliant list metrics` says of every column of every formulation.
_SUFFIXES: Dict[str, str] = {
    "J": "J", "W": "W", "N": "N", "s": "s", "m": "m", "kg": "kg", "rad": "rad", "Pa": "Pa", "Hz": "Hz",
    "m_s": "m/s", "kg_m_s": "kg m/s", "kg_m2_s": "kg m²/s", "N_m": "N m", "N_s": "N s", "N_m_s": "N m s",
    "m2": "m²", "m3": "m³", "rad_s": "rad/s", "m_s2": "m/s²", "m2_s": "m²/s", "m2_s2": "m²/s²", "N2_m2_s": "N² m² s", "rad2_s3": "rad²/s³",
}


def unit_of(column: str) -> str:
    """The unit of a column, "1" for a pure number."""
    best = ""
    for suffix in _SUFFIXES:
        if column.endswith("_" + suffix) and len(suffix) > len(best):
            best = suffix
    return _SUFFIXES[best] if best else "1"
