// Errors of the rooms as exceptions of Python: pliant.BadInput with file, line and column, pliant.StorageError.

#ifndef PLIANT_APP_PYTHON_ERRORS_H_
#define PLIANT_APP_PYTHON_ERRORS_H_

#include <pybind11/pybind11.h>

namespace pliant {

void BindErrors();

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_ERRORS_H_
