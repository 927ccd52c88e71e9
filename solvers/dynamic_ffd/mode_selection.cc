#include "solvers/dynamic_ffd/mode_selection.h"

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "models/dynamic_ffd/embedding.h"
#include "models/dynamic_ffd/mode_metric.h"
#include "models/problem.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/rigid_facts.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Displacements below this fraction of the largest are rounding.
constexpr double kNothing = 1e-9;
// Modes of unit size count as dependent when some combination is this small beside rigid motions.
constexpr double kDependent = 1e-7;
// Of modes that move nothing.
constexpr double kSmallest = std::numeric_limits<double>::min();
// Modes with this share of the smallest combination are named.
constexpr double kInvolvedShare = 0.05;

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
                        const std::vector<int>& modes, const std::vector<std::string>& names) {
  if (names.empty()) return;
  // The non-rigid part of each mode, relative to the whole mode.
  const MassWeightedMotions motions = MotionsOf(body);
  // Amounts whose squares underflow or overflow: no decomposition below means anything.
  for (int k = 0; k < body.modes(); ++k) {
    const double moved = motions.modes.col(k).squaredNorm();
    if (motions.modes.col(k).isZero(0.0)) continue;
    if (std::isnormal(moved) && motions.free.col(k).allFinite()) continue;
    throw BadInput({PlaceOfMode(modes[k]),
                    "mode " + Quoted({names[k]}) + " moves body '" + body_name +
                        "' by amounts whose squares do not fit into floating-point numbers",
                    "scale its values"});
  }
  const VectorXd sizes = motions.modes.colwise().norm().cwiseMax(kSmallest);
  const MatrixXd rest = motions.free * sizes.cwiseInverse().asDiagonal();
  // Independent: no combination of unit size vanishes.
  const Eigen::JacobiSVD<MatrixXd> svd(rest, Eigen::ComputeFullV);
  if (rest.rows() >= rest.cols() && svd.singularValues()[body.modes() - 1] > kDependent) return;
  const VectorXd smallest = svd.matrixV().col(body.modes() - 1).cwiseAbs();
  std::vector<std::string> involved;
  int last = 0;
  for (int k = 0; k < body.modes(); ++k) {
    if (!(smallest[k] > kInvolvedShare * smallest.maxCoeff())) continue;
    involved.push_back(names[k]);
    last = modes[k];
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
  throw BadInput({PlaceOfMode(last), what + ", which makes the mass matrix singular",
                  involved.size() == 1
                      ? "remove it; a table without modes, \"rigid\" or in space "
                        "\"rigid-in-space\", moves bodies rigidly"
                      : "remove one of them, or name those that are used: use_modes = [\"…\"]"});
}

// Largest displacement of the body's points along each axis by a mode, as a fraction of the largest
// of its control points.
Eigen::Vector3d LargestDisplacement(const Body& body, const ModeTable& table,
                                    const std::vector<EmbeddedLattice>& lattices, int k) {
  const Lattice& lattice = lattices[table.modes[k].lattice].lattice;
  const double drawn = table.DisplacementsOn(lattice, k).cwiseAbs().maxCoeff();
  if (drawn == 0.0) return Eigen::Vector3d::Zero();
  return PointDisplacements(body, table, lattices, k).cwiseAbs().rowwise().maxCoeff() / drawn;
}

}  // namespace

FfdBody Embed(const Scene& scene, size_t b, const ModeTable& table, const std::vector<int>& modes,
              FfdOrigin origin, const std::vector<Eigen::Matrix3Xd>& driven) {
  const Body& body = scene.bodies[b];
  const std::vector<EmbeddedLattice> lattices = EmbedLattices(body, table);
  std::vector<Eigen::Matrix3Xd> displacements;
  for (int k : modes) displacements.push_back(PointDisplacements(body, table, lattices, k));
  return FfdBody(scene.dimension, body, lattices[0].lattice.corner(), displacements, origin,
                 driven);
}

std::vector<std::vector<int>> SelectModes(const Scene& scene, const ModeTable& table,
                                          std::vector<std::string>* warnings) {
  const int modes = static_cast<int>(table.modes.size());
  std::vector<std::vector<int>> selected(scene.bodies.size());
  std::vector<bool> used(modes, false);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    AtPreparation("modes of body", b, scene.bodies.size());
    if (scene.bodies[b].rigid) continue;
    const std::vector<EmbeddedLattice> lattices = EmbedLattices(scene.bodies[b], table);
    std::vector<std::string> kept, dropped;
    for (int k = 0; k < modes; ++k) {
      if (!table.modes[k].in_use) continue;
      const Eigen::Vector3d largest = LargestDisplacement(scene.bodies[b], table, lattices, k);
      if (scene.dimension == 2 && largest.z() > kNothing) {
        throw BadInput({PlaceOfMode(k),
                        "mode '" + table.modes[k].name + "' moves body '" + scene.bodies[b].name +
                            "' out of the plane of the scene",
                        "give modes with displacements along x and y only"});
      }
      const bool moves = largest.maxCoeff() > kNothing;
      (moves ? kept : dropped).push_back(table.modes[k].name);
      if (!moves) continue;
      selected[b].push_back(k);
      used[k] = true;
    }
    if (!dropped.empty()) {
      warnings->push_back((dropped.size() == 1 ? "mode " : "modes ") + Quoted(dropped) +
                          " dropped from body '" + scene.bodies[b].name +
                          "': none of its points would move");
    }
    RequireIndependent(scene.bodies[b].name,
                       Embed(scene, b, table, selected[b], FfdOrigin::kLatticeCorner), selected[b],
                       kept);
  }
  const bool all_rigid = AllRigid(scene);
  if (all_rigid && modes > 0) warnings->push_back("no mode acts: every body is rigid");
  for (int k = 0; k < modes && !all_rigid; ++k) {
    if (used[k] || !table.modes[k].in_use) continue;
    throw BadInput({PlaceOfMode(k),
                    "mode '" + table.modes[k].name +
                        "' moves no mass point of any body, which makes the mass matrix singular",
                    "remove it"});
  }
  return selected;
}

}  // namespace pliant::dynamic_ffd
