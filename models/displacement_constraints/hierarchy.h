// The levels of chains and sheets of 2^n + 1 points per side, and the transfer between them
// [Palazzi 1993, Ch. 4]. Level 0 is the finest, as in the source; a level's points are the even
// rows and columns of the next finer one, r_k = r_{k−1} / 2 and c_k = c_{k−1} / 2 [Palazzi 1993,
// Eqs. 4.1 and 4.2, whose floors would give every odd one a place there too].
//
//   restriction R   forces and masses, fine to coarse: an even point keeps its own; one with one
//                   odd index gives half to each neighbour on the coarse line; one with two odd
//                   indices a quarter to each corner of its cell. Totals are exact
//   prolongation    positions, coarse to fine: even points are copied; an odd point keeps its
//                   offset from the midpoint of its neighbours, carried by the smallest rotation
//                   between the old and the new direction from one neighbour to the other, and
//                   by the twist about the new direction that the lines across it show
//
// R is the transpose of the linear part of the prolongation, so that a level's momentum is the
// momentum its motion gives the material. That is why masses are restricted with R too: the
// source's weighted mean of parallel segments keeps the total but gives border points other masses
// than their share of the material, and the motion of a coarse level would then carry a momentum
// that no force gave it.
//
// Departure from the print: the source carries an offset by the smallest rotation alone, which has
// no twist about the line between the two neighbours, and calls that the exact adjoint (meaning the
// inverse); of a rigid rotation that twists the line it is not. On a sheet the twist is the angle φ
// that best takes the lines e_i from the two neighbours to those across, turned by the smallest
// rotation, to the lines e_i' there now,
//
//   tan φ = Σ d'·(e_i × e_i') / Σ (e_i·e_i' − (d'·e_i)(d'·e_i')),   d' the new direction, unit,
//
// and the prolongation follows every rigid motion. On a chain nothing lies across, and the points
// of a straight one do not show a twist: there the smallest rotation is all.
//
// Momentum. An offset that turns moves mass, which the coarse level does not know of. With o the
// offsets, w what each of their points bears in R (its own mass and its part of later ones) and M
// the masses of the coarse points, Σ m x = Σ M c + Σ w o for even points at c: the mass of the body
// does not go where the level goes, not even where all of it moves rigidly, because the level turns
// about the centre of mass of the coarse points instead of that of the body. `KeepMomentum` lets
// the coarse points be those that the mass hangs from,
//
//   c = x_even + u,  M u = R (w o),  so that Σ M c = Σ m x,
//
// and takes u, turned with the offsets, back after the prolongation: the update of a lifting scheme
// [Sweldens 1998]. In terms of all fine points, with S x = x + P u(x), a level is the even points
// of S x and the prolongation that of S x followed by S⁻¹ x = x − P u(x): offsets from P do not see
// what P adds. Then a body's mass goes exactly where its levels go, rigid motions are followed
// exactly as before, and the points of a flat, evenly divided sheet are the even ones.
//
// A torn net [Palazzi 1993, Sec. 5.1 names tearing as future work and says nothing of levels]. An
// edge of a coarse level is whole while all edges of the next finer one along it are; a diagonal
// while its corners are of one part of level 0. A point that is joined to one end of its line alone
// goes with that end and the line on from there, which it continues; where no line goes on, with
// the end alone. What is joined to neither goes with any neighbour that does. Offsets turn with
// lines that are whole. So each part with a point of the next coarser level follows that level,
// rigid motions exactly, and has its whole mass there. Parts without are "left out": no coarser
// level carries them.

#ifndef PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_HIERARCHY_H_
#define PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_HIERARCHY_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/displacement_constraints/segment_net.h"
#include "models/geometry/grid_hierarchy.h"
#include "models/holds/weighted_point.h"

namespace pliant::displacement_constraints {

// The points of several grids, one after the other, on each level.
class GridLevels {
 public:
  // `levels` ≥ 1 of each grid; every side longer than one point must have k·2^(levels−1) + 1 points
  // (asserted).
  GridLevels(const std::vector<GridSize>& grids, int levels);

  int levels() const { return static_cast<int>(levels_.size()); }
  int PointCount(int level) const { return levels_[level].points; }
  const std::vector<GridSize>& Grids(int level) const { return levels_[level].grids; }

  // Edges of a level along its rows, then along its columns, grid by grid; on the coarsest level a
  // grid of 2×2 points also gets its two diagonals, without which the frame can shear and fold
  // (`GridEdgeCount` is the number of edges before the first diagonal). Six lengths keep a flat
  // frame in shape to first order within its plane, but against folding only to second order: a
  // corner that is δ sides out of the plane changes lengths by δ² only. Sweeps therefore flatten
  // the frame more and more slowly, and hardly reach a tolerance far below the 0.4 % of the source.
  const std::vector<SegmentNet::Edge>& Edges(int level) const { return levels_[level].edges; }
  int GridEdgeCount(int level) const { return levels_[level].grid_edges; }

