#include "experiments/claims/mirrored_modes.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "solvers/dynamic_ffd/mode_table.h"

namespace pliant {
namespace {

using dynamic_ffd::DeformationMode;
using dynamic_ffd::LatticePlan;
using dynamic_ffd::ModeShape;
using dynamic_ffd::ModeShapeKind;
using dynamic_ffd::ModeTable;

std::string Keyed(const char* name, int axis) { return std::string(name) + "xyz"[axis]; }

// Columns of control points in the reverse order along the axis.
Eigen::MatrixXd Reversed(const Eigen::MatrixXd& values, const LatticePlan& lattice, int axis) {
  std::array<int, 3> count;
  for (int a = 0; a < 3; ++a) count[a] = lattice.bases[a].size();
  Eigen::MatrixXd reversed(values.rows(), values.cols());
  std::array<int, 3> at;
  for (at[2] = 0; at[2] < count[2]; ++at[2]) {
    for (at[1] = 0; at[1] < count[1]; ++at[1]) {
      for (at[0] = 0; at[0] < count[0]; ++at[0]) {
        std::array<int, 3> from = at;
        from[axis] = count[axis] - 1 - at[axis];
        const auto column = [&count](const std::array<int, 3>& k) {
          return k[0] + count[0] * (k[1] + count[1] * k[2]);
        };
        reversed.col(column(at)) = values.col(column(from));
      }
    }
  }
  return reversed;
}

// The sign that S gives to a field of the library, its angle turned around: S e and S f are e and f but for the sign
// where they are along the axis.
double SignOf(const ModeShape& shape, const NamedMatrix& entry, int axis) {
  const auto along = [&](const char* key, int otherwise) {
    const auto found = entry.texts.find(key);
    return found == entry.texts.end() ? otherwise : found->second[0] - 'x';
  };
  const int e = along("axis", 0), f = along("toward", e == 0 ? 1 : 0);
  const double of_e = e == axis ? -1.0 : 1.0, of_f = f == axis ? -1.0 : 1.0;
  switch (shape.kind) {
    case ModeShapeKind::kStretch:
    case ModeShapeKind::kSquash:
      return 1.0;  // e twice
    case ModeShapeKind::kShear:
      return of_e * of_f;
    case ModeShapeKind::kBend:
      return of_f;  // e twice
    case ModeShapeKind::kTaper:
      return of_e;
    case ModeShapeKind::kTwist:
      return -1.0;  // e twice, and a vector product
  }
  return 1.0;
}

void MirrorLattice(const LatticePlan& plan, int axis, Eigen::MatrixXd* values,
                   std::map<std::string, double>* scalars) {
  if (values->size() > 0) {
    *values = Reversed(*values, plan, axis);
    if (axis < values->rows()) values->row(axis) = plan.size[axis] - values->row(axis).array();
  }
  if (plan.lower[axis] == 0.0 && plan.upper[axis] == 1.0) return;
  (*scalars)[Keyed("lower_", axis)] = 1.0 - plan.upper[axis];
  (*scalars)[Keyed("upper_", axis)] = 1.0 - plan.lower[axis];
}

}  // namespace

MatrixTable MirroredModes(const MatrixTable& table, int axis, int dimension) {
  const ModeTable modes = dynamic_ffd::ReadModeTable(table, dimension);
  MatrixTable mirrored = table;
  if (const auto group = mirrored.groups.find("lattice"); group != mirrored.groups.end()) {
    for (size_t i = 0; i < group->second.size(); ++i)
      MirrorLattice(modes.lattices[i], axis, &group->second[i].values, &group->second[i].scalars);
  } else {
    Eigen::MatrixXd none;
    MirrorLattice(modes.lattices[0], axis, &none, &mirrored.scalars);
  }
  for (size_t k = 0; k < mirrored.entries.size(); ++k) {
    NamedMatrix& entry = mirrored.entries[k];
    const DeformationMode& mode = modes.modes[k];
    if (entry.values.size() > 0) {
      entry.values = Reversed(entry.values, modes.lattices[mode.lattice], axis);
      if (axis < entry.values.rows()) entry.values.row(axis) *= -1.0;
    }
    if (!mode.shape) continue;
    entry.scalars["amount"] = SignOf(*mode.shape, entry, axis) * mode.shape->amount;
    const auto angle = entry.scalars.find("angle");
    if (angle != entry.scalars.end() && axis != 2) angle->second *= -1.0;
  }
  return mirrored;
}

}  // namespace pliant
