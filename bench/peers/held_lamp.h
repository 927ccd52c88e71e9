// A lamp on level ground whose hinges are held to its rest pose by servos: two points touch, rub
// and carry. The same lamp, floor, servos and step in each engine; the work of one step is compared
// once all of them have come to the same rest.

#ifndef PLIANT_BENCH_PEERS_HELD_LAMP_H_
#define PLIANT_BENCH_PEERS_HELD_LAMP_H_

#include <benchmark/benchmark.h>

#include "models/articulated_lamp/dynamics.h"

namespace pliant {

inline constexpr double kHeldStep = 1e-3;        // s
inline constexpr double kHeldStiffness = 100.0;  // N·m/rad, of each servo
inline constexpr double kHeldDamping = 4.0;      // N·m·s/rad
inline constexpr double kHeldFriction = 0.8;
inline constexpr int kHeldSteps = 1000;  // to settle, and of a repetition
inline const articulated_lamp::LampAngles kHeldPose = {Radians(-25), Radians(50), 0.0};

// `step()` advances a lamp by kHeldStep; `q()` is where it is. Settles, measures, and refuses a
// lamp that does not stand still where the servos balance its weight.
template <typename Step, typename Place>
void HoldLamp(benchmark::State& state, const Step& step, const Place& place) {
  for (int i = 0; i < kHeldSteps; ++i) step();
  for (auto _ : state) {
    for (int i = 0; i < kHeldSteps; ++i) step();
  }
  const articulated_lamp::LampVector q = place(), still = articulated_lamp::LampVector::Zero();
  const articulated_lamp::LampAngles wanted =
      InverseDynamics(articulated_lamp::Lamp(articulated_lamp::LampParameters{}), q, still, still)
          .tail<3>();
  const articulated_lamp::LampAngles given = kHeldStiffness * (kHeldPose - q.tail<3>());
  const double sunk = std::abs(q[1]), unbalanced = (wanted - given).cwiseAbs().maxCoeff();
  state.counters["sunk_m"] = sunk;
  state.counters["unbalanced_N_m"] = unbalanced;
  if (!(sunk < 2e-3 && unbalanced < 2e-2))
    state.SkipWithError("the lamp does not stand as it should");
  state.counters["step"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kHeldSteps,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_HELD_LAMP_H_
