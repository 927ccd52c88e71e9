#include "solvers/lagrangian/mode_selection.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

#include "models/scene/problem.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Displacements below this fraction of the largest are rounding.
constexpr double kNothing = 1e-9;
// Modes of unit size count as dependent when some combination is this small beside rigid motions.
constexpr double kDependent = 1e-7;
// Modes with this share of the smallest combination are named.
constexpr double kInvolved = 0.05;

// Columns of unit length; zero columns stay.
MatrixXd Normalized(MatrixXd columns) {
  for (auto column : columns.colwise()) {
    if (const double length = column.norm(); length > 0.0) column /= length;
  }
  return columns;
}

std::string Quoted(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " and ";
    text += "'" + names[i] + "'";
  }
  return text;
}

// Throws when some combination of the modes is a rigid motion of the body, naming those involved.
void RequireIndependent(const std::string& body_name, const FfdBody& body,
                        const std::vector<std::string>& names) {
  if (names.empty()) return;
  // Mass-weighted motions of the points at rest, one column for each generalized velocity.
  const VectorXd q = body.Coordinates(Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity(),
                                      VectorXd::Zero(body.modes()));
  MatrixXd motions(3 * body.points(), body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    motions.middleRows<3>(3 * n) = std::sqrt(body.masses()[n]) * body.Jacobian(q, n);
  }
  // What of each mode no rigid motion can do. A straight line in space has only five of those.
  Eigen::ColPivHouseholderQR<MatrixXd> rigid;
  rigid.setThreshold(kNothing);
  rigid.compute(Normalized(motions.leftCols(body.twist_size())));
  const MatrixXd basis = rigid.householderQ() * MatrixXd::Identity(motions.rows(), rigid.rank());
  const MatrixXd modes = Normalized(motions.rightCols(body.modes()));
  const MatrixXd rest = modes - basis * (basis.transpose() * modes);
  // Independent: no combination of unit size vanishes.
  const Eigen::JacobiSVD<MatrixXd> svd(rest, Eigen::ComputeFullV);
  if (rest.rows() >= rest.cols() && svd.singularValues()[body.modes() - 1] > kDependent) return;
  const VectorXd smallest = svd.matrixV().col(body.modes() - 1).cwiseAbs();
  std::vector<std::string> involved;
  for (int k = 0; k < body.modes(); ++k) {
    if (smallest[k] > kInvolved * smallest.maxCoeff()) involved.push_back(names[k]);
  }
  std::string what;
  if (involved.size() == 1) {
    what = "mode " + Quoted(involved) + " only moves body '" + body_name + "' rigidly";
  } else if (involved.size() == 2) {
    what = "modes " + Quoted(involved) + " are parallel: up to a rigid motion they move body '" +
           body_name + "' alike";
  } else {
    what = "modes " + Quoted(involved) + " depend on each other on body '" + body_name + "'";
  }
  throw BadInput({"modes", what + ", which makes the mass matrix singular", "remove one of them"});
}

// Largest displacement of the body's points along each axis by each mode, as a fraction of the
// largest of its control points.
std::vector<Eigen::Vector3d> LargestDisplacements(const Body& body, const ModeTable& table) {
  const Lattice lattice = Lattice::Around(body.rest, table.degree);
  std::vector<Eigen::Matrix3Xd> displacements;
  for (int k = 0; k < static_cast<int>(table.modes.size()); ++k) {
    displacements.push_back(table.DisplacementsOn(lattice.extent(), k));
  }
  const FfdBody embedded(3, body, lattice, displacements, FfdOrigin::kLatticeCorner);
  std::vector<Eigen::Vector3d> largest;
  for (int k = 0; k < embedded.modes(); ++k) {
    const Eigen::Map<const Eigen::Matrix3Xd> shape(embedded.shapes().col(1 + k).data(), 3,
                                                   body.size());
    const double drawn = displacements[k].cwiseAbs().maxCoeff();
    largest.push_back(drawn > 0.0 ? Eigen::Vector3d(shape.cwiseAbs().rowwise().maxCoeff() / drawn)
                                  : Eigen::Vector3d::Zero());
  }
  return largest;
}

}  // namespace

FfdBody Embed(const Scene& scene, size_t b, const ModeTable& table, const std::vector<int>& modes,
              FfdOrigin origin, const std::vector<Eigen::Matrix3Xd>& driven) {
  const Body& body = scene.bodies[b];
  const Lattice lattice = Lattice::Around(body.rest, table.degree);
  std::vector<Eigen::Matrix3Xd> displacements;
  for (int k : modes) displacements.push_back(table.DisplacementsOn(lattice.extent(), k));
  return FfdBody(scene.dimension, body, lattice, displacements, origin, driven);
}

std::vector<std::vector<int>> SelectModes(const Scene& scene, const ModeTable& table,
                                          std::vector<std::string>* warnings) {
  const int modes = static_cast<int>(table.modes.size());
  std::vector<std::vector<int>> selected(scene.bodies.size());
  std::vector<bool> used(modes, false);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::vector<Eigen::Vector3d> largest = LargestDisplacements(scene.bodies[b], table);
    std::vector<std::string> kept, dropped;
    for (int k = 0; k < modes; ++k) {
      if (scene.dimension == 2 && largest[k].z() > kNothing) {
        throw BadInput({"modes",
                        "mode '" + table.modes[k].name + "' moves body '" + scene.bodies[b].name +
                            "' out of the plane of the scene",
                        "give modes with displacements along x and y only"});
      }
      const bool moves = largest[k].maxCoeff() > kNothing;
      (moves ? kept : dropped).push_back(table.modes[k].name);
      if (!moves) continue;
      selected[b].push_back(k);
      used[k] = true;
    }
    if (!dropped.empty()) {
      warnings->push_back((dropped.size() == 1 ? "mode " : "modes ") + Quoted(dropped) +
                          " dropped from body '" + scene.bodies[b].name +
                          "': no point of it would move");
    }
    RequireIndependent(scene.bodies[b].name,
                       Embed(scene, b, table, selected[b], FfdOrigin::kLatticeCorner), kept);
  }
  for (int k = 0; k < modes; ++k) {
    if (used[k]) continue;
    throw BadInput({"modes",
                    "mode '" + table.modes[k].name +
                        "' moves no mass point of any body, which makes the mass matrix singular",
                    "remove it"});
  }
  return selected;
}

}  // namespace pliant
