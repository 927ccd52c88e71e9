// Contact of surfaces with themselves and with one another as displacement constraints: a point
// keeps the thickness d from every face that it is no corner of.
//
//   pair       a point p and a face with corners a, b, c, unit normal n on the side where p is when
//              the pair is found; if it has come through the face in this step, where it was before
//   normal     n·(p − q) ≥ d while p is over the face, q = w_a a + w_b b + w_c c the foot of p, by
//              impulses P on the point and −w_a P, −w_b P, −w_c P on the corners: momentum is
//              conserved
//   goal       what begins a step nearer than d, or comes over the face from beside it, comes no
//              nearer. When velocities have taken up the displacements of the step, it is led out by
//              a tenth of d: a way out within the step would be a velocity, the greater the shorter
//              the step
//   friction   Coulomb's bound on the impulse that takes p back to where it touched q
//
// Both n and q follow the face in every sweep. An impulse displaces all four by
// their own mobility and by what they share, n·Σ w_i w_j W_ij n in all (point_mover.h): point and
// corners may be of rigid bodies, of nets, of lengths. The hits are inelastic. Pairs come from a
// spatial hash of the faces (box_hash.h) that a step fills with what every face sweeps over: before
// the first sweep, and again whenever the sweeps have closed all gaps they know of, until no pair
// is new.
//
// A pair is found if the point is over the face at the end of the step. A point that goes through a
// face and on past its border within one step is not found; the first time in a run this is
// reported.
//
// Points are kept apart from faces, but not edges from edges: two edges that cross may pass through
// each other as long as no point passes through a face. No side is remembered from step to step: a
// point that has passed through is kept on the side where it is.

#ifndef PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_
#define PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/box_hash.h"
#include "solvers/holds/point_mover.h"
#include "solvers/simulation.h"

namespace pliant {

// The point and the corners at the start of a step and now [m].
struct PointAndFace {
  Eigen::Vector3d point_before, point;
  std::array<Eigen::Vector3d, 3> before, corners;
};
struct Approach {
  double side = 1.0;    // of the face where the point belongs: 1 where its corners turn to the left
  bool passed = false;  // has the point come through?
};
// The point comes through where it changes sides no farther than `rim` [m] from the face; point and
// corners move straight.
Approach ApproachOf(const PointAndFace& pair, double rim);

// Where a point is over a face.
struct FaceTouch {
  Eigen::Vector3d normal;   // n, unit, to the side asked for
  Eigen::Vector3d weights;  // of the corners at the nearest place of the face, sum 1
  double distance = 0.0;    // n·(p − q) [m]
};
// Is the foot of the point in the face or no farther than `rim` [m] from it? Nothing is over a face
// without area.
bool IsOver(const std::array<Eigen::Vector3d, 3>& corners, const Eigen::Vector3d& point,
            double side, double rim, FaceTouch* touch);

struct SurfaceContactOptions {
  double thickness = 0.0;  // d [m]; 0: surfaces pass through one another
  double friction = 0.0;   // μ
};

class SurfaceContacts {
 public:
  // `rest` 3×n: throws BadInput where points are nearer than the thickness to a face there already,
  // and for a thickness below the tolerance of the sweeps [m], where there is no face and for
  // planar scenes.
  // `rigid`: by body, whether it is rigid as a whole and so cannot touch itself.
  SurfaceContacts(const Scene& scene, const SurfaceContactOptions& options,
                  const std::vector<bool>& rigid, const PointsRef& rest, double tolerance);

  // Removes the faces with such a side and keeps all others.
  void Tear(const std::vector<std::array<int, 2>>& torn);

  bool act() const { return thickness_ > 0.0; }
  int size() const { return static_cast<int>(contacts_.size()); }

