#include "bench/peers/held_lamp.h"

#include "solvers/articulated_lamp/lamp_stepper.h"

namespace pliant {
namespace {

void HeldLampPliant(benchmark::State& state) {
  const articulated_lamp::Lamp lamp{articulated_lamp::LampParameters{}};
  articulated_lamp::LampFloor floor;
  floor.friction = kHeldFriction;
  const articulated_lamp::LampStepper stepper(lamp, floor);
  articulated_lamp::LampVector q = articulated_lamp::LampVector::Zero(), v = q;
  q.tail<3>() = kHeldPose;
  HoldLamp(
      state,
      [&] {
        articulated_lamp::HingeTorques torques;
        const articulated_lamp::LampAngles rates = v.tail<3>();
        torques.start =
            kHeldStiffness * (kHeldPose - q.tail<3>() - kHeldStep * rates) - kHeldDamping * rates;
        torques.resistance.setConstant(kHeldStep * kHeldStiffness + kHeldDamping);
        benchmark::DoNotOptimize(
            stepper.Step(kHeldStep, articulated_lamp::LampPlacement(q), torques, &q, &v));
      },
      [&] { return q; });
}
BENCHMARK(HeldLampPliant);

}  // namespace
}  // namespace pliant
