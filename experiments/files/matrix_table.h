// Tables of named matrices, such as deformation modes, to and from files:
//
//   length = 2.0                 numbers and texts at the top hold for the whole table
//   [[entry]]
//   name = "squash"
//   stiffness = 40.0             numbers that go with this matrix
//   values = [[0, 1], [2, 3]]    its rows; or image = "grey.png", its grey levels from 0 to 1; or,
//                                when absent, texts and tables of numbers say what it is:
//   [[entry]]
//   name = "flatten"
//   blend = {"squash" = 1.0, "spread" = 0.5}
//
// Arrays of tables under another key are entries of another kind; they too have names.

#ifndef PLIANT_EXPERIMENTS_FILES_MATRIX_TABLE_H_
#define PLIANT_EXPERIMENTS_FILES_MATRIX_TABLE_H_

#include "experiments/files/document.h"
#include "solvers/parameters.h"

namespace pliant {

// Throws FileError. `file` of the result is that of `table`.
MatrixTable ReadMatrixTable(FileValue* table);

FileValue WriteMatrixTable(const MatrixTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_MATRIX_TABLE_H_
