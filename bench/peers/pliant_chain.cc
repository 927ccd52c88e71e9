// Linearly deformable bars: three masses of 1/6, 2/3 and 1/6 kg have the inertia of a uniform one.

#include <algorithm>
#include <cmath>

#include "bench/peers/chain.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/linear_deformation/backend.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

class PliantChain final : public Chain {
 public:
  PliantChain(int bars, const ParameterValues& parameters) {
    auto scene = std::make_shared<Scene>();
    scene->dimension = 2;
    scene->gravity = Vector3d(0.0, -kChainGravity, 0.0);
    for (int i = 0; i < bars; ++i) {
      Body bar = MakeChain("bar" + std::to_string(i), Vector3d::Zero(), Vector3d::UnitX(), 3, 1.0);
      bar.mass = Vector3d(1.0, 4.0, 1.0) / 6.0;
      bar.position = Vector3d(i, 0.0, 0.0);
      scene->bodies.push_back(bar);
      if (i > 0) scene->attachments.push_back({"joint", {i - 1, 2}, {i, 0}});
    }
    scene->nails = {{"hinge", {0, 0}, Path::Still(Vector3d::Zero())}};
    masses_ = scene->Masses();
    simulation_ = linear_deformation::TheBackend().Translate(scene, parameters).simulation;
  }

  void Step() override { simulation_->Advance(kChainStep); }
  double Stretch() const override {
    simulation_->Observe(&seen_);
    double stretch = seen_.constraint_error.value();
    for (Eigen::Index i = 0; i < seen_.points.cols(); i += 3) {
      const double length = (seen_.points.col(i + 2) - seen_.points.col(i)).norm();
      stretch = std::max(stretch, std::abs(length - 1.0));
    }
    return stretch;
  }
  double KineticEnergy() const override {
    simulation_->Observe(&seen_);
    return pliant::KineticEnergy(masses_, *seen_.velocities);
  }
  double PotentialEnergy() const override {
    simulation_->Observe(&seen_);
    return kChainGravity * seen_.points.row(1).dot(masses_) + seen_.elastic_energy.value();
  }

 private:
  Eigen::VectorXd masses_;
  std::unique_ptr<Simulation> simulation_;
  mutable Observation seen_;
};

const RegisterChainEngine kExplicit(
    {"pliant-explicit", 1000, [](int bars) {
       return std::make_unique<PliantChain>(bars, ParameterValues{{"damping", 0.0}});
     }});
const RegisterChainEngine kImplicit({"pliant-implicit", 1000, [](int bars) {
                                       return std::make_unique<PliantChain>(
                                           bars, ParameterValues{
                                                     {"damping", 0.0},
                                                     {"stretch_stiffness", 1e8},
                                                     {"internal_energy", std::string("implicit")}});
                                     }});

}  // namespace
}  // namespace pliant
