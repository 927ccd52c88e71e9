#include "solvers/lagrangian/mode_table.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace pliant {
namespace {

using Scalars = std::map<std::string, double>;

constexpr int kHighestDegree = 20;

[[noreturn]] void Fail(const MatrixTable& table, const std::string& what, const std::string& mend) {
  throw BadInput({"modes", table.file.empty() ? what : what + " (in " + table.file + ")", mend});
}

// Refuses numbers that have no meaning here: a misspelled one would silently do nothing.
void RequireKnown(const MatrixTable& table, const Scalars& scalars,
                  const std::vector<std::string>& known, const std::string& of) {
  for (const auto& [name, value] : scalars) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Fail(table, "unknown number '" + name + "' of " + of, DidYouMean(name, known));
    }
    if (!std::isfinite(value)) {
      Fail(table, "'" + name + "' of " + of + " is not a finite number", "");
    }
  }
}

double Value(const Scalars& scalars, const std::string& name, double otherwise) {
  const auto found = scalars.find(name);
  return found == scalars.end() ? otherwise : found->second;
}

int Degree(const MatrixTable& table, const std::string& name, int otherwise) {
  const double degree = Value(table.scalars, name, otherwise);
  if (degree < 0.0 || degree > kHighestDegree || degree != std::floor(degree)) {
    Fail(table, "'" + name + "' of the mode table is no degree of a lattice",
         "give a whole number from 0 to " + std::to_string(kHighestDegree));
  }
  return static_cast<int>(degree);
}

DeformationMode ReadMode(const MatrixTable& table, const NamedMatrix& entry, int rows, int points) {
  const std::string of = "mode '" + entry.name + "'";
  RequireKnown(table, entry.scalars,
               {"stiffness", "exponent", "damping", "initial", "lower", "upper"}, of);
  if (entry.values.rows() != rows || entry.values.cols() != points) {
    Fail(table,
         of + " has " + std::to_string(entry.values.rows()) + " rows of " +
             std::to_string(entry.values.cols()) + " displacements",
         "the lattice needs " + std::to_string(rows) + " rows of " + std::to_string(points));
  }
  if (!entry.values.allFinite()) {
    Fail(table, "a displacement of " + of + " is not a finite number", "");
  }
  DeformationMode mode;
  mode.name = entry.name;
  mode.displacements = Eigen::Matrix3Xd::Zero(3, points);
  mode.displacements.topRows(rows) = entry.values;
  mode.stiffness = Value(entry.scalars, "stiffness", mode.stiffness);
  mode.damping = Value(entry.scalars, "damping", mode.damping);
  mode.initial = Value(entry.scalars, "initial", mode.initial);
  mode.exponent = Value(entry.scalars, "exponent", mode.exponent);
  mode.lower = Value(entry.scalars, "lower", mode.lower);
  mode.upper = Value(entry.scalars, "upper", mode.upper);
  if (mode.exponent < 2.0) {
    Fail(table, "exponent of " + of + " is below 2",
         "the potential stiffness |γ|^exponent must have a curvature everywhere");
  }
  if (mode.lower >= mode.upper) {
    Fail(table, "limits of " + of + " leave no room: lower is not below upper", "");
  }
  if (mode.stiffness < 0.0) Fail(table, "stiffness of " + of + " is negative", "");
  if (mode.damping < 0.0) Fail(table, "damping of " + of + " is negative", "");
  return mode;
}

}  // namespace

ModeTable ReadModeTable(const MatrixTable& table) {
  if (table.entries.empty() && table.scalars.empty()) {
    Fail(table, "no deformation modes given", "set modes = \"../data/modes/….toml\"");
  }
  RequireKnown(table, table.scalars,
               {"degree_x", "degree_y", "degree_z", "size_x", "size_y", "size_z"},
               "the mode table");
  // A lattice without modes is that of a rigid body.
  const int rows =
      table.entries.empty() ? 2 : static_cast<int>(table.entries.front().values.rows());
  if (rows != 2 && rows != 3) {
    Fail(table, "mode '" + table.entries.front().name + "' has " + std::to_string(rows) + " rows",
         "give one row of displacements along x, one along y, and in space one along z");
  }
  ModeTable modes;
  modes.degree = {Degree(table, "degree_x", 3), Degree(table, "degree_y", 3),
                  Degree(table, "degree_z", rows == 2 ? 0 : 3)};
  modes.size = {Value(table.scalars, "size_x", 1.0), Value(table.scalars, "size_y", 1.0),
                Value(table.scalars, "size_z", 1.0)};
  if (!(modes.size.minCoeff() > 0.0)) {
    Fail(table, "the box of the modes has no extent", "size_x, size_y, size_z must be positive");
  }
  const int points = (modes.degree[0] + 1) * (modes.degree[1] + 1) * (modes.degree[2] + 1);
  std::set<std::string> names;
  for (const NamedMatrix& entry : table.entries) {
    if (!names.insert(entry.name).second) {
      Fail(table, "two modes are called '" + entry.name + "'", "rename one");
    }
    modes.modes.push_back(ReadMode(table, entry, rows, points));
  }
  return modes;
}

}  // namespace pliant