  // A step that ends at `end` [s] begins, with the points at `start`, 3×n [m], and no contact.
  void Begin(const PointsRef& start, double end);
  // Adds a contact for each pair that touches when the points are at `now`: the first time those
  // about to touch as well, later those alone that are nearer than the thickness by more than the
  // tolerance. Returns how many. O(points + faces) while faces are of like size and few touch; no
  // allocation once the arrays have grown.
  int Find(const PointsRef& now);

  // Reports of the last Find(): the point that passed through a face, and the face; reported once
  // per run.
  std::vector<std::string> TakeNews(const Scene& scene);

  void Relax(PointMover* mover);  // one correction of each

  // From now until the next Begin() contacts are led out, and what that takes is not among the
  // impulses of the step.
  void LeadOut();

  struct Worst {
    int index = -1;
    double size = 0.0;  // m
  };
  Worst FindWorst(const PointMover& mover) const;
  // P of the step so far [kg m], 3×n.
  const Eigen::Matrix3Xd& impulses() const { return pushed_; }
  // Σ P·w, with w = motion(point) the motion on which they work [kg m²/s]: over h that is work.
  template <typename Motion>
  double Work(const Motion& motion) const {
    double sum = 0.0;
    for (const int p : surface_points_) {
      if (!pushed_.col(p).isZero(0.0)) sum += pushed_.col(p).dot(motion(p));
    }
    return sum;
  }
  // Pairs of points and faces at `x` that are nearer than the thickness by more than the tolerance
  // at `time` [s].
  void AddUnmet(const Scene& scene, double time, const PointsRef& x,
                std::vector<UnmetConstraint>* unmet) const;
  // "contact of point 3 of cloth with the face at point 0 of cloth".
  std::string Name(const Scene& scene, int i) const;

  // Of all bodies, and whether the point is neither a corner of the face nor held to it in
  // the present step.
  const std::vector<std::array<int, 3>>& faces() const { return faces_; }
  bool CanTouch(int point, int face) const;

 private:
  struct Contact {
    int point, face;
    Approach approach;
    double goal = 0.0;                                  // least distance at the end of the step [m]
    double led = 0.0;                                   // the same after LeadOut() [m]
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // P [kg m]
  };
  // The rim of a face that belongs to it: as wide as it is thick for what has come through.
  double RimOf(const Approach& approach) const { return approach.passed ? thickness_ : 0.0; }
  bool IsOverNow(const PointMover& mover, const Contact& contact, FaceTouch* touch) const;
  void Relax(PointMover* mover, Contact* contact);
  void FillHash(const PointsRef& now, double reach);
  template <typename Visit>
  void ForEachTouch(const PointsRef& now, double reach, const Visit& visit);
  static std::string Named(const Scene& scene, int point, int corner);

  // A point and what it is held to, and when.
  struct Attached {
    std::array<int, 2> points;
    HoldTime hold;
  };

  double thickness_, friction_, tolerance_ = 0.0;
  std::vector<std::array<int, 3>> faces_;            // of all bodies
  std::vector<std::array<int, 3>> all_faces_;        // with those that have torn; empty until then
  std::vector<int> surface_points_;                  // that a face has
  std::vector<int> piece_;                           // of each point: the rigid body, −1 for none
  std::vector<Attached> attached_;                   // both ways, sorted by points
  double end_ = 0.0;                                 // of the step [s]
  Eigen::Matrix3Xd start_;                           // of the step, 3×n [m]
  Eigen::Vector3d drift_ = Eigen::Vector3d::Zero();  // mean displacement: boxes are seen from there
  bool fresh_ = true;                                // no Find() yet in this step
  bool leads_ = false;
  BoxHash hash_;
  std::vector<Bounds> boxes_;  // of the faces
  std::vector<Contact> contacts_;
  std::vector<std::array<int, 2>> known_;  // point and face of each, sorted
  std::array<int, 2> missed_ = {-1, -1};   // point and face
  bool told_missed_ = false;
  Eigen::Matrix3Xd pushed_;  // by all of them, 3×n [kg m]
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_
