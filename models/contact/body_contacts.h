// Where bodies that take up space are inside one another: the one finder of contacts between bodies.
//
// Two bodies a and b are cut into cells (body_cells.h). The measure of how deep b is in a cell c of
// a is
//
//   d_c = V_c / A_c [m],  V_c = Σ content of c ∩ c' over the cells c' of b
//
// with A_c the extent of the cell's side on the surface at rest (the length of an edge, the area of
// a facet): where a flat face covers that side evenly, d_c is how far it has come in. Cells of a
// and of b both count. d_c is a function of positions alone, continuous, and its gradient is known
// in closed form (simplex_overlap.h); the gradients of one d_c have no sum and no moment. Points,
// edges and faces need no cases of their own: an edge that crosses an edge has a common part with
// the cells there as any other, and where a body slides over the edge of another V_c falls to 0
// without a jump.
//
// The normal of a contact is that of ∫ n dA over the surface of b in the cell: between the normals
// of the facets there, in the shares in which they are inside. It is continuous where d_c > 0.
//
// An impulse has its full strength however little a cell has in common with a body, so its direction must
// be right for slivers, too. Where the edge of a block has just come over a cell of a plank, the side of the block
// has as large a part in that cell as its bottom, and the normal above leans by 45 degrees. The cell's own
// side, as far as it is in b, is the other candidate: −∫ n dA over it. (For a block that stands on
// its edge it is the wrong one.) Over all cells of both bodies the boundary of the common part is closed: ∫ n dA over the
// surface of b in a is −∫ n dA over that of a in b, T. A side of either that is normal to T, to 0.02 rad, has the push; else the nearer candidate. Cells
// whose own side is not in b push only where no cell of the two bodies has its side in the other one.
//
// Bodies meet as the scene says (models/scene/body_contact.h). Pairs are found by a tree of the
// boxes of the bodies, then by trees of their cells, refitted where the boxes of bodies overlap:
// O(points), plus O(cells) of bodies whose boxes overlap, plus O(pairs of cells whose boxes do). No
// allocation once the scratch is as large as it gets. The order of contacts depends on the scene
// and the positions alone. A cell that is turned inside out touches nothing.

#ifndef PLIANT_MODELS_CONTACT_BODY_CONTACTS_H_
#define PLIANT_MODELS_CONTACT_BODY_CONTACTS_H_

#include <Eigen/Core>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/collision/crossing.h"
#include "models/contact/body_cells.h"
#include "models/contact/simplex_overlap.h"
#include "models/scene/scene.h"

namespace pliant {

// How any two bodies of a scene meet, found faster than by ContactOf(): O(log elements).
class MeetingBodies {
 public:
  explicit MeetingBodies(const Scene& scene);
  BodyContact Of(int a, int b) const;

 private:
  std::map<std::pair<int, int>, BodyContact> stated_;  // and those that attachments join; a ≤ b
};

// Do two bodies of the scene that have cells meet? And with friction?
bool SolidsMeet(const Scene& scene);
bool SolidsMeetWithFriction(const Scene& scene);

// b is inside of a cell of a. Cells are numbered over all bodies.
struct CellContact {
  int cell;                                         // of a
  int a, b;                                         // bodies
  int partner;                                      // the cell of b that has most in common with it
  double depth = 0.0;                               // d [m]
  double extent = 0.0;                              // A_c [m, m²]
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  // centroid of the common part [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // unit, outwards of b: a is pushed along it
  double share = 0.0;  // |∫ n dA|/A_c: f ∇d pushes with f · share
  // Unit: an impulse pushes a along it; 0 for none.
  Eigen::Vector3d push = Eigen::Vector3d::Zero();
  double friction = 0.0, restitution = 0.0;  // of the pair
};

class BodyContacts {
 public:
  explicit BodyContacts(const Scene& scene);

