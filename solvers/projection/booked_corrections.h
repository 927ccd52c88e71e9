// Books what the elements of a scene gave its points in the sweeps of a step: contacts, holds,
// guides and surfaces, with the laws of step_ledger.h.

#ifndef PLIANT_SOLVERS_PROJECTION_BOOKED_CORRECTIONS_H_
#define PLIANT_SOLVERS_PROJECTION_BOOKED_CORRECTIONS_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/displacement.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/holds/guides.h"
#include "solvers/holds/hold.h"
#include "solvers/holds/nails.h"
#include "solvers/holds/schedule.h"
#include "solvers/projection/step_ledger.h"

namespace pliant {

// A step of the sweeps.
struct SweptStep {
  const Scene& scene;
  double begin, end;  // s
  // The share of an impulse [kg m] that a point takes up as a translation; 1 but for the rules of
  // [Palazzi 1993] with their factors.
  double taken = 1.0;
};

// start(point) and motion(point) are x [m] and w [m/s] of step_ledger.h.
template <typename Start, typename Motion>
void BookContacts(const SweptStep& step, const std::vector<Contact>& contacts, const Start& start,
                  const Motion& motion, StepBalance* balance, ContactTally* tally) {
  const double momentum = step.taken / balance->step();
  for (const Contact& contact : contacts) {
    if (contact.impulse.isZero(0.0)) continue;
    const Path& path = step.scene.obstacles[contact.obstacle].motion;
    const Eigen::Vector3d impulse = momentum * contact.impulse;
    Eigen::Vector3d at = Eigen::Vector3d::Zero(), moved = Eigen::Vector3d::Zero();
    for (int i = 0; i < contact.at.count; ++i) {
      at += contact.at.weight[i] * start(contact.at.point[i]);
      moved += contact.at.weight[i] * motion(contact.at.point[i]);
    }
    const Eigen::Vector3d carried = MeanVelocity(path, step.begin, step.end);
    balance->AddContact(at, impulse, moved, carried);
    tally->AddObstacle(tally->BodyOf(contact.point), contact.obstacle, impulse, contact.normal,
                       moved - carried);
  }
}

template <typename Start, typename Motion>
void BookHolds(const SweptStep& step, const std::vector<Hold>& holds, const Nails& nails,
               const Start& start, const Motion& motion, StepBalance* balance) {
  const double momentum = step.taken / balance->step();
  for (const Hold& hold : holds) {
    if (!hold.on || hold.impulse.isZero(0.0)) continue;
    const Eigen::Vector3d given = momentum * hold.impulse;
    if (hold.nail()) {
      balance->AddHold(WorkClass::kMovedNail, start(hold.point), given, motion(hold.point),
                       nails.MeanVelocity(hold.index, step.begin, step.end));
    } else {
      balance->AddInner(given.dot(motion(hold.point) - motion(hold.to)));
    }
  }
}

template <typename Start, typename Motion>
void BookGuides(const SweptStep& step, const Guides& guides, const Start& start,
                const Motion& motion, StepBalance* balance) {
  const double momentum = step.taken / balance->step();
  guides.ForEachSlid([&](int p, const Eigen::Vector3d& impulse, const Slider& slider) {
    if (impulse.isZero(0.0)) return;
    Eigen::Vector3d moved = Eigen::Vector3d::Zero();
    if (slider.kind == Slider::Kind::kSurface) {
      moved = MeanVelocity(step.scene.obstacles[slider.obstacle].motion, step.begin, step.end);
    }
    balance->AddHold(WorkClass::kMovedObstacle, start(p), momentum * impulse, motion(p), moved);
  });
  double work = 0.0;
  guides.ForEachLimited([&](int p, const Eigen::Vector3d& impulse) {
    if (!impulse.isZero(0.0)) work += momentum * impulse.dot(motion(p));
  });
  balance->AddCorrections(WorkClass::kDamping, work);
}

template <typename Motion>
void BookSurfaces(const SweptStep& step, const SurfaceContacts& surfaces, const Motion& motion,
                  StepBalance* balance, ContactTally* tally) {
  if (!surfaces.act()) return;
  const double momentum = step.taken / balance->step();
  balance->AddCorrections(WorkClass::kContact, momentum * surfaces.Work(motion));
  surfaces.ForEachImpulse(
      [&](const SurfacePair& pair, const PairTouch& touch, const Eigen::Vector3d& impulse) {
        if (pair.own) return;
        Eigen::Vector3d moved = Eigen::Vector3d::Zero();
        for (int i = 0; i < 4; ++i) {
          if (touch.weights[i] != 0.0) moved += touch.weights[i] * motion(pair.points[i]);
        }
        const int second = pair.points[pair.kind == PairKind::kEdgeEdge ? 2 : 1];
        tally->AddBodies(tally->BodyOf(pair.points[0]), tally->BodyOf(second), momentum * impulse,
                         touch.normal, moved);
      });
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_BOOKED_CORRECTIONS_H_
