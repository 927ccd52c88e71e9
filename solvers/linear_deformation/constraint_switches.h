// The constraints that hold now: rows are switched at their times and by behaviours [Witkin & Welch
// 1990, Sec. 4.1–4.2].
//
// A step begins with
//   1. Decide: rows begin or end at their times, and behaviours connect and disconnect points. If
//      anything has changed, the constraint matrix is rebuilt once, and one impulse matches the
//      velocities [Eq. 9]: all changes at one instant are made together.
//   2. Lead: chasing points and prerolls get their paths from where they are now. A led point is a
//      nail that follows a cubic, which begins with the point's own velocity: no impulse.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_SWITCHES_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_SWITCHES_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "models/scene/constraint_rows.h"
#include "models/scene/forces.h"
#include "solvers/array_blocks.h"
#include "solvers/control/behaviours.h"

namespace pliant::linear_deformation {

class ConstraintSwitches final : private PointControl {
 public:
  explicit ConstraintSwitches(std::shared_ptr<const Scene> scene);

  // Can anything ever change?
  bool idle() const { return always_ && behaviours_.empty(); }
  // Is any point following a cubic, or about to?
  bool leads() const { return !lead_.empty(); }
  int behaviours_done() const { return behaviours_.done(); }
  bool has_behaviours() const { return !behaviours_.empty(); }

  // At the beginning of a step; points and velocities 3×n. Returns whether the active rows changed.
  bool Decide(double begin, double end, const PointsRef& x, const PointsRef& v);
  bool Lead(double begin, double end, const PointsRef& x, const PointsRef& v);

  std::vector<const ConstraintRow*> Holding() const;
  // Events since the last call.
  std::vector<std::string> TakeNews();

  int StateSize() const;
  void AddTo(StateBlocks* layout) const;  // of Save()
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  // A row that moves a point, and the nail to whose preroll it belongs.
  struct LeadRow {
    PointRef point;
    int row;
    int nail = -1;  // of the scene
  };
  // A row that a behaviour may activate.
  struct Connection {
    PointRef point;
    Goal goal;
    int row;
  };

  State StateOf(const PointRef& point) const override;
  void Lead(const PointRef& point, const CubicSegment& segment) override;
  void Release(const PointRef& point) override;
  void Connect(const PointRef& point, const Goal& goal) override;
  void Disconnect(const PointRef& point, const Goal* goal) override;
  void Tell(const std::string& what) override { news_.push_back(what); }

  void AddLead(const PointRef& point, const std::string& name, int nail);
  void Switch(int row, bool on);
  // True if `row` holds `point`, to `goal` if there is one.
  bool Ties(const ConstraintRow& row, const PointRef& point, const Goal* goal) const;

  std::shared_ptr<const Scene> scene_;
  std::vector<ConstraintRow> rows_;
  bool always_;  // all rows of the scene always hold
  std::vector<LeadRow> lead_;
  std::vector<Connection> connections_;
  Behaviours behaviours_;

  // State, with the segments of the rows that lead.
  std::vector<char> on_;

  // Of the present call.
  Eigen::Matrix3Xd x_, v_;
  bool changed_ = false;
  std::vector<std::string> news_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_SWITCHES_H_
