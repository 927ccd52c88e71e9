#include "solvers/holds/guides.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "solvers/holds/schedule.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The same angle in (−π, π].
double Wrapped(double angle) {
  return angle - 2.0 * std::numbers::pi * std::round(angle / (2.0 * std::numbers::pi));
}

PointMeasure MeasureOf(const Limit& limit, const std::array<Vector3d, 4>& x) {
  switch (limit.kind) {
    case Limit::Kind::kLength:
      break;
    case Limit::Kind::kAngle:
      return AngleAt(x[0], x[1], x[2]);
    case Limit::Kind::kTwist:
      return TwistAbout(x[0], x[1], x[2], x[3]);
  }
  return LengthBetween(x[0], x[1]);
}

}  // namespace

Guides::Guides(const Scene& scene) : scene_(scene) {
  for (const Slider& slider : scene.sliders) {
    sliders_.push_back({&slider, WeightedPoint::Of(scene.Index(slider.point))});
  }
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (const Limit& limit : scene.limits) {
    Limited limited{&limit};
    std::array<Vector3d, 4> x;
    for (int k = 0; k < limit.size(); ++k) x[k] = start.col(scene.Index(limit.points[k]));
    if (limit.kind == Limit::Kind::kTwist) limited.start = MeasureOf(limit, x).value;
    limits_.push_back(limited);
  }
}

void Guides::Begin() {
  for (Slid& slid : sliders_) slid.impulse.setZero();
  for (Limited& limited : limits_) {
    limited.pushed = 0.0;
    limited.given.fill(Vector3d::Zero());
  }
}

void Guides::Relax(double time, PointMover* mover) {
  for (Slid& slid : sliders_) Relax(time, &slid, mover);
  for (Limited& limited : limits_) Relax(&limited, mover);
}

void Guides::Relax(double time, Slid* slid, PointMover* mover) const {
  if (!HoldsThrough(slid->slider->hold, time)) return;
  const Vector3d x = mover->Point(slid->at);
  const Admitted admitted = Admit(scene_, *slid->slider, time, x);
  const Vector3d way = admitted.nearest - x;
  if (admitted.count == 0 || way.isZero(0.0)) return;
  // (BᵀWB + 1 − BᵀB) leaves the columns that B lacks alone.
  Matrix3d b = admitted.barred;
  for (int k = admitted.count; k < 3; ++k) b.col(k).setZero();
  Matrix3d among = b.transpose() * mover->Mobility(slid->at) * b;
  for (int k = admitted.count; k < 3; ++k) among(k, k) = 1.0;
  if (!(among.determinant() > 0.0)) return;  // held: nothing gives
  const Vector3d impulse = b * (among.inverse() * (b.transpose() * way));
  mover->Push(slid->at, impulse);
  slid->impulse += impulse;
}

void Guides::AddSliderImpulses(MutablePointsRef impulses) const {
  for (const Slid& slid : sliders_) impulses.col(slid.at.point[0]) += slid.impulse;
}

template <typename At>
PointMeasure Guides::Measured(const Limited& limited, const At& at) const {
  const Limit& limit = *limited.limit;
  std::array<Vector3d, 4> x;
  for (int k = 0; k < limit.size(); ++k) x[k] = at(scene_.Index(limit.points[k]));
  PointMeasure measure = MeasureOf(limit, x);
  if (limit.kind == Limit::Kind::kTwist) measure.value = Wrapped(measure.value - limited.start);
  return measure;
}

void Guides::Relax(Limited* limited, PointMover* mover) const {
  const Limit& limit = *limited->limit;
  const PointMeasure measure =
      Measured(*limited, [mover](int point) { return mover->Point(WeightedPoint::Of(point)); });
  if (limited->pushed == 0.0 && measure.value >= limit.least && measure.value <= limit.most) return;
  std::array<int, 4> points{};
  for (int k = 0; k < limit.size(); ++k) points[k] = scene_.Index(limit.points[k]);
  double gain = 0.0;  // κ
  for (int i = 0; i < limit.size(); ++i) {
    for (int j = 0; j < limit.size(); ++j) {
      gain += measure.gradient[i].dot(mover->Coupling(points[i], points[j]) * measure.gradient[j]);
    }
  }
  if (!(gain > 0.0)) return;
  const double without = measure.value - gain * limited->pushed;
  const double pushed = (std::clamp(without, limit.least, limit.most) - without) / gain;
  const double more = pushed - limited->pushed;
  limited->pushed = pushed;
  if (more == 0.0) return;
  for (int i = 0; i < limit.size(); ++i) {
    limited->given[i] += more * measure.gradient[i];
    mover->Push(WeightedPoint::Of(points[i]), more * measure.gradient[i]);
  }
}

template <typename At>
Guides::Misfit Guides::MisfitOf(int i, double time, const At& at) const {
  const int sliders = static_cast<int>(sliders_.size());
  if (i < sliders) {
    if (!HoldsThrough(sliders_[i].slider->hold, time)) return {};
    const Vector3d x = at(sliders_[i].at.point[0]);
    return {(Admit(scene_, *sliders_[i].slider, time, x).nearest - x).norm(), 1.0};
  }
  const Limited& limited = limits_[i - sliders];
  const PointMeasure measure = Measured(limited, at);
  const double beyond =
      std::max({0.0, measure.value - limited.limit->most, limited.limit->least - measure.value});
  return {measure.lever * beyond, measure.lever};
}

template <typename At>
Guides::Worst Guides::WorstOf(double time, const At& at) const {
  Worst worst;
  for (int i = 0; i < size(); ++i) {
    const double size = MisfitOf(i, time, at).size;
    if (!(size <= worst.size)) worst = {i, size};
  }
  return worst;
}

Guides::Worst Guides::FindWorst(double time, const PointMover& mover) const {
  return WorstOf(time, [&mover](int point) { return mover.Point(WeightedPoint::Of(point)); });
}

Guides::Worst Guides::FindWorst(double time, const PointsRef& x) const {
  return WorstOf(time, [&x](int point) { return Vector3d(x.col(point)); });
}

void Guides::AddUnmet(double time, const PointsRef& x, double tolerance,
                      std::vector<UnmetConstraint>* unmet) const {
  for (int i = 0; i < size(); ++i) {
    const Misfit misfit = MisfitOf(i, time, [&x](int point) { return Vector3d(x.col(point)); });
    if (misfit.size <= tolerance) continue;
    const int limit = i - static_cast<int>(sliders_.size());
    const bool angle = limit >= 0 && limits_[limit].limit->kind != Limit::Kind::kLength;
    unmet->push_back({Name(i), misfit.size / misfit.lever, angle ? "rad" : "m"});
  }
}

std::string Guides::Name(int i) const {
  const int sliders = static_cast<int>(sliders_.size());
  return i < sliders ? "slider '" + sliders_[i].slider->name + "'"
                     : "limit '" + limits_[i - sliders].limit->name + "'";
}

}  // namespace pliant
