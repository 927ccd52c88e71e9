// Tables of named matrices, such as deformation modes, to and from files:
//
//   length = 2.0                 numbers at the top hold for the whole table
//   [[entry]]
//   name = "squash"
//   stiffness = 40.0             numbers that go with this matrix
//   values = [[0, 1], [2, 3]]    its rows

#ifndef PLIANT_EXPERIMENTS_EXPERIMENT_MATRIX_TABLE_H_
#define PLIANT_EXPERIMENTS_EXPERIMENT_MATRIX_TABLE_H_

#include "experiments/experiment/document.h"
#include "solvers/parameters.h"

namespace pliant {

// Throws FileError. `file` of the result is that of `table`.
MatrixTable ReadMatrixTable(FileValue* table);

FileValue WriteMatrixTable(const MatrixTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_EXPERIMENT_MATRIX_TABLE_H_