  bool empty() const { return !meet_; }  // no two bodies with cells meet
  int cells() const { return static_cast<int>(body_of_cell_.size()); }
  int body_of_cell(int cell) const { return body_of_cell_[cell]; }
  bool at_surface(int cell) const { return at_surface_[cell]; }
  double SurfaceCellsPerPoint(int body) const;

  // The contacts of the points x (3×n, all bodies).
  void Find(const PointColumns& x);
  const std::vector<CellContact>& contacts() const { return contacts_; }

  // Of the last Find(). ḋ of each contact at velocities v (3×n) of the points [m/s].
  void DepthRates(const PointColumns& v, Eigen::VectorXd* rates);
  // forces −= Σ f ∇d, f of each contact.
  void AddForces(const Eigen::VectorXd& f, Eigen::Ref<Eigen::Matrix3Xd> forces);

  // Places in a cell, or beyond it, by weights of its corners.
  Eigen::Vector4d WeightsIn(int cell, const Eigen::Vector3d& x) const;
  // Σ w of columns of points: a position of x, a velocity of v. Of any cell, at any time.
  Eigen::Vector3d ValueAt(int cell, const Eigen::Vector4d& weights, const PointColumns& of) const;
  void AddForceAt(int cell, const Eigen::Vector4d& weights, const Eigen::Vector3d& force,
                  Eigen::Ref<Eigen::Matrix3Xd> forces) const;
  // Calls visit(column, weight) for the points that move such a place. A column may come twice.
  template <typename Visit>
  void ForEachWeight(int cell, const Eigen::Vector4d& weights, const Visit& visit) const {
    const Solid& solid = solids_[solid_of_cell_[cell]];
    for (int c = 0; c < corners_; ++c) {
      const int i = corners_of_cell_[cell][c] - solid.first_corner;
      for (int k = solid.cells.first[i]; k < solid.cells.first[i + 1]; ++k) {
        visit(solid.first_point + solid.cells.points[k], weights[c] * solid.cells.weights[k]);
      }
    }
  }

 private:
  struct Solid {
    int body, first_point;  // column of its first point
    int points;
    int first_corner, first_cell;
    BodyCells cells;
    BoxTree tree;
    bool placed = false,
         touched = false;  // in the last Find(): its corners are at x; it has a contact
  };
  // What two cells have in common.
  struct Piece {
    std::array<int, 2> cell;                  // of the one and the other body
    std::array<int, 2> contact;               // whose it is part of
    std::array<OverlapGradient, 2> gradient;  // of V as part of that one
  };
  void Place(Solid* solid, const PointColumns& x);
  void FindPair(Solid* one, Solid* other, const BodyContact& how);
  // Its contact with the other body of the pair, and what a common part adds to it.
  int AddToContact(int cell, int a, int b, int other_cell, const SimplexOverlap& overlap,
                   const Eigen::Vector3d& surface, const BodyContact& how);
  // Of the contacts of two bodies from number `first` on, with Σ ∫ n dA as their normals.
  void ChoosePushes(size_t first);
  template <typename Corners>
  Corners CornersAt(int cell) const;

  int corners_;
  MeetingBodies how_;
  std::vector<Solid> solids_;
  bool meet_ = false;
  std::vector<int> body_of_cell_, solid_of_cell_;
  std::vector<std::array<int, 4>> corners_of_cell_;  // over all solids
  std::vector<double> extent_of_cell_;
  std::vector<bool> at_surface_;
  BoxTree solid_tree_;
  std::vector<Bounds> bounds_;  // of solids
  // Scratch.
  std::vector<std::array<int, 2>> near_;  // pairs of solids
  Eigen::Matrix3Xd corner_at_, corner_rate_, corner_force_;
  std::vector<int> contact_of_cell_;  // of the pair that is looked at; −1: none
  std::vector<double> largest_;       // content of the partner, by contact
  std::vector<double> content_;
  std::vector<Eigen::Vector3d> own_;  // by contact: ∫ n dA over the own side of its cell in b
  std::vector<Piece> pieces_;
  std::vector<CellContact> contacts_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_BODY_CONTACTS_H_
