#include "solvers/dynamic_ffd/mode_control.h"

#include <cassert>

namespace pliant::dynamic_ffd {

ModeControl::ModeControl(int body, PoseGraph graph, PdController servos, Sensors sensors)
    : body_(body),
      graph_(std::move(graph)),
      servos_(std::move(servos)),
      sensors_(std::move(sensors)) {
  assert(static_cast<int>(servos_.servos().size()) == graph_.channels());
  assert(sensors_.size() == graph_.sensors());
}

void ModeControl::Start(double time, const PointsRef& x) {
  sensors_.Read(time, x, &readings_);
  state_ = graph_.Start(time, readings_);
}

bool ModeControl::Update(double time, double step, const PointsRef& x) {
  sensors_.Read(time, x, &readings_);
  return graph_.Advance(time, step, readings_, &state_);
}

}  // namespace pliant::dynamic_ffd
