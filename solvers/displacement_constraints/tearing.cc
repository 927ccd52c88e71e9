// Edges that break [Palazzi 1993, Sec. 5.1: "objects that can split apart, tear, or break into
// pieces" are named as future work]. A segment whose tension exceeded `break_force` over a step is
// removed at its end, and its two end masses stay with the points; a point without a segment is a
// particle.
//
// The tension of an edge is the sum over the levels, each of which carries its part of the force:
// the tension of a coarse segment is shared by the lines that it stands for, that of a diagonal of
// the coarsest frame by its sides, T ℓ_side / (2 ℓ_diagonal) for each, which has the same virial.

#include <algorithm>

#include "models/scene/metrics.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/holds/held_points.h"

namespace pliant::displacement_constraints {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

void DisplacementConstraintsSimulation::Tear(double step) {
  const VectorXd tensions = EdgeTensions(step);
  std::vector<int> torn;
  for (int e = 0; e < static_cast<int>(broken_.size()); ++e) {
    if (broken_[e] == 0 && tensions[e] > options_.break_force) torn.push_back(e);
  }
  if (torn.empty()) return;
  const Matrix3Xd rates = Velocities();
  for (const int e : torn) broken_[e] = 1;
  SetBroken();
  TakePositions();
  levels_[0].segments.Hasten(rates - Velocities());
  const Eigen::VectorXd& masses = scene_forces_.masses();
  ledger_.Book(WorkClass::kConstraint,
               KineticEnergy(masses, Velocities()) - KineticEnergy(masses, rates));

  const auto [a, b] = levels_[0].segments.net().edges()[torn[0]];
  Happened(StepEnd(), NameOfBreak(scene(), torn.size(), a, b));
}

VectorXd DisplacementConstraintsSimulation::EdgeTensions(double step) const {
  VectorXd above;
  for (int l = static_cast<int>(levels_.size()) - 1; l >= 0; --l) {
    const Level& level = levels_[l];
    VectorXd tensions = level.segments.Tensions(step, level.pulled);
    if (l + 1 < static_cast<int>(levels_.size())) {
      grids_->AddTensions(l, above, &tensions);
    } else if (grids_ != nullptr) {
      const VectorXd& lengths = level.segments.geometry().lengths;
      const auto& edges = grids_->Edges(l);
      for (size_t d = level.filter_edges; d < edges.size(); ++d) {
        const double share =
            0.5 * tensions[static_cast<Eigen::Index>(d)] / lengths[static_cast<Eigen::Index>(d)];
        // The sides of its frame: what has an end in common with it.
        for (int e = 0; e < level.filter_edges; ++e) {
          const bool side = std::any_of(edges[e].begin(), edges[e].end(), [&](int p) {
            return p == edges[d][0] || p == edges[d][1];
          });
          if (side) tensions[e] += share * lengths[e];
        }
      }
    }
    above = std::move(tensions);
  }
  return above;
}

void DisplacementConstraintsSimulation::SetBroken() {
  const auto& edges = levels_[0].segments.net().edges();
  std::vector<SegmentNet::Edge> torn;
  for (size_t e = 0; e < broken_.size(); ++e) {
    if (broken_[e] != 0) torn.push_back(edges[e]);
  }
  surfaces_.Tear(torn);
  if (grids_ == nullptr) {
    levels_[0].Tear(broken_, scene().Masses());
    return;
  }
  grids_->Tear(broken_, scene().Masses());
  Eigen::MatrixXd masses = scene().Masses().transpose();
  for (int l = 0; l < grids_->levels(); ++l) {
    Level& level = levels_[l];
    const std::vector<char>& broken = l == 0 ? broken_ : grids_->Broken(l);
    level.Tear(broken, masses.transpose());
    level.left_out = grids_->LeftOut(l);
    for (Hold& hold : level.holds) SeeFrom(l, &hold);
    if (l + 1 == grids_->levels()) break;
    Eigen::MatrixXd coarse(1, grids_->PointCount(l + 1));
    grids_->Restrict(l, masses, coarse);
    masses = coarse;
  }
}

// No coarser level has them: their share of the forces on the points acts here.
void DisplacementConstraintsSimulation::ApplyForcesOfMissingLevels(int l) {
  Level& level = levels_[l];
  const SegmentNet& net = level.segments.net();
  Matrix3Xd& felt = sums_[l].scratch;
  Matrix3Xd rest = Matrix3Xd::Zero(3, felt.cols());
  for (const int p : level.left_out) {
    const int end = net.Incident(p)[0];
    const double mass = net.EndpointMass(end) * static_cast<double>(net.Incident(p).size());
    rest.col(p) = felt.col(p) + mass * scene().gravity;
  }
  level.segments.AddPointForces(level.rest_fraction, rest);
}

}  // namespace pliant::displacement_constraints
