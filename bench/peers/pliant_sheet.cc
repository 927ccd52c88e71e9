// Position-based dynamics and displacement constraints, through all levels and alone.

#include "bench/peers/sheet.h"
#include "models/geometry/grid_hierarchy.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/position_based/backend.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

class PliantSheet final : public HangingSheet {
 public:
  PliantSheet(const Backend& backend, int points, int sweeps, ParameterValues parameters = {}) {
    auto scene = std::make_shared<Scene>();
    scene->gravity = Vector3d(0.0, -kSheetGravity, 0.0);
    scene->bodies = {MakeSheet("sheet", {1.0, 1.0}, {points, points}, 1.0)};
    const Eigen::Matrix3Xd start = scene->InitialPoints();
    for (int i = points * (points - 1); i < points * points; ++i) {
      scene->nails.push_back({"rail" + std::to_string(i), {0, i}, Path::Still(start.col(i))});
    }
    parameters["tolerance"] = 1e3;  // the sweeps decide
    parameters["min_sweeps"] = parameters["max_sweeps"] = static_cast<std::int64_t>(sweeps);
    simulation_ = backend.Translate(scene, parameters).simulation;
  }

  void Step() override { simulation_->Advance(kSheetStep); }
  double RmsStretch() const override {
    simulation_->Observe(&shown_);
    return MeasureEdgeStrain(simulation_->scene(), shown_.points)->rms;
  }
  double LowestPoint() const override {
    simulation_->Observe(&shown_);
    return 0.5 - shown_.points.row(1).minCoeff();
  }

 private:
  std::unique_ptr<Simulation> simulation_;
  mutable Observation shown_;
};

std::int64_t AllLevels(int points) { return *DyadicLevel(points) + 1; }

ParameterValues ThroughLevels(int points) { return {{"solver_levels", AllLevels(points)}}; }

const RegisterSheetEngine kPointsThroughLevels({"pliant-position-based-through-levels",
                                                [](int points, int sweeps) {
                                                  return std::make_unique<PliantSheet>(
                                                      position_based::TheBackend(), points, sweeps,
                                                      ThroughLevels(points));
                                                }});
const RegisterSheetEngine kSegmentsThroughLevels({"pliant-segments-through-levels",
                                                  [](int points, int sweeps) {
                                                    return std::make_unique<PliantSheet>(
                                                        displacement_constraints::TheBackend(),
                                                        points, sweeps, ThroughLevels(points));
                                                  }});
const RegisterSheetEngine kPoints({"pliant-position-based", [](int points, int sweeps) {
                                     return std::make_unique<PliantSheet>(
                                         position_based::TheBackend(), points, sweeps);
                                   }});
const RegisterSheetEngine kSegments({"pliant-segments", [](int points, int sweeps) {
                                       return std::make_unique<PliantSheet>(
                                           displacement_constraints::TheBackend(), points, sweeps);
                                     }});

}  // namespace
}  // namespace pliant
