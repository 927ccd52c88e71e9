#include "bench/peers/held_lamp.h"

#include "solvers/lamp/lamp_stepper.h"

namespace pliant {
namespace {

void HeldLampPliant(benchmark::State& state) {
  const Lamp lamp{LampParameters{}};
  LampFloor floor;
  floor.friction = kHeldFriction;
  const LampStepper stepper(lamp, floor);
  LampVector q = LampVector::Zero(), v = q;
  q.tail<3>() = kHeldPose;
  HoldLamp(
      state,
      [&] {
        HingeTorques torques;
        const LampAngles rates = v.tail<3>();
        torques.start =
            kHeldStiffness * (kHeldPose - q.tail<3>() - kHeldStep * rates) - kHeldDamping * rates;
        torques.resistance.setConstant(kHeldStep * kHeldStiffness + kHeldDamping);
        benchmark::DoNotOptimize(stepper.Step(kHeldStep, LampPlacement(q), torques, &q, &v));
      },
      [&] { return q; });
}
BENCHMARK(HeldLampPliant);

}  // namespace
}  // namespace pliant
