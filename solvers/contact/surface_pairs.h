// Two parts of bodies that may touch: where they are closest, on which side of each other they
// belong, and where one goes through the other within a step.
//
//   kPointFace   a point p and the corners a, b, c of a face        Σ w x = p − w_a a − w_b b − w_c c
//   kEdgeEdge    the ends of two edges                              (1−s) a₀ + s a₁ − (1−t) b₀ − t b₁
//   kPointEdge   in the plane: a point p and the ends of an edge    p − (1−s) a − s b
//
// All corners move straight over a step.

#ifndef PLIANT_SOLVERS_CONTACT_SURFACE_PAIRS_H_
#define PLIANT_SOLVERS_CONTACT_SURFACE_PAIRS_H_

#include <Eigen/Core>
#include <array>
#include <optional>

#include "models/contact/pair_gap.h"

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

// The least height of a triangle [m].
double WidthOf(const std::array<Eigen::Vector3d, 3>& corners);

using PairCorners = std::array<Eigen::Vector3d, 4>;  // m; the fourth of kPointEdge is not read

// A constraint n·Σ w x ≥ distance is what keeps the parts apart.
struct PairTouch {
  Eigen::Vector3d normal;         // n, unit, from the second part to the first
  std::array<double, 4> weights;  // w, of the corners; their sum is 0
  double distance = 0.0;          // n·Σ w x [m]
};

// The direction across both parts, inside which they touch, and how far the first is along it: from the plane
// or the line of the second, or of two edges between their lines.
struct PairAcross {
  Eigen::Vector3d normal;  // unit
  double distance;         // m
};
// Absent for parallel edges, and for a face or an edge without extent.
std::optional<PairAcross> AcrossAt(PairKind kind, const PairCorners& x);

// 1 or −1: the side of the second part on which the first is; it changes where the first comes
// through the second, or passes beside it.
double SideOf(PairKind kind, const PairCorners& x);

// Where the parts touch when the first belongs to `side` of the second: where the feet of the
// shortest way between them are inside both. With `rounded`, ends of edges touch as well, by the
// straight way between the closest places. `rim` as of IsOver(), for kPointFace. False where they
// do not touch.
bool TouchOf(PairKind kind, const PairCorners& x, double side, double rim, bool rounded,
             PairTouch* touch);

// Where one part goes through the other on the straight way from `before` to `now`, by continuous
// collision detection: normal and weights of the instant when they meet, at the place within
// `tolerance` [m], and the distance along that normal before. Absent where they do not meet, or
// meet and do not come nearer.
std::optional<PairTouch> PassageOf(PairKind kind, const PairCorners& before, const PairCorners& now,
                                   double tolerance);

// Can they be nearer than `reach` [m] at any time of the step? A bound by the distance at its start
// and the motion relative to each other; false only where they cannot.
bool MayMeet(PairKind kind, const PairCorners& before, const PairCorners& now, double reach);

// Σ w x.
Eigen::Vector3d WeightedSum(const std::array<double, 4>& weights, const PairCorners& x);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SURFACE_PAIRS_H_
