// A thin shell without rotations: Kirchhoff–Love kinematics (shell_point.h) on a middle surface of
// bicubic B-splines, x(u, v) = Σ N_i(u) M_j(v) q_ij, which is C¹ (indeed C²) across its elements
// [Kiendl 2009]. Unknowns are the positions of the control points alone.
//
// Elements are the spans u × v, each with 4×4 control points and 4×4 Gauss points. Displacements
// converge with order 4, bending energies with order 4 (error of curvature 2, squared). Membrane
// stresses lock in bending only where spans are much longer than √(radius · thickness).
//
// The law is St. Venant–Kirchhoff in plane stress: linear between Green strain and resultants. For
// small strain all isotropic laws are this one, and thin shells bend far with small strain. Rotary
// inertia (of order (thickness/wavelength)²) is left out, as is the change of thickness.
//
// Control points along an edge of an open axis: row 0 is the edge itself, rows 0 and 1 hold its
// tangent planes too. Fix row 0 for a simply supported edge; for a clamped one fix row 1 too, along
// the normal (held within the surface as well, it would keep the edge from stretching there).
//
// Cost: construction O(spans); an element's energy about 6·10³ operations, its tangent 2·10⁵. Bases
// are tabulated along the axes only: 16 Gauss points of 16 numbers are what an element stores.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_SHELL_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_SHELL_H_

#include <array>
#include <functional>
#include <vector>

#include "models/finite_elements/bspline_axis.h"
#include "models/finite_elements/elastic_part.h"
#include "models/finite_elements/shell_point.h"

namespace pliant::finite_elements {

struct ShellSection {
  double density;         // kg/m³ > 0
  double youngs_modulus;  // Pa > 0
  double poisson_ratio;   // −1 < ν ≤ ½
  double thickness;       // m > 0
};

// The middle surface at rest and the points of the body on it.
struct MiddleSurface {
  BSplineAxis u, v;
  std::function<Eigen::Vector3d(double, double)> at;  // body frame [m], 0 ≤ u, v ≤ 1
  Eigen::Matrix2Xd points = {};                       // 2×n, parameters u, v of the body's points
  // Of a plane surface: how many points of the body along u and v. Σ Greville(i) N_i = s, so that control
  // points which follow the points around them linearly carry the surface along with these.
  std::array<int, 2> grid = {0, 0};
};

// A rectangle with a corner at `origin` and two sides along it [m].
MiddleSurface FlatSurface(const Eigen::Vector3d& origin, const Eigen::Vector3d& side_u,
                          const Eigen::Vector3d& side_v, std::array<int, 2> spans);
// Around z as MakeTube and MakeTorus (models/scene/shapes.h) lay their points; normals outwards.
MiddleSurface TubeSurface(double radius, double length, std::array<int, 2> spans);
MiddleSurface TorusSurface(double radius, double tube_radius, std::array<int, 2> spans);

class Shell : public ElasticPart {
 public:
  // The surface is interpolated at the Greville abscissae, which for periodic axes are their
  // knots: planes are exact, curved surfaces of fourth order, and points at knots (along open
  // axes: of ruled surfaces, anywhere) are exact.
  Shell(const MiddleSurface& surface, const ShellSection& section);

  const BSplineAxis& u() const { return u_; }
  const BSplineAxis& v() const { return v_; }
  int ControlPoint(int i, int j) const { return i + u_.size() * j; }

  enum class Edge { kUBegin, kUEnd, kVBegin, kVEnd };
  // The control points of a row along an edge, row 0 on it; none on a periodic axis.
  std::vector<int> EdgeRow(Edge edge, int row) const;
  // n×m: x(u, v) for columns of parameters, x = q · Functions(…)ᵀ.
  Eigen::SparseMatrix<double> Functions(const Eigen::Matrix2Xd& parameters) const;

  int element_count() const override { return u_.spans() * v_.spans(); }
  std::span<const int> nodes(int e) const override { return nodes_[e]; }
  int most_nodes() const override { return 16; }
  double Energy(int e, const PointsRef& x) const override;
  void AddGradient(int e, const PointsRef& x, MutablePointsRef g) const override;
  void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const override;
  void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef g) const override;
  // ½ of the tangent of the middle state with the mean resultants.
  void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override;
  bool viscous() const override { return true; }
  void AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                       MutablePointsRef g) const override;
  // The material part of the tangent of the middle state.
  void AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                         MutableMatrixRef k) const override;
  double SmallestDeterminant(int e, const PointsRef& x) const override;

 private:
  static constexpr int kGauss = 4;  // along an axis: exact for the mass
  static constexpr int kPoints = kGauss * kGauss;
  // Columns as in SurfaceDerivatives: derivatives of the 16 functions at a Gauss point.
  using Derivatives = Eigen::Matrix<double, 16, 5>;
  Derivatives DerivativesAt(int e, int g) const;
  const ShellPoint& PointAt(int e, int g) const { return points_[kPoints * e + g]; }
  void FillMassAndNodes(const ShellSection& section);
  void PlaceBetween(const std::array<int, 2>& grid);

  BSplineAxis u_, v_;
  BSplineTable table_u_, table_v_;
  std::vector<std::array<int, 16>> nodes_;  // of each element
  std::vector<ShellPoint> points_;          // element by element
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_SHELL_H_
