#include "solvers/dynamic_ffd/lattice_net.h"

#include <algorithm>
#include <utility>

#include "models/dynamic_ffd/embedding.h"

namespace pliant::dynamic_ffd {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

void LatticeNet::Recombine(const Eigen::MatrixXd& combinations) {
  const auto free = combinations.rows(), driven = shapes.cols() - 1 - free;
  Eigen::MatrixXd combined(shapes.rows(), 1 + combinations.cols() + driven);
  combined << shapes.col(0), shapes.middleCols(1, free) * combinations, shapes.rightCols(driven);
  shapes = std::move(combined);
}

void LatticeNet::Shift(const Matrix3Xd& by) {
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    Eigen::Map<Matrix3Xd>(shapes.col(k).data(), 3, shapes.rows() / 3).colwise() -= by.col(k);
  }
}

LatticeNet NetOf(const Scene& scene, size_t b, const ModeTable& table,
                 const std::vector<int>& modes, const std::vector<Matrix3Xd>& driven,
                 const FfdBody& body) {
  const Body& embedded = scene.bodies[b];
  const std::vector<EmbeddedLattice> lattices = EmbedLattices(embedded, table);
  LatticeNet net;
  std::vector<Eigen::Index> first(lattices.size(), -1);  // control points
  Eigen::Index count = 0;
  for (int k : modes) {
    const auto l = static_cast<size_t>(table.modes[k].lattice);
    if (first[l] >= 0) continue;
    first[l] = count;
    for (const auto& [p, q] : lattices[l].lattice.Lines()) {
      net.lines.push_back({static_cast<int>(count) + p, static_cast<int>(count) + q});
    }
    count += lattices[l].lattice.size();
  }

  net.shapes.setZero(3 * count, body.modes() + 1);
  if (count == 0) return net;  // a body without modes of a lattice
  auto column = [&](Eigen::Index k) {
    return Eigen::Map<Matrix3Xd>(net.shapes.col(k).data(), 3, count);
  };
  // Where the body's shapes have their origin is seen at its first point: `there` is that of a
  // shape in which nothing has been shifted.
  auto shift_as_body = [&](Eigen::Index k, const Vector3d& there) {
    column(k).colwise() += Vector3d(body.shapes().block<3, 1>(0, k) - there);
    if (scene.dimension == 2) column(k).row(2).setZero();
  };
  const Vector3d corner = lattices[0].lattice.corner();
  for (size_t l = 0; l < lattices.size(); ++l) {
    if (first[l] < 0) continue;
    column(0).middleCols(first[l], lattices[l].lattice.size()) =
        lattices[l].lattice.ControlPoints().colwise() - corner;
  }
  shift_as_body(0, embedded.rest.col(0) - corner);
  Eigen::Index place = 1;
  for (int k : modes) {
    const auto l = static_cast<size_t>(table.modes[k].lattice);
    const Lattice& lattice = lattices[l].lattice;
    column(place).middleCols(first[l], lattice.size()) = table.DisplacementsOn(lattice, k);
    shift_as_body(place++, PointDisplacements(embedded, table, lattices, k).col(0));
  }
  for (const Matrix3Xd& shape : driven) shift_as_body(place++, shape.col(0));
  return net;
}

Matrix3Xd ControlPointsOf(const LatticeNet& net, const FfdBody& body, const VectorRef& q) {
  const auto modes = net.shapes.cols() - 1;
  const VectorXd local = net.shapes.col(0) + net.shapes.rightCols(modes) * q.tail(modes);
  return (body.Rotation(q) * Eigen::Map<const Matrix3Xd>(local.data(), 3, local.size() / 3))
             .colwise() +
         body.Translation(q);
}

}  // namespace pliant::dynamic_ffd
