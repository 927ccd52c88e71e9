// All contact of a scene: surfaces of bodies with obstacles (obstacle_contact.h, cell_contact.h), with one another and
// with themselves (pair_contact.h), as forces on the nodes.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "solvers/finite_elements/cell_contact.h"
#include "solvers/finite_elements/contact_places.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/obstacle_contact.h"
#include "solvers/finite_elements/pair_contact.h"

namespace pliant::finite_elements {

// Nodes in a step from t₀ to t₁, 3×m [m, s].
struct NodeMotion {
  const Eigen::Matrix3Xd &q0, &q1;
  double t0, t1;
};

class Contact {
 public:
  Contact(const Scene& scene, const Discretisation& bodies, const ContactOptions& options);
  Contact(const Contact&) = delete;
  Contact& operator=(const Contact&) = delete;

  bool empty() const { return obstacles_.empty() && pairs_.empty(); }
  const ContactOptions& options() const { return options_; }
  double Energy(double time, const Eigen::Matrix3Xd& q) const;  // J
  // The smallest distance between surfaces that meet, where it is below the thickness [m].
  double SmallestGap(const Eigen::Matrix3Xd& q) { return pairs_.SmallestGap(places_.At(q)); }

  // A step from q₀ to about q₁ begins; Include() widens what Begin() found, so that it contains q.
  void Begin(const NodeMotion& motion);
  void Include(const Eigen::Matrix3Xd& q);
  // What can pass between places of a surface, in words; empty: nothing, or edges and faces meet it too.
  const std::string& passes() const { return passes_; }
  // For ReducedMatrix: of places where there are obstacles, of cells near them, then of pairs.
  std::vector<NodeCombination> Links() const;

  // Forces on the nodes, 3×m [N]: the push at one time or of a step, and friction with the push of a
  // step or, not `discrete`, of its end.
  void AddForces(double time, const Eigen::Matrix3Xd& q, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const NodeMotion& motion, Eigen::Matrix3Xd* forces) const;
  void AddFriction(const NodeMotion& motion, bool discrete, Eigen::Matrix3Xd* forces) const;
  // What rubs in a step, with the push at q at this time; and of that, whatever presses at q₁, the potential of its friction and
  // the work on the way from q₀ to q₁ [J]: against the way of the places relative to one another and to the
  // obstacles, ≤ 0, and what the motion of the obstacles adds.
  std::vector<Rub> Rubs(const NodeMotion& motion, double time, const Eigen::Matrix3Xd& q) const;
  struct Rubbed {
    double potential = 0.0, lost = 0.0, from_obstacles = 0.0;
  };
  Rubbed RubbedBy(const std::vector<Rub>& rubs, const NodeMotion& motion) const;
  // Impulses of both, by pairs: the push of a step or, not `discrete`, of its end.
  void Tally(const NodeMotion& motion, bool discrete, const ContactDurations& durations,
             ContactTally* tally) const;
  void AddTangent(const NodeMotion& motion, bool discrete, double factor, int first_link,
                  ReducedMatrix* matrix) const;
  // Work along the motion of the obstacles [J].
  ObstacleContact::Work WorkOfObstacles(const NodeMotion& motion, bool discrete) const;
  double PushWorkAt(const NodeMotion& motion, double time, const Eigen::Matrix3Xd& q) const;

  // The part of the way from q to p at one time that Newton's iteration may take.
  double LargestFraction(double time, const Eigen::Matrix3Xd& q, const Eigen::Matrix3Xd& p);

 private:
  template <typename Use>
  void WithPlaces(const NodeMotion& motion, const Use& use) const;

  ContactOptions options_;
  ContactPlaces places_;
  ObstacleContact obstacles_;
  CellContact cells_;
  PairContact pairs_;
  std::string passes_;
  mutable Eigen::Matrix3Xd x0_, x1_;  // of the places; scratch of WithPlaces()
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_H_
