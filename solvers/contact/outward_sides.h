// Which way is out of a body: the directions in which parts of its surface may be touched.
//
// A part of a surface that encloses a volume, or an area of the plane, is touched from outside alone, and
// only from the directions in its normal cone, N(part) [Johnson & Cohen 2001]:
//
//   face, edge of an outline   its normal
//   edge between two faces     what lies between their normals, across the edge
//   corner                     n·e ≤ 0 for every edge e that leaves it: what the normals of its facets span
//
// Parts touch along n, from the second part to the first, only where n is in N(second) and −n in N(first).
// That decides where two parts lie on each other, to rounding or a little inside, so that the signs of
// volumes and areas say nothing of the side. Where neither n nor −n is such a direction other parts
// carry the contact: the side of a block does not touch the edges by which the top of a plank, below it, is
// divided, though they come through each other at every step by what the sweeps tolerate. A pseudonormal, one
// direction for each part [Bærentzen & Aanæs 2005], tells the sign of n alone.
//
// The cones are widened by kWidened, since what is flat at rest bends. Sheets, chains and nets that do not close
// have no outside; nor has a corner that is not convex (nothing touches it by two parts alone), nor a body
// once it is torn. A body turned inside out counts by the side where its volume is.

#ifndef PLIANT_SOLVERS_CONTACT_OUTWARD_SIDES_H_
#define PLIANT_SOLVERS_CONTACT_OUTWARD_SIDES_H_

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/meeting_surfaces.h"

namespace pliant {

// What the direction of a touch is between, of each part, unit; 0 where nothing bounds it.
struct TouchBounds {
  using Arc = std::array<Eigen::Vector3d, 2>;
  Arc first = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()}, second = first;

  // The nearest direction to n within both: of a flat part its normal.
  Eigen::Vector3d Nearest(const Eigen::Vector3d& n) const;
};

class OutwardSides {
 public:
  OutwardSides(const Scene& scene, const MeetingSurfaces& surfaces);

  void Tear() { any_ = false; }
  // A step begins, with `surfaces` at its start. O(facets).
  void Begin(const MeetingSurfaces& surfaces);
  // With the points at x (3×n), for unit n: 1 or −1, the sign for which n is in N(second) and −n in N(first),
  // 0 for neither. Absent where neither part has an outside, and where only one has and it is for neither.
  // O(facets of a corner).
  std::optional<int> SideOf(const SurfacePair& pair, const Eigen::Vector3d& n,
                            const MeetingSurfaces& surfaces, const PointsRef& x) const;
  // The cones of edges, and of corners that are flat, with the points at x. (A face is one of the parts that
  // give n, and other corners are beside no face that they touch.)
  TouchBounds BoundsOf(const SurfacePair& pair, const MeetingSurfaces& surfaces,
                       const PointsRef& x) const;
  // Has any part of the pair an outside, with the points at x?
  bool Know(const SurfacePair& pair, const MeetingSurfaces& surfaces, const PointsRef& x) const;

 private:
  // Facets of a point, in the plane those of the outline: faces_ or edges_ by number.
  struct Range {
    int first, last;
  };
  Range FacetsOf(int point) const { return {first_facet_[point], first_facet_[point + 1]}; }
  std::array<int, 3> CornersOf(int facet, const MeetingSurfaces& surfaces) const;
  Eigen::Vector3d OfFacet(int facet, const MeetingSurfaces& surfaces,
                          const PointsRef& x) const;  // unit
  bool IsConvex(int point, const MeetingSurfaces& surfaces, const PointsRef& x) const;
  bool HasOutside(const SurfacePair& pair, bool first, const MeetingSurfaces& surfaces,
                  const PointsRef& x) const;
  // Is n in the cone of the first or of the second part?
  bool Admits(const SurfacePair& pair, bool first, const Eigen::Vector3d& n,
              const MeetingSurfaces& surfaces, const PointsRef& x) const;
  bool EdgeAdmits(int edge, const Eigen::Vector3d& n, const MeetingSurfaces& surfaces,
                  const PointsRef& x) const;
  bool CornerAdmits(int point, const Eigen::Vector3d& n, const MeetingSurfaces& surfaces,
                    const PointsRef& x) const;

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
