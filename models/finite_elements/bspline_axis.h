// Cubic B-splines along one axis of a shell or along a rod, as functions of s = 0 … 1, with m
// uniform spans; all are C².
//
//   open       m + 3 functions on the knots 0 0 0 0 1/m … (m−1)/m 1 1 1 1. At an end only one
//              function is not 0 and only two have a slope: the first control point is the end of
//              the curve, the first two hold its tangent.
//   periodic   m functions on uniform knots; function i of m and i + m are the same, s = 0 and 1 too.
//
// Functions by the recursion of Cox and de Boor, their derivatives by differences of lower degree
// [Piegl & Tiller 1997, Ch. 2]. They sum to one.
//
// LatticeBasis (models/geometry/lattice_basis.h) has cubic B-splines too, over uniform knots that
// reach out of the box: they span the same functions as the open ones, but at an end three of them
// overlap, so that no control point is a point of the body.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_BSPLINE_AXIS_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_BSPLINE_AXIS_H_

#include <Eigen/Core>
#include <array>
#include <vector>

namespace pliant::finite_elements {

// The four functions that are not 0 at a place.
struct BSplineValues {
  Eigen::Vector4d value, first, second;  // N_i, dN_i/ds, d²N_i/ds²
};

class BSplineAxis {
 public:
  static BSplineAxis Open(int spans);      // ≥ 1
  static BSplineAxis Periodic(int spans);  // ≥ 4, so that the four functions of a span differ

  int spans() const { return spans_; }
  bool periodic() const { return periodic_; }
  int size() const { return periodic_ ? spans_ : spans_ + 3; }

  // The span of s, 0 ≤ s ≤ 1; a knot belongs to the span that begins there, 1 to the last one.
  int Span(double s) const;
  std::array<int, 4> Functions(int span) const;  // that are not 0 there
  // At s in the span; outside, its polynomials continue.
  BSplineValues At(int span, double s) const;

  // The mean of the inner knots of function i, in [0, 1): Σ Greville(i) N_i = s (open axes). The
  // places at which interpolation is well posed.
  double Greville(int i) const;
  // size×size, the coefficients of the spline that interpolates at the Greville abscissae: control
  // points = values · Interpolation()ᵀ. Fourth order. O(size³).
  Eigen::MatrixXd Interpolation() const;

 private:
  BSplineAxis(int spans, bool periodic) : spans_(spans), periodic_(periodic) {}
  double Knot(int i) const;  // function i lives between knots i and i + 4

  int spans_;
  bool periodic_;
};

// The functions at the Gauss points of each span, evaluated once: point g of span e is number
// e · points + g.
struct BSplineTable {
  int points;                         // of a span
  std::vector<double> s, weights;     // weights sum to one
  std::vector<BSplineValues> values;  // spans · points

  BSplineTable(const BSplineAxis& axis, int points);
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_BSPLINE_AXIS_H_
