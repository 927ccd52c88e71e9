#include "solvers/kinematic_response/area.h"

#include <Eigen/Geometry>
#include <cmath>

#include "models/geometry/extent.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// Fraction of the area: a smaller difference from the target counts as reached.
constexpr double kNear = 1e-12;
constexpr int kMostTrials = 8;  // of the secant method
// Length of the first trial, as a fraction of the surface's extent.
constexpr double kFirstTrial = 1e-4;

}  // namespace

AreaKeeper::AreaKeeper(const Body& body, const MultiresolutionSurface& model, int level)
    : level_(level),
      curve_(body.faces.empty()),
      elements_(body.faces),
      gradient_(model.ZeroVectors()),
      rows_(model.finest()),
      direction_(gradient_[level]),
      before_(direction_) {
  if (curve_) {
    for (const auto& [a, b] : body.edges) elements_.push_back({a, b, b});
  }
  for (int j = 0; j < model.levels(); ++j) {
    all_on_.emplace_back(model.grid(j));
    all_on_.back().Fill(true);
  }
  LevelVectors at_rest = model.ZeroVectors();
  model.Place(model.ZeroOffsets(), std::vector<VertexValues>(model.levels(), 1.0), &rows_,
              &at_rest);
  start_ = Measure(at_rest.back());
}

double AreaKeeper::Measure(const GridVectors& surface) const {
  const auto at = [&surface](int vertex) -> Vector3d { return surface.row(vertex); };
  double area = 0.0;
  for (const auto& [a, b, c] : elements_) {
    const Vector3d u = at(b) - at(a);
    area += curve_ ? u.norm() : 0.5 * u.cross(at(c) - at(a)).norm();
  }
  return area;
}

void AreaKeeper::Gradient(const GridVectors& surface, GridVectors* gradient) const {
  gradient->setZero();
  const auto at = [&surface](int vertex) -> Vector3d { return surface.row(vertex); };
  const auto add = [gradient](int vertex, const Vector3d& g) {
    gradient->row(vertex) += g.transpose();
  };
  for (const auto& [a, b, c] : elements_) {
    if (curve_) {
      const Vector3d along = (at(b) - at(a)).normalized();
      add(a, -along);
      add(b, along);
      continue;
    }
    // ∂A/∂x_a = ½ n × (x_c − x_b)
    const Vector3d half = 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).normalized();
    add(a, half.cross(at(c) - at(b)));
    add(b, half.cross(at(a) - at(c)));
    add(c, half.cross(at(b) - at(a)));
  }
}

void AreaKeeper::Keep(double share, KinematicResponse* response, SurfaceOffsets* offsets) {
  const MultiresolutionSurface& model = response->model();
  const double area = Measure(response->surface());
  const double wanted = area - share * (area - start_);
  if (std::abs(area - wanted) <= kNear * start_) return;

  Gradient(response->surface(), &gradient_.back());
  for (int vertex = 0; vertex < model.finest().size(); ++vertex) {
    if (!response->displacement(vertex).isZero(0.0)) gradient_.back().row(vertex).setZero();
  }
  for (int j = model.levels() - 1; j > level_; --j) {
    const GridSize& coarse = model.grid(j - 1);
    for (int v = 0; v < coarse.nv; ++v) {
      for (int strip = 0; strip < all_on_[j - 1].per_row(); ++strip) {
        model.RestrictStrip(j, Restriction::kFullWeighting, gradient_[j], all_on_[j], strip, v,
                            &gradient_[j - 1]);
      }
    }
  }
  model.WalkLevel(level_, response->levels(), &rows_, [this](const FramedStrip& strip) {
    for (int i = 0; i < strip.count; ++i) {
      const Vector3d g = gradient_[level_].row(strip.begin + i);
      direction_.row(strip.begin + i) = g.transpose() * strip.Frame(i);
    }
  });
  const double steepest = direction_.rowwise().norm().maxCoeff();
  if (steepest == 0.0) return;

  GridVectors& elastic = offsets->elastic[level_];
  before_ = elastic;
  const auto area_at = [&](double lambda) {
    elastic = before_ - lambda * direction_;
    response->Place(*offsets);
    return Measure(response->surface());
  };
  // Secant method. Does nothing where the area does not change as its gradient predicts.
  const GridVectors& surface = response->surface();
  const double extent = DiagonalOf(surface.transpose());
  double last = 0.0, last_area = area, lambda = kFirstTrial * extent / steepest;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const double now = area_at(lambda);
    const double slope = (now - last_area) / (lambda - last);
    if (!(slope < 0.0)) {
      area_at(last);
      return;
    }
    if (std::abs(now - wanted) <= kNear * start_) return;
    last = lambda;
    last_area = now;
    lambda += (wanted - now) / slope;
    if (lambda == last) return;
  }
}

}  // namespace pliant::kinematic_response
