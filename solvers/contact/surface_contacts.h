// Contact of bodies with one another and with themselves as displacement constraints: parts of
// their surfaces keep the thickness d from each other.
//
//   pair       a point and a face, two edges, or in the plane a point and an edge (surface_pairs.h),
//              of bodies that meet (meeting_surfaces.h), with corners x_i
//   normal     n·Σ w_i x_i ≥ d where the parts touch, by impulses w_i P: momentum is conserved, and
//              along n, which joins the places that touch, so is angular momentum
//   edges      of faces keep a tenth of d: enough not to cross, where points keep d from faces
//              (not within one body: there edges of faces may cross between points)
//   passage    What goes through the other part within the step, however fast, is kept on the side
//              where it was by n and w of the instant when they meet, for the whole step
//   goal       what begins a step nearer than d, or comes over a face from beside it, comes no
//              nearer. When velocities have taken up the displacements of the step, it is led out by
//              a tenth of d: a way out within the step would be a velocity, the greater the shorter
//              the step
//              What begins inside a body comes out within the step by no more than the step would
//              have brought it in: its speed then is that of a step's own forces
//   bounce     with a restitution e, what hits faster than the step's own forces would make it is
//              sent to where it stood plus e h u, u its approach speed: its speed becomes e u; also
//              where corrections of the step push in what is rigid (displacement.h)
//   friction   Coulomb's bound on the impulse that takes the places that touch back to where they
//              touched
//
// Where nothing passes, n and w follow the parts in every sweep. An impulse displaces all corners by
// their own mobility and by what they share, n·Σ w_i w_j W_ij n in all (point_mover.h): they may be
// of rigid bodies, of nets, of lengths. Pairs are found before the first sweep, by what every part
// sweeps over in the step, and again whenever the sweeps have closed all gaps they know of, until no
// pair is new.
//
// No side is remembered from step to step. Parts of bodies that take up space are touched from outside,
// also where they begin a step on each other or inside by up to d (outward_sides.h). Beyond that, and
// between bodies without an inside, what has passed through is kept on the side where it is.
//
// A pair of bodies one of which takes up space, and which are nearer at rest than d may be, keep that distance
// (0 where they lie on each other, less where they overlap by up to d) in place of d: led out, a body at
// rest would be lifted.

#ifndef PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_
#define PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_

#include <Eigen/Core>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/displacement.h"
#include "solvers/contact/meeting_surfaces.h"
#include "solvers/contact/outward_sides.h"
#include "solvers/holds/point_mover.h"
#include "solvers/simulation.h"

namespace pliant {

class SurfaceContacts {
 public:
  // `rest` 3×n: throws BadInput for a given thickness [m] where parts are nearer than it there
  // already, and where it is below the tolerance of the sweeps [m], above the width of a part, or
  // without a surface; and where parts of bodies without an inside are nearer than the tolerance at rest: what
  // lies on the other side of what cannot be told. A thickness that is not given is a twentieth of the narrowest part, or the
  // least distance of bodies at rest where that is less, but twice the tolerance at least.
  // `rigid`: by body, whether it is rigid as a whole and so cannot touch itself.
  SurfaceContacts(const Scene& scene, const SurfaceContactOptions& options,
                  const std::vector<bool>& rigid, const PointsRef& rest, double tolerance);

  // Removes the faces with such a side and keeps all others.
  void Tear(const std::vector<std::array<int, 2>>& torn) {
    surfaces_.Tear(torn);
    outward_.Tear();
  }

  // Two bodies that keep less than the thickness from each other [m].
  struct NearAtRest {
    std::array<int, 2> bodies;
    double distance;
  };
  // Sorted by bodies, ascending.
  const std::vector<NearAtRest>& near_at_rest() const { return near_at_rest_; }

  bool act() const { return thickness_ > 0.0; }
  double thickness() const { return thickness_; }  // d [m]
  const std::string& why() const { return why_; }  // of the thickness: "as surface_thickness says"
  int size() const { return static_cast<int>(contacts_.size()); }

  // A step that ends at `end` [s] begins, with the points at `start`, 3×n [m], and no contact.
  void Begin(const PointsRef& start, double end);
  // The same, with what a bounce depends on: the points at the start, and the step [s].
  void Begin(const PointsInMotion& start, double step, double end);
  // Adds a contact for each pair that touches when the points are at `now`: the first time those
  // about to touch as well, later those alone that are nearer than the thickness by more than the
  // tolerance, or pass. Returns how many. O(points) while no bodies are near each other; no
  // allocation once the arrays have grown.
  int Find(const PointsRef& now);

  void Relax(PointMover* mover);  // one correction of each

  // From now until the next Begin() contacts are led out, and what that takes is not among the
  // impulses of the step.
  void LeadOut();

