// Values of a file as objects of Python, and back.

#ifndef PLIANT_APP_PYTHON_VALUES_H_
#define PLIANT_APP_PYTHON_VALUES_H_

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "solvers/translation.h"

namespace pliant {

// A table as a dict, in the order of the file; an array as a list.
pybind11::object ToPython(const FileValue& value);

// bool, int, float, str, paths, lists, tuples, dicts and whatever has tolist() (NumPy). Throws BadInput that names
// `what` for anything else.
FileValue ToFileValue(pybind11::handle object, const FilePlace& place, const std::string& what);

// None where it is absent.
pybind11::object ToPython(const std::optional<double>& value);

// {"title", "columns", "rows", "remark"}.
pybind11::dict ToPython(const FindingTable& table);
// [(element, fidelity, reason), …].
pybind11::list ToPython(const std::vector<TranslatedElement>& entries);

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_VALUES_H_
