// Where a discretised body touches others: places on its surface, as weights of its nodes, and the
// faces and edges between them. It becomes finer with the elements.
//
//   solids     quarters along each edge of a face on the boundary, 25 places or 15
//   profiles   quarters of the sides on the outline
//   shells     corners and middles of the spans, 2 triangles for each quarter
//   rods       ends and middles of the spans

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_CONTACT_SURFACE_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_CONTACT_SURFACE_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <vector>

#include "models/finite_elements/boundary.h"
#include "models/finite_elements/solid_mesh.h"

namespace pliant::finite_elements {

struct ContactSurface {
  Eigen::SparseMatrix<double, Eigen::RowMajor> places;  // k×m, rows sum to one: x = q · placesᵀ
  // k: the share of the surface at rest that each place stands for [m²]; of rods and profiles length
  // times thickness. Of faces of 9 nodes and sides of 3 Simpson's: an even pressure then acts on the
  // nodes exactly as its integral does.
  Eigen::VectorXd areas;
  std::vector<std::array<int, 3>> faces;  // of places
  std::vector<std::array<int, 2>> edges;  // of places: sides of faces, or all there is

  int size() const { return static_cast<int>(places.rows()); }
};

// Of a solid or, with its thickness, a profile; `boundary` is BoundaryOf(mesh).
ContactSurface SurfaceOf(const SolidMesh& mesh, const BoundaryPlaces& boundary, double thickness);

// Of a grid of nu × nv places at `x` (3×nu·nv, number i + nu j), nv = 1 for a line, that closes after
// the last where `closed`; a line is as wide as `width`.
ContactSurface SurfaceOfGrid(Eigen::SparseMatrix<double, Eigen::RowMajor> places,
                             const Eigen::Matrix3Xd& x, std::array<int, 2> size,
                             std::array<bool, 2> closed, double width);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_CONTACT_SURFACE_H_
