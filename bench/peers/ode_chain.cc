// Rigid bodies and hinges of the Open Dynamics Engine, by its direct solver.

#include <ode/ode.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/chain.h"

namespace pliant {
namespace {

class OdeChain final : public Chain {
 public:
  explicit OdeChain(int bars) {
    static const bool started = dInitODE2(0) != 0;
    (void)started;
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0.0, -kChainGravity, 0.0);
    for (int i = 0; i < bars; ++i) {
      dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetBoxTotal(&mass, 1.0, 1.0, 1e-3, 1e-3);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, i + 0.5, 0.0, 0.0);
      dJointID hinge = dJointCreateHinge(world_, nullptr);
      dJointAttach(hinge, body, i == 0 ? nullptr : bodies_.back());
      dJointSetHingeAnchor(hinge, i, 0.0, 0.0);
      dJointSetHingeAxis(hinge, 0.0, 0.0, 1.0);
      bodies_.push_back(body);
      hinges_.push_back(hinge);
    }
  }
  ~OdeChain() override { dWorldDestroy(world_); }
  OdeChain(const OdeChain&) = delete;
  OdeChain& operator=(const OdeChain&) = delete;

  void Step() override { dWorldStep(world_, kChainStep); }
  double Stretch() const override {
    double stretch = 0.0;
    for (dJointID hinge : hinges_) {
      dVector3 a, b;
      dJointGetHingeAnchor(hinge, a);
      dJointGetHingeAnchor2(hinge, b);
      stretch = std::max(stretch, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    return stretch;
  }
  double KineticEnergy() const override {
    double energy = 0.0;
    for (dBodyID body : bodies_) {
      const dReal* v = dBodyGetLinearVel(body);
      const dReal* w = dBodyGetAngularVel(body);
      dMass mass;
      dBodyGetMass(body, &mass);
      energy += 0.5 * (v[0] * v[0] + v[1] * v[1]) + 0.5 * mass.I[10] * w[2] * w[2];
    }
    return energy;
  }
  double PotentialEnergy() const override {
    double energy = 0.0;
    for (dBodyID body : bodies_) energy += kChainGravity * dBodyGetPosition(body)[1];
    return energy;
  }

 private:
  dWorldID world_;
  std::vector<dBodyID> bodies_;
  std::vector<dJointID> hinges_;
};

// Its direct solver is cubic in the bodies: a thousand take seconds a step.
const RegisterChainEngine kOde({"ode-dWorldStep", 100,
                                [](int bars) { return std::make_unique<OdeChain>(bars); }});

}  // namespace
}  // namespace pliant
