// Bullet's articulated body in reduced coordinates, stepped by its world.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "bench/peers/chain.h"

namespace pliant {
namespace {

constexpr double kInertia = 1.0 / 12.0;  // kg m², of a bar about its middle

class BulletChain final : public Chain {
 public:
  explicit BulletChain(int bars)
      : bars_(bars),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        body_(bars, 0.0, btVector3(0, 0, 0), true, false) {
    world_.setGravity(btVector3(0.0, -kChainGravity, 0.0));
    for (int i = 0; i < bars; ++i) {
      const btVector3 to_hinge = i == 0 ? btVector3(0, 0, 0) : btVector3(0.5, 0, 0);
      body_.setupRevolute(i, 1.0, btVector3(1e-7, kInertia, kInertia), i - 1,
                          btQuaternion::getIdentity(), btVector3(0, 0, 1), to_hinge,
                          btVector3(0.5, 0, 0), true);
    }
    body_.finalizeMultiDof();
    body_.setLinearDamping(0.0);
    body_.setAngularDamping(0.0);
    body_.setMaxAppliedImpulse(1e30);
    body_.setMaxCoordinateVelocity(1e30);
    world_.addMultiBody(&body_);
  }
  ~BulletChain() override { world_.removeMultiBody(&body_); }
  BulletChain(const BulletChain&) = delete;
  BulletChain& operator=(const BulletChain&) = delete;

  void Step() override { world_.stepSimulation(kChainStep, 0); }
  double Stretch() const override { return 0.0; }
  double KineticEnergy() const override {
    std::vector<btVector3> omega(bars_ + 1), velocity(bars_ + 1);
    body_.compTreeLinkVelocities(omega.data(), velocity.data());
    double energy = 0.0;
    for (int i = 1; i <= bars_; ++i) {
      energy += 0.5 * velocity[i].length2() + 0.5 * kInertia * omega[i].z() * omega[i].z();
    }
    return energy;
  }
  double PotentialEnergy() const override {
    double energy = 0.0;
    for (int i = 0; i < bars_; ++i) {
      energy += kChainGravity * body_.localPosToWorld(i, btVector3(0, 0, 0)).y();
    }
    return energy;
  }

 private:
  int bars_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_;
  btMultiBody body_;
};

const RegisterChainEngine kBullet({"bullet-btMultiBody", 1000,
                                   [](int bars) { return std::make_unique<BulletChain>(bars); }});

}  // namespace
}  // namespace pliant
