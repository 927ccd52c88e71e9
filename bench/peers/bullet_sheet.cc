// Bullet's soft body: points and links, relaxed one link after the other (BulletSoftBody).

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/sheet.h"

namespace pliant {
namespace {

class BulletSheet final : public HangingSheet {
 public:
  BulletSheet(int points, int sweeps)
      : length_(1.0 / (points - 1)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    const btVector3 gravity(0, -kSheetGravity, 0);
    world_.setGravity(gravity);
    world_.getWorldInfo().m_gravity = gravity;
    world_.getWorldInfo().air_density = 0;
    sheet_ = btSoftBodyHelpers::CreatePatch(world_.getWorldInfo(), btVector3(0, 0, 0),
                                            btVector3(1, 0, 0), btVector3(0, -1, 0),
                                            btVector3(1, -1, 0), points, points, 0, false);
    sheet_->m_materials[0]->m_kLST = 1.0;
    sheet_->m_cfg.piterations = sweeps;
    sheet_->m_cfg.collisions = 0;
    sheet_->setTotalMass(1.0);
    for (int i = 0; i < points; ++i) sheet_->setMass(i, 0.0);  // the upper row
    world_.addSoftBody(sheet_);
  }
  ~BulletSheet() override {
    world_.removeSoftBody(sheet_);
    delete sheet_;
  }
  BulletSheet(const BulletSheet&) = delete;
  BulletSheet& operator=(const BulletSheet&) = delete;

  void Step() override { world_.stepSimulation(kSheetStep, 0); }
  double RmsStretch() const override {
    double sum = 0.0;
    for (int i = 0; i < sheet_->m_links.size(); ++i) {
      const btSoftBody::Link& link = sheet_->m_links[i];
      const double stretch = (link.m_n[0]->m_x - link.m_n[1]->m_x).length() / length_ - 1.0;
      sum += stretch * stretch;
    }
    return std::sqrt(sum / sheet_->m_links.size());
  }
  double LowestPoint() const override {
    double lowest = 0.0;
    for (int i = 0; i < sheet_->m_nodes.size(); ++i) {
      lowest = std::max(lowest, -sheet_->m_nodes[i].m_x.y());
    }
    return lowest;
  }

 private:
  double length_;
  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSoftRigidDynamicsWorld world_;
  btSoftBody* sheet_;
};

const RegisterSheetEngine kBulletSheet({"bullet-btSoftBody", [](int points, int sweeps) {
                                          return std::make_unique<BulletSheet>(points, sweeps);
                                        }});

}  // namespace
}  // namespace pliant
