// Which way is out of a body: the sides on which parts of its surface may be touched.
//
// A part of a surface that encloses a volume, or an area of the plane, is touched from outside alone. So
// where two parts lie on each other, to rounding or a little inside, the signs of volumes and areas say
// nothing of the side from which contact holds, and the outward directions of the parts do:
//
//   face, edge of an outline   its normal
//   edge between two faces     the sum of their unit normals
//   corner                     the sum over its facets of unit normals, by angle [Bærentzen & Aanæs 2005]
//
// Convex parts touch along n, from the second part to the first, only where n·N₁ < 0 < n·N₂ with N the outward
// directions. Where that fails for n and for −n, as between a corner of a block and a side face of another on
// which it stands flush, other parts carry the contact: otherwise a block that is a little inside of the one
// below could not slide over its rim.
//
// Sheets, chains and nets that do not close have no outside; nor has an edge or a corner that is not convex
// (nothing touches it by two parts alone), nor a body once it is torn. A body turned inside out counts by
// the side where its volume is.

#ifndef PLIANT_SOLVERS_CONTACT_OUTWARD_SIDES_H_
#define PLIANT_SOLVERS_CONTACT_OUTWARD_SIDES_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/meeting_surfaces.h"

namespace pliant {

// N of the first and of the second part of a pair, of any length; 0 where there is none.
struct OutwardPair {
  Eigen::Vector3d first = Eigen::Vector3d::Zero(), second = Eigen::Vector3d::Zero();

  bool known() const { return !first.isZero(0.0) || !second.isZero(0.0); }
  // 1 or −1: n·N₁ < 0 < n·N₂ for this sign of n, with what is known; 0: for neither.
  int SideOf(const Eigen::Vector3d& n) const;
};

class OutwardSides {
 public:
  OutwardSides(const Scene& scene, const MeetingSurfaces& surfaces);

  void Tear() { any_ = false; }
  // A step begins, with `surfaces` at its start. O(facets).
  void Begin(const MeetingSurfaces& surfaces);
  // With the points at x (3×n). O(facets of a corner).
  OutwardPair Of(const SurfacePair& pair, const MeetingSurfaces& surfaces,
                 const PointsRef& x) const;

 private:
  // Facets of a point, in the plane those of the outline: faces_ or edges_ by number.
  struct Range {
    int first, last;
  };
  Range FacetsOf(int point) const { return {first_facet_[point], first_facet_[point + 1]}; }
  std::array<int, 3> CornersOf(int facet, const MeetingSurfaces& surfaces) const;
  Eigen::Vector3d OfFacet(int facet, const MeetingSurfaces& surfaces,
                          const PointsRef& x) const;  // unit
  Eigen::Vector3d OfEdge(int edge, const MeetingSurfaces& surfaces, const PointsRef& x) const;
  Eigen::Vector3d OfCorner(int point, const MeetingSurfaces& surfaces, const PointsRef& x) const;

  bool planar_, any_ = false;
  std::vector<char> solid_;  // by body
  std::vector<int> body_;    // of each point
  std::vector<std::array<int, 2>>
      ends_;  // in the plane: of each edge of an outline, as it goes round
  std::vector<std::array<int, 2>> faces_of_;  // in space: of each edge; −1: none
  std::vector<int> first_facet_, facets_;     // of each point
  std::vector<int> all_facets_;               // of solids
  std::vector<int> origin_;                   // by body: a point of it
  std::vector<double> extents_;               // by body: volume times 6, or area times 2
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_OUTWARD_SIDES_H_