  struct Worst {
    int index = -1;
    double size = 0.0;  // m
  };
  Worst FindWorst(const PointMover& mover) const;
  // The first that is not, as IsResolved() of displacement.h; -1: none.
  int FirstUnresolved(const PointMover& mover) const;
  // P of the step so far [kg m], 3×n.
  const Eigen::Matrix3Xd& impulses() const { return pushed_; }
  // Σ P·w, with w = motion(point) the motion on which they work [kg m²/s]: over h that is work.
  template <typename Motion>
  double Work(const Motion& motion) const {
    double sum = 0.0;
    for (const int p : surfaces_.points()) {
      if (!pushed_.col(p).isZero(0.0)) sum += pushed_.col(p).dot(motion(p));
    }
    return sum;
  }
  // Calls visit(pair, touch, P): P [kg m] on the first part of each pair in the sweeps of the step so
  // far, and where it touched last.
  template <typename Visit>
  void ForEachImpulse(const Visit& visit) const {
    for (const Contact& contact : contacts_) {
      if (!contact.impulse.isZero(0.0)) visit(contact.pair, contact.last, contact.impulse);
    }
  }
  // Pairs at `x` that are nearer than the thickness by more than the tolerance at `time` [s].
  void AddUnmet(const Scene& scene, double time, const PointsRef& x,
                std::vector<UnmetConstraint>* unmet) const;
  // "contact of point 3 of cloth with the face at point 0 of cloth".
  std::string Name(const Scene& scene, int i) const;
  const MeetingSurfaces& surfaces() const { return surfaces_; }

 private:
  struct Contact {
    SurfacePair pair;
    double side = 1.0;     // where the first part belongs
    double rim = 0.0;      // margin around a face within which the point counts as over it [m]: the
                           // thickness once the point has passed through, else 0
    bool outward = false;  // is the side that of OutwardSide()?
    bool stuck = false;    // true if no part of the contact can move
    bool passes = false;   // are n and w those of `passage`?
    PairTouch passage;     // where one part goes through the other
    bool bounded = false;  // is the normal kept within `bounds`?
    TouchBounds bounds;
    double goal = 0.0;  // least distance at the end of the step [m]
    // The goal once it is nearer than that, if rigid bodies come at the speed of a hit [m].
    double rebound = -std::numeric_limits<double>::infinity();
    double led = 0.0;       // the same after LeadOut() [m]
    double accuracy = 0.0;  // of rigid bodies: AccuracyOf() of displacement.h [m]; else 0
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // P [kg m]
    PairTouch last;                                     // of the last correction
  };
  // What the parts keep from each other, by their kind, and by where their bodies are at rest [m].
  double ThicknessOf(const SurfacePair& pair) const;
  double ClearanceOf(const SurfacePair& pair) const;
  void KeepNearAtRest(const SurfacePair& pair, double distance);
  // Does the pair touch on the contact's side, and along what is in a cone of both parts?
  bool Touches(const PairCorners& here, const PointsRef& now, const Contact& contact,
               PairTouch* touch) const;
  // Where one part begins the step on the other, or inside of it by up to `inside_`: the side from
  // which it is touched. 0: these parts do not touch, others do. Absent: where the parts are decides.
  std::optional<int> OutwardSide(const SurfacePair& pair, const PairCorners& before,
                                 const PairCorners& here, const PointsRef& now) const;
  // What lies on the other part, to the tolerance, is apart in no direction of its own: that of the touch is
  // within the cones of both parts.
  void Bound(const PairCorners& here, Contact* contact, PairTouch* touch) const;
  bool MayTouch(const SurfacePair& pair, const Eigen::Vector3d& n, const PointsRef& now) const;
  // Does the pair touch, or pass, when the points are at `now`? Then its distance as well.
  bool Meets(const SurfacePair& pair, const PointsRef& now, double reach, Contact* contact,
             PairTouch* touch) const;
  void SetGoals(Contact* contact, const PairTouch& touch) const;
  bool TouchNow(const PointMover& mover, const Contact& contact, PairTouch* touch) const;
  // One more correction of a contact that touches, or has an impulse to take back.
  struct Correction {
    PairTouch touch;
    Eigen::Matrix3d mobility;  // W of one part against the other [1/kg]
    Eigen::Vector3d impulse;   // P [kg m]
  };
  std::optional<Correction> NextOf(const PointMover& mover, const Contact& contact) const;
  void Relax(PointMover* mover, Contact* contact);
  bool IsKnown(const SurfacePair& pair) const;
  [[noreturn]] void RefuseUndecided(const Scene& scene, const SurfacePair& pair,
                                    double distance) const;
  // Refuses a given thickness that the scene cannot have; otherwise chooses one.
  void ChooseThickness(const Scene& scene, const PointsRef& rest);
  static std::string Named(const Scene& scene, const SurfacePair& pair);

  double thickness_ = 0.0, tolerance_ = 0.0;
  std::string why_;
  double inside_ = 0.0;  // parts that are no farther inside a body are touched from outside [m]
  MeetingSurfaces surfaces_;
  OutwardSides outward_;
  std::vector<NearAtRest> near_at_rest_;
  bool fresh_ = true;  // no Find() yet in this step
  bool leads_ = false;
  double step_ = 0.0;                            // s; 0: no hits
  double rounding_ = 0.0;                        // m, of positions
  Eigen::Matrix3Xd velocities_, accelerations_;  // at its start, of what may hit
  std::vector<Contact> contacts_;
  std::vector<std::array<int, 3>> known_;  // kind and parts of each, sorted
  Eigen::Matrix3Xd pushed_;                // by all of them, 3×n [kg m]
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SURFACE_CONTACTS_H_
