// A backend for tests whose motion is known in closed form: every material point falls freely,
// x = x₀ + v₀ t + ½ g t², v = v₀ + g t, and nothing else of the scene is known to it.

#ifndef PLIANT_TESTS_EXPERIMENTS_FALLING_H_
#define PLIANT_TESTS_EXPERIMENTS_FALLING_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "solvers/simulation.h"

namespace pliant {

// What goes wrong, and when: steps are counted from 1.
struct Mishap {
  std::int64_t diverges_at = 0;       // says so
  std::int64_t spoils_points_at = 0;  // becomes NaN without saying so
  std::int64_t not_converged_at = 0;  // says so, once
  bool refuses = false;               // the scene
  bool kinematic = false;             // knows no velocities, hence no energies
  double drift = 0.0;                 // m/s along x, an error that grows with time
};

class FallingSimulation : public Simulation {
 public:
  FallingSimulation(std::shared_ptr<const Scene> scene, const Mishap& mishap, size_t extras)
      : Simulation(std::move(scene)), mishap_(mishap), extras_(extras) {}

 protected:
  StepOutcome DoAdvance(double step) override {
    ++steps_;
    fall_ += step;
    if (steps_ == mishap_.spoils_points_at) fall_ = std::numeric_limits<double>::quiet_NaN();
    if (steps_ == mishap_.diverges_at) {
      fall_ = 1e300;
      return {StepOutcome::Kind::kDiverged, "height"};
    }
    if (steps_ == mishap_.not_converged_at) return {StepOutcome::Kind::kNotConverged, "the fall"};
    return {};
  }

  void DoObserve(Observation* seen) const override {
    const Eigen::Vector3d& g = scene().gravity;
    seen->points = scene().InitialPoints() + fall_ * scene().InitialVelocities();
    seen->points.colwise() += 0.5 * fall_ * fall_ * g;
    seen->points.row(0).array() += mishap_.drift * fall_;
    seen->iterations = steps_;
    if (mishap_.kinematic) return;
    seen->velocities = scene().InitialVelocities();
    seen->velocities->colwise() += fall_ * g;
    seen->work = WorkByClass{};
  }

  int DoStateSize() const override { return 2; }
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override {
    state << fall_, static_cast<double>(steps_);
  }
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override {
    fall_ = state[0];
    steps_ = static_cast<std::int64_t>(state[1]);
  }
  int extras_count() const override { return static_cast<int>(extras_); }

 private:
  const Mishap mishap_;
  const size_t extras_;
  double fall_ = 0.0;  // s, for how long it has fallen
  std::int64_t steps_ = 0;
};

class FallingBackend : public Backend {
 public:
  explicit FallingBackend(const Mishap& mishap = {}) : mishap_(mishap) { info_.name = "falling"; }
  // Under the name, and with the columns, of another backend.
  FallingBackend(const BackendInfo& stands_in_for, const Mishap& mishap)
      : info_(stands_in_for), mishap_(mishap) {}

  const BackendInfo& info() const override { return info_; }
  std::vector<ParameterInfo> Parameters() const override { return {}; }
  Translation Translate(std::shared_ptr<const Scene> scene, const ParameterValues&) const override {
    Translation translation{TranslationRecord(*scene), nullptr, {"falls, come what may"}};
    translation.record.Say("gravity", Fidelity::kExact, "");
    translation.record.Say("body.*", mishap_.refuses ? Fidelity::kUnsupported : Fidelity::kExact,
                           mishap_.refuses ? "too heavy" : "");
    translation.record.Say("nail.*", Fidelity::kIgnored, "nothing holds it");
    if (!mishap_.refuses) {
      translation.simulation =
          std::make_unique<FallingSimulation>(scene, mishap_, info_.extras.size());
    }
    return translation;
  }

 private:
  BackendInfo info_;
  Mishap mishap_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_FALLING_H_
