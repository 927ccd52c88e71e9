// A thin rod without rotations: a curve of cubic B-splines, x(s) = Σ N_i(s) q_i, C², that stretches
// and bends. With a = x′, c = x″ (derivatives in s), S = |X′| at rest, dL = S ds:
//
//   W = ∫ ½ EA (|a|/S − 1)² + ½ EI |k − k₀|² dL
//
//   in space   k = dt/dL, the change of the tangent t = a/|a| per length at rest;
//              |k|² = (A C − B²)/(A² S²),   A = a·a,  B = a·c,  C = c·c
//   in plane   k = dθ/dL, signed; k = D/(A S),   D = a_x c_y − a_y c_x
//
// which is the extensible elastica: moment EI times the change of angle per length at rest, normal
// force EA times the engineering strain, no shear [Reissner 1972, without shear]. A rod in space is
// straight at rest (k₀ = 0), with equal stiffness about both axes of its section and free to
// twist: then twist stores no energy in equilibrium and needs no unknown. A rod that is curved at
// rest couples bending and twist in space, which positions alone do not hold: only in the plane.
// Rotary inertia is left out.
//
// All energies are functions of quadratic invariants y of (a, c), so their exact discrete gradient
// (elastic_part.h) is that of each product, Δ(fg) = f̄ Δg + ḡ Δf.
//
// Elements are the spans, with four control points and four Gauss points. Displacements converge
// with order 4. The first control point of an open rod is its end, the first two hold its tangent.
// Cost: an element's energy about 200 operations, its tangent 5·10³.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_ROD_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_ROD_H_

#include <array>
#include <functional>
#include <vector>

#include "models/finite_elements/bspline_axis.h"
#include "models/finite_elements/elastic_part.h"

namespace pliant::finite_elements {

struct RodSection {
  double mass_per_length;  // ρ times the area [kg/m] > 0
  double stretching;       // EA [N] > 0
  double bending;          // EI [N m²] ≥ 0; 0 makes it a cable

  // Of a square section: EA = E side², EI = E side⁴/12.
  static RodSection Square(double density, double youngs_modulus, double side);
};

// The centre line at rest and the points of the body on it.
struct CentreLine {
  BSplineAxis axis;
  std::function<Eigen::Vector3d(double)> at;  // body frame [m], 0 ≤ s ≤ 1
  Eigen::VectorXd points = {};                // n, parameters s of the body's points
};

CentreLine StraightLine(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int spans);
// Clockwise in the xy-plane as MakeRing (models/scene/shapes.h) lays its points.
CentreLine CircularLine(double radius, int spans);

class Rod : public ElasticPart {
 public:
  enum class Kind { kInSpace, kInPlane };
  // The line is interpolated at the Greville abscissae, which for closed lines are the knots. In
  // space it must be straight; in the plane it lies in z = 0.
  Rod(const CentreLine& line, const RodSection& section, Kind kind);

  const BSplineAxis& axis() const { return axis_; }
  // n×m: x(s) for n parameters, x = q · Functions(…)ᵀ.
  Eigen::SparseMatrix<double> Functions(const Eigen::VectorXd& parameters) const;

  bool planar() const override { return kind_ == Kind::kInPlane; }
  int element_count() const override { return axis_.spans(); }
  std::span<const int> nodes(int e) const override { return nodes_[e]; }
  int most_nodes() const override { return 4; }
  double Energy(int e, const PointsRef& x) const override;
  void AddGradient(int e, const PointsRef& x, MutablePointsRef g) const override;
  void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const override;
  void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef g) const override;
  // ½ of the tangent of the middle state with the discrete derivatives of W.
  void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override;
  bool viscous() const override { return true; }
  // Of stretching, EA Δ(|a|/S), and in the plane of bending, EI Δk. Bending in space is not damped:
  // without a frame that twists with the section, a bend that turns about the tangent and a rigid
  // rotation about it are one motion.
  void AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                       MutablePointsRef g) const override;
  void AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                         MutableMatrixRef k) const override;
  double SmallestDeterminant(int e, const PointsRef& x) const override;

 private:
  static constexpr int kGauss = 4;  // exact for the mass
  using Positions = Eigen::Matrix<double, 3, 4>;
  using LineDerivatives = Eigen::Matrix<double, 3, 2>;  // columns a, c
  struct Point {
    double speed;      // S [m]
    double curvature;  // k₀ [1/m], in the plane
    double length;     // S times the Gauss weight [m]
  };

  Positions Gathered(const PointsRef& x) const;
  LineDerivatives DerivativesAt(int number, const Positions& x) const;
  Eigen::Vector3d Invariants(const LineDerivatives& z) const;
  double EnergyOf(const Point& point, const Eigen::Vector3d& y) const;
  Eigen::Vector3d Slopes(const Point& point, const Eigen::Vector3d& y) const;      // ∂W/∂y
  Eigen::Matrix3d Curvatures(const Point& point, const Eigen::Vector3d& y) const;  // ∂²W/∂y²
  // p with p · (y₁ − y₀) = W(y₁) − W(y₀).
  Eigen::Vector3d DiscreteSlopes(const Point& point, const Eigen::Vector3d& y0,
                                 const Eigen::Vector3d& y1) const;
  // Columns: the discrete derivatives by y of the strain |a|/S and, in the plane, of k, with their
  // stiffness.
  struct Measures {
    Eigen::Vector3d of_strain, of_curvature;
    double stretching, bending;
  };
  Measures MeasuresOf(const Point& point, const Eigen::Vector3d& y0,
                      const Eigen::Vector3d& y1) const;
  void AddNodalForces(int number, const LineDerivatives& z, const Eigen::Vector3d& slopes,
                      MutablePointsRef g) const;
  void AddNodalTangent(int number, const LineDerivatives& z, const Eigen::Vector3d& slopes,
                       const Eigen::Matrix3d& curvatures, double factor, MutableMatrixRef k) const;

  BSplineAxis axis_;
  BSplineTable table_;
  RodSection section_;
  Kind kind_;
  Eigen::Matrix3d axes_;  // the coordinates that count
  Eigen::Matrix3d turn_;  // y(1) = aᵀ turn c
  std::vector<std::array<int, 4>> nodes_;
  std::vector<Point> points_;  // Gauss points, element by element
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_ROD_H_
