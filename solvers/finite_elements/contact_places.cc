#include "solvers/finite_elements/contact_places.h"

#include <cmath>

#include "models/contact/has_contact.h"

namespace pliant::finite_elements {

ContactPlaces::ContactPlaces(const Scene& scene, const Discretisation& bodies) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> all_areas, all_moduli;
  const bool any = HasContact(scene);
  for (int p = 0; any && p < bodies.part_count(); ++p) {
    const ContactSurface& surface = bodies.part(p).surface();
    const int first = static_cast<int>(all_areas.size());
    using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    for (int i = 0; i < surface.size(); ++i) {
      for (Rows::InnerIterator it(surface.places, i); it; ++it) {
        if (it.value() == 0.0) continue;
        entries.emplace_back(first + i, bodies.first(p) + static_cast<int>(it.col()), it.value());
      }
      all_areas.push_back(surface.areas[i]);
      all_moduli.push_back(scene.bodies[p].material->youngs_modulus);
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

FrictionCurve FrictionOf(double way, double full) {
  const double y = way / full;
  if (y < 1.0) return {(2.0 - y) / full, way > 0.0 ? -1.0 / (full * full * way) : 0.0};
  return {1.0 / way, -1.0 / (way * way * way)};
}

}  // namespace pliant::finite_elements
