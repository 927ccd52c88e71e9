#include "solvers/dynamic_ffd/free_lattice.h"

#include <Eigen/LU>
#include <cmath>

#include "models/dynamic_ffd/mode_metric.h"
#include "models/geometry/spectrum.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Displacements whose inertia is below this part of the largest count as none: well above rounding,
// and well below the least of a basis that double precision can tell.
constexpr double kNoInertia = 1e-13;

}  // namespace

void FreeTheLattice(const DynamicFfdOptions& options, int dimension, ModeTable* table) {
  const auto refuse = [](const std::string& what, const std::string& mend) {
    throw BadInput({"free_lattice", what, mend});
  };
  if (!table->modes.empty()) {
    refuse("the modes of a free lattice are all its displacements, but the table lists '" +
               table->modes.front().name + "'",
           "remove free_lattice, or give a table without modes");
  }
  if (table->lattices.size() > 1) {
    refuse("a free lattice covers the whole body, but the table has several",
           "remove free_lattice, or give one lattice");
  }
  if (!options.control.empty() || !options.key_frames.empty() || !options.use_modes.empty() ||
      !options.change_modes_at.empty() || options.orthogonal_modes) {
    refuse("the modes of a free lattice have no names and are orthogonal",
           "remove control, keyframes, use_modes, change_modes_at and orthogonal_modes, or "
           "free_lattice");
  }
  const LatticePlan& plan = table->lattices.front();
  int points = 1;
  for (const LatticeBasis& basis : plan.bases) points *= basis.size();
  for (int p = 0; p < points; ++p) {
    for (int axis = 0; axis < dimension; ++axis) {
      DeformationMode mode{std::string(1, "xyz"[axis]) + " of control point " + std::to_string(p),
                           Eigen::Matrix3Xd::Zero(3, points)};
      mode.displacements(axis, p) = plan.size[axis];
      table->modes.push_back(std::move(mode));
    }
  }
}

MatrixXd FreeCombinations(const FfdBody& masses, const std::string& body) {
  const MassWeightedMotions motions = MotionsOf(masses);
  const auto rigid = motions.rigid.cols();
  const Spectrum spectrum = SpectrumOf(motions.free.transpose() * motions.free);
  const auto count = spectrum.values.size() - rigid;
  const double least = kNoInertia * spectrum.values[spectrum.values.size() - 1];
  if (count > 0 && !(spectrum.values[rigid] > least)) {
    throw BadInput(
        {"free_lattice",
         "the masses of body '" + body + "' do not determine all " +
             std::to_string(spectrum.values.size()) +
             " displacements of the lattice, which makes the mass matrix singular",
         "use a lattice of fewer control points, more points along every axis, or with a "
         "material inertia = \"volume\""});
  }
  const VectorXd inertia = spectrum.values.tail(count);
  const MatrixXd null = spectrum.vectors.leftCols(rigid);
  MatrixXd free = std::sqrt(inertia.mean()) * spectrum.vectors.rightCols(count) *
                  inertia.cwiseSqrt().cwiseInverse().asDiagonal();
  const MatrixXd onto_rigid = motions.rigid.transpose() * motions.modes;
  free -= null * (onto_rigid * null).fullPivLu().solve(onto_rigid * free);
  return free;
}

}  // namespace pliant::dynamic_ffd
