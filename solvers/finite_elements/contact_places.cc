#include "solvers/finite_elements/contact_places.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/contact/has_contact.h"

namespace pliant::finite_elements {
namespace {

// Of the barriers between bodies that are all rigid and obstacles [Pa].
constexpr double kModulusAlone = 1e6;

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// The force is −most · value · way, minus its derivative most · (value 1 + slope way wayᵀ), slope ≤ 0.
struct FrictionCurve {
  double value, slope;
};

FrictionCurve FrictionOf(double way, double full) {
  const double y = way / full;
  if (y < 1.0) return {(2.0 - y) / full, way > 0.0 ? -1.0 / (full * full * way) : 0.0};
  return {1.0 / way, -1.0 / (way * way * way)};
}

// Pairs take the smaller modulus of two bodies: that of what deforms.
double ModulusOfRigidBodies(const Scene& scene) {
  double largest = 0.0;
  for (const Body& body : scene.bodies) {
    if (!body.rigid && body.material) {
      largest = std::max(largest, body.material->youngs_modulus);
    }
  }
  return largest > 0.0 ? largest : kModulusAlone;
}

}  // namespace

ContactPlaces::ContactPlaces(const Scene& scene, const Discretisation& bodies) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> all_areas, all_moduli;
  const bool any = HasContact(scene);
  const double of_rigid = ModulusOfRigidBodies(scene);
  for (int p = 0; any && p < bodies.part_count(); ++p) {
    const ContactSurface& surface = bodies.part(p).surface();
    const int first = static_cast<int>(all_areas.size());
    const Body& body_of_part = scene.bodies[p];
    const double modulus = body_of_part.rigid ? of_rigid : body_of_part.material->youngs_modulus;
    for (int i = 0; i < surface.size(); ++i) {
      for (Rows::InnerIterator it(surface.places, i); it; ++it) {
        if (it.value() == 0.0) continue;
        entries.emplace_back(first + i, bodies.first(p) + static_cast<int>(it.col()), it.value());
      }
      all_areas.push_back(surface.areas[i]);
      all_moduli.push_back(modulus);
      body.push_back(p);
    }
    for (const auto& [a, b, c] : surface.faces) faces.push_back({first + a, first + b, first + c});
    for (const auto& [a, b] : surface.edges) edges.push_back({first + a, first + b});
    planar = bodies.part(p).planar();
  }
  areas =
      Eigen::Map<Eigen::VectorXd>(all_areas.data(), static_cast<Eigen::Index>(all_areas.size()));
  moduli =
      Eigen::Map<Eigen::VectorXd>(all_moduli.data(), static_cast<Eigen::Index>(all_moduli.size()));
  places_to_nodes.resize(size(), bodies.node_count());
  places_to_nodes.setFromTriplets(entries.begin(), entries.end());
  nodes_to_places = places_to_nodes.transpose();
  rows = places_to_nodes;
}

NodeCombination ContactPlaces::LinkOf(std::span<const int> places) const {
  std::set<int> nodes;
  for (const int place : places) {
    for (Rows::InnerIterator it(rows, place); it; ++it) nodes.insert(static_cast<int>(it.col()));
  }
  NodeCombination link;
  for (const int node : nodes) link.emplace_back(node, 0.0);
  return link;
}

NodeCombination ContactPlaces::Combined(std::span<const int> places, const double* weights) const {
  NodeCombination combination;
  for (size_t j = 0; j < places.size(); ++j) {
    for (Rows::InnerIterator it(rows, places[j]); it; ++it) {
      combination.emplace_back(static_cast<int>(it.col()), weights[j] * it.value());
    }
  }
  return combination;
}

Vector3d FrictionForce(double most, const Vector3d& normal, const Vector3d& moved, double full) {
  const Vector3d way = moved - normal * normal.dot(moved);
  return -most * FrictionOf(way.norm(), full).value * way;
}

Matrix3d FrictionStiffness(double most, const Vector3d& normal, const Vector3d& moved,
                           double full) {
  const Vector3d way = moved - normal * normal.dot(moved);
  const FrictionCurve curve = FrictionOf(way.norm(), full);
  const Matrix3d across = Matrix3d::Identity() - normal * normal.transpose();
  return most * (curve.value * across + curve.slope * way * way.transpose());
}

// f₀ with f₀(0) = 0, so that what has not moved stores nothing.
double FrictionPotential(double most, const Vector3d& normal, const Vector3d& moved, double full) {
  const double way = (moved - normal * normal.dot(moved)).norm(), y = way / full;
  return most * (y < 1.0 ? full * y * y * (1.0 - y / 3.0) : way - full / 3.0);
}

}  // namespace pliant::finite_elements
