// A backend for tests whose motion is known in closed form: every material point falls freely,
// x = x₀ + v₀ t + ½ g t², v = v₀ + g t, and nothing else of the scene is known to it.

#ifndef PLIANT_TESTS_EXPERIMENTS_FALLING_H_
#define PLIANT_TESTS_EXPERIMENTS_FALLING_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solvers/simulation.h"

namespace pliant {

// What goes wrong, and when: steps are counted from 1.
struct Mishap {
  int diverges_at = 0;       // says so
  int spoils_points_at = 0;  // becomes NaN without saying so
  int not_converged_at = 0;  // says so, once
  bool refuses = false;      // the scene
  bool kinematic = false;    // knows no velocities, hence no energies
  int leaves_open = 0;       // constraints, by 1 mm for each that comes before it
  double drift = 0.0;        // m/s along x, an error that grows with time

  void Bind(ParameterBinder& b) {
    b.Integer("diverges_at", &diverges_at, "1", AtLeast(0), "step that diverges");
    b.Integer("spoils_points_at", &spoils_points_at, "1", AtLeast(0), "step that gives NaN");
    b.Integer("not_converged_at", &not_converged_at, "1", AtLeast(0), "step that gives up");
    b.Boolean("refuses", &refuses, "whether it refuses every scene");
    b.Boolean("kinematic", &kinematic, "whether it has no velocities");
    b.Integer("leaves_open", &leaves_open, "1", AtLeast(0), "constraints that it does not meet");
    b.Real("drift", &drift, "m/s", {}, "error of the velocity along x");
  }
};

class FallingSimulation : public Simulation {
 public:
  FallingSimulation(std::shared_ptr<const Scene> scene, const Mishap& mishap)
      : Simulation(std::move(scene)), mishap_(mishap) {}

  std::vector<UnmetConstraint> UnmetConstraints() const override {
    std::vector<UnmetConstraint> unmet;
    for (int k = mishap_.leaves_open; k > 0; --k) {
      unmet.push_back({"joint " + std::to_string(k), 0.001 * k, "m"});
    }
    return unmet;
  }

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
    seen->extras = {fall_};
    if (mishap_.kinematic) return;
    seen->velocities = scene().InitialVelocities();
    seen->velocities->colwise() += fall_ * g;
    seen->work = Exchange{};
  }

  int DoStateSize() const override { return 2; }
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override {
    state << fall_, static_cast<double>(steps_);
  }
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override {
    fall_ = state[0];
    steps_ = static_cast<std::int64_t>(state[1]);
  }

 private:
  const Mishap mishap_;
  double fall_ = 0.0;  // s, for how long it has fallen
  std::int64_t steps_ = 0;
};

class FallingBackend : public Backend {
 public:
  // `hidden_drift` [m/s] is added to the drift that the parameters tell of: the same experiment,
  // another program.
  explicit FallingBackend(const Mishap& mishap = {}, double hidden_drift = 0.0)
      : mishap_(mishap), hidden_drift_(hidden_drift) {
    info_.name = "falling";
    info_.extras = {{"fall_s", "s", "for how long it has fallen"}};
  }

  const BackendInfo& info() const override { return info_; }
  std::vector<ParameterInfo> Parameters() const override { return DescribeParameters<Mishap>(); }
  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    Mishap mishap = mishap_;
    ParameterBinder binder(&parameters);
    mishap.Bind(binder);
    binder.Finish();
    mishap.drift += hidden_drift_;
    Translation translation{TranslationRecord(*scene), nullptr, {"falls, come what may"}};
    translation.record.Say("gravity", Fidelity::kExact, "");
    translation.record.Say("body.*", mishap.refuses ? Fidelity::kUnsupported : Fidelity::kExact,
                           mishap.refuses ? "too heavy" : "");
    translation.record.Say("obstacle.*", Fidelity::kIgnored, "nothing stops it");
    if (!mishap.refuses) {
      translation.simulation = std::make_unique<FallingSimulation>(scene, mishap);
    }
    return translation;
  }

 private:
  BackendInfo info_;
  Mishap mishap_;
  double hidden_drift_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_FALLING_H_
