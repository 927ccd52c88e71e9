#include "models/dynamic_ffd/embedding.h"

#include <Eigen/LU>
#include <optional>
#include <string>
#include <utility>

#include "models/problem.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// How far a point may lie outside its lattice, as a fraction of the box of the body.
constexpr double kOnTheBorder = 1e-9;

[[noreturn]] void FailAtPoint(const Body& body, int point, const LatticePlan& plan) {
  const std::string lattice = plan.name.empty() ? "the lattice" : "lattice '" + plan.name + "'";
  throw BadInput({"modes",
                  lattice + " does not contain point " + std::to_string(point) + " of body '" +
                      body.name + "', or folds over there",
                  "move its control points so that it encloses the body and never turns back"});
}

// The lattice of a plan in the box `whole` of a body.
Lattice Place(const LatticePlan& plan, const Lattice& whole) {
  const Vector3d corner = whole.corner() + plan.lower.cwiseProduct(whole.extent());
  const Vector3d extent = (plan.upper - plan.lower).cwiseProduct(whole.extent());
  const Lattice box(plan.bases, corner, extent);
  if (plan.points.cols() == 0) return box;
  const Vector3d scale = extent.cwiseQuotient(plan.size);
  const Matrix3Xd drawn = scale.asDiagonal() * plan.points;
  return box.Extended(drawn.colwise() + corner);
}

}  // namespace

std::vector<EmbeddedLattice> EmbedLattices(const Body& body, const ModeTable& table) {
  return EmbedLattices(body, table, body.rest);
}

std::vector<EmbeddedLattice> EmbedLattices(const Body& body, const ModeTable& table,
                                           const Matrix3Xd& at) {
  std::vector<EmbeddedLattice> embedded;
  for (const LatticePlan& plan : table.lattices) {
    const Lattice whole = Lattice::Around(body.rest, plan.bases);
    EmbeddedLattice part{Place(plan, whole), {}, {}};
    std::vector<Vector3d> places;
    for (int n = 0; n < at.cols(); ++n) {
      const Vector3d place = (at.col(n) - whole.corner()).cwiseQuotient(whole.extent());
      const bool covered = ((place - plan.lower).array() >= -kOnTheBorder).all() &&
                           ((plan.upper - place).array() >= -kOnTheBorder).all();
      if (!covered) continue;
      const std::optional<Vector3d> local = part.lattice.LocalCoordinates(at.col(n));
      if (!local) FailAtPoint(body, n, plan);
      part.inside.push_back(n);
      places.push_back(*local);
    }
    part.weights.resize(part.lattice.size(), static_cast<int>(places.size()));
    for (size_t i = 0; i < places.size(); ++i) {
      part.weights.col(static_cast<int>(i)) = part.lattice.WeightsAt(places[i]);
    }
    embedded.push_back(std::move(part));
  }
  return embedded;
}

Matrix3Xd PointDisplacements(const Body& body, const ModeTable& table,
                             const std::vector<EmbeddedLattice>& lattices, int k) {
  return DisplacementsAt(body.rest, table, lattices, k);
}

Matrix3Xd DisplacementsAt(const Matrix3Xd& at, const ModeTable& table,
                          const std::vector<EmbeddedLattice>& lattices, int k) {
  const EmbeddedLattice& part = lattices[table.modes[k].lattice];
  const Matrix3Xd moved = table.DisplacementsOn(part.lattice, k) * part.weights;
  Matrix3Xd displacements = Matrix3Xd::Zero(3, at.cols());
  for (size_t i = 0; i < part.inside.size(); ++i) {
    displacements.col(part.inside[i]) = moved.col(static_cast<int>(i));
  }
  return displacements;
}

Eigen::VectorXd PointGradients(const Body& body, const ModeTable& table,
                               const std::vector<EmbeddedLattice>& lattices, int k) {
  return GradientsAt(body.rest, table, lattices, k);
}

Eigen::VectorXd GradientsAt(const Matrix3Xd& at, const ModeTable& table,
                            const std::vector<EmbeddedLattice>& lattices, int k) {
  const EmbeddedLattice& part = lattices[table.modes[k].lattice];
  const Matrix3Xd moved = table.DisplacementsOn(part.lattice, k);
  Eigen::VectorXd gradients = Eigen::VectorXd::Zero(9 * at.cols());
  for (const int n : part.inside) {
    // EmbedLattices() has verified that the point is inside.
    const Vector3d local = *part.lattice.LocalCoordinates(at.col(n));
    const Eigen::Matrix3d gradient =
        moved * part.lattice.WeightGradientsAt(local) * part.lattice.JacobianAt(local).inverse();
    gradients.segment<9>(9 * static_cast<Eigen::Index>(n)) = gradient.reshaped();
  }
  return gradients;
}

}  // namespace pliant::dynamic_ffd
