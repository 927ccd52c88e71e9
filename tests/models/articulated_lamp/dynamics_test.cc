#include "models/articulated_lamp/dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <complex>

#include "tests/models/articulated_lamp/random_state.h"

namespace pliant::articulated_lamp {
namespace {

using Complex = std::complex<double>;
using ComplexVector = LampVectorOf<Complex>;
constexpr double kStep = 1e-30;  // of the complex step: no subtraction, no truncation

// Lagrange's equations taken literally from the energies of the links, a slow oracle:
//   Q_k = d/dt (∂T/∂v_k) − ∂T/∂q_k + ∂V/∂q_k .
// T is quadratic in v, so (T(v + e_k) − T(v − e_k))/2 is ∂T/∂v_k exactly; d/dt along the motion and
// ∂/∂q_k are complex steps.
LampVector LagrangeForces(const Lamp& lamp, const LampVector& q, const LampVector& v,
                          const LampVector& a) {
  LampVector force;
  for (int k = 0; k < kLampDof; ++k) {
    const ComplexVector later_q = q.cast<Complex>() + Complex(0, kStep) * v.cast<Complex>();
    const ComplexVector later_v = v.cast<Complex>() + Complex(0, kStep) * a.cast<Complex>();
    const ComplexVector unit = ComplexVector::Unit(k);
    const Complex momentum = 0.5 * (KineticEnergy<Complex>(lamp, later_q, later_v + unit) -
                                    KineticEnergy<Complex>(lamp, later_q, later_v - unit));
    const ComplexVector moved = q.cast<Complex>() + Complex(0, kStep) * unit;
    const Complex lagrangian = KineticEnergy<Complex>(lamp, moved, v.cast<Complex>()) -
                               GravitationalEnergy<Complex>(lamp, moved);
    force[k] = (momentum.imag() - lagrangian.imag()) / kStep;
  }
  return force;
}

class LampDynamics : public testing::Test {
 protected:
  void SetUp() override { RecordProperty("seed", static_cast<int>(kLampSeed)); }
  LampVector Random(double size) { return RandomLampVector(generator_, size); }

  Lamp lamp_{LampParameters{}};
  std::mt19937 generator_{kLampSeed};
};

TEST_F(LampDynamics, InverseDynamicsIsLagrange) {
  for (int trial = 0; trial < 20; ++trial) {
    const LampVector q = Random(2.0), v = Random(5.0), a = Random(50.0);
    const LampVector force = InverseDynamics(lamp_, q, v, a);
    EXPECT_LT((force - LagrangeForces(lamp_, q, v, a)).norm(), 1e-12 * (1.0 + force.norm()));
  }
}

TEST_F(LampDynamics, ForwardUndoesInverse) {
  for (int trial = 0; trial < 20; ++trial) {
    const LampVector q = Random(2.0), v = Random(5.0), a = Random(50.0);
    const LampVector force = InverseDynamics(lamp_, q, v, a);
    EXPECT_LT((ForwardDynamics(lamp_, q, v, force) - a).norm(), 1e-10);
  }
}

TEST_F(LampDynamics, JacobianOfInverseDynamicsIsItsDerivative) {
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector at[3] = {Random(2.0), Random(5.0), Random(50.0)};
    for (const double gravity : {9.81, 0.0}) {
      InverseDynamicsJacobian jacobian;
      InverseDynamics(lamp_, at[0], at[1], at[2], gravity, &jacobian);
      EXPECT_LT(
          (jacobian.force - InverseDynamics<double>(lamp_, at[0], at[1], at[2], gravity)).norm(),
          1e-12 * jacobian.force.norm());
      const LampMatrix* blocks[3] = {&jacobian.by_position, &jacobian.by_velocity,
                                     &jacobian.by_acceleration};
      for (int argument = 0; argument < 3; ++argument) {
        for (int k = 0; k < kLampDof; ++k) {
          ComplexVector z[3];
          for (int i = 0; i < 3; ++i) z[i] = at[i].cast<Complex>();
          z[argument][k] += Complex(0, kStep);
          const LampVector column =
              InverseDynamics<Complex>(lamp_, z[0], z[1], z[2], gravity).imag() / kStep;
          EXPECT_LT((blocks[argument]->col(k) - column).norm(), 1e-11 * (1.0 + column.norm()))
              << "argument " << argument << " column " << k;
        }
      }
    }
  }
}

TEST_F(LampDynamics, MassMatrixIsSymmetricPositiveDefiniteAndGivesTheKineticEnergy) {
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector q = Random(3.0), v = Random(4.0);
    const LampMatrix mass = MassMatrix(lamp_, q);
    EXPECT_LT((mass - mass.transpose()).norm(), 1e-16);
    EXPECT_EQ(mass.llt().info(), Eigen::Success);
    EXPECT_NEAR(0.5 * v.dot(mass * v), KineticEnergy<double>(lamp_, q, v), 1e-12);
    InverseDynamicsJacobian jacobian;
    InverseDynamics(lamp_, q, v, Random(3.0), 9.81, &jacobian);
    EXPECT_LT((mass - jacobian.by_acceleration).norm(), 1e-14);
  }
}

