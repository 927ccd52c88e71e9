#include "solvers/contact/body_penalty.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/scene/number_text.h"
#include "solvers/contact/onset.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

Vector3d Along(const Vector3d& normal, const Vector3d& v) { return v - normal.dot(v) * normal; }

// Where a barrier is between bodies, none meet by penalty.
const Scene& ThatMeets(const Scene& scene, const PenaltyOptions& options) {
  static const Scene none;
  return options.between == BodiesMeetBy::kPenalty ? scene : none;
}

// Rows of an entry.
constexpr int kPartner = 0, kOwn = 1, kOther = 5, kStoredEnergy = 9;

}  // namespace

BodyPenalty::BodyPenalty(const Scene& scene, const PenaltyOptions& options)
    : options_(options), contacts_(ThatMeets(scene, options)) {
  if (empty() || !SolidsMeetWithFriction(scene)) return;
  entries_.setZero(kNumbers, static_cast<Eigen::Index>(contacts_.cells()) * kOthers);
  used_.resize(entries_.cols());
}

const BodyContacts& BodyPenalty::FindAt(const PointsRef& x) {
  if (found_at_.cols() != x.cols() || found_at_ != x) {
    found_at_ = x;
    contacts_.Find(x);
  }
  return contacts_;
}

int BodyPenalty::EntryOf(const CellContact& contact) const {
  if (entries_.cols() == 0 || !(contact.friction > 0.0)) return -1;
  for (int e = kOthers * contact.cell; e < kOthers * (contact.cell + 1); ++e) {
    const int partner = static_cast<int>(entries_(kPartner, e)) - 1;
    if (partner >= 0 && contacts_.body_of_cell(partner) == contact.b) return e;
  }
  return -1;
}

Vector3d BodyPenalty::Slip(const CellContact& contact, int entry, const PointsRef& x) const {
  const int partner = static_cast<int>(entries_(kPartner, entry)) - 1;
  return Along(contact.normal,
               contacts_.ValueAt(contact.cell, entries_.col(entry).segment<4>(kOwn), x) -
                   contacts_.ValueAt(partner, entries_.col(entry).segment<4>(kOther), x));
}

BodyPenalty::Friction BodyPenalty::FrictionOf(const CellContact& contact, double push,
                                              const PointsRef& x, const PointsRef& v) const {
  const int entry = EntryOf(contact);
  Friction f;
  f.own = entry < 0 ? contacts_.WeightsIn(contact.cell, contact.place)
                    : Vector4d(entries_.col(entry).segment<4>(kOwn));
  const Vector3d place = contacts_.ValueAt(contact.cell, f.own, x);
  f.other = contacts_.WeightsIn(contact.partner, place);
  f.motion =
      contacts_.ValueAt(contact.cell, f.own, v) - contacts_.ValueAt(contact.partner, f.other, v);
  f.spring.setZero();
  if (entry >= 0) f.spring = -options_.tangential_stiffness * Slip(contact, entry, x);
  f.tangential = f.spring - options_.tangential_damping * Along(contact.normal, f.motion);
  const double cap = contact.friction * push * contact.share, length = f.tangential.norm();
  if (length > cap) f.tangential *= cap / length;
  return f;
}

void BodyPenalty::AddFriction(const CellContact& contact, double push, const PointsRef& x,
                              const PointsRef& v, MutablePointsRef forces, Exchange* rates,
                              Eigen::Matrix3Xd* working) const {
  const Friction f = FrictionOf(contact, push, x, v);
  const Vector3d works = f.tangential - f.spring;
  contacts_.AddForceAt(contact.cell, f.own, f.tangential, forces);
  contacts_.AddForceAt(contact.partner, f.other, -f.tangential, forces);
  (*rates)[WorkClass::kContact] += works.dot(f.motion);
  if (working == nullptr) return;
  contacts_.AddForceAt(contact.cell, f.own, works, *working);
  contacts_.AddForceAt(contact.partner, f.other, -works, *working);
}

void BodyPenalty::FindPushes(const PointsRef& x, const PointsRef& v) {
  FindAt(x);
  if (contacts().empty()) return;
  contacts_.DepthRates(v, &rates_);
  const auto count = rates_.size();
  f_.resize(count);
  work_.resize(count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const double spring = options_.stiffness * contacts()[c].depth;
    f_[c] = std::max(0.0, spring + options_.damping * rates_[c]);
    work_[c] = f_[c] - spring;
  }
}

// A contact pushes body a with f ∇d, whose sum over its points is f · share along the normal.
void BodyPenalty::TallyForces(const PointsRef& x, const PointsRef& v, ContactTally* tally) {
  FindPushes(x, v);
  for (size_t c = 0; c < contacts().size(); ++c) {
    const CellContact& contact = contacts()[c];
    const double push = f_[static_cast<Eigen::Index>(c)];
    Vector3d force = push * contact.share * contact.normal;
    if (contact.friction > 0.0) force += FrictionOf(contact, push, x, v).tangential;
    tally->AddBodyForce(contact.a, contact.b, force);
  }
}

void BodyPenalty::AddForces(const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                            Exchange* rates, Eigen::Matrix3Xd* working) {
  FindPushes(x, v);
  if (contacts().empty()) return;
  const auto count = rates_.size();
  for (Eigen::Index c = 0; c < count; ++c) {
    (*rates)[WorkClass::kContact] -= work_[c] * rates_[c];
  }
  contacts_.AddForces(f_, forces);
  if (working != nullptr) contacts_.AddForces(work_, *working);
  for (Eigen::Index c = 0; c < count; ++c) {
    if (contacts()[c].friction > 0.0) {
      AddFriction(contacts()[c], f_[c], x, v, forces, rates, working);
    }
  }
}

