// The matrices and vectors of a formulation at one time of a run (solvers/arrays.h), for `pliant inspect`, the workbench
// and Python: the state, what it computes with there, as text and as a file.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_INSPECTION_H_
#define PLIANT_EXPERIMENTS_BUNDLES_INSPECTION_H_

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"
#include "solvers/simulation.h"

namespace pliant {

struct Inspection {
  std::string label, experiment, backend;
  double time = 0.0;                           // s
  Eigen::Matrix3Xd points;                     // 3×n, world [m]
  std::optional<Eigen::Matrix3Xd> velocities;  // 3×n, world [m/s]
  Eigen::VectorXd state;                       // as Simulation::Save() gives it
  std::vector<StateBlock> layout;
  std::vector<NamedArray> arrays;  // of all groups; NaN where only a step would know them
};

// The recorded time nearest to `time`; the last one when absent. Throws BadInput for a bundle without frames.
size_t NearestFrame(const Bundle& bundle, std::optional<double> time);
// Throws BadInput for a time before the first record of the bundle or after its last one.
void RequireRecorded(const Bundle& bundle, double time);

// At `frame` of a bundle. What a method knows of its last step only is no state: the steps from the frame before are
// made again. Where they lead elsewhere, as after a change by hand or on another processor, such arrays are NaN.
Inspection Inspect(const Bundle& bundle, size_t frame);

// At `time` of a run of the backend at `index`, which is a multiple of its steps: the steps are made from the state
// `from` of an earlier time, from the start when it is null. Throws BadInput when the scene is refused, and Cancelled
// after a request to stop.
Inspection Inspect(const Experiment& experiment, size_t index, double time,
                   const Eigen::VectorXd* from, const std::stop_token& stop);

// Of row or column i: its label, or its number from 1 on.
std::string LabelOf(const std::vector<std::string>& labels, Eigen::Index i);

// "equations/mass [kg], 8×8: meaning".
std::string TitleOf(const NamedArray& array);

// Title and values in lines, at most so many rows and columns.
std::string TextOf(const NamedArray& array, Eigen::Index most_rows, Eigen::Index most_columns);

// Writes all of it: as text into a file whose name ends with .txt, else as HDF5 in the form of points_file.h with one
// frame. Throws StorageError.
void WriteInspection(const std::filesystem::path& path, const Inspection& inspection);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_INSPECTION_H_
