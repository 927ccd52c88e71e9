// Contact of bodies in their lattices with the obstacles of a scene: the law is PenaltyContact's;
// this class finds the points that touch. A body whose ball is clear of an obstacle costs O(D);
// otherwise each of its points is tested once, O(nD), and the rest concerns touching points only. Of
// many obstacles a tree is asked instead.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FFD_CONTACT_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FFD_CONTACT_H_

#include <Eigen/Core>
#include <cstdint>
#include <tuple>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/penalty.h"
#include "solvers/dynamic_ffd/body_points.h"
#include "solvers/dynamic_ffd/ffd_part.h"

namespace pliant::dynamic_ffd {

// Positions of the bodies. `version` changes whenever the positions change.
struct PlacedBodies {
  std::vector<BodyPoints> points;  // of each part
  std::uint64_t version = 0;
};

class FfdContact {
 public:
  FfdContact(const Scene& scene, const PenaltyOptions& options);

  bool empty() const { return law_.obstacles().empty(); }

  // Q += Σ J_nᵀ f_n of all touches at `time`; adds their power and momentum to `rates`.
  void AddForces(double time, const std::vector<FfdPart>& parts, const PlacedBodies& bodies,
                 const Eigen::VectorXd& v, Eigen::VectorXd* Q, Exchange* rates);
  // Power at other velocities of the forces of that call that no energy accounts for [W].
  double PowerAt(const std::vector<FfdPart>& parts, const PlacedBodies& bodies,
                 const Eigen::VectorXd& other) const;

  // Entry points after a step that ended at `time`. Returns the work of friction on their springs
  // [J].
  double Update(double time, const std::vector<FfdPart>& parts, const PlacedBodies& bodies,
                const Eigen::VectorXd& v);

  // The forces on points x, v (3×n) [N], with the entry points as they are.
  void AddPointForces(double time, const PointsRef& x, const PointsRef& v,
                      MutablePointsRef forces) const {
    Exchange unused;
    law_.AddForces(time, x, v, forces, &unused);
  }

  // The same by pairs of bodies and obstacles.
  void TallyForces(double time, const PointsRef& x, const PointsRef& v, ContactTally* tally) const {
    law_.TallyForces(time, x, v, tally);
  }

  // The energy stored in contacts, for all points x (3×n) [J].
  double Energy(double time, const PointsRef& x) const { return law_.Energy(time, x); }

  int StateSize() const { return law_.StateSize(); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const { law_.Save(state); }
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state, const std::vector<FfdPart>& parts);

 private:
  struct PartTouch {
    Touch touch;
    int part, local;                                    // the point's number in its body
    Eigen::Vector3d lever;                              // R y_n [m]
    Eigen::Vector3d working = Eigen::Vector3d::Zero();  // of the last AddForces() [N]
  };
  struct Entered {
    int part, obstacle, point;
  };
  // The order of both lists.
  static auto Place(const PartTouch& t) {
    return std::make_tuple(t.part, t.touch.obstacle, t.touch.point);
  }
  static auto Place(const Entered& e) { return std::make_tuple(e.part, e.obstacle, e.point); }

  void PlaceObstacles(double time);
  // Fills touches_, unless they belong to the same positions.
  void Detect(double time, const std::vector<FfdPart>& parts, const PlacedBodies& bodies);
  void DetectOne(int part, int first_point, int obstacle, const BodyPoints& points);
  void DetectMany(int part, int first_point, const BodyPoints& points);

  PenaltyContact law_;
  NearObstacles near_;
  bool obstacles_move_;
  std::vector<PathPoint> origins_;  // of the obstacles at time_
  double time_ = 0.0;
  std::uint64_t version_ = 0;       // version of the positions of touches_; 0: none
  std::vector<PartTouch> touches_;  // by part, obstacle, point
  std::vector<Entered> entered_;    // touches that have an entry point
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FFD_CONTACT_H_