  // Marks the broken edges of level 0; coarser levels follow. All zero: whole again. `masses` [kg]
  // of level 0: no line is continued where a coarse mass would not be > 0.
  void Tear(const std::vector<char>& broken, const Eigen::VectorXd& masses);
  const std::vector<char>& Broken(int level) const { return levels_[level].broken; }  // by edge
  // Points of a level that the next coarser one does not carry.
  const std::vector<int>& LeftOut(int level) const { return levels_[level].left_out; }
  // Adds to the tensions [N] of the edges of `level` those of the level above it: what a coarse
  // line bears is spread as a stress, interpolated, over the lines of the strip it stands for, two
  // lines wide, at a border one, of which the border line has half.
  void AddTensions(int level, const Eigen::VectorXd& coarse, Eigen::VectorXd* fine) const;

  // From now on levels keep momentum, with these masses [kg] of level 0.
  void KeepMomentum(const Eigen::VectorXd& masses);
  bool keeps_momentum() const { return keeps_momentum_; }
  // S x, or S⁻¹ x, of points or rates of `level`, 3×points; scratch: 3×points of `level` and of the
  // next coarser one.
  enum class Shift { kForward, kBack };
  void Balance(int level, Shift shift, Eigen::Ref<Eigen::Matrix3Xd> points,
               Eigen::Ref<Eigen::Matrix3Xd> scratch, Eigen::Ref<Eigen::Matrix3Xd> coarse) const;

  // For all of these: `fine` belongs to `level`, `coarse` to `level + 1`; 3×points.
  // R. Overwrites `fine` as scratch.
  void Restrict(int level, Eigen::Ref<Eigen::MatrixXd> fine,
                Eigen::Ref<Eigen::MatrixXd> coarse) const;
  // Positions of the even points.
  void Subsample(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& fine,
                 Eigen::Ref<Eigen::Matrix3Xd> coarse) const;
  // Positions of the fine points after the coarse ones moved to `coarse`; `before` are the fine
  // points as they were, and where those left out stay.
  void Prolongate(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& before,
                  const Eigen::Ref<const Eigen::Matrix3Xd>& coarse,
                  Eigen::Ref<Eigen::Matrix3Xd> fine) const;
  // P: overwrites `fine` with coarse values at even points and means of their neighbours at odd
  // ones. The transpose of R.
  void Interpolate(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& coarse,
                   Eigen::Ref<Eigen::Matrix3Xd> fine) const;
  // The velocities that coarse velocities give to the fine points at `fine`: the derivative of the
  // prolongation.
  void ProlongateRates(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& fine,
                       const Eigen::Ref<const Eigen::Matrix3Xd>& coarse_rates,
                       Eigen::Ref<Eigen::Matrix3Xd> rates) const;

  // The point of level 0 as weighted points of `level`; in a torn net, the four corners with the
  // largest weights, and none where a part is left out.
  WeightedPoint SeenFrom(int level, int finest_point) const;
  // The point of level 0 on which a point of `level` lies.
  int FinestPoint(int level, int point) const;

 private:
  struct Copy {
    int fine, coarse;
  };
  struct Midpoint {
    int point, first, second;  // all of the fine level; ends come before their midpoints
    // From first, second, first and second to known points across; 0 where there is none.
    std::array<int, 4> across;
    double of_first = 0.5;  // share of `first`; the rest is of `second`
  };
  struct Level {
    int points = 0;
    int grid_edges = 0;
    std::vector<SegmentNet::Edge> edges;
    std::vector<char> broken;  // by edge
    std::vector<int> offsets;  // of each grid
    std::vector<int> first_edges;
    std::vector<GridSize> grids;
    std::vector<Copy> copies;         // to the next coarser level; empty on the coarsest
    std::vector<Midpoint> midpoints;  // points the next coarser level lacks
    std::vector<int> left_out;
    Eigen::VectorXd borne;      // w of midpoints, M of even points [kg]; where momentum is kept
    std::vector<int> carriers;  // of each point of a torn net: a midpoint, or −1 − the coarse point
  };
  static void AddGridEdges(Level* level);
  static void AddDiagonals(Level* level);
  static void AddTransfer(const Level& coarser, Level* level);
  static void IndexCarriers(Level* level);
  class Weaver;  // finds the midpoints
  void BreakLines(int level);
  void BreakDiagonals();
  void Weigh(const Eigen::VectorXd& masses);
  template <typename Points>
  static Eigen::Vector3d Anchor(const Midpoint& m, const Points& points);
  WeightedPoint SeenThroughTears(int level, int finest_point) const;
  static Eigen::Vector3d CarriedOffset(const Midpoint& m,
                                       const Eigen::Ref<const Eigen::Matrix3Xd>& before,
                                       const Eigen::Ref<const Eigen::Matrix3Xd>& after);

  bool torn_ = false;
  bool keeps_momentum_ = false;
  std::vector<Level> levels_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_HIERARCHY_H_
