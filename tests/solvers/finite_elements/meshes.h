// Meshes and supports that several tests use.

#ifndef PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_MESHES_H_
#define PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_MESHES_H_

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "models/finite_elements/solid_mesh.h"
#include "models/finite_elements/solid_part.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

// nx × ny squares of two triangles each on the unit square, every node then moved by `map`.
SolidMesh MappedRectangle(int nx, int ny,
                          const std::function<Eigen::Vector3d(double, double)>& map);
// nx × ny × nz hexahedra of a box from the origin.
SolidMesh BoxMesh(const Eigen::Vector3d& size, int nx, int ny, int nz);
// s² at the ends of n even elements of (0, 1), on straight lines between them, so that nodes in the middle stay there.
double GradedByElement(double s, int n);

Discretisation Single(const SolidMesh& mesh, const Law& law, double density, double thickness = 1.0,
                      Damping damping = {});

// Nodes whose place at rest satisfies `chosen`.
std::vector<int> NodesWhere(const Discretisation& bodies,
                            const std::function<bool(const Eigen::Vector3d&)>& chosen);
// Node nearest to a place at rest.
int NodeAt(const Discretisation& bodies, const Eigen::Vector3d& place);
// Rows that hold all three coordinates of these nodes; of planar bodies also z of all nodes.
std::vector<LinearRow> Clamp(const Discretisation& bodies, const std::vector<int>& nodes);
// What the rows give at q.
Eigen::VectorXd RowsAt(const std::vector<LinearRow>& rows, const Eigen::Matrix3Xd& q);

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_MESHES_H_
