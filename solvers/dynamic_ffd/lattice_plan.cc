#include "solvers/dynamic_ffd/lattice_plan.h"

#include <array>
#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

constexpr int kHighestDegree = 20, kMostPoints = 100, kLeastPoints = 4;
constexpr std::array kAxes = {"x", "y", "z"};

std::string LatticeName(const NamedMatrix& entry) {
  return entry.name.empty() ? "the mode table" : "lattice '" + entry.name + "'";
}

double Value(const NamedMatrix& entry, const std::string& name, double otherwise) {
  const auto found = entry.scalars.find(name);
  return found == entry.scalars.end() ? otherwise : found->second;
}

LatticeBasis ReadBernstein(const NamedMatrix& entry, int axis, int layers,
                           const ModeTableProblems& problems) {
  const std::string name = std::string("degree_") + kAxes[axis];
  const double degree = Value(entry, name, axis == 2 && layers == 2 ? 0 : 3);
  if (degree < 0.0 || degree > kHighestDegree || degree != std::floor(degree)) {
    problems.Fail("'" + name + "' of " + LatticeName(entry) + " is not a valid degree of a lattice",
                  "give a whole number from 0 to " + std::to_string(kHighestDegree));
  }
  return LatticeBasis::Bernstein(static_cast<int>(degree));
}

LatticeBasis ReadBSpline(const NamedMatrix& entry, int axis, int layers,
                         const ModeTableProblems& problems) {
  const std::string name = std::string("points_") + kAxes[axis];
  const double points = Value(entry, name, axis == 2 && layers == 2 ? 1 : 0);
  if (axis == 2 && points == 1.0) return LatticeBasis::Bernstein(0);
  if (points < kLeastPoints || points > kMostPoints || points != std::floor(points)) {
    problems.Fail(
        "'" + name + "' of " + LatticeName(entry) + " is not a valid number of control points",
        "give a whole number from " + std::to_string(kLeastPoints) + " to " +
            std::to_string(kMostPoints) + (axis == 2 ? ", or 1 for a single layer" : ""));
  }
  return LatticeBasis::CubicBSpline(static_cast<int>(points));
}

}  // namespace

const std::vector<std::string>& LatticeNumbers() {
  static const std::vector<std::string> names = {
      "degree_x", "degree_y", "degree_z", "points_x", "points_y", "points_z", "size_x", "size_y",
      "size_z",   "lower_x",  "lower_y",  "lower_z",  "upper_x",  "upper_y",  "upper_z"};
  return names;
}

const std::vector<std::string>& LatticeTexts() {
  static const std::vector<std::string> names = {"basis"};
  return names;
}

LatticePlan ReadLatticePlan(const NamedMatrix& entry, int layers,
                            const ModeTableProblems& problems) {
  LatticePlan plan;
  plan.name = entry.name;
  const auto basis = entry.texts.find("basis");
  const bool splines = basis != entry.texts.end() && basis->second == "b-spline";
  if (basis != entry.texts.end() && !splines && basis->second != "bernstein") {
    problems.Fail("unknown basis '" + basis->second + "' of " + LatticeName(entry),
                  DidYouMean(basis->second, {"bernstein", "b-spline"}));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::string other = std::string(splines ? "degree_" : "points_") + kAxes[axis];
    if (entry.scalars.contains(other)) {
      problems.Fail("'" + other + "' of " + LatticeName(entry) + " does not fit its basis",
                    splines ? "B-splines are cubic: give points_x, points_y, points_z"
                            : "give degree_x, degree_y, degree_z, or basis = \"b-spline\"");
    }
    plan.bases[axis] = splines ? ReadBSpline(entry, axis, layers, problems)
                               : ReadBernstein(entry, axis, layers, problems);
    plan.size[axis] = Value(entry, std::string("size_") + kAxes[axis], 1.0);
    plan.lower[axis] = Value(entry, std::string("lower_") + kAxes[axis], 0.0);
    plan.upper[axis] = Value(entry, std::string("upper_") + kAxes[axis], 1.0);
  }
  if (!(plan.size.minCoeff() > 0.0)) {
    problems.Fail("the box of " + LatticeName(entry) + " has no extent",
                  "size_x, size_y, size_z must be positive; of a planar body leave size_z out");
  }
  if (!((plan.upper - plan.lower).minCoeff() > 0.0)) {
    problems.Fail(LatticeName(entry) + " covers nothing",
                  "upper_x, upper_y, upper_z must exceed lower_x, lower_y, lower_z");
  }
  if (entry.values.size() == 0) return plan;
  const auto count = plan.bases[0].size() * plan.bases[1].size() * plan.bases[2].size();
  if (entry.values.rows() != layers || entry.values.cols() != count) {
    problems.Fail(LatticeName(entry) + " has " + std::to_string(entry.values.rows()) + " rows of " +
                      std::to_string(entry.values.cols()) + " control points",
                  "it needs " + std::to_string(layers) + " rows of " + std::to_string(count));
  }
  if (!entry.values.allFinite()) {
    problems.Fail("a control point of " + LatticeName(entry) + " is not finite", "");
  }
  plan.points = Eigen::Matrix3Xd::Zero(3, count);
  plan.points.topRows(layers) = entry.values;
  if (layers == 2) plan.points.row(2).setConstant(0.5 * plan.size.z());
  return plan;
}

}  // namespace pliant::dynamic_ffd
