#include "solvers/finite_elements/point_places.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/finite_elements/load_patches.h"
#include "models/scene/material.h"

namespace pliant::finite_elements {
namespace {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Corners = std::vector<int>;

// The cells of a solid or profile and their sides, by points of the body.
std::vector<Corners> CellsAndSides(const Body& body) {
  std::vector<Corners> found;
  for (const std::array<int, 4>& cell : body.tetrahedra) {
    found.emplace_back(cell.begin(), cell.end());
    for (int without = 0; without < 4; ++without) {
      Corners side(cell.begin(), cell.end());
      side.erase(side.begin() + without);
      found.push_back(side);
    }
  }
  for (const std::array<int, 8>& cell : Hexahedra(body)) {
    found.emplace_back(cell.begin(), cell.end());
    for (int axis = 0; axis < 3; ++axis) {
      for (int end = 0; end < 2; ++end) {
        Corners side;
        for (int corner = 0; corner < 8; ++corner) {
          if ((corner >> axis & 1) == end) side.push_back(cell[corner]);
        }
        found.push_back(side);
      }
    }
  }
  if (!found.empty()) return found;
  for (const std::array<int, 3>& face : body.faces) {
    found.emplace_back(face.begin(), face.end());
    for (int first = 0; first < 3; ++first) found.push_back({face[first], face[(first + 1) % 3]});
  }
  return found;
}

bool IsHeld(const ConstraintRow& constraint) {
  return constraint.name.starts_with("nail.") || constraint.name.starts_with("slider.");
}

// Of each point of the scene the first constraint of its kind.
template <typename IsOfKind>
std::vector<std::string> NamesOf(const Scene& scene, const std::vector<ConstraintRow>& constraints,
                                 const IsOfKind& is_of_kind) {
  std::vector<std::string> names(scene.PointCount());
  for (const ConstraintRow& constraint : constraints) {
    if (!is_of_kind(constraint)) continue;
    for (const Combination::Term& term : constraint.terms) {
      std::string& name = names[scene.Index(term.point)];
      if (name.empty()) name = constraint.name;
    }
  }
  return names;
}

std::vector<bool> HeldOrDrawn(const Scene& scene, const std::vector<ConstraintRow>& constraints) {
  std::vector<bool> acted_on(scene.PointCount(), false);
  for (const ConstraintRow& constraint : constraints) {
    for (const Combination::Term& term : constraint.terms) {
      acted_on[scene.Index(term.point)] = true;
    }
  }
  for (const Spring& spring : scene.springs) {
    acted_on[scene.Index(spring.a)] = true;
    if (spring.b) acted_on[scene.Index(*spring.b)] = true;
  }
  return acted_on;
}

}  // namespace

WholeSides::WholeSides(std::vector<std::string> names)
    : names_(std::move(names)), around_(names_.size()) {}

void WholeSides::AddCellsOf(const Scene& scene, int body) {
  for (Corners corners : CellsAndSides(scene.bodies[body])) {
    for (int& corner : corners) corner = scene.Index({body, corner});
    if (!HaveOneName(corners)) continue;
    std::sort(corners.begin(), corners.end());
    for (const int corner : corners) around_[corner].push_back(static_cast<int>(whole_.size()));
    whole_.push_back(std::move(corners));
  }
}

bool WholeSides::HaveOneName(const Corners& corners) const {
  const std::string& name = names_[corners[0]];
  return !name.empty() && std::all_of(corners.begin(), corners.end(),
                                      [&](int corner) { return names_[corner] == name; });
}

bool WholeSides::HoldSolid(const Corners& corners) const {
  const std::vector<int>& around = around_[corners[0]];
  return std::any_of(around.begin(), around.end(), [&](int side) {
    return std::all_of(corners.begin(), corners.end(), [&](int corner) {
      return std::binary_search(whole_[side].begin(), whole_[side].end(), corner);
    });
  });
}

PointPlaces::PointPlaces(const Scene& scene, const std::vector<ConstraintRow>& constraints,
                         const Discretisation& bodies)
    : held_(NamesOf(scene, constraints, IsHeld)),
      joined_(NamesOf(scene, constraints, [](const ConstraintRow& constraint) {
        return constraint.name.starts_with("attachment.");
      })) {
  const std::vector<bool> acted_on = HeldOrDrawn(scene, constraints);
  const Rows embedding = bodies.embedding();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&entries](int point, const Rows& from, int row, int first_node) {
    for (Rows::InnerIterator it(from, row); it; ++it) {
      entries.emplace_back(point, first_node + static_cast<int>(it.col()), it.value());
    }
  };
  int first_point = 0;
  for (int b = 0; b < bodies.part_count(); ++b) {
    const ElasticPart& part = bodies.part(b);
    const int count = static_cast<int>(part.embedding().rows());
    solid_.push_back(!part.boundary().empty());
    if (solid_.back()) {
      held_.AddCellsOf(scene, b);
      joined_.AddCellsOf(scene, b);
    }
    std::vector<int> spread;  // points of the body
    for (int p = 0; p < count; ++p) {
      const int point = first_point + p;
      const bool whole = held_.Has(point) || joined_.Has(point);
      if (solid_.back() && acted_on[point] && !whole) {
        spread.push_back(p);
      } else {
        add(point, embedding, point, 0);
      }
    }
    const Rows patches = HoldPatches(part, spread);
    for (int row = 0; row < patches.rows(); ++row) {
      add(first_point + spread[row], patches, row, bodies.first(b));
    }
    first_point += count;
  }
  rows_.resize(embedding.rows(), embedding.cols());
  rows_.setFromTriplets(entries.begin(), entries.end());
}

}  // namespace pliant::finite_elements