double BodyPenalty::Energy(const PointsRef& x) {
  if (empty()) return 0.0;
  FindAt(x);
  double energy = 0.0;
  for (const CellContact& contact : contacts()) {
    energy += 0.5 * options_.stiffness * contact.depth * contact.depth;
    const int entry = EntryOf(contact);
    if (entry < 0) continue;
    energy += 0.5 * options_.tangential_stiffness * Slip(contact, entry, x).squaredNorm();
  }
  return energy;
}

double BodyPenalty::Update(const PointsRef& x, const PointsRef& v) {
  if (entries_.cols() == 0) return 0.0;
  FindAt(x);
  contacts_.DepthRates(v, &rates_);
  std::fill(used_.begin(), used_.end(), false);
  double work = 0.0;
  for (const CellContact& contact : contacts()) {
    const int entry = EntryOf(contact);
    if (entry >= 0) used_[entry] = true;
  }
  // What has left frees its place.
  for (Eigen::Index e = 0; e < entries_.cols(); ++e) {
    if (used_[e] || entries_(kPartner, e) == 0.0) continue;
    work -= entries_(kStoredEnergy, e);
    entries_.col(e).setZero();
  }
  for (size_t c = 0; c < contacts().size(); ++c) {
    const CellContact& contact = contacts()[c];
    if (!(contact.friction > 0.0) || contact.normal.isZero(0.0)) continue;
    int entry = EntryOf(contact);
    Vector3d slip = Vector3d::Zero();
    double before = 0.0;
    if (entry >= 0) {
      slip = Slip(contact, entry, x);
      before = 0.5 * options_.tangential_stiffness * slip.squaredNorm();
      const double push =
          std::max(0.0, options_.stiffness * contact.depth + options_.damping * rates_[c]);
      const double cap = contact.friction * push * contact.share;
      const double pull = options_.tangential_stiffness * slip.norm();
      if (pull > cap) slip *= cap / pull;
    } else {
      for (int e = kOthers * contact.cell; e < kOthers * (contact.cell + 1) && entry < 0; ++e) {
        if (entries_(kPartner, e) == 0.0) entry = e;
      }
      if (entry < 0) continue;
    }
    const double after = 0.5 * options_.tangential_stiffness * slip.squaredNorm();
    work += after - before;
    entries_(kPartner, entry) = 1.0 + contact.partner;
    entries_.col(entry).segment<4>(kOwn) = contacts_.WeightsIn(contact.cell, contact.place);
    entries_.col(entry).segment<4>(kOther) =
        contacts_.WeightsIn(contact.partner, contact.place - slip);
    entries_(kStoredEnergy, entry) = after;
  }
  return work;
}

void BodyPenalty::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state = Eigen::Map<const Eigen::VectorXd>(entries_.data(), entries_.size());
}

void BodyPenalty::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Map<Eigen::VectorXd>(entries_.data(), entries_.size()) = state;
}

PointHold HoldByBodies(const BodyPenalty& contact, int body) {
  if (contact.empty()) return {};
  const double springs = 4.0 * contact.finder().SurfaceCellsPerPoint(body);
  const PenaltyOptions& options = contact.options();
  return {springs * std::max(options.stiffness, options.tangential_stiffness),
          springs * std::max(options.damping, options.tangential_damping)};
}

std::string BodiesByPenalty(const PenaltyOptions& options) {
  return "penalty springs on what cells of bodies have in common, " +
         ThreeDigits(options.stiffness) + " N/m and " + ThreeDigits(options.damping) +
         " N s/m for each piece of surface" + OnsetInWords(options.damping);
}

void SayBodiesMeet(const Scene& scene, const std::string& how, const std::string& friction,
                   Fidelity restitution, const std::string& of_restitution,
                   TranslationRecord* record) {
  std::string thin;  // bodies that nothing touches, and why
  std::vector<bool> solid;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const std::string why = WhyNoCells(scene, b);
    solid.push_back(why.empty());
    if (why.empty() || thin.size() > 200) continue;
    thin +=
        (thin.empty() ? "" : "; ") + ("'" + scene.bodies[b].name + "' is passed through: ") + why;
  }
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    if (contact.ignored) {
      record->Say(name, Fidelity::kExact, "");
    } else if (contact.a == contact.b) {
      record->Say(name, Fidelity::kIgnored, "a body passes through itself");
    } else if (solid[contact.a] && solid[contact.b]) {
      record->Say(name, Fidelity::kApproximated, how);
      record->Say(name + ".friction", Fidelity::kApproximated, friction);
      record->Say(name + ".restitution", restitution, of_restitution);
      continue;
    } else {
      record->Say(name, Fidelity::kIgnored, thin);
    }
    record->Say(name + ".friction", Fidelity::kIgnored, "they pass through each other");
    record->Say(name + ".restitution", Fidelity::kIgnored, "they pass through each other");
  }
  const auto solids = std::count(solid.begin(), solid.end(), true);
  if (solids < 2) {
    record->Say("contact*", Fidelity::kIgnored, thin);
  } else {
    record->Say("contact*", Fidelity::kApproximated, thin.empty() ? how : how + "; " + thin);
  }
}

}  // namespace pliant
