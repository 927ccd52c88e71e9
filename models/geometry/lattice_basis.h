// The functions along one axis of a lattice, as functions of the coordinate s = 0 … 1 across its
// box.
//
//   Bernstein          B_i(s) of degree n, n + 1 of them: every control point moves everything
//                      [Faloutsos 1995, Eq. 4.1]
//   uniform B-spline   cubic, any number ≥ 4: a control point moves the four spans around it, and
//                      the whole is C². With m spans, u = m s and w = u − ⌊u⌋, the functions
//                      that are not 0 are (1−w)³/6, (3w³−6w²+4)/6, (−3w³+3w²+3w+1)/6, w³/6.
//
// Both sum to one and have linear precision, Σ Node(i) N_i(s) = s: with the control points at their
// nodes the lattice is undeformed and moves no point. Outside [0, 1] the polynomial of the nearest
// span continues.

#ifndef PLIANT_MODELS_GEOMETRY_LATTICE_BASIS_H_
#define PLIANT_MODELS_GEOMETRY_LATTICE_BASIS_H_

#include <Eigen/Core>
#include <array>

namespace pliant {

enum class BasisKind { kBernstein, kBSpline };

class LatticeBasis {
 public:
  static LatticeBasis Bernstein(int degree);    // ≥ 0
  static LatticeBasis CubicBSpline(int count);  // ≥ 4

  BasisKind kind() const { return kind_; }
  int size() const { return count_; }
  int degree() const { return kind_ == BasisKind::kBernstein ? count_ - 1 : 3; }

  Eigen::VectorXd Values(double s) const;
  Eigen::VectorXd Derivatives(double s) const;  // dN_i/ds

  // Coefficients of s and of s²: Σ Node(i) N_i = s (degree ≥ 1; ½ for degree 0, where nothing
  // varies), Σ Square(i) N_i = s² (degree ≥ 2). They are the polar forms of s and s² at the knots
  // of N_i; nodes of a B-spline reach one span out of the box.
  double Node(int i) const;
  double Square(int i) const;

  bool operator==(const LatticeBasis&) const = default;

 private:
  LatticeBasis(BasisKind kind, int count) : kind_(kind), count_(count) {}

  BasisKind kind_;
  int count_;
};

using LatticeBases = std::array<LatticeBasis, 3>;  // along x, y, z

// Bernstein along each axis.
LatticeBases BernsteinBases(const std::array<int, 3>& degree);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_LATTICE_BASIS_H_