TEST_F(LampDynamics, PowerOfTheForcesIsTheRateOfEnergy) {
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector q = Random(2.0), v = Random(5.0), force = Random(3.0);
    const LampVector a = ForwardDynamics(lamp_, q, v, force);
    const ComplexVector later_q = q.cast<Complex>() + Complex(0, kStep) * v.cast<Complex>();
    const ComplexVector later_v = v.cast<Complex>() + Complex(0, kStep) * a.cast<Complex>();
    const double rate = (KineticEnergy<Complex>(lamp_, later_q, later_v) +
                         GravitationalEnergy<Complex>(lamp_, later_q))
                            .imag() /
                        kStep;
    EXPECT_NEAR(rate, force.dot(v), 1e-11);
  }
}

TEST_F(LampDynamics, StanceIsFlightThatTheFloorHolds) {
  for (int trial = 0; trial < 10; ++trial) {
    LampVector q = Random(1.0), v = LampVector::Zero();
    v.tail<3>() = Random(4.0).tail<3>();
    const LampAngles torques = Random(2.0).tail<3>();
    const StanceMotion motion = StanceDynamics(lamp_, q, v.tail<3>(), torques);
    LampVector force, expected = LampVector::Zero();
    force << motion.contact, torques;
    expected.tail<3>() = motion.acceleration;
    EXPECT_LT((ForwardDynamics(lamp_, q, v, force) - expected).norm(), 1e-10);
  }
}

TEST_F(LampDynamics, FloorCarriesTheWeightOfALampAtRest) {
  LampVector q = LampVector::Zero();
  q.tail<3>() << Radians(-25), Radians(50), 0.0;
  const LampVector hold = InverseDynamics(lamp_, q, LampVector::Zero(), LampVector::Zero());
  EXPECT_NEAR(hold[0], 0.0, 1e-15);
  EXPECT_NEAR(hold[1], lamp_.mass() * 9.81, 1e-13);
  // Weight to the right of (x, y) turns the lamp clockwise; the floor turns it back.
  EXPECT_NEAR(hold[2], -lamp_.mass() * 9.81 * CentreOfMass(lamp_, q).x(), 1e-13);
}

TEST_F(LampDynamics, ImpactStopsTheBaseAndChangesMomentumByItsImpulse) {
  for (int trial = 0; trial < 10; ++trial) {
    const LampVector q = Random(1.0), before = Random(3.0);
    const Impact impact = PlasticImpact(lamp_, q, before);
    LampVector after = LampVector::Zero();
    after.tail<3>() = impact.rates;
    LampVector impulse = LampVector::Zero();
    impulse.head<3>() = impact.impulse;
    EXPECT_LT((MassMatrix(lamp_, q) * (after - before) - impulse).norm(), 1e-12);
    const LampMomentum m0 = Momentum(lamp_, q, before), m1 = Momentum(lamp_, q, after);
    EXPECT_LT((m1.linear - m0.linear - impact.impulse.head<2>()).norm(), 1e-12);
    EXPECT_LT(KineticEnergy<double>(lamp_, q, after), KineticEnergy<double>(lamp_, q, before));
  }
}

TEST_F(LampDynamics, ImpactOfALampAtRestDoesNothing) {
  LampVector before = LampVector::Zero();
  before.tail<3>() << 1.0, -2.0, 3.0;
  const Impact impact = PlasticImpact(lamp_, Random(1.0), before);
  EXPECT_LT((impact.rates - before.tail<3>()).norm(), 1e-15);
  EXPECT_LT(impact.impulse.norm(), 1e-15);
}

}  // namespace
}  // namespace pliant::articulated_lamp
